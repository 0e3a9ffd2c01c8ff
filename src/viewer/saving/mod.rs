//! A scene written as it is in the window: its own text with what the user has changed, and the camera. Read back, it
//! gives the same; what cannot be said in a scene is told.

mod stiffness;
mod text;

use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;

use toml_edit::{InlineTable, Value};

use self::text::{Text, number, set, vector};
use super::loading::Loaded;
use super::panels::Trouble;
use super::tuning::Tuning;
use crate::cli::host;
use crate::export::atomic;
use crate::model::{Integrator, Method, Mode, Settings};
use crate::scene::{Camera, Scene};

/// What is to be written, and where.
pub struct Request {
    pub loaded: Arc<Loaded>,
    pub tuning: Tuning,
    /// Where the scene is seen from, if the user has moved there; in the scene's coordinates.
    pub camera: Option<Camera>,
    pub path: PathBuf,
}

/// Writes a scene. Returns what the user should know.
pub fn save(request: &Request) -> Result<Vec<String>, Trouble> {
    let Request { loaded, tuning, path, .. } = request;
    let place = path.display().to_string();
    let text = changed(request).map_err(|message| Trouble::new(&place, message))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let reread = Scene::parse(&text, &place, folder).and_then(|scene| scene.build_with(&host::Files));
    let reread = reread.map_err(|error| Trouble::from(&error))?;
    atomic::write(path, |file| file.write_all(text.as_bytes()))
        .map_err(|error| Trouble::new(&place, error.to_string()))?;
    let mut notes = vec![format!("The scene is saved: {place}")];
    let others = stiffness::others(loaded, tuning, &reread.model);
    if !others.is_empty() {
        notes.push(format!("A scene's file cannot say the changed stiffness of: {}", others.join(", ")));
    }
    Ok(notes)
}

/// The text of the scene with what was changed.
fn changed(request: &Request) -> Result<String, String> {
    let Request { loaded, tuning, camera, path } = request;
    let source = loaded.scene.source.as_ref().ok_or("this scene was read from no file, and has no text to save")?;
    let mut text = Text::new(&source.text).ok_or("the text of this scene cannot be changed")?;
    let before = Tuning::of(&loaded.model);
    change_settings(&mut text, &before.settings, &tuning.settings);
    for (key, before, now) in [("gravity", before.gravity, tuning.gravity), ("wind", before.wind, tuning.wind)] {
        if before != now
            && let Some(world) = text.table("world")
        {
            set(world, key, vector(now));
        }
    }
    let damping = before.damping.iter().zip(&tuning.damping).enumerate();
    for (body, (_, now)) in damping.filter(|(_, (before, now))| before != now) {
        if let Some(body) = text.entry("body", body) {
            set(body, "damping", number(*now));
        }
    }
    stiffness::change(&mut text, loaded, tuning);
    if let Some(camera) = camera {
        change_camera(&mut text, *camera);
    }
    move_files(&mut text, Path::new(&source.file), path);
    Ok(text.to_string())
}

fn change_settings(text: &mut Text, before: &Settings, now: &Settings) {
    let whole = |value: u32| Value::from(i64::from(value));
    let mut changes: Vec<(&str, Value)> = Vec::new();
    let mut change = |key, differs: bool, value: Value| differs.then(|| changes.push((key, value)));
    let mode = match now.mode {
        Mode::Xpbd => "xpbd",
        Mode::Pbd => "pbd",
    };
    let method = match now.method {
        Method::GaussSeidel => "gauss-seidel",
        Method::Jacobi => "jacobi",
    };
    let integrator = match now.integrator {
        Integrator::Euler => "euler",
        Integrator::Bdf2 => "bdf2",
    };
    change("mode", before.mode != now.mode, mode.into());
    change("method", before.method != now.method, method.into());
    change("integrator", before.integrator != now.integrator, integrator.into());
    change("sweep", before.sweep != now.sweep, now.sweep.name().into());
    change("substeps", before.substeps != now.substeps, whole(now.substeps));
    change("iterations", before.iterations != now.iterations, whole(now.iterations));
    change("contact_rounds", before.contact_rounds != now.contact_rounds, whole(now.contact_rounds));
    if let Some(nested) = now.nested {
        change("nested", before.nested != now.nested, nested.into());
    }
    if changes.is_empty() {
        return;
    }
    if let Some(solver) = text.table("solver") {
        changes.into_iter().for_each(|(key, value)| set(solver, key, value));
    }
}

fn change_camera(text: &mut Text, camera: Camera) {
    let distance = (0..3).map(|axis| (camera.eye[axis] - camera.target[axis]).powi(2)).sum::<f64>().sqrt();
    // As exact as anybody can see.
    let grain = 10_f64.powf(distance.log10().floor() - 4.0);
    let rounded = |place: [f64; 3]| vector(place.map(|x| decimal((x / grain).round() * grain)));
    let mut table = InlineTable::new();
    table.insert("eye", rounded(camera.eye));
    table.insert("target", rounded(camera.target));
    table.insert("field_of_view", number(decimal(camera.field_of_view)));
    text.set("camera", Value::InlineTable(table));
}

/// Without the digits that rounding leaves: `0.30000000000000004` is 0.3.
fn decimal(value: f64) -> f64 {
    format!("{value:.9e}").parse().unwrap_or(value)
}

/// Lets the names of files lead to where they led before, from the folder of the new file.
fn move_files(text: &mut Text, from: &Path, to: &Path) {
    let folder = |file: &Path| absolute(file).ok().and_then(|file| file.parent().map(Path::to_path_buf));
    let (Some(old), Some(new)) = (folder(from), folder(to)) else { return };
    if old == new {
        return;
    }
    text.rename("file", &|name| {
        let path = old.join(name);
        let named = path.strip_prefix(&new).unwrap_or(&path);
        Some(named.to_str()?.to_string())
    });
}

#[cfg(test)]
mod tests;
