//! Scenes from TOML files. This layer knows keys and types; what values mean is checked when the scene is built.

mod body;
mod flow;
mod joint;
mod locate;
pub(super) mod mesh;
pub(super) mod parts;
pub(super) mod read;
mod robot;

use std::path::{Path as FilePath, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use self::read::{Result, Table, Value, choice, number, table, text, truth, vector, whole};
use super::error::SceneError;
use super::{Scene, Source};
use crate::base::input::{self, Unreadable};
use crate::model::{FrictionCombine, Integrator, Method, Mode, Settings, Sweep, World};

pub(super) use self::locate::{line_and_column, locate};

/// Reads a scene. `name` is what it is called if it does not say itself.
pub(super) fn parse(content: &str, file: &str, folder: &FilePath, name: &str) -> Result<Scene> {
    let document = DeTable::parse(content).map_err(|error| syntax_error(content, file, &error))?;
    let mut scene = scene(&Table::root(document.get_ref()), folder, name).map_err(|e| locate(e, file, content))?;
    scene.source = Some(Source { file: file.to_string(), text: content.to_string() });
    Ok(scene)
}

/// Reads a scene from a file.
pub(super) fn load(path: &FilePath) -> Result<Scene> {
    let file = path.display().to_string();
    let bytes = input::read(path).map_err(|unreadable| {
        let remedy = match unreadable {
            Unreadable::Endless => "write the scene to a .toml file first",
            Unreadable::Missing | Unreadable::Folder => "give the path of a scene's .toml file",
            Unreadable::Other(_) => "give the path of a scene's .toml file that can be read",
        };
        SceneError::file(&file, format!("{unreadable}; {remedy}"))
    })?;
    let text = String::from_utf8(bytes).map_err(|error| not_utf8(&file, &error))?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    parse(&text, &file, path.parent().unwrap_or(FilePath::new("")), &stem)
}

/// A scene's file, and those that any text in it names, next to it.
pub(super) fn files(file: &str, content: &str) -> Vec<PathBuf> {
    let folder = FilePath::new(file).parent().unwrap_or(FilePath::new(""));
    let mut files = vec![PathBuf::from(file)];
    if let Ok(document) = DeTable::parse(content) {
        let mut waiting: Vec<&DeValue> = document.get_ref().values().map(Spanned::get_ref).collect();
        while let Some(value) = waiting.pop() {
            match value {
                DeValue::String(text) => files.push(folder.join(&**text)),
                DeValue::Array(list) => waiting.extend(list.iter().map(Spanned::get_ref)),
                DeValue::Table(table) => waiting.extend(table.values().map(Spanned::get_ref)),
                _ => {}
            }
        }
    }
    files.retain(|path| path.is_file());
    files
}

fn syntax_error(content: &str, file: &str, error: &toml::de::Error) -> SceneError {
    let position = error.span().map(|span| locate::line_and_column(content, span.start));
    let message = format!("this is not valid TOML: {}; correct it there or on the line before", error.message());
    SceneError { position, ..SceneError::file(file, message) }
}

fn not_utf8(file: &str, error: &std::string::FromUtf8Error) -> SceneError {
    let valid = error.utf8_error().valid_up_to();
    let text = String::from_utf8_lossy(&error.as_bytes()[..valid]);
    let message = "this is not UTF-8 text; save the scene as UTF-8, or give the path of a scene's .toml file";
    SceneError { position: Some(locate::line_and_column(&text, valid)), ..SceneError::file(file, message) }
}

fn scene(root: &Table, folder: &FilePath, name: &str) -> Result<Scene> {
    let mut scene = Scene::new(root.optional("name", text)?.unwrap_or_else(|| name.to_string()));
    root.set("solver", &mut scene.settings, settings)?;
    root.set("world", &mut scene.world, world)?;
    scene.bodies = root.tables("body", |body| body::body(body, folder))?;
    scene.constraints = root.tables("constraint", |table| parts::constraint(table, parts::named_particle))?;
    scene.joints = root.tables("joint", joint::joint)?;
    scene.robots = root.tables("robot", |table| robot::robot(table, folder))?;
    scene.emitters = root.tables("emitter", flow::emitter)?;
    scene.drains = root.tables("drain", flow::drain)?;
    scene.forces = root.tables("force", parts::force)?;
    scene.colliders = root.tables("collider", |collider| parts::collider(collider, folder))?;
    scene.camera = root.optional("camera", parts::camera)?;
    root.finish()?;
    Ok(scene)
}

fn settings(value: Value) -> Result<Settings> {
    let solver = table(value)?;
    let mut settings = Settings::default();
    solver.set("mode", &mut settings.mode, |value| choice(value, &[("xpbd", Mode::Xpbd), ("pbd", Mode::Pbd)]))?;
    let methods = [("gauss-seidel", Method::GaussSeidel), ("jacobi", Method::Jacobi)];
    solver.set("method", &mut settings.method, |value| choice(value, &methods))?;
    let sweeps = [Sweep::ThereAndBack, Sweep::OneWay].map(|sweep| (sweep.name(), sweep));
    solver.set("sweep", &mut settings.sweep, |value| choice(value, &sweeps))?;
    let integrators = [("euler", Integrator::Euler), ("bdf2", Integrator::Bdf2)];
    solver.set("integrator", &mut settings.integrator, |value| choice(value, &integrators))?;
    solver.set("frame_rate", &mut settings.frame_rate, number)?;
    solver.set("substeps", &mut settings.substeps, whole)?;
    solver.set("iterations", &mut settings.iterations, whole)?;
    solver.set("contact_rounds", &mut settings.contact_rounds, whole)?;
    solver.set("relaxation", &mut settings.relaxation, number)?;
    solver.set("corrected_stiffness", &mut settings.corrected_stiffness, truth)?;
    solver.set("max_colours", &mut settings.max_colours, whole)?;
    settings.nested = solver.optional("nested", truth)?;
    solver.finish()?;
    Ok(settings)
}

fn world(value: Value) -> Result<World> {
    let read = table(value)?;
    let mut world = World::default();
    read.set("gravity", &mut world.gravity, vector)?;
    read.set("wind", &mut world.wind, vector)?;
    read.set("air_density", &mut world.air_density, number)?;
    world.max_speed = read.optional("max_speed", number)?;
    read.set("push_out_speed", &mut world.push_out_speed, number)?;
    let rules = FrictionCombine::ALL.map(|rule| (rule.name(), rule));
    read.set("friction_combine", &mut world.friction_combine, |value| choice(value, &rules))?;
    read.finish()?;
    Ok(world)
}
