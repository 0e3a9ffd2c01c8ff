//! The scenes that are compiled in.

use std::path::Path as FilePath;

use super::suggest::suggestion;
use super::{Scene, SceneError, toml};

macro_rules! gallery {
    ($($name:literal),* $(,)?) => {
        /// Name and text of each scene of the gallery, `examples/scenes/*.toml`.
        pub const GALLERY: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../examples/scenes/", $name, ".toml")))),*];
    };
}

gallery!(
    "hanging_cloth",
    "draped_cloth",
    "swing",
    "curtain",
    "flag",
    "chain",
    "bouncing_balls",
    "incline",
    "damping",
    "breaking",
    "tear",
    "rip",
    "burst",
    "grass",
    "balloon",
    "crawl",
    "plastic",
    "hair",
    "strip",
    "materials",
    "soft",
    "doughnut",
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
    "pachinko",
    "fold",
    "tower",
    "bowl",
    "volley",
    "outlines",
    "compare",
    "compare_levels",
);

impl Scene {
    /// A scene of [`GALLERY`] by its name; `None` if there is none.
    pub fn gallery(name: &str) -> Option<Result<Self, SceneError>> {
        let (name, text) = GALLERY.iter().find(|(known, _)| *known == name)?;
        Some(toml::parse(text, &format!("{name}.toml"), FilePath::new(""), name))
    }

    /// A scene by its name in [`GALLERY`] or by the path of its file. To read a file that is called as a scene of the
    /// gallery is, put `./` before it.
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
        let names = GALLERY.iter().map(|(name, _)| *name);
        let message = format!(
            "this is neither a scene of the gallery nor a file; give the path of a .toml file or a name of the gallery; {}",
            suggestion(name_or_path, names)
        );
        Err(SceneError::file(name_or_path, message))
    }
}
