//! The scenes that are compiled in.

use std::path::Path as FilePath;

use super::suggest::suggestion;
use super::{Scene, SceneError, toml};

/// Names and texts of the scenes of a folder.
macro_rules! scenes {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../", $folder, "/", $name, ".toml")))),*]
    };
}

/// Name and text of each scene of the gallery, `examples/scenes/*.toml`.
pub const GALLERY: &[(&str, &str)] = scenes!(
    "examples/scenes":
    "hanging_cloth",
    "draped_cloth",
    "tablecloth",
    "swing",
    "curtain",
    "flag",
    "tent",
    "chain",
    "bouncing_balls",
    "incline",
    "damping",
    "breaking",
    "tear",
    "rip",
    "burst",
    "banner",
    "grass",
    "meadow",
    "balloon",
    "shapes",
    "crawl",
    "plastic",
    "hair",
    "strip",
    "materials",
    "soft",
    "doughnut",
    "jelly_in_a_bowl",
    "strains",
    "clay",
    "walker",
    "conveyor",
    "pulley",
    "funnel",
    "bends",
    "cells",
    "stitches",
    "keeping_apart",
    "landscape",
    "balls",
    "sand",
    "pachinko",
    "fold",
    "tower",
    "bowl",
    "volley",
    "trampoline",
    "outlines",
    "compare",
    "compare_levels",
);

/// Name and text of each scene by which solvers are measured, `benches/*.toml`, but for those that read files: public
/// ones, as near as can be to what was published, and the standard cloth and solid. Larger than those of the gallery.
pub const PUBLIC_SCENES: &[(&str, &str)] =
    scenes!("benches": "ten_minute_cloth", "small_steps_cloth", "small_steps_beam", "xpbd_cloth", "w1", "w2");

/// All that have a name: [`GALLERY`] and [`PUBLIC_SCENES`].
fn named() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    GALLERY.iter().chain(PUBLIC_SCENES)
}

impl Scene {
    /// A scene of [`GALLERY`] or of [`PUBLIC_SCENES`] by its name; `None` if there is none.
    pub fn gallery(name: &str) -> Option<Result<Self, SceneError>> {
        let (name, text) = named().find(|(known, _)| *known == name)?;
        Some(toml::parse(text, &format!("{name}.toml"), FilePath::new(""), name))
    }

    /// A scene by its name in [`GALLERY`] or [`PUBLIC_SCENES`], or by the path of its file. To read a file that is
    /// called as a scene of the gallery is, put `./` before it.
    ///
    /// # Errors
    /// If the name is neither, and as [`Scene::load`].
    pub fn open(name_or_path: &str) -> Result<Self, SceneError> {
        if let Some(scene) = Self::gallery(name_or_path) {
            return scene;
        }
        let path = FilePath::new(name_or_path);
        if path.exists() || path.extension().is_some() {
            return Self::load(path);
        }
        let names = named().map(|(name, _)| *name);
        let message = format!(
            "this is neither a scene of the gallery nor a file; give the path of a .toml file or a name of the \
             gallery; {}",
            suggestion(name_or_path, names)
        );
        Err(SceneError::file(name_or_path, message))
    }
}
