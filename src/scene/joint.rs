//! Joints between rigid bodies.

use super::Keyframes;
use crate::model::JointKind;

/// What leaves two rigid bodies, or one and the world, some of their motions. Joints that hang together are solved at
/// once, so that long chains hold with few substeps.
///
/// ```
/// use pliant::scene::{Body, Cuboid, Joint, Scene};
///
/// let door = Cuboid { cells: [1, 1, 1], size: [0.9, 2.0, 0.04] };
/// let scene = Scene::new("a door")
///     .with(Body::rigid(door).name("door").mass(20.0).position([0.45, 1.0, 0.0]))
///     .joint(Joint::hinge("door", [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]).limits([-1.6, 0.0]));
/// assert_eq!(scene.build()?.model.joints.len(), 1);
/// # Ok::<(), pliant::scene::SceneError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Which motions it leaves.
    pub kind: JointKind,
    /// Names of one rigid body, which it then holds to the world, or of two: the second one moves against the first.
    pub bodies: Vec<String>,
    /// Where it is as placed, m; of a distance its end at the second body, or the only one.
    pub position: [f64; 3],
    /// Of a distance its other end, m.
    pub other_end: Option<[f64; 3]>,
    /// About which a hinge turns and along which a slider slides. It need not be of length 1.
    pub axis: [f64; 3],
    /// Inverse stiffness of what it holds, at least 0: m/N of places, 1/(N m) of angles. 0 is rigid.
    pub compliance: f64,
    /// The least and the largest angle of a hinge, rad, between -π and π; angle by which the axis of a ball joint
    /// swings out from where it was placed, 0 to π; way of a slider or length of a distance, m. Angles and ways are 0
    /// as placed. Left out: none of a hinge or a slider, and the length as placed of a distance.
    pub limits: Option<[f64; 2]>,
    /// What drives its angle, way or length.
    pub motor: Option<JointMotor>,
    /// What damps the turn of a hinge, N m s/rad, the way of a slider or the length of a distance, N s/m; at least 0.
    pub damping: f64,
    /// Mean force over a frame above which it breaks, N.
    pub break_force: Option<f64>,
    /// Mean moment over a frame above which it breaks, N m; that of a motor or a limit is part of it.
    pub break_moment: Option<f64>,
}

/// What drives the angle of a hinge, rad, the way of a slider or the length of a distance, m.
#[derive(Clone, Debug, PartialEq)]
pub struct JointMotor {
    /// Targets over time. A hinge goes to them by the shorter way.
    pub keyframes: Vec<(f64, f64)>,
    /// After which the keyframes repeat, s, above 0.
    pub period: Option<f64>,
    /// Inverse stiffness, at least 0: rad/(N m) or m/N. 0 follows whatever the load.
    pub compliance: f64,
}

impl JointMotor {
    /// One target, rad or m.
    pub fn target(target: f64) -> Self {
        Self::keyframes([(0.0, target)])
    }
    /// Targets over time: `(time in s, rad or m)`.
    pub fn keyframes(keyframes: impl Into<Vec<(f64, f64)>>) -> Self {
        Self { keyframes: keyframes.into(), period: None, compliance: 0.0 }
    }
    /// Inverse stiffness, rad/(N m) or m/N, at least 0.
    pub fn compliance(self, compliance: f64) -> Self {
        Self { compliance, ..self }
    }
    /// The curve as a model has it.
    pub(super) fn curve(&self) -> Keyframes {
        self.keyframes.iter().map(|&(time, value)| (time, [value, 0.0, 0.0])).collect()
    }
}

/// The name of one body.
impl From<&str> for Joint {
    fn from(body: &str) -> Self {
        Self {
            kind: JointKind::Ball,
            bodies: vec![body.into()],
            position: [0.0; 3],
            other_end: None,
            axis: [0.0, 1.0, 0.0],
            compliance: 0.0,
            limits: None,
            motor: None,
            damping: 0.0,
            break_force: None,
            break_moment: None,
        }
    }
}

impl Joint {
    /// Of a body and the world, at a place, m. [`Joint::to`] makes it one of two bodies.
    pub fn new(kind: JointKind, body: &str, position: [f64; 3]) -> Self {
        Self { kind, position, ..Self::from(body) }
    }
    /// A hinge at a place, m, with its axis.
    pub fn hinge(body: &str, position: [f64; 3], axis: [f64; 3]) -> Self {
        Self { axis, ..Self::new(JointKind::Hinge, body, position) }
    }
    /// A slider at a place, m, with its axis.
    pub fn slider(body: &str, position: [f64; 3], axis: [f64; 3]) -> Self {
        Self { axis, ..Self::new(JointKind::Slider, body, position) }
    }
    /// Keeps the distance of two places, m, the first on the body.
    pub fn distance(body: &str, [end, other]: [[f64; 3]; 2]) -> Self {
        Self { other_end: Some(other), ..Self::new(JointKind::Distance, body, end) }
    }
    /// Holds it to another body, in place of the world; that of the motion that limits and motors count is the one
    /// that was named first.
    pub fn to(mut self, body: &str) -> Self {
        self.bodies.insert(0, body.into());
        self
    }
    /// Inverse stiffness of what it holds, m/N and 1/(N m), at least 0.
    pub fn compliance(self, compliance: f64) -> Self {
        Self { compliance, ..self }
    }
    /// The least and the largest angle, rad, way or length, m.
    pub fn limits(self, limits: [f64; 2]) -> Self {
        Self { limits: Some(limits), ..self }
    }
    /// Drives its angle, way or length.
    pub fn motor(self, motor: JointMotor) -> Self {
        Self { motor: Some(motor), ..self }
    }
    /// What damps its turn, N m s/rad, its way or its length, N s/m; at least 0.
    pub fn damping(self, damping: f64) -> Self {
        Self { damping, ..self }
    }
    /// Mean force over a frame above which it breaks, N.
    pub fn break_force(self, force: f64) -> Self {
        Self { break_force: Some(force), ..self }
    }
    /// Mean moment over a frame above which it breaks, N m.
    pub fn break_moment(self, moment: f64) -> Self {
        Self { break_moment: Some(moment), ..self }
    }
}
