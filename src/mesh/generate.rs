//! Meshes that are made rather than read. All are wound counter-clockwise seen from outside, with no vertex twice.
//! Counts below the least that makes a surface are raised to it.

use std::collections::HashMap;
use std::f64::consts::TAU;
use std::hash::Hash;

use super::{TetrahedronMesh, TriangleMesh};

/// A rectangle in the plane z = 0 that faces +z, its top edge at y = 0, centred on x. Row 0 is the top row; the vertex
/// of a row and a column is `row * columns + column`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Vertices along x.
    pub columns: u32,
    /// Vertices along y.
    pub rows: u32,
    /// Along x, m.
    pub width: f64,
    /// Along y, m.
    pub height: f64,
}

/// How the quads of a [`Grid`] are split into triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Diagonals {
    /// All from the top left to the bottom right.
    Uniform,
    /// In turn like on a chessboard, which favours no direction.
    #[default]
    Alternating,
}

impl Grid {
    /// `columns * rows` vertices, row by row from the top, and two triangles a quad. Fewer than two rows or columns
    /// give no triangle.
    pub fn mesh(&self, diagonals: Diagonals) -> TriangleMesh {
        let spacing = |length: f64, count: u32| if count > 1 { length / f64::from(count - 1) } else { 0.0 };
        let (dx, dy) = (spacing(self.width, self.columns), spacing(self.height, self.rows));
        let left = -0.5 * dx * f64::from(self.columns.saturating_sub(1));
        let positions = (0..self.rows)
            .flat_map(|row| (0..self.columns).map(move |column| (row, column)))
            .map(|(row, column)| [left + dx * f64::from(column), 0.0 - dy * f64::from(row), 0.0])
            .collect();
        let mut triangles = Vec::new();
        for row in 1..self.rows {
            for column in 1..self.columns {
                let bottom_right = row * self.columns + column;
                let [bottom_left, top_right] = [bottom_right - 1, bottom_right - self.columns];
                let top_left = top_right - 1;
                let falling = diagonals == Diagonals::Uniform || (row + column) % 2 == 0;
                triangles.extend(if falling {
                    [[top_left, bottom_left, bottom_right], [top_left, bottom_right, top_right]]
                } else {
                    [[top_left, bottom_left, top_right], [bottom_left, bottom_right, top_right]]
                });
            }
        }
        TriangleMesh { positions, triangles }
    }
}

/// A sphere about the origin: an icosahedron with its faces divided and pushed out, so that triangles are alike and no
/// vertex has more than six of them. (The poles of a sphere of longitudes would join as many as there are segments.)
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// From the centre to every vertex, m.
    pub radius: f64,
    /// Edges around the middle: five times the parts of an edge of the icosahedron, and rounded up to that.
    pub segments: u32,
}

impl Sphere {
    /// With p parts to an edge, 10 p² + 2 vertices and 20 p² triangles, in an order that is always the same.
    pub fn mesh(&self) -> TriangleMesh {
        let parts = self.segments.div_ceil(5).max(1);
        let corners = icosahedron();
        let mut vertices = Vertices::default();
        let mut triangles = Vec::new();
        for face in ICOSAHEDRON_FACES {
            let mut vertex = |weights: [u32; 3]| {
                let mut key: Vec<(usize, u32)> =
                    face.into_iter().zip(weights).filter(|&(_, weight)| weight > 0).collect();
                key.sort_unstable();
                let sum =
                    |axis: usize| key.iter().map(|&(corner, weight)| corners[corner][axis] * f64::from(weight)).sum();
                let point: [f64; 3] = std::array::from_fn(sum);
                let length = point.iter().map(|x| x * x).sum::<f64>().sqrt();
                vertices.index(key, || point.map(|x| x * self.radius / length))
            };
            for i in 0..parts {
                for j in 0..parts - i {
                    let k = parts - i - j;
                    let [a, b, c] = [vertex([k, i, j]), vertex([k - 1, i + 1, j]), vertex([k - 1, i, j + 1])];
                    triangles.push([a, b, c]);
                    if k > 1 {
                        triangles.push([b, vertex([k - 2, i + 1, j + 1]), c]);
                    }
                }
            }
        }
        TriangleMesh { positions: vertices.positions, triangles }
    }
}

/// Twelve vertices of an icosahedron: the cyclic permutations of (0, ±1, ±φ), φ the golden ratio.
fn icosahedron() -> [[f64; 3]; 12] {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    std::array::from_fn(|vertex| {
        let one = if vertex & 1 == 0 { 1.0 } else { -1.0 };
        let long = if vertex & 2 == 0 { golden } else { -golden };
        let mut corner = [0.0, one, long];
        corner.rotate_right(vertex / 4);
        corner
    })
}

/// Counter-clockwise seen from outside, into [`icosahedron`].
#[rustfmt::skip]
const ICOSAHEDRON_FACES: [[usize; 3]; 20] = [
    [0, 1, 4], [0, 6, 1], [0, 4, 8], [0, 9, 6], [0, 8, 9],
    [1, 10, 4], [1, 6, 11], [1, 11, 10], [2, 5, 3], [2, 3, 7],
    [2, 8, 5], [2, 7, 9], [2, 9, 8], [3, 5, 10], [3, 11, 7],
    [3, 10, 11], [4, 5, 8], [4, 10, 5], [6, 9, 7], [6, 7, 11],
];

/// A ring about the y axis, centred on the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torus {
    /// From the centre to the middle of the tube, m.
    pub radius: f64,
    /// From the middle of the tube to its surface, m.
    pub tube_radius: f64,
    /// Around the axis, at least 3.
    pub segments: u32,
    /// Around the tube, at least 3.
    pub tube_segments: u32,
}

impl Torus {
    /// `segments * tube_segments` vertices and twice as many triangles; the vertex of a segment and a tube segment is
    /// `segment * tube_segments + tube_segment`.
    pub fn mesh(&self) -> TriangleMesh {
        let (around, tube) = (self.segments.max(3), self.tube_segments.max(3));
        let mut mesh = TriangleMesh::default();
        for i in 0..around {
            for j in 0..tube {
                let (sin, cos) = (TAU * f64::from(i) / f64::from(around)).sin_cos();
                let (tube_sin, tube_cos) = (TAU * f64::from(j) / f64::from(tube)).sin_cos();
                let from_axis = self.radius + self.tube_radius * tube_cos;
                mesh.positions.push([from_axis * cos, self.tube_radius * tube_sin, from_axis * sin]);
                let vertex = |i: u32, j: u32| i % around * tube + j % tube;
                let [a, b, c, d] = [vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1), vertex(i + 1, j)];
                mesh.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        mesh
    }
}

/// A box centred on the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    /// Quads of its surface along x, y and z, cells of a solid; at least 1 each.
    pub cells: [u32; 3],
    /// Along x, y and z, m.
    pub size: [f64; 3],
}

impl Cuboid {
    /// Its surface. Vertices are shared across edges and corners, which keep their right angles; two triangles a quad.
    pub fn mesh(&self) -> TriangleMesh {
        let cells = self.cells.map(|count| count.max(1));
        let mut vertices = Vertices::default();
        let mut triangles = Vec::new();
        for axis in 0..3 {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            for side in [0, cells[axis]] {
                let mut vertex = |i: u32, j: u32| {
                    let mut place = [0; 3];
                    (place[axis], place[u], place[v]) = (side, i, j);
                    vertices.index(place, || {
                        std::array::from_fn(|k| self.size[k] * (f64::from(place[k]) / f64::from(cells[k]) - 0.5))
                    })
                };
                for i in 0..cells[u] {
                    for j in 0..cells[v] {
                        let [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
                        triangles.extend(if side > 0 { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] });
                    }
                }
            }
        }
        TriangleMesh { positions: vertices.positions, triangles }
    }
}

impl Cuboid {
    /// The whole of it: five tetrahedra a cell, one over the vertices whose numbers along x, y and z have an even sum
    /// and one at each corner between. Neighbouring cells are mirror images, so that their faces match. The vertex i,
    /// j, k is `(i * (cells[1] + 1) + j) * (cells[2] + 1) + k`.
    pub fn solid(&self) -> TetrahedronMesh {
        let cells = self.cells.map(|count| count.max(1));
        let vertex = |[i, j, k]: [u32; 3]| (i * (cells[1] + 1) + j) * (cells[2] + 1) + k;
        let place = |axis: usize, i: u32| self.size[axis] * (f64::from(i) / f64::from(cells[axis]) - 0.5);
        let mut mesh = TetrahedronMesh::default();
        for [i, j, k] in lattice(cells.map(|count| count + 1)) {
            mesh.positions.push([place(0, i), place(1, j), place(2, k)]);
        }
        for cell in lattice(cells) {
            let corners = lattice([2; 3]).map(|step| std::array::from_fn(|axis| cell[axis] + step[axis]));
            let (even, odd): (Vec<_>, Vec<_>) =
                corners.partition(|place: &[u32; 3]| place.iter().sum::<u32>() % 2 == 0);
            let flipped = |corner: [u32; 3], axis: usize| {
                std::array::from_fn(|k| if k == axis { 2 * cell[k] + 1 - corner[k] } else { corner[k] })
            };
            let at_corner = |&corner: &[u32; 3]| [corner, flipped(corner, 0), flipped(corner, 1), flipped(corner, 2)];
            let all = std::iter::once([even[0], even[1], even[2], even[3]]).chain(odd.iter().map(at_corner));
            for [a, b, c, d] in all.map(|corners| corners.map(vertex)) {
                let positive = mesh.volume_of([a, b, c, d]) > 0.0;
                mesh.tetrahedra.push(if positive { [a, b, c, d] } else { [a, b, d, c] });
            }
        }
        mesh
    }
}

/// All triples of numbers below the counts, the last one running fastest.
fn lattice(counts: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    let [x, y, z] = counts;
    (0..x).flat_map(move |i| (0..y).flat_map(move |j| (0..z).map(move |k| [i, j, k])))
}

/// Points along a straight line, for ropes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// The first point, m.
    pub from: [f64; 3],
    /// The last point, m.
    pub to: [f64; 3],
    /// Edges; one less than there are points.
    pub segments: u32,
}

impl Line {
    /// From one end to the other, both included.
    pub fn positions(&self) -> Vec<[f64; 3]> {
        let segments = self.segments.max(1);
        let along = |i: u32| f64::from(i) / f64::from(segments);
        (0..=segments)
            .map(|i| std::array::from_fn(|axis| self.from[axis] * (1.0 - along(i)) + self.to[axis] * along(i)))
            .collect()
    }

    /// Indices into [`Line::positions`]: each point and the next.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        (0..self.segments.max(1)).map(|i| [i, i + 1]).collect()
    }
}

/// Vertices that several faces ask for, each made once.
struct Vertices<Key> {
    positions: Vec<[f64; 3]>,
    index: HashMap<Key, u32>,
}

impl<Key> Default for Vertices<Key> {
    fn default() -> Self {
        Self { positions: Vec::new(), index: HashMap::new() }
    }
}

impl<Key: Eq + Hash> Vertices<Key> {
    fn index(&mut self, key: Key, position: impl FnOnce() -> [f64; 3]) -> u32 {
        *self.index.entry(key).or_insert_with(|| {
            self.positions.push(position());
            self.positions.len() as u32 - 1
        })
    }
}
