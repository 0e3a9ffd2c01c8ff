//! The colliders of a scene.

use super::{Keyframes, Mesh};
use crate::mesh::DEFAULT_CELLS;
use crate::model::Finish;

/// A solid that particles collide with.
#[derive(Clone, Debug, PartialEq)]
pub struct Collider {
    /// What of it is solid.
    pub shape: ColliderShape,
    /// m; added after `rotation`.
    pub position: [f64; 3],
    /// Quaternion x, y, z, w.
    pub rotation: [f64; 4],
    /// Displacement from where it is placed, m.
    pub keyframes: Option<Keyframes>,
    /// Steady angular velocity about its position, along axes of its own, rad/s; less than half a turn in a substep.
    pub spin: [f64; 3],
    /// Rotations about its position after `rotation`: `(time in s, quaternion x, y, z, w)`, spherically linear between,
    /// the shorter way round, held before the first and after the last.
    pub rotations: Option<Vec<(f64, [f64; 4])>>,
    /// Velocity with which its surface runs although it stands, as a conveyor's belt does, along axes of its own, m/s.
    pub belt: [f64; 3],
    /// Coefficient of static friction, at least 0; [`World::friction_combine`](crate::model::World::friction_combine)
    /// makes that of a pair of the two.
    pub friction: f64,
    /// `friction` if left out.
    pub dynamic_friction: Option<f64>,
    /// Speed kept in a rebound, 0 to 1; that of a pair is the mean of the two.
    pub restitution: f64,
    /// Vertices of its mesh's file that are this near each other as placed become one, m, above 0; left out: those at
    /// the same place.
    pub weld: Option<f64>,
    /// Added to the radius of particles that touch it, m, at least 0.
    pub thickness: f64,
    /// Force with which it holds each particle that touches it, N, at least 0.
    pub adhesion: f64,
    /// Lets everything through, is not drawn, and reports the particles in it.
    pub trigger: bool,
    /// The group it is in for collisions, 0 to 31.
    pub collision_group: u32,
    /// The groups with which it collides; left out: all.
    pub collides_with: Option<Vec<u32>>,
    /// A container: solid outside. Not for a plane.
    pub inside: bool,
    /// Linear red, green, blue, 0 to 1; left out: that of its look.
    pub colour: Option<[f32; 3]>,
    /// What it looks as if it were made of; left out: plaster.
    pub look: Option<Finish>,
}

/// Which part of space a collider fills, in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum ColliderShape {
    /// Solid where `normal`·x < `offset`: the normal, of any length but 0, points to the free side.
    Plane {
        /// Of any length but 0.
        normal: [f64; 3],
        /// Distance of the plane from the collider's position along the normal, m. A plane that turns does so about its
        /// point there.
        offset: f64,
    },
    /// A ball about the collider's position.
    Sphere {
        /// m, above 0.
        radius: f64,
    },
    /// A cylinder along y with round ends, about the collider's position.
    Capsule {
        /// m, above 0.
        radius: f64,
        /// From the centre of one round end to that of the other, m, at least 0.
        length: f64,
    },
    /// A box about the collider's position.
    Box {
        /// Its edges along x, y and z, m, above 0.
        size: [f64; 3],
    },
    /// A cylinder along y about the collider's position.
    Cylinder {
        /// m, above 0.
        radius: f64,
        /// From end to end, m, above 0.
        length: f64,
    },
    /// The convex hull of points in the collider's frame.
    Convex {
        /// Of what.
        hull: Hull,
        /// Multiplies the points' coordinates, above 0.
        scale: f64,
        /// Cells of its grid of distances along its longest side, 4 to 256.
        cells: u32,
    },
    /// What a closed mesh in the collider's frame encloses.
    Mesh {
        /// Closed; one that is inside out is turned.
        mesh: Mesh,
        /// Multiplies the mesh's coordinates, above 0.
        scale: f64,
        /// Cells of its grid of distances along its longest side, 4 to 256.
        cells: u32,
    },
    /// Ground below heights over a rectangle of the plane y = 0, centred on the collider's position, between upright
    /// walls at its edges.
    HeightField {
        /// Over the plane y = 0.
        heights: Heights,
        /// Of the rectangle along x and z, m, above 0.
        size: [f64; 2],
    },
}

/// What a convex hull is of.
#[derive(Clone, Debug, PartialEq)]
pub enum Hull {
    /// The vertices of a mesh, closed or not.
    Mesh(Mesh),
    /// Four points at least that are not in one plane, m.
    Points(Vec<[f64; 3]>),
}

/// Heights on a lattice of two rows and two columns at least.
#[derive(Clone, Debug, PartialEq)]
pub enum Heights {
    /// m: rows along x, the first at the lowest z.
    Rows(Vec<Vec<f64>>),
    /// A grey PNG picture, its top row at the lowest z.
    File {
        /// Of the picture.
        path: std::path::PathBuf,
        /// What black and white stand for, m.
        range: [f64; 2],
    },
}

impl Collider {
    /// Of a shape, at rest at the origin, smooth, without rebound, thickness or adhesion.
    pub fn new(shape: ColliderShape) -> Self {
        Self {
            shape,
            position: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            keyframes: None,
            spin: [0.0; 3],
            rotations: None,
            belt: [0.0; 3],
            friction: 0.0,
            dynamic_friction: None,
            restitution: 0.0,
            weld: None,
            thickness: 0.0,
            adhesion: 0.0,
            trigger: false,
            collision_group: 0,
            collides_with: None,
            inside: false,
            colour: None,
            look: None,
        }
    }
    /// A plane with free space on the side of its normal.
    pub fn plane(normal: [f64; 3], offset: f64) -> Self {
        Self::new(ColliderShape::Plane { normal, offset })
    }
    /// A ball of the radius, m.
    pub fn sphere(radius: f64) -> Self {
        Self::new(ColliderShape::Sphere { radius })
    }
    /// A cylinder along y with round ends; the length, m, is from the centre of one to that of the other.
    pub fn capsule(radius: f64, length: f64) -> Self {
        Self::new(ColliderShape::Capsule { radius, length })
    }
    /// A box with these edges, m.
    pub fn cuboid(size: [f64; 3]) -> Self {
        Self::new(ColliderShape::Box { size })
    }
    /// A cylinder along y, m.
    pub fn cylinder(radius: f64, length: f64) -> Self {
        Self::new(ColliderShape::Cylinder { radius, length })
    }
    /// The convex hull of points, m.
    pub fn convex(points: impl Into<Vec<[f64; 3]>>) -> Self {
        Self::new(ColliderShape::Convex { hull: Hull::Points(points.into()), scale: 1.0, cells: DEFAULT_CELLS })
    }
    /// What a closed mesh encloses.
    pub fn mesh(mesh: impl Into<Mesh>) -> Self {
        Self::new(ColliderShape::Mesh { mesh: mesh.into(), scale: 1.0, cells: DEFAULT_CELLS })
    }
    /// Ground over a rectangle of a size along x and z, m: rows of heights along x, the first at the lowest z.
    pub fn height_field(rows: impl Into<Vec<Vec<f64>>>, size: [f64; 2]) -> Self {
        Self::new(ColliderShape::HeightField { heights: Heights::Rows(rows.into()), size })
    }
    /// Where its origin comes to lie, m; added after the rotation.
    pub fn position(self, position: [f64; 3]) -> Self {
        Self { position, ..self }
    }
    /// Quaternion x, y, z, w.
    pub fn rotation(self, rotation: [f64; 4]) -> Self {
        Self { rotation, ..self }
    }
    /// Moves it: `(time in s, displacement in m)`.
    pub fn keyframes(self, keyframes: impl Into<Keyframes>) -> Self {
        Self { keyframes: Some(keyframes.into()), ..self }
    }
    /// Turns it steadily about its position, rad/s along axes of its own.
    pub fn spin(self, spin: [f64; 3]) -> Self {
        Self { spin, ..self }
    }
    /// Turns it about its position: `(time in s, quaternion x, y, z, w)`.
    pub fn rotations(self, rotations: impl Into<Vec<(f64, [f64; 4])>>) -> Self {
        Self { rotations: Some(rotations.into()), ..self }
    }
    /// Lets its surface run, m/s along axes of its own.
    pub fn belt(self, belt: [f64; 3]) -> Self {
        Self { belt, ..self }
    }
    /// Coefficient of static friction, and of dynamic friction unless that is set too.
    pub fn friction(self, friction: f64) -> Self {
        Self { friction, ..self }
    }
    /// Coefficient of dynamic friction, at least 0; combined in a pair as the static one is.
    pub fn dynamic_friction(self, dynamic_friction: f64) -> Self {
        Self { dynamic_friction: Some(dynamic_friction), ..self }
    }
    /// Speed kept in a rebound, 0 to 1; that of a pair is the mean of the two.
    pub fn restitution(self, restitution: f64) -> Self {
        Self { restitution, ..self }
    }
    /// Added to the radius of particles that touch it, m.
    pub fn thickness(self, thickness: f64) -> Self {
        Self { thickness, ..self }
    }
    /// Joins vertices of its mesh's file that are this near each other as placed, m.
    pub fn weld(self, distance: f64) -> Self {
        Self { weld: Some(distance), ..self }
    }
    /// Force with which it holds each particle that touches it, N.
    pub fn adhesion(self, adhesion: f64) -> Self {
        Self { adhesion, ..self }
    }
    /// Lets everything through, is not drawn, and reports the particles in it
    /// ([`Against::Trigger`](crate::model::Against::Trigger)).
    pub fn trigger(self) -> Self {
        Self { trigger: true, ..self }
    }
    /// The group it is in for collisions, 0 to 31.
    pub fn collision_group(self, group: u32) -> Self {
        Self { collision_group: group, ..self }
    }
    /// The groups with which alone it collides.
    pub fn collides_with(self, groups: impl Into<Vec<u32>>) -> Self {
        Self { collides_with: Some(groups.into()), ..self }
    }
    /// Linear red, green, blue, 0 to 1.
    pub fn colour(self, colour: [f32; 3]) -> Self {
        Self { colour: Some(colour), ..self }
    }
    /// What it looks as if it were made of.
    pub fn look(self, look: Finish) -> Self {
        Self { look: Some(look), ..self }
    }
    /// Makes it a container: solid outside.
    pub fn inside(self) -> Self {
        Self { inside: true, ..self }
    }
}
