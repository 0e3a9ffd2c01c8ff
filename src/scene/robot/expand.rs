//! The rigid bodies and joints that a robot is made of.

use std::f64::consts::{FRAC_PI_2, PI};
use std::path::Path as FilePath;

use super::frame::Frame;
use super::origin::{Origin, Origins};
use super::tree::{Carrier, Tree};
use super::urdf::{self, Kind, Link, Urdf};
use super::values::{Setting, settings};
use super::xml::{Result, Source};
use super::{Robot, geometry, weight};
use crate::base::input;
use crate::math::Vec3;
use crate::math::rotation::about;
use crate::model::JointKind;
use crate::scene::error::{Path, SceneError};
use crate::scene::{Body, Inertial, Joint, JointMotor, Pin, Rigid, Scene, Select, TriangleMesh, check};

/// kg/m³, of links without `<inertial>`.
const DENSITY: f64 = 1000.0;
/// A limit that is beyond half a turn by less than this, rad, is half a turn: files round π.
const ROUNDED: f64 = 1e-3;
/// The groups for collisions that there are.
const GROUPS: u32 = 32;

/// A scene with the bodies and joints of its robots.
pub(in crate::scene) struct Expanded {
    pub scene: Scene,
    pub notes: Vec<String>,
    origins: Origins,
}

impl Expanded {
    /// Brings an error in what robots added back to what the user wrote.
    pub fn explain(&self, error: SceneError) -> SceneError {
        self.origins.explain(error)
    }
}

/// Adds to a scene the bodies and joints of its robots, behind its own.
pub(in crate::scene) fn expand(scene: &Scene) -> Result<Expanded> {
    let own = [scene.bodies.len(), scene.joints.len()];
    let origins = Origins { sources: Vec::new(), own, bodies: Vec::new(), joints: Vec::new() };
    let mut expanded = Expanded { scene: Scene { robots: Vec::new(), ..scene.clone() }, notes: Vec::new(), origins };
    let at = Path::ROOT.key("robot");
    let mut names: Vec<String> = Vec::new();
    for (index, robot) in scene.robots.iter().enumerate() {
        let at = at.index(index);
        let source = source(&at, robot)?;
        let urdf = urdf::read(&source)?;
        let name = robot.name.clone().unwrap_or_else(|| urdf.name.clone());
        check_name(&at, &name, &names)?;
        expanded.add(&at, (index, robot, &name), &source, &urdf)?;
        expanded.origins.sources.push(source);
        names.push(name);
    }
    Ok(expanded)
}

/// Names of bodies begin with those of their robots.
fn check_name(at: &Path, name: &str, others: &[String]) -> Result<()> {
    let message = if name.is_empty() {
        "is missing, and the file gives none; add for instance name = \"arm\"".to_string()
    } else if let Some(first) = others.iter().position(|other| other == name) {
        format!("'{name}' is already the name of robot[{first}]; give each robot its own name")
    } else {
        return Ok(());
    };
    Err(SceneError::new(&at.key("name"), message))
}

fn source(at: &Path, robot: &Robot) -> Result<Source> {
    let file = robot.file.display().to_string();
    if let Some(text) = &robot.content {
        return Ok(Source { file, text: text.to_string() });
    }
    let refused = |message: String| SceneError::new(&at.key("file"), format!("{file}: {message}"));
    let bytes = input::read(&robot.file)
        .map_err(|unreadable| refused(format!("{unreadable}; give the path of a .urdf file")))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| refused("this is not UTF-8 text; give the path of a .urdf file".to_string()))?;
    Ok(Source { file, text })
}

/// A robot that is being added.
struct Adding<'a> {
    /// Its index in the scene.
    index: usize,
    robot: &'a Robot,
    name: &'a str,
    source: &'a Source,
    urdf: &'a Urdf,
    tree: Tree,
    /// Of each joint.
    settings: Vec<Setting>,
    /// Of each link, in the scene.
    frames: Vec<Frame>,
    groups: (u32, Vec<u32>),
}

impl Expanded {
    fn add(
        &mut self,
        at: &Path,
        (index, robot, name): (usize, &Robot, &str),
        source: &Source,
        urdf: &Urdf,
    ) -> Result<()> {
        let mut notes = urdf.notes.clone();
        notes.extend(note_ignored(urdf));
        let tree = Tree::new(source, urdf, robot.base)?;
        let settings = settings(at, source, robot, urdf, &mut notes)?;
        let frames = frames(placed(at, robot)?, urdf, &tree, &settings);
        let groups = groups(at, index, robot)?;
        let adding = Adding { index, robot, name, source, urdf, tree, settings, frames, groups };
        for link in (0..urdf.links.len()).filter(|&link| urdf.links[link].is_solid()) {
            self.scene.bodies.push(adding.body(link, &mut notes)?);
            self.origins.bodies.push(adding.origin(&urdf.links[link].name, urdf.links[link].byte, None));
        }
        for (joint, of_file) in urdf.joints.iter().enumerate() {
            if let Some(joint_of_scene) = adding.joint(joint, &mut notes) {
                self.scene.joints.push(joint_of_scene);
                let driven_by = adding.settings[joint].driven_by.clone();
                self.origins.joints.push(adding.origin(&of_file.name, of_file.byte, driven_by));
            }
        }
        self.notes.extend(notes.into_iter().map(|note| format!("{}: {note}", source.file)));
        Ok(())
    }
}

/// What is not simulated, in one sentence.
fn note_ignored(urdf: &Urdf) -> Option<String> {
    let words: Vec<&str> = urdf.ignored.iter().copied().collect();
    (!words.is_empty()).then(|| format!("the joints' {} are not simulated", words.join(", ")))
}

/// The robot's frame in the scene: its z axis is the scene's y axis.
fn placed(at: &Path, robot: &Robot) -> Result<Frame> {
    let rotation = check::unit(&at.key("rotation"), robot.rotation)?;
    let position = check::vector(&at.key("position"), robot.position, &check::COORDINATE)?;
    let upright = Frame { rotation: about([-FRAC_PI_2, 0.0, 0.0]), position: [0.0; 3] };
    Ok(Frame { rotation, position }.with(&upright))
}

/// Where each link is placed.
fn frames(root: Frame, urdf: &Urdf, tree: &Tree, settings: &[Setting]) -> Vec<Frame> {
    let mut frames = vec![root; urdf.links.len()];
    for &link in &tree.order {
        let Some(index) = tree.above[link] else { continue };
        let joint = &urdf.joints[index];
        let (axis, _) = Vec3::from(joint.axis).direction_and_length();
        let way = <[f64; 3]>::from(axis * settings[index].value);
        let moved = match joint.kind {
            Kind::Hinge => Frame { rotation: about(way), ..Frame::IDENTITY },
            Kind::Slider => Frame { position: way, ..Frame::IDENTITY },
            Kind::Fixed | Kind::Floating => Frame::IDENTITY,
        };
        frames[link] = frames[tree.ends[index][0]].with(&joint.origin).with(&moved);
    }
    frames
}

/// The group of a robot's links, and those with which they collide: by default all others, for links of one robot
/// overlap at their joints.
fn groups(at: &Path, index: usize, robot: &Robot) -> Result<(u32, Vec<u32>)> {
    let Some(group) = robot.collision_group.or((GROUPS - 1).checked_sub(index as u32)) else {
        let message = format!("has no collision_group, and there are {GROUPS}; add for instance collision_group = 31");
        return Err(SceneError::new(at, message));
    };
    let others = (0..GROUPS).filter(|&other| other != group).collect();
    Ok((group, robot.collides_with.clone().unwrap_or(others)))
}

impl Adding<'_> {
    fn origin(&self, name: &str, byte: usize, driven_by: Option<String>) -> Origin {
        Origin { robot: self.index, byte, name: name.to_string(), driven_by }
    }

    fn body_name(&self, link: usize) -> String {
        format!("{}/{}", self.name, self.urdf.links[link].name)
    }

    /// The body of a link that is more than a frame.
    fn body(&self, index: usize, notes: &mut Vec<String>) -> Result<Body> {
        let (robot, frame) = (self.robot, &self.frames[index]);
        let link = &self.urdf.links[index];
        let (surface, inertial) = self.surface(link, notes)?;
        let is_pinned = self.tree.carriers[index] == Carrier::World;
        let everything = || Pin::new(Select::Indices((0..surface.positions.len() as u32).collect()));
        Ok(Body {
            name: Some(self.body_name(index)),
            rotation: frame.rotation,
            position: frame.position,
            radius: robot.radius,
            contact: robot.contact,
            friction: robot.friction,
            dynamic_friction: robot.dynamic_friction,
            restitution: robot.restitution,
            collision_group: self.groups.0,
            collides_with: Some(self.groups.1.clone()),
            colour: robot.colour.or(link.colour),
            look: robot.look,
            density: inertial.is_none().then_some(DENSITY),
            pins: is_pinned.then(everything).into_iter().collect(),
            ..Body::rigid(Rigid { mesh: surface.into(), inertial })
        })
    }

    /// The surface of a link, and what it weighs if the file says.
    fn surface(&self, link: &Link, notes: &mut Vec<String>) -> Result<(TriangleMesh, Option<Inertial>)> {
        let folder = self.robot.file.parent().unwrap_or(FilePath::new(""));
        let surface = geometry::surface(self.source, folder, link, notes)?;
        let Some(given) = &link.weight else { return Ok((surface, None)) };
        let moments = weight::moments(self.source, link, given, notes)?;
        let inertial = weight::inertial(&moments);
        if surface.positions.is_empty() {
            return Ok((weight::equal_box(&moments), Some(inertial)));
        }
        weight::note_light_surface(link, &moments, &surface, notes);
        Ok((surface, Some(inertial)))
    }

    /// The joint of the scene, unless what it joins is one body, or both are fixed to the world, or it leaves all free.
    fn joint(&self, index: usize, notes: &mut Vec<String>) -> Option<Joint> {
        let (of_file, setting) = (&self.urdf.joints[index], &self.settings[index]);
        let [parent, child] = self.tree.ends[index];
        let Carrier::Link(moving) = self.tree.carriers[child] else { return None };
        let kind = match of_file.kind {
            Kind::Hinge => JointKind::Hinge,
            Kind::Slider => JointKind::Slider,
            Kind::Fixed => JointKind::Fixed,
            Kind::Floating => return None,
        };
        let mut joint = Joint::new(kind, &self.body_name(moving), self.frames[child].position);
        match self.tree.carriers[parent] {
            Carrier::World => {}
            Carrier::Link(held) if held == moving => return None,
            Carrier::Link(held) => joint = joint.to(&self.body_name(held)),
        }
        // A hinge's own turn leaves its axis where it is.
        joint.axis = self.frames[child].turn(Vec3::from(of_file.axis).direction_and_length().0.into());
        joint.limits = of_file.limits.and_then(|limits| {
            limits_from(kind, setting.value, limits).or_else(|| {
                notes.push(format!(
                    "joint '{}' gets no limits: from where it is placed they go beyond half a turn",
                    of_file.name
                ));
                None
            })
        });
        joint.damping = of_file.damping;
        joint.motor = setting.motor.as_ref().map(|motor| motor_from(setting.value, motor));
        Some(joint)
    }
}

/// Limits counted from a value, which is where the joint is placed; `None` for a hinge that turns by more than half.
fn limits_from(kind: JointKind, value: f64, limits: [f64; 2]) -> Option<[f64; 2]> {
    let [low, high] = limits.map(|limit| limit - value);
    match kind {
        JointKind::Hinge if low < -PI - ROUNDED || high > PI + ROUNDED => None,
        JointKind::Hinge => Some([low.max(-PI), high.min(PI)]),
        _ => Some([low, high]),
    }
}

/// A motor with its targets counted from a value.
fn motor_from(value: f64, motor: &JointMotor) -> JointMotor {
    let keyframes = motor.keyframes.iter().map(|&(time, target)| (time, target - value)).collect();
    JointMotor { keyframes, ..motor.clone() }
}
