//! Reading, checking and planning a scene on a thread of its own, so that the old one runs on meanwhile.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

use super::dialog::MESHES;
use super::named_material::{NamedMaterial, made};
use super::panels::Trouble;
use super::stepper::Way;
use super::threads;
use super::tools::{Balloon, can_be_cut, prepare};
use super::tuning::{MaterialUse, materials};
use crate::Plan;
use crate::cli::clusters::planned;
use crate::cli::host;
use crate::model::{Mode, Model};
use crate::plan::levels;
use crate::scene::{Camera, GALLERY, MeshUse, PUBLIC_SCENES, Scene, SceneError};

/// A scene ready to be simulated.
#[derive(Clone)]
pub struct Loaded {
    /// As it was described.
    pub scene: Scene,
    /// How it was asked for: a name of the gallery or a path.
    pub source: String,
    pub model: Model,
    pub plan: Plan,
    /// How it is to be solved.
    pub way: Way,
    /// Whether anything can have levels, in XPBD: the mode may be changed.
    pub sheets: bool,
    pub camera: Option<Camera>,
    pub materials: Vec<MaterialUse>,
    pub made: Vec<NamedMaterial>,
    /// What the user should be told: repairs of meshes and the like.
    pub notes: Vec<String>,
    /// What the mesh is that was opened in place of a scene.
    pub mesh_use: Option<MeshUse>,
    /// Threads of the CPU engine; as many as it takes by itself if it was not measured.
    pub threads: Option<usize>,
    /// The balloons that a tool can inflate.
    pub balloons: Vec<Balloon>,
    /// Index of the collider that a tool throws, if it is there.
    pub ball: Option<usize>,
    /// Whether the air acts on it only while a tool blows.
    pub still_air: bool,
    /// Whether a tool can cut anything, and whether this is the model that it cuts.
    pub can_be_cut: bool,
    pub cuttable: bool,
}

impl Loaded {
    /// Reads a scene, or a mesh, which becomes what is asked for or what suits it.
    ///
    /// # Errors
    /// If the scene cannot be read or is not valid.
    pub fn open(source: &str, way: Way, as_what: Option<MeshUse>) -> Result<Self, SceneError> {
        let (scene, mesh_use) = if is_mesh(source) {
            let scene = Scene::of_mesh(Path::new(source), as_what)?;
            let found = as_what.unwrap_or_else(|| found(&scene));
            (scene, Some(found))
        } else {
            (Scene::open(source)?, None)
        };
        let mut loaded = Self::of(scene, source, way, |_| {})?;
        loaded.mesh_use = mesh_use;
        if loaded.way == Way::Cpu {
            loaded.threads = Some(threads::fastest(&loaded.model, &loaded.plan));
        }
        Ok(loaded)
    }

    /// Of a scene, with a change to its model.
    ///
    /// # Errors
    /// If the scene is not valid.
    pub fn of(scene: Scene, source: &str, way: Way, change: impl FnOnce(&mut Model)) -> Result<Self, SceneError> {
        let mut built = scene.build_with(&host::Files)?;
        change(&mut built.model);
        let balloons = prepare(&mut built.model);
        let way = if built.model.wants_cpu() { Way::Cpu } else { way };
        let plan = planned(&built.model, way == Way::Clusters);
        // Whoever then changes substeps keeps them, or their absence.
        built.model.settings.nested = Some(!plan.sheets.is_empty());
        let mode = std::mem::replace(&mut built.model.settings.mode, Mode::Xpbd);
        let sheets = !levels::possible(&built.model).is_empty();
        built.model.settings.mode = mode;
        Ok(Self {
            source: source.to_string(),
            plan,
            way,
            sheets,
            camera: scene.camera,
            materials: materials(&scene, &built.model),
            made: made(&scene, &built.model),
            notes: built.notes,
            mesh_use: None,
            threads: None,
            balloons,
            ball: None,
            still_air: false,
            can_be_cut: can_be_cut(&scene, &built.model),
            cuttable: false,
            model: built.model,
            scene,
        })
    }
}

/// Whether a path is that of a mesh.
pub fn is_mesh(source: &str) -> bool {
    let ending = Path::new(source).extension().map(|ending| ending.to_string_lossy().to_lowercase());
    ending.is_some_and(|ending| MESHES.contains(&ending.as_str()))
}

/// What became of a mesh where nobody asked for anything.
fn found(scene: &Scene) -> MeshUse {
    let is_cloth = scene.bodies.first().is_some_and(|body| body.content.is_cloth());
    if is_cloth { MeshUse::Cloth } else { MeshUse::Soft }
}

/// The file of a scene, unless it is one of the gallery.
pub fn file_of(source: &str) -> Option<PathBuf> {
    let in_gallery = GALLERY.iter().chain(PUBLIC_SCENES).any(|(name, _)| *name == source);
    (!in_gallery).then(|| PathBuf::from(source))
}

/// A scene on its way.
pub struct Loading {
    pub source: String,
    result: Receiver<Result<Arc<Loaded>, SceneError>>,
}

impl Loading {
    /// # Errors
    /// If the system gives no thread.
    pub fn begin(source: &str, way: Way, as_what: Option<MeshUse>) -> io::Result<Self> {
        let (sender, result) = channel();
        let name = source.to_string();
        // Nobody listens any more if another scene was asked for meanwhile.
        let load = move || _ = sender.send(Loaded::open(&name, way, as_what).map(Arc::new));
        thread::Builder::new().name("load scene".to_string()).spawn(load)?;
        Ok(Self { source: source.to_string(), result })
    }

    /// The scene, or what is wrong with it; `None` while it is on its way.
    pub fn result(&self) -> Option<Result<Arc<Loaded>, Trouble>> {
        match self.result.try_recv() {
            Ok(result) => Some(result.map_err(|error| Trouble::from(&error))),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                let message = "reading the scene ended early; please report it, with the scene";
                Some(Err(Trouble::new(self.source.clone(), message)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A large body is planned in clusters for a card alone.
    #[test]
    fn plans_are_those_of_the_adapter() {
        let ways = [Way::Cpu, Way::Colours, Way::Clusters];
        let phases = ways.map(|way| Loaded::open("draped_cloth", way, None).unwrap().plan.phase_count());
        assert!(phases[..2] == [1, 1] && phases[2] > 1, "{phases:?}");
    }
}
