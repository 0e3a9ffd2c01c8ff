//! What a scene says beside its bodies: constraints, pins, forces, the camera.

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
    /// Turns them about an axis.
    pub spin: Option<PinSpin>,
    /// Turns them about the pivot: `(time in s, quaternion x, y, z, w of any length but 0)`. Between keyframes they
    /// turn by the shortest way and keep their shape.
    pub rotations: Option<Vec<(f64, [f64; 4])>>,
    /// A point of the axis of `spin`, or the point that `rotations` turn about, in the world, m; left out: the middle
    /// of what it holds.
    pub pivot: Option<[f64; 3]>,
    /// Name of a driven body. Each of the particles keeps its place over the nearest triangle of that body, as it is in
    /// the first pose, and moves and turns with the triangle.
    pub to: Option<String>,
    /// When it lets go, s: its particles then go on with the velocity that they had. Left out: never.
    pub until: Option<f64>,
}

/// Pinned particles that turn about an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PinSpin {
    /// Its direction, of any length but 0.
    pub axis: [f64; 3],
    /// Counter-clockwise seen against the axis, rad/s.
    pub rate: f64,
    /// When it stops, s; left out: never.
    pub until: Option<f64>,
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
        Self { select, keyframes: None, spin: None, rotations: None, pivot: None, to: None, until: None }
    }
    /// Moves the pinned particles: `(time in s, displacement in m)`.
    pub fn keyframes(self, keyframes: impl Into<Keyframes>) -> Self {
        Self { keyframes: Some(keyframes.into()), ..self }
    }
    /// Turns them about an axis through `pivot`, or through the middle of what is pinned.
    pub fn spin(self, spin: PinSpin, pivot: Option<[f64; 3]>) -> Self {
        Self { spin: Some(spin), pivot, ..self }
    }
    /// Turns them by keyframes about `pivot`, or about the middle of what is pinned.
    pub fn rotations(self, rotations: impl Into<Vec<(f64, [f64; 4])>>, pivot: Option<[f64; 3]>) -> Self {
        Self { rotations: Some(rotations.into()), pivot, ..self }
    }
    /// Lets go at this time, s.
    pub fn until(self, seconds: f64) -> Self {
        Self { until: Some(seconds), ..self }
    }
    /// Holds them to the surface of a driven body.
    pub fn to(self, body: impl Into<String>) -> Self {
        Self { to: Some(body.into()), ..self }
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
