//! Robots from URDF files: links become rigid bodies, and the joints between them joints of the scene.

#[cfg(feature = "scene-files")]
mod expand;
#[cfg(feature = "scene-files")]
mod frame;
#[cfg(feature = "scene-files")]
mod geometry;
#[cfg(feature = "scene-files")]
mod origin;
#[cfg(feature = "scene-files")]
mod tree;
#[cfg(feature = "scene-files")]
mod urdf;
#[cfg(feature = "scene-files")]
mod values;
#[cfg(feature = "scene-files")]
mod weight;
#[cfg(feature = "scene-files")]
mod xml;

use std::path::PathBuf;
use std::sync::Arc;

use super::{ContactBy, JointMotor};
use crate::model::Finish;

#[cfg(feature = "scene-files")]
pub(super) use expand::expand;

/// A robot from a URDF file. [`Scene::build`](super::Scene::build) reads it. Each link becomes a rigid body called
/// `ROBOT/LINK`, and each movable joint a [`Joint`](super::Joint). The bodies come after those of the scene.
///
/// The z axis of the file is the scene's y axis: what is at x, y, z there lies at x, z, -y before the rotation and the
/// position here. Needs the feature `scene-files`; meshes that the file names need `mesh-files`.
///
/// ```
/// use pliant::scene::{Base, JointMotor, Robot, Scene};
///
/// let text = r#"<robot name="arm">
///     <link name="base"><collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
///     <link name="boom"><collision><geometry><cylinder radius="0.03" length="0.5"/></geometry></collision></link>
///     <joint name="shoulder" type="continuous">
///         <parent link="base"/><child link="boom"/><origin xyz="0 0 0.3"/><axis xyz="0 1 0"/>
///     </joint>
/// </robot>"#;
/// let arm = Robot::parse(text, "arm.urdf").pose("shoulder", 0.5).motor("shoulder", JointMotor::target(1.0));
/// let built = Scene::new("an arm").robot(arm).build()?;
/// assert_eq!(built.model.bodies[1].name, "arm/boom");
/// assert_eq!(built.model.joints.len(), 1);
/// # Ok::<(), pliant::scene::SceneError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Robot {
    /// The URDF file. Meshes in it are relative to its folder.
    pub file: PathBuf,
    /// The text of the file, if it is not to be read.
    pub content: Option<Arc<str>>,
    /// Its name, with which those of its bodies begin. Default: that in the file.
    pub name: Option<String>,
    /// Quaternion x, y, z, w of any length but 0.
    pub rotation: [f64; 4],
    /// Where the origin of its root link lies, m.
    pub position: [f64; 3],
    /// What holds its root link.
    pub base: Base,
    /// Values of joints as placed, rad or m. Default: that of the joint it mimics, or 0, or the limit next to 0.
    pub pose: Vec<(String, f64)>,
    /// What drives joints. Targets are values of the URDF joint, rad or m.
    pub motors: Vec<(String, JointMotor)>,
    /// As [`Body::radius`](super::Body), of all links; so are the other properties.
    pub radius: Option<f64>,
    /// What of the links touches other bodies.
    pub contact: ContactBy,
    /// Coefficient of static friction.
    pub friction: f64,
    /// Coefficient of dynamic friction; `friction` if left out.
    pub dynamic_friction: Option<f64>,
    /// Speed kept in a rebound, 0 to 1.
    pub restitution: f64,
    /// The group of its links for collisions, 0 to 31. Default: 31 for the first robot of a scene, 30 for the second
    /// and so on.
    pub collision_group: Option<u32>,
    /// The groups with which its links collide. Default: all but their own, because links of one robot overlap at their
    /// joints.
    pub collides_with: Option<Vec<u32>>,
    /// Linear red, green, blue, 0 to 1, of all links. Default: the colours in the file.
    pub colour: Option<[f32; 3]>,
    /// What it looks as if it were made of.
    pub look: Option<Finish>,
}

/// What holds the root link of a robot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// It stays where it is placed, and what is fixed to it does too.
    #[default]
    Fixed,
    /// Nothing.
    Free,
}

impl Base {
    /// All there are.
    pub const ALL: [Self; 2] = [Self::Fixed, Self::Free];

    /// As scenes call it: `fixed`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Free => "free",
        }
    }
}

impl Robot {
    /// The robot of a file, at the origin, with its base fixed and without motors.
    pub fn urdf(file: impl Into<PathBuf>) -> Self {
        Self {
            file: file.into(),
            content: None,
            name: None,
            rotation: [0.0, 0.0, 0.0, 1.0],
            position: [0.0; 3],
            base: Base::Fixed,
            pose: Vec::new(),
            motors: Vec::new(),
            radius: None,
            contact: ContactBy::Balls,
            friction: 0.0,
            dynamic_friction: None,
            restitution: 0.0,
            collision_group: None,
            collides_with: None,
            colour: None,
            look: None,
        }
    }
    /// The robot of a text. `file` is what errors call it, and meshes are relative to its folder.
    pub fn parse(text: impl Into<Arc<str>>, file: impl Into<PathBuf>) -> Self {
        Self { content: Some(text.into()), ..Self::urdf(file) }
    }
    /// With which the names of its bodies begin.
    pub fn name(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }
    /// Quaternion x, y, z, w.
    pub fn rotation(self, rotation: [f64; 4]) -> Self {
        Self { rotation, ..self }
    }
    /// Where the origin of its root link lies, m.
    pub fn position(self, position: [f64; 3]) -> Self {
        Self { position, ..self }
    }
    /// What holds its root link.
    pub fn base(self, base: Base) -> Self {
        Self { base, ..self }
    }
    /// The value of a joint as placed, rad or m.
    pub fn pose(mut self, joint: impl Into<String>, value: f64) -> Self {
        self.pose.push((joint.into(), value));
        self
    }
    /// Drives a joint. Targets are values of the URDF joint, rad or m.
    pub fn motor(mut self, joint: impl Into<String>, motor: JointMotor) -> Self {
        self.motors.push((joint.into(), motor));
        self
    }
    /// Distance from a vertex of a link at which it touches a collider, m.
    pub fn radius(self, radius: f64) -> Self {
        Self { radius: Some(radius), ..self }
    }
    /// What of the links touches other bodies.
    pub fn contact(self, contact: ContactBy) -> Self {
        Self { contact, ..self }
    }
    /// Coefficient of static friction, and of dynamic friction unless that is set too.
    pub fn friction(self, friction: f64) -> Self {
        Self { friction, ..self }
    }
    /// Linear red, green, blue, of all links.
    pub fn colour(self, colour: [f32; 3]) -> Self {
        Self { colour: Some(colour), ..self }
    }
    /// What it looks as if it were made of.
    pub fn look(self, look: Finish) -> Self {
        Self { look: Some(look), ..self }
    }

    /// Gives it the text of the file that it names, if it is one of these.
    #[cfg(feature = "scene-files")]
    pub(super) fn embed(&mut self, files: &[(&str, &[u8])]) {
        let found = files.iter().find(|(name, _)| self.file.as_os_str() == *name);
        self.content = found.and_then(|(_, bytes)| std::str::from_utf8(bytes).ok()).map(Into::into);
    }
}
