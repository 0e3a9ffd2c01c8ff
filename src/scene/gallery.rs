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

/// Scenes of the gallery on one subject.
#[derive(Clone, Copy, Debug)]
pub struct GalleryGroup {
    /// The subject, for people.
    pub heading: &'static str,
    /// Name and text of each.
    pub scenes: &'static [(&'static str, &'static str)],
}

/// The gallery, `examples/scenes/*.toml`, by subjects.
pub const GROUPS: &[GalleryGroup] = &[
    GalleryGroup {
        heading: "Cloth",
        scenes: scenes!(
            "examples/scenes":
            "hanging_cloth",
            "draped_cloth",
            "tablecloth",
            "tent",
            "trampoline",
            "swing",
            "curtain",
            "flag",
            "flags",
            "fold",
            "strains",
            "bends",
            "stitches",
            "shirt",
            "materials",
        ),
    },
    GalleryGroup {
        heading: "Ropes, rods and hair",
        scenes: scenes!(
            "examples/scenes":
            "meadow",
            "hair",
            "chain",
            "grass",
            "strip",
            "pulley",
            "knots",
            "coils",
            "plectoneme",
            "canes",
            "curls",
            "anemones",
            "slinky",
        ),
    },
    GalleryGroup {
        heading: "Solids",
        scenes: scenes!(
            "examples/scenes":
            "jelly_in_a_bowl",
            "soft",
            "doughnut",
            "walker",
            "tower",
        ),
    },
    GalleryGroup {
        heading: "Fluids",
        scenes: scenes!(
            "examples/scenes":
            "dam_break",
            "oil_and_water",
            "raft",
            "fountain",
            "mill_wheel",
            "bath",
            "boat",
        ),
    },
    GalleryGroup {
        heading: "Balloons, shapes and rigid bodies",
        scenes: scenes!(
            "examples/scenes":
            "balloon",
            "shapes",
            "modes",
            "starfish",
            "vice",
            "crawl",
            "cells",
            "damping",
            "pistons",
            "gyroscopes",
            "top",
            "heavy_chain",
            "bridge",
            "door",
            "dominoes",
            "claw",
            "robot",
        ),
    },
    GalleryGroup {
        heading: "Colliders and contact",
        scenes: scenes!(
            "examples/scenes":
            "bouncing_balls",
            "incline",
            "conveyor",
            "funnel",
            "landscape",
            "balls",
            "sand",
            "pachinko",
            "bowl",
            "volley",
            "napkins",
            "dancer",
            "towel",
            "twist",
            "ring",
            "layers",
            "sack",
            "cards",
            "outlines",
            "keeping_apart",
        ),
    },
    GalleryGroup {
        heading: "Breaking and plasticity",
        scenes: scenes!(
            "examples/scenes":
            "breaking",
            "tear",
            "banner",
            "rip",
            "burst",
            "plastic",
            "clay",
        ),
    },
    GalleryGroup {
        heading: "Comparisons",
        scenes: scenes!(
            "examples/scenes":
            "compare",
            "compare_levels",
        ),
    },
];

/// Name and text of each scene of the gallery: those of [`GROUPS`], one after another.
pub const GALLERY: &[(&str, &str)] = &joined::<{ count() }>();

/// Name and text of each scene by which solvers are measured, `benches/*.toml`, but for those that read files: public
/// ones, as near as can be to what was published, and the standard cloth and solid. Larger than those of the gallery.
pub const PUBLIC_SCENES: &[(&str, &str)] = scenes!(
    "benches": "ten_minute_cloth", "small_steps_cloth", "small_steps_beam", "xpbd_cloth", "cloth_twist", "poker_cards",
    "ppf_drape", "ppf_curtain", "rotating_sphere", "w1", "w2", "w3"
);

/// The files that scenes of the gallery name. `examples/figure.rs` writes the figure.
const FILES: &[(&str, &[u8])] = &[
    ("boat.obj", include_bytes!("../../examples/scenes/boat.obj")),
    ("dancer.glb", include_bytes!("../../examples/scenes/dancer.glb")),
    ("robot.urdf", include_bytes!("../../examples/scenes/robot.urdf")),
    ("starfish.obj", include_bytes!("../../examples/scenes/starfish.obj")),
];

/// How many scenes the groups have.
const fn count() -> usize {
    let (mut count, mut group) = (0, 0);
    while group < GROUPS.len() {
        count += GROUPS[group].scenes.len();
        group += 1;
    }
    count
}

/// The scenes of all groups.
const fn joined<const N: usize>() -> [(&'static str, &'static str); N] {
    let mut scenes = [("", ""); N];
    let (mut at, mut group) = (0, 0);
    while group < GROUPS.len() {
        let mut scene = 0;
        while scene < GROUPS[group].scenes.len() {
            scenes[at] = GROUPS[group].scenes[scene];
            (at, scene) = (at + 1, scene + 1);
        }
        group += 1;
    }
    scenes
}

/// All that have a name: [`GALLERY`] and [`PUBLIC_SCENES`].
fn named() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    GALLERY.iter().chain(PUBLIC_SCENES)
}

impl Scene {
    /// A scene of [`GALLERY`] or of [`PUBLIC_SCENES`] by its name; `None` if there is none.
    pub fn gallery(name: &str) -> Option<Result<Self, SceneError>> {
        let (name, text) = named().find(|(known, _)| *known == name)?;
        let mut scene = toml::parse(text, &format!("{name}.toml"), FilePath::new(""), name);
        let bodies = scene.iter_mut().flat_map(|scene| &mut scene.bodies);
        bodies.for_each(|body| body.content.embed(FILES));
        scene.iter_mut().flat_map(|scene| &mut scene.robots).for_each(|robot| robot.embed(FILES));
        Some(scene)
    }

    /// The text of a scene of [`GALLERY`] or of [`PUBLIC_SCENES`].
    ///
    /// # Errors
    /// If none has this name; with the nearest.
    pub fn gallery_text(name: &str) -> Result<&'static str, SceneError> {
        let text = named().find(|(known, _)| *known == name).map(|(_, text)| *text);
        let names = named().map(|(name, _)| *name);
        text.ok_or_else(|| {
            let message = format!("no scene of the gallery is called so; {}", suggestion(name, names));
            SceneError::file(name, message)
        })
    }

    /// A scene by its name in [`GALLERY`] or [`PUBLIC_SCENES`], or by the path of its file; a mesh's file becomes a
    /// scene by itself (`Scene::of_mesh`). To read a file that is
    /// called as a scene of the gallery is, put `./` before it.
    ///
    /// # Errors
    /// If the name is neither, and as [`Scene::load`] or `Scene::of_mesh`.
    pub fn open(name_or_path: &str) -> Result<Self, SceneError> {
        if let Some(scene) = Self::gallery(name_or_path) {
            return scene;
        }
        let path = FilePath::new(name_or_path);
        #[cfg(feature = "mesh-files")]
        if Self::is_mesh(path) {
            return Self::of_mesh(path, None);
        }
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
