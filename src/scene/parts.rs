//! What a scene says beside its bodies: constraints, pins, forces, colliders, the camera.

use super::Mesh;
use crate::mesh::DEFAULT_CELLS;
use crate::model::Side;

/// Values over time, each `(time in s, value)`: linear between, held before the first and after the last.
pub type Keyframes = Vec<(f64, [f64; 3])>;

/// What drives rest values over time, each `(time in s, one number for each rest value of the kind)`: factors of
/// lengths and areas, additions to angles and coordinates. Linear between, held before the first and after the last.
pub type RestKeyframes = Vec<(f64, Vec<f64>)>;

/// A particle of a named body: `("rope".into(), 63)`.
pub type Named = (String, u32);

/// Constraints of one kind that share their numbers. `P` names a particle: an index inside a body, or [`Named`].
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint<P> {
    /// Name of the kind, `distance`, or of its family: an `attach` of two particles is a `weld`.
    pub kind: String,
    /// One list per constraint, as long as the kind asks.
    pub particles: Vec<Vec<P>>,
    /// XPBD mode: inverse stiffness, at least 0; 0 is rigid. The unit is the kind's.
    pub compliance: Values,
    /// XPBD mode: damping along the gradient, at least 0; acts on constraints with compliance.
    pub damping: Values,
    /// PBD mode: share of the error removed at each iteration, 0 to 1.
    pub stiffness: Values,
    /// In which direction they may act; left out: as the kind does, both ways or pushing or pulling only.
    pub side: Option<Side>,
    /// Mean force over a frame above which a constraint breaks, N.
    pub break_force: Option<Values>,
    /// The kind's rest values by name (`rest_length`); those left out are as placed. Three that end in `_x`, `_y` and
    /// `_z` may be given as one list of three for all: `point`. In place of the one rest value of a kind,
    /// `rest_length`, limits between which they are free: `min_length`, `max_length` or both.
    pub rest: Vec<(String, Values)>,
    /// What drives the rest values over time.
    pub keyframes: Option<RestKeyframes>,
    /// After which the keyframes repeat, s, above 0.
    pub period: Option<f64>,
    /// How much later than the keyframes' times it happens, s.
    pub delay: Option<Values>,
    /// Elastic deformation above which a constraint flows: of lengths and areas a share of the rest value, of angles
    /// rad.
    pub yield_point: Option<Values>,
    /// Rate of flowing, 1/s, above 0; left out: at once.
    pub creep: Option<Values>,
}

/// One number for all, or one for each.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// The same for every constraint.
    All(f64),
    /// One per constraint, in their order.
    Each(Vec<f64>),
}

impl<P> Constraint<P> {
    /// Rigid constraints of a kind, at rest as placed: `Constraint::new("distance", [[0, 1], [1, 2]])`.
    pub fn new<L: Into<Vec<P>>>(kind: impl Into<String>, particles: impl IntoIterator<Item = L>) -> Self {
        Self {
            kind: kind.into(),
            particles: particles.into_iter().map(Into::into).collect(),
            compliance: Values::All(0.0),
            damping: Values::All(0.0),
            stiffness: Values::All(1.0),
            side: None,
            break_force: None,
            rest: Vec::new(),
            keyframes: None,
            period: None,
            delay: None,
            yield_point: None,
            creep: None,
        }
    }
    /// XPBD mode: inverse stiffness, at least 0; 0 is rigid, raising it softens. The unit is the kind's: m/N for a
    /// distance.
    pub fn compliance(self, compliance: impl Into<Values>) -> Self {
        Self { compliance: compliance.into(), ..self }
    }
    /// XPBD mode: damping along the gradient, at least 0; N s/m for a distance. It acts on constraints with compliance.
    pub fn damping(self, damping: impl Into<Values>) -> Self {
        Self { damping: damping.into(), ..self }
    }
    /// PBD mode: share of the error removed at each iteration, 0 to 1.
    pub fn stiffness(self, stiffness: impl Into<Values>) -> Self {
        Self { stiffness: stiffness.into(), ..self }
    }
    /// In which direction they may act; as the kind does unless set.
    pub fn side(self, side: Side) -> Self {
        Self { side: Some(side), ..self }
    }
    /// Mean force over a frame above which a constraint breaks, N.
    pub fn break_force(self, force: impl Into<Values>) -> Self {
        Self { break_force: Some(force.into()), ..self }
    }
    /// Drives the rest values over time, `.keyframes([(0.0, [1.0]), (1.0, [0.5])])`:
    /// `(time in s, one number for each rest value)`, factors of lengths and areas, additions to angles and
    /// coordinates.
    pub fn keyframes<V: Into<Vec<f64>>>(self, keyframes: impl IntoIterator<Item = (f64, V)>) -> Self {
        let keyframes = keyframes.into_iter().map(|(time, values)| (time, values.into()));
        Self { keyframes: Some(keyframes.collect()), ..self }
    }
    /// Repeats the keyframes after this period, s, above 0.
    pub fn period(self, period: f64) -> Self {
        Self { period: Some(period), ..self }
    }
    /// Delays the keyframes, s.
    pub fn delay(self, delay: impl Into<Values>) -> Self {
        Self { delay: Some(delay.into()), ..self }
    }
    /// Elastic deformation above which it flows for good: of lengths and areas a share of the rest value, of angles
    /// rad.
    pub fn yield_point(self, limit: impl Into<Values>) -> Self {
        Self { yield_point: Some(limit.into()), ..self }
    }
    /// Rate of flow beyond the yield point, 1/s, above 0; at once unless set.
    pub fn creep(self, rate: impl Into<Values>) -> Self {
        Self { creep: Some(rate.into()), ..self }
    }
    /// A rest value by its name, or a limit of it: `min_length` or `max_length` in place of `rest_length`.
    pub fn rest(mut self, name: impl Into<String>, value: impl Into<Values>) -> Self {
        self.rest.push((name.into(), value.into()));
        self
    }
}

impl From<f64> for Values {
    fn from(value: f64) -> Self {
        Values::All(value)
    }
}
impl From<Vec<f64>> for Values {
    fn from(values: Vec<f64>) -> Self {
        Values::Each(values)
    }
}

/// Particles of a body that stay where they are placed, or move along keyframes.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    /// Which particles, at least one.
    pub select: Select,
    /// Displacement from where the particles are placed, m.
    pub keyframes: Option<Keyframes>,
}

/// Which particles of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Select {
    /// `top`, `bottom`, `left`, `right`, and of a grid `top-left`, `top-right`, `bottom-left`, `bottom-right`; of each
    /// strand `first`, `last`, and `root`, its first two. Sides are those of the body before its transform: a grid's
    /// outer rows and columns; of other bodies all particles whose y (top, bottom) or x (left, right) is the extreme to
    /// 1e-6 of the body's extent.
    Names(Vec<String>),
    /// By index inside the body.
    Indices(Vec<u32>),
    /// Particles inside a box with its faces along the axes, in the world, after the transform; faces included.
    Box {
        /// Lowest coordinates, m.
        min: [f64; 3],
        /// Highest coordinates, m.
        max: [f64; 3],
    },
    /// Particles inside a sphere, in the world, after the transform.
    Sphere {
        /// In the world, m.
        centre: [f64; 3],
        /// m, above 0.
        radius: f64,
    },
}

impl Pin {
    /// Holds particles where they are placed.
    pub fn new(select: Select) -> Self {
        Self { select, keyframes: None }
    }
    /// Moves the pinned particles: `(time in s, displacement in m)`.
    pub fn keyframes(self, keyframes: impl Into<Keyframes>) -> Self {
        Self { keyframes: Some(keyframes.into()), ..self }
    }
}

impl From<&str> for Pin {
    fn from(name: &str) -> Self {
        Pin::new(Select::Names(vec![name.to_string()]))
    }
}
impl From<u32> for Pin {
    fn from(index: u32) -> Self {
        Pin::new(Select::Indices(vec![index]))
    }
}
impl From<Select> for Pin {
    fn from(select: Select) -> Self {
        Pin::new(select)
    }
}

/// A force on particles, N on each.
#[derive(Clone, Debug, PartialEq)]
pub struct Force {
    /// Name of the body; left out: every body.
    pub body: Option<String>,
    /// Indices inside the body; left out: all of it.
    pub particles: Option<Vec<u32>>,
    /// N, on each particle.
    pub value: Strength,
}

/// A vector that is constant or follows keyframes.
#[derive(Clone, Debug, PartialEq)]
pub enum Strength {
    /// N, at all times.
    Constant([f64; 3]),
    /// N, linear between keyframes.
    Keyframes(Keyframes),
}

impl Force {
    /// On every particle of the scene.
    pub fn new(value: impl Into<Strength>) -> Self {
        Self { body: None, particles: None, value: value.into() }
    }
    /// On one body only.
    pub fn on(self, body: impl Into<String>) -> Self {
        Self { body: Some(body.into()), ..self }
    }
    /// On some particles of the body only.
    pub fn particles(self, particles: impl Into<Vec<u32>>) -> Self {
        Self { particles: Some(particles.into()), ..self }
    }
}

impl From<[f64; 3]> for Strength {
    fn from(value: [f64; 3]) -> Self {
        Strength::Constant(value)
    }
}
impl From<Keyframes> for Strength {
    fn from(keyframes: Keyframes) -> Self {
        Strength::Keyframes(keyframes)
    }
}

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
    /// Makes it a container: solid outside.
    pub fn inside(self) -> Self {
        Self { inside: true, ..self }
    }
}

/// From where to look at the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it looks from, m.
    pub eye: [f64; 3],
    /// What comes to lie in the middle of the picture, m; not where the eye is.
    pub target: [f64; 3],
    /// From the top to the bottom of the picture, degrees, 1 to 170.
    pub field_of_view: f64,
}

impl Camera {
    /// The field of view of a scene that gives a camera without one, degrees.
    pub const DEFAULT_FIELD_OF_VIEW: f64 = 40.0;
}
