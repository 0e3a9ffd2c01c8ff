//! Whether a point is inside of a closed mesh, by the mesh itself: what the distances on a grid are held against.

use pliant::constraint::Vec3;
use pliant::mesh::TriangleMesh;

pub struct Inside {
    corners: Vec<[Vec3<f64>; 3]>,
}

impl Inside {
    pub fn of(mesh: &TriangleMesh) -> Self {
        let corner = |index: u32| Vec3::from(mesh.positions[index as usize]);
        Self { corners: mesh.triangles.iter().map(|triangle| triangle.map(corner)).collect() }
    }

    /// By the winding number: the solid angles of all triangles together are 4π from inside and 0 from outside (Van Oosterom and Strackee,
    /// The Solid Angle of a Plane Triangle, 1983).
    pub fn holds(&self, point: [f64; 3]) -> bool {
        let point = Vec3::from(point);
        let angle = |corners: &[Vec3<f64>; 3]| {
            let [a, b, c] = corners.map(|corner| corner - point);
            let [la, lb, lc] = [a, b, c].map(Vec3::length);
            2.0 * a.dot(b.cross(c)).atan2(la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb)
        };
        self.corners.iter().map(angle).sum::<f64>().abs() > std::f64::consts::TAU
    }
}
