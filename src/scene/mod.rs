//! What the user describes: bodies, constraints, forces, colliders and settings. Describe a [`Scene`] with the builder,
//! or read one from a TOML file; [`Scene::build`] makes it into a checked [`Model`]. An error names the place in the
//! scene, what is wrong there and what to do.
//!
//! ```
//! use pliant::scene::{Body, Cloth, Grid, Scene};
//! let grid = Grid { columns: 64, rows: 64, width: 1.0, height: 1.0 };
//! let cloth = Cloth::new(grid).stretch(1e-8).shear(1e-6).bend(1e-4);
//! let scene = Scene::new("Hanging cloth").with(Body::cloth(cloth).mass(1.0).pin("top-left").pin("top-right"));
//! assert_eq!(scene.build()?.model.particles.len(), 4096);
//! # Ok::<(), pliant::scene::SceneError>(())
//! ```
//!
//! The builder has a field or method for each key of a file, and the same defaults.
//!
#![doc = include_str!("../../examples/scenes/README.md")]

mod body;
mod check;
mod collider;
mod error;
mod flow;
#[cfg(feature = "scene-files")]
mod gallery;
mod host;
mod joint;
mod lower;
mod mesh;
#[cfg(all(feature = "scene-files", feature = "mesh-files"))]
mod of_mesh;
mod parts;
mod preset;
mod robot;
mod suggest;
#[cfg(feature = "scene-files")]
mod toml;

pub use crate::mesh::curve::Curve;
pub use crate::mesh::generate::{Cuboid, Grid, Line, Sphere, Torus};
pub use crate::mesh::{TetrahedronMesh, TriangleMesh};
pub use crate::model::Drain;
pub use body::*;
pub use collider::{Collider, ColliderShape, Heights, Hull};
pub use error::SceneError;
pub use flow::Emitter;
#[cfg(feature = "scene-files")]
pub use gallery::{GALLERY, GROUPS, GalleryGroup, PUBLIC_SCENES};
pub use host::Host;
pub use joint::{Joint, JointMotor};
pub use mesh::Mesh;
#[cfg(all(feature = "scene-files", feature = "mesh-files"))]
pub use of_mesh::MeshUse;
pub use parts::{Camera, Constraint, Force, Keyframes, Named, Pin, PinSpin, RestKeyframes, Select, Strength, Values};
pub use preset::{PRESETS, Preset};
pub use robot::{Base, Robot};

use crate::constraint::{ALL, Kind};
use crate::model::{Model, Settings, World};

/// What is simulated and how: bodies, constraints between them, forces, colliders, settings.
///
/// ```
/// use pliant::scene::{Body, Collider, Constraint, Force, Scene};
///
/// // Two particles joined by a string of 1 m, blown along x by 0.5 N each, over a ball.
/// let stone = |name: &str, x| Body::particles([[x, 1.0, 0.0]]).name(name).mass(0.1).radius(0.02);
/// let string = Constraint::new("distance", [[("left".into(), 0), ("right".into(), 0)]]).rest("rest_length", 1.0);
/// let mut scene = Scene::new("two stones on a string")
///     .with(stone("left", -0.4))
///     .with(stone("right", 0.4))
///     .constrain(string)
///     .force(Force::new([0.5, 0.0, 0.0]))
///     .collider(Collider::sphere(0.3));
/// scene.settings.substeps = 20;
/// let built = scene.build()?;
/// assert_eq!(built.model.particles.len(), 2);
/// built.notes.iter().for_each(|note| println!("{note}")); // repairs of meshes, and settings without effect
/// # Ok::<(), pliant::scene::SceneError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// For reports; may be empty.
    pub name: String,
    /// How the scene is solved: mode, method, frame rate, substeps.
    pub settings: Settings,
    /// Gravity and the air.
    pub world: World,
    /// At least one. Names are unique; particles and constraints follow this order.
    pub bodies: Vec<Body>,
    /// Constraints between particles of any bodies.
    pub constraints: Vec<Constraint<Named>>,
    /// What holds rigid bodies together.
    pub joints: Vec<Joint>,
    /// Robots from URDF files: their bodies and joints come after those of the scene.
    pub robots: Vec<Robot>,
    /// What pours fluids.
    pub emitters: Vec<Emitter>,
    /// What takes them away.
    pub drains: Vec<Drain>,
    /// Forces on particles; several on one particle add up.
    pub forces: Vec<Force>,
    /// Solids; each may touch every particle.
    pub colliders: Vec<Collider>,
    /// Default: a camera that frames the scene.
    pub camera: Option<Camera>,
    /// The constraint kinds that the scene may name, in the order in which a substep solves them.
    pub kinds: Vec<&'static dyn Kind>,
    /// The file that the scene was read from, in which errors then name line and column. Set it to `None` after moving
    /// or removing bodies, constraints, forces or colliders.
    pub source: Option<Source>,
    /// What its maker has to say of it, for people; [`Built::notes`] begins with it.
    pub notes: Vec<String>,
}

/// A scene's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its name, as the user gave it.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// A scene made into a model.
#[derive(Clone, Debug)]
pub struct Built {
    /// Checked numbers in SI units.
    pub model: Model,
    /// Notes for the user: repairs of meshes, and settings without effect.
    pub notes: Vec<String>,
}

impl Source {
    /// The files that the scene was read from: itself, and those that it names.
    #[cfg(feature = "scene-files")]
    pub fn files(&self) -> Vec<std::path::PathBuf> {
        toml::files(&self.file, &self.text)
    }
}

impl Scene {
    /// A scene with nothing in it and the default settings.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            settings: Settings::default(),
            world: World::default(),
            bodies: Vec::new(),
            constraints: Vec::new(),
            joints: Vec::new(),
            robots: Vec::new(),
            emitters: Vec::new(),
            drains: Vec::new(),
            forces: Vec::new(),
            colliders: Vec::new(),
            camera: None,
            kinds: ALL.to_vec(),
            source: None,
            notes: Vec::new(),
        }
    }

    /// Adds a body.
    pub fn with(mut self, body: Body) -> Self {
        self.bodies.push(body);
        self
    }
    /// Adds constraints between particles of any bodies.
    pub fn constrain(mut self, constraint: Constraint<Named>) -> Self {
        self.constraints.push(constraint);
        self
    }
    /// Adds a joint.
    pub fn joint(mut self, joint: Joint) -> Self {
        self.joints.push(joint);
        self
    }
    /// Adds a robot.
    pub fn robot(mut self, robot: Robot) -> Self {
        self.robots.push(robot);
        self
    }
    /// Adds an emitter.
    pub fn emitter(mut self, emitter: Emitter) -> Self {
        self.emitters.push(emitter);
        self
    }
    /// Adds a drain.
    pub fn drain(mut self, drain: Drain) -> Self {
        self.drains.push(drain);
        self
    }
    /// Adds a force.
    pub fn force(mut self, force: Force) -> Self {
        self.forces.push(force);
        self
    }
    /// Adds a collider.
    pub fn collider(mut self, collider: Collider) -> Self {
        self.colliders.push(collider);
        self
    }
    /// Sets how the scene is solved.
    pub fn settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }
    /// Lets the scene name a constraint kind of the caller's own: `scene.register(kind::<Theirs>())`. Substeps solve it
    /// after those before it in [`Scene::kinds`].
    pub fn register(&mut self, kind: &'static dyn Kind) {
        self.kinds.push(kind);
    }

    /// Reads a scene from a TOML file. Paths in it are relative to its folder. Values are checked by [`Scene::build`].
    ///
    /// # Errors
    /// If the file cannot be read, is no TOML, or has a key that is unknown, missing or of the wrong type; with its
    /// line.
    #[cfg(feature = "scene-files")]
    pub fn load(path: impl AsRef<std::path::Path>) -> Result<Self, SceneError> {
        toml::load(path.as_ref())
    }

    /// Reads a scene from TOML text. `file` is what errors call it; paths in it are relative to `folder`.
    ///
    /// # Errors
    /// As [`Scene::load`].
    #[cfg(feature = "scene-files")]
    pub fn parse(text: &str, file: &str, folder: impl AsRef<std::path::Path>) -> Result<Self, SceneError> {
        toml::parse(text, file, folder.as_ref(), "")
    }

    /// Checks everything and makes the model, reading the mesh files that it names.
    ///
    /// # Errors
    /// The first value that is not finite, out of its range or of the wrong length, the first name that is not there,
    /// or the first mesh file that cannot be read; with its place in the scene, and with its line if the scene is a
    /// file's.
    pub fn build(&self) -> Result<Built, SceneError> {
        self.build_with(&host::NoHost)
    }

    /// As [`Scene::build`] with a host that is told the progress of long work and keeps its results: distances to the
    /// meshes of colliders.
    ///
    /// # Errors
    /// Those of [`Scene::build`].
    pub fn build_with(&self, host: &dyn Host) -> Result<Built, SceneError> {
        let mut built = lower::lower(self, host).map_err(|error| self.locate(error))?;
        built.notes.splice(0..0, self.notes.iter().cloned());
        Ok(built)
    }

    #[cfg(feature = "scene-files")]
    fn locate(&self, error: SceneError) -> SceneError {
        match &self.source {
            Some(source) => toml::locate(error, &source.file, &source.text),
            None => error,
        }
    }

    #[cfg(not(feature = "scene-files"))]
    fn locate(&self, error: SceneError) -> SceneError {
        error
    }
}
