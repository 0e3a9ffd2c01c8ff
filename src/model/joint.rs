//! Rigid bodies, and joints that hold them together.

use super::{Integrator, Mode, Settings};

/// A body that never changes its shape, by its particles: [`ShapeMatching`](crate::constraint::ShapeMatching) holds
/// them together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rigid {
    /// Index into [`Model::bodies`](super::Model::bodies).
    pub body: u32,
    /// Its particles, with those that only have mass: at least two, all free or all fixed.
    pub particles: Vec<u32>,
}

/// What leaves two rigid bodies, or one and the world, some of their motions.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Which motions.
    pub kind: JointKind,
    /// Indices into [`Model::rigid`](super::Model::rigid); `None` for the world. Two different ones.
    pub bodies: [Option<u32>; 2],
    /// Where it is at each of the two as placed, m: two different places where it is a distance.
    pub positions: [[f64; 3]; 2],
    /// Its axes as placed, as a unit quaternion x, y, z, w that turns the world's: it turns about the third and slides
    /// along it.
    pub axes: [f64; 4],
    /// Inverse stiffness of what it holds, at least 0: m/N of places, 1/(N m) of angles. 0 is rigid.
    pub compliance: f64,
    /// The least and the largest angle of a hinge, rad, -π to π; angle by which the third axis of a ball joint leaves
    /// where it was placed, 0 to π; way of a slider or length of a distance, m. As placed an angle and a way are 0.
    /// `None`: none of a ball, a hinge or a slider, and the length as placed of a distance.
    pub limits: Option<[f64; 2]>,
    /// What drives its angle, way or length.
    pub motor: Option<Motor>,
    /// What its turn, way or length is damped by, at least 0: a moment of -c dq/dt, N m s/rad, or a force, N s/m.
    pub damping: f64,
    /// It breaks where it bears more than this in the mean of a frame, N; infinite: never.
    pub break_force: f64,
    /// The same of its moment, N m; that of a motor or a limit is part of it.
    pub break_moment: f64,
}

/// A spring from the angle, way or length of a joint to a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// Index into [`Model::curves`](super::Model::curves), whose first number is the target: rad of a hinge, where
    /// whole turns do not count, and m of others.
    pub curve: u32,
    /// Inverse stiffness, at least 0: rad/(N m), or m/N. 0 follows the target whatever the load.
    pub compliance: f64,
}

/// What a joint bears, the mean of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize, serde::Deserialize))]
pub struct JointState {
    /// The size of its force on the bodies, N.
    pub force: f64,
    /// The size of its moment on them, N m; that of a motor or a limit of a hinge is part of it.
    pub moment: f64,
    /// Whether it has broken and holds nothing any more.
    pub broken: bool,
    /// The sums of its multipliers, by which an engine goes on.
    pub(crate) sums: [f64; 6],
}

/// Which motions a joint leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JointKind {
    /// All rotations about one place.
    Ball,
    /// Rotation about one axis.
    Hinge,
    /// Translation along one axis.
    Slider,
    /// None.
    Fixed,
    /// All that leave the distance of two places, or keep it within limits.
    Distance,
}

impl JointState {
    /// By the sums over a frame of the multipliers of its equations, which are forces along the first three and moments
    /// about the others.
    pub(crate) fn of(sums: &[f64; 6], broken: bool, settings: &Settings) -> Self {
        let per_sum = 1.0 / (settings.implicit_seconds().powi(2) * f64::from(settings.substeps));
        let size = |part: &[f64]| part.iter().map(|sum| sum * sum).sum::<f64>().sqrt() * per_sum;
        Self { force: size(&sums[..3]), moment: size(&sums[3..]), broken, sums: *sums }
    }
}

impl JointKind {
    /// All there are.
    pub const ALL: [Self; 5] = [Self::Ball, Self::Hinge, Self::Slider, Self::Fixed, Self::Distance];

    /// As scenes call it: `hinge`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ball => "ball",
            Self::Hinge => "hinge",
            Self::Slider => "slider",
            Self::Fixed => "fixed",
            Self::Distance => "distance",
        }
    }

    /// Whether it has an angle, a way or a length that can have limits.
    pub fn has_coordinate(self) -> bool {
        self != Self::Fixed
    }

    /// Whether motors and damping can act on that, too.
    pub fn is_driven(self) -> bool {
        matches!(self, Self::Hinge | Self::Slider | Self::Distance)
    }
}

impl Joint {
    /// One of two bodies, or of one and the world, at a place, m.
    pub fn new(kind: JointKind, bodies: [Option<u32>; 2], position: [f64; 3]) -> Self {
        Self {
            kind,
            bodies,
            positions: [position; 2],
            axes: [0.0, 0.0, 0.0, 1.0],
            compliance: 0.0,
            limits: None,
            motor: None,
            damping: 0.0,
            break_force: f64::INFINITY,
            break_moment: f64::INFINITY,
        }
    }

    /// The limits of its angle, way or length: those that are given, or the length as placed of a distance without a
    /// motor.
    pub(crate) fn coordinate_limits(&self) -> Option<[f64; 2]> {
        let is_rod = self.kind == JointKind::Distance && self.motor.is_none();
        self.limits.or(is_rod.then(|| [self.length(); 2]))
    }

    /// How long a distance is as placed, m.
    pub(crate) fn length(&self) -> f64 {
        let [a, b] = self.positions;
        (0..3).map(|i| (b[i] - a[i]).powi(2)).sum::<f64>().sqrt()
    }
}

/// Why joints cannot be solved with these settings.
pub(crate) fn no_joints(settings: &Settings) -> Option<&'static str> {
    match (settings.mode, settings.integrator) {
        (Mode::Pbd, _) => Some("joints have no PBD mode: set mode = \"xpbd\""),
        (_, Integrator::Bdf2) => Some("joints need the integrator \"euler\": choose that"),
        _ => None,
    }
}
