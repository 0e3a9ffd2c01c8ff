//! The scene that a command is given: read, built and planned.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use super::clusters::{self, Clusters};
use super::engine::Device;
use super::failure::Failure;
use super::host;
use crate::Plan;
use crate::model::Model;
use crate::scene::{Built, Camera, MeshUse, Scene, Source};

/// The scene that a command is given.
#[derive(Args, Clone, Default)]
pub struct Given {
    /// Name from the gallery (`pliant scenes`), path to a .toml file, or to a mesh
    pub scene: String,
    /// What a mesh becomes: cloth, soft, balloon, shape, or a collider under a cloth [default: open surfaces cloth,
    /// others soft]
    #[arg(long = "as", value_name = "KIND", value_parser = mesh_use)]
    as_what: Option<MeshUse>,
}

/// Reads `--as`.
fn mesh_use(name: &str) -> Result<MeshUse, String> {
    MeshUse::ALL.into_iter().find(|one| one.name() == name).ok_or_else(|| {
        let names = MeshUse::ALL.map(MeshUse::name);
        format!("a mesh can become one of these: {}", names.join(", "))
    })
}

impl Given {
    /// As it comes.
    pub fn named(scene: String) -> Self {
        Self { scene, as_what: None }
    }

    /// Opens it.
    pub fn open(&self) -> Result<Scene, Failure> {
        let path = Path::new(&self.scene);
        match self.as_what {
            Some(_) if Scene::is_mesh(path) => Ok(Scene::of_mesh(path, self.as_what)?),
            Some(as_what) => Err(Failure::Input(format!(
                "--as {} says what a mesh becomes, and {} is no mesh; leave it out, or give the path of a mesh",
                as_what.name(),
                self.scene
            ))),
            None => Ok(Scene::open(&self.scene)?),
        }
    }

    /// Builds it, and says which files it is made from.
    pub fn read(&self) -> Result<(Built, Option<Camera>, Vec<PathBuf>), Failure> {
        let scene = self.open()?;
        let built = scene.build_with(&host::Shown::new())?;
        let files = scene.source.as_ref().map_or(Vec::new(), Source::files);
        Ok((built, scene.camera, files))
    }
}

/// A scene ready to be solved.
pub struct Loaded {
    pub model: Model,
    pub plan: Plan,
    /// Time that planning took, s.
    pub plan_s: f64,
    pub camera: Option<Camera>,
    /// What the user should be told: repairs of meshes and the like.
    pub notes: Vec<String>,
    /// The files that it is made from.
    pub files: Vec<PathBuf>,
}

/// Reads a scene and plans it for a device.
pub fn load(given: &Given, device: &Device, clusters: Clusters) -> Result<Loaded, Failure> {
    let (Built { model, notes, .. }, camera, files) = given.read()?;
    let clustered = clusters::chosen_for(&model, device, clusters);
    let begin = Instant::now();
    let plan = clusters::planned(&model, clustered);
    let plan_s = begin.elapsed().as_secs_f64();
    check_tearing(&plan, &model, &given.scene)?;
    Ok(Loaded { model, plan, plan_s, camera, notes, files })
}

/// Refuses what is to tear where it cannot.
pub fn check_tearing(plan: &Plan, model: &Model, scene: &str) -> Result<(), Failure> {
    plan.check_tearing(model.tearing.as_ref()).map_err(|error| Failure::Input(format!("{scene}: {error}")))
}
