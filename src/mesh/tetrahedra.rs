//! Meshes of tetrahedra: what fills a solid.

use super::TriangleMesh;
use crate::math::Vec3;

/// The faces of a tetrahedron of positive volume, by the corners' places in it, counter-clockwise seen from outside.
/// The last is opposite to corner 0, the first to corner 3.
const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

/// The face of a tetrahedron of positive volume that is opposite to one of its corners, by the corners' places.
pub(crate) fn face_opposite(corner: usize) -> [usize; 3] {
    FACES[3 - corner]
}

/// A solid of tetrahedra, each of positive volume: the fourth corner lies on the side that (b-a)×(c-a) points to.
/// Volumes and the boundary panic where a tetrahedron names a vertex that is not there; meshes that were generated or
/// read have none such.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TetrahedronMesh {
    /// m, one per vertex.
    pub positions: Vec<[f64; 3]>,
    /// Four different indices into `positions` each.
    pub tetrahedra: Vec<[u32; 4]>,
}

impl TetrahedronMesh {
    /// Of one of its tetrahedra, (b-a)×(c-a)·(d-a)/6, m³; negative if it is inside out.
    pub fn volume_of(&self, tetrahedron: [u32; 4]) -> f64 {
        let [a, b, c, d] = tetrahedron.map(|vertex| Vec3::from(self.positions[vertex as usize]));
        (b - a).cross(c - a).dot(d - a) / 6.0
    }

    /// Least distance of a corner from the plane of the other three, m; negative if it is inside out.
    pub fn height_of(&self, tetrahedron: [u32; 4]) -> f64 {
        let x = tetrahedron.map(|vertex| Vec3::from(self.positions[vertex as usize]));
        let double_area = |[a, b, c]: [usize; 3]| (x[b] - x[a]).cross(x[c] - x[a]).length();
        6.0 * self.volume_of(tetrahedron) / FACES.into_iter().map(double_area).fold(0.0, f64::max)
    }

    /// In how many pieces it is: tetrahedra hang together by faces.
    pub fn pieces(&self) -> usize {
        let mut faces: Vec<([u32; 3], u32)> = (0..)
            .zip(&self.tetrahedra)
            .flat_map(|(index, corners)| FACES.map(|face| (ascending(face.map(|k| corners[k])), index)))
            .collect();
        faces.sort_unstable();
        let shared = faces.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| [pair[0].1, pair[1].1]);
        super::pieces(self.tetrahedra.len(), shared)
    }

    /// The sum of the tetrahedra's signed volumes, m³.
    pub fn signed_volume(&self) -> f64 {
        self.tetrahedra.iter().map(|&tetrahedron| self.volume_of(tetrahedron)).sum()
    }

    /// A quarter of the volume of the tetrahedra at each vertex, m³, one per vertex. Mass is shared out by it.
    pub fn vertex_volumes(&self) -> Vec<f64> {
        let mut volumes = vec![0.0; self.positions.len()];
        for &tetrahedron in &self.tetrahedra {
            let quarter = self.volume_of(tetrahedron) / 4.0;
            tetrahedron.into_iter().for_each(|vertex| volumes[vertex as usize] += quarter);
        }
        volumes
    }

    /// Each edge once, the lower index first, ascending.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        let pairs = |[a, b, c, d]: [u32; 4]| [[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]];
        let ordered = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
        let mut edges: Vec<[u32; 2]> = self.tetrahedra.iter().flat_map(|&t| pairs(t)).map(ordered).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// The faces that belong to one tetrahedron only, wound counter-clockwise seen from outside, in the order of the
    /// tetrahedra.
    pub fn boundary(&self) -> Vec<[u32; 3]> {
        let all: Vec<[u32; 3]> =
            self.tetrahedra.iter().flat_map(|corners| FACES.map(|face| face.map(|k| corners[k]))).collect();
        let mut sorted: Vec<([u32; 3], usize)> = all.iter().copied().map(ascending).zip(0..).collect();
        sorted.sort_unstable();
        let mut alone: Vec<usize> =
            sorted.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() == 1).map(|same| same[0].1).collect();
        alone.sort_unstable();
        alone.into_iter().map(|face| all[face]).collect()
    }

    /// Its boundary as a mesh over the same vertices; those inside belong to no triangle.
    pub fn surface(&self) -> TriangleMesh {
        TriangleMesh { positions: self.positions.clone(), triangles: self.boundary() }
    }
}

pub(crate) fn ascending(mut face: [u32; 3]) -> [u32; 3] {
    face.sort_unstable();
    face
}
