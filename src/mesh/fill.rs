//! Fills a closed surface with tetrahedra: those of a body-centred cubic lattice that it reaches (parry3d's
//! `volume_mesh`), fitted to it.
//!
//! The lattice covers the surface and stands out from it by up to a cell, and it is the particles that touch: what they
//! carry would float. So the outer vertices are brought to the surface, and those inside evenly between them, as far as
//! each tetrahedron keeps some height.

use parry3d::math::Vector;
use parry3d::query::{PointQuery, PointQueryWithLocation};
use parry3d::shape::TriMesh;
use parry3d::transformation::{VolumeMeshParameters, volume_mesh};

use super::{TetrahedronMesh, TriangleMesh};
use crate::math::Vec3;

/// Sweeps over all vertices; more change nothing that one sees.
const SWEEPS: usize = 20;
/// Sweeps before the surface draws: at first the lattice is not near enough to tell what it should cover.
const SWEEPS_ALONE: usize = 5;
/// What is left of the height of a tetrahedron at least, in cells. In the lattice it is 0.71. With 0.2 more than a
/// quarter of a cell stands out here and there.
const LEAST_HEIGHT: f64 = 0.1;
/// Of parry3d's own sweeps, which bring a cover nearer and keep it around the surface.
const COVER_SWEEPS: u32 = 3;

/// Tetrahedra of about this size, m. The surface is closed and encloses a volume. `None` if the lattice finds nothing
/// inside.
pub(crate) fn fill(surface: &TriangleMesh, cell: f64) -> Option<TetrahedronMesh> {
    let (low, high) = surface.bounding_box()?;
    let centre: [f64; 3] = std::array::from_fn(|axis| (low[axis] + high[axis]) / 2.0);
    // In cells, since parry3d calculates in single precision.
    let scaled = |position: &[f64; 3]| single(std::array::from_fn(|axis| (position[axis] - centre[axis]) / cell));
    let vertices: Vec<Vector> = surface.positions.iter().map(scaled).collect();
    let parameters = VolumeMeshParameters { cover_smoothing: COVER_SWEEPS, ..VolumeMeshParameters::new(1.0) };
    let mut cover = volume_mesh(&vertices, &surface.triangles, &parameters)?;
    cover.compact();
    let positions = cover.vertices.iter().map(|&vertex| double(vertex).into()).collect();
    let mut fit = Fit::new(TetrahedronMesh { positions, tetrahedra: cover.cells });
    fit.to(vertices, &surface.triangles)?;
    let positions = fit.solid.positions.iter();
    let positions = positions.map(|position| std::array::from_fn(|axis| centre[axis] + cell * position[axis]));
    Some(TetrahedronMesh { positions: positions.collect(), tetrahedra: fit.solid.tetrahedra })
}

fn single(position: [f64; 3]) -> Vector {
    let [x, y, z] = position.map(|value| value as f32);
    Vector::new(x, y, z)
}

fn double(vector: Vector) -> Vec3<f64> {
    [vector.x, vector.y, vector.z].map(f64::from).into()
}

/// A cover on its way to a surface, in cells.
struct Fit {
    solid: TetrahedronMesh,
    boundary: Vec<[u32; 3]>,
    is_outer: Vec<bool>,
    /// The tetrahedra at each vertex.
    around: Vec<Vec<usize>>,
    /// The vertices at the other ends of its edges.
    neighbours: Vec<Vec<u32>>,
}

impl Fit {
    fn new(solid: TetrahedronMesh) -> Self {
        let count = solid.positions.len();
        let (mut is_outer, mut around, mut neighbours) = (vec![false; count], vec![vec![]; count], vec![vec![]; count]);
        let boundary = solid.boundary();
        boundary.iter().flatten().for_each(|&vertex| is_outer[vertex as usize] = true);
        for (index, tetrahedron) in solid.tetrahedra.iter().enumerate() {
            tetrahedron.iter().for_each(|&vertex| around[vertex as usize].push(index));
        }
        for [a, b] in solid.edges() {
            neighbours[a as usize].push(b);
            neighbours[b as usize].push(a);
        }
        Self { solid, boundary, is_outer, around, neighbours }
    }

    fn to(&mut self, vertices: Vec<Vector>, triangles: &[[u32; 3]]) -> Option<()> {
        let surface = TriMesh::new(vertices.clone(), triangles.to_vec()).ok()?;
        for sweep in 0..SWEEPS {
            let drawn = if sweep < SWEEPS_ALONE { Vec::new() } else { self.drawn(&vertices)? };
            for vertex in 0..self.solid.positions.len() {
                let position = Vec3::from(self.solid.positions[vertex]);
                let target = if self.is_outer[vertex] {
                    let way = drawn.get(vertex).copied().unwrap_or_else(Vec3::zero);
                    double(surface.project_local_point(single((position + way).into()), false).point)
                } else {
                    self.middle(vertex)
                };
                self.go(vertex, position, target);
            }
        }
        Some(())
    }

    /// How far the surface is from the boundary at each of its vertices, in the mean of the surface's vertices nearest
    /// to its triangles.
    fn drawn(&self, vertices: &[Vector]) -> Option<Vec<Vec3<f64>>> {
        let corners = self.solid.positions.iter().map(|&position| single(position)).collect();
        let boundary = TriMesh::new(corners, self.boundary.clone()).ok()?;
        let mut sums = vec![(Vec3::zero(), 0.0); self.solid.positions.len()];
        for &vertex in vertices {
            let (nearest, (triangle, location)) = boundary.project_local_point_and_get_location(vertex, false);
            let Some(weights) = location.barycentric_coordinates() else { continue };
            for (&corner, weight) in self.boundary[triangle as usize].iter().zip(weights.map(f64::from)) {
                let (sum, whole) = &mut sums[corner as usize];
                *sum += double(vertex - nearest.point) * weight;
                *whole += weight;
            }
        }
        let mean = |(sum, whole): (Vec3<f64>, f64)| if whole > 0.0 { sum * (1.0 / whole) } else { sum };
        Some(sums.into_iter().map(mean).collect())
    }

    fn middle(&self, vertex: usize) -> Vec3<f64> {
        let neighbours = &self.neighbours[vertex];
        let positions = neighbours.iter().map(|&other| Vec3::from(self.solid.positions[other as usize]));
        positions.fold(Vec3::zero(), |sum, position| sum + position) * (1.0 / neighbours.len() as f64)
    }

    /// Goes as far towards the target as no tetrahedron becomes too low, or lower if it is.
    fn go(&mut self, vertex: usize, from: Vec3<f64>, target: Vec3<f64>) {
        let least = self.least_height(vertex).min(LEAST_HEIGHT);
        for share in [1.0, 0.5, 0.25] {
            self.solid.positions[vertex] = (from + (target - from) * share).into();
            if self.least_height(vertex) >= least {
                return;
            }
        }
        self.solid.positions[vertex] = from.into();
    }

    fn least_height(&self, vertex: usize) -> f64 {
        let heights = self.around[vertex].iter().map(|&index| self.solid.height_of(self.solid.tetrahedra[index]));
        heights.fold(f64::INFINITY, f64::min)
    }
}
