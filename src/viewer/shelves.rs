//! The scenes that are compiled in, as the window offers them.

use crate::cli::scenes::description;
use crate::scene::{GALLERY, PUBLIC_SCENES};

/// A scene of the gallery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: &'static str,
    /// The first sentence about it.
    pub says: String,
}

/// Scenes that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shelf {
    pub title: &'static str,
    pub scenes: Vec<Entry>,
}

/// What belongs together. Scenes that are not named here come last.
const SHELVES: [(&str, &[&str]); 7] = [
    ("Cloth", &["draped_cloth", "hanging_cloth", "flag", "curtain", "swing", "fold", "strains", "materials"]),
    ("Ropes, hair, strips", &["chain", "pulley", "hair", "grass", "strip", "bends"]),
    ("Soft bodies", &["soft", "doughnut", "balloon", "shapes", "cells", "stitches"]),
    ("Moving by themselves", &["walker", "crawl", "conveyor"]),
    ("Tearing and flowing", &["tear", "rip", "burst", "breaking", "plastic", "clay"]),
    (
        "Piles and collisions",
        &[
            "balls",
            "bouncing_balls",
            "sand",
            "pachinko",
            "tower",
            "bowl",
            "funnel",
            "volley",
            "landscape",
            "incline",
            "keeping_apart",
            "outlines",
        ],
    ),
    ("To compare", &["compare", "compare_levels", "damping"]),
];

/// All scenes, each once.
pub fn shelves() -> Vec<Shelf> {
    let named = |names: &[&str]| {
        let text = |name: &&&str| GALLERY.iter().find(|(known, _)| known == *name);
        names.iter().filter_map(|name| text(&name)).map(entry).collect()
    };
    let mut shelves: Vec<Shelf> = SHELVES.iter().map(|(title, names)| Shelf { title, scenes: named(names) }).collect();
    let is_shelved = |name: &str| SHELVES.iter().any(|(_, names)| names.contains(&name));
    let others = GALLERY.iter().filter(|(name, _)| !is_shelved(name)).map(entry).collect();
    shelves.push(Shelf { title: "More", scenes: others });
    shelves.push(Shelf { title: "Large, for benchmarks", scenes: PUBLIC_SCENES.iter().map(entry).collect() });
    shelves.retain(|shelf| !shelf.scenes.is_empty());
    shelves
}

fn entry((name, text): &(&'static str, &'static str)) -> Entry {
    Entry { name, says: description(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every scene is on one shelf.
    #[test]
    fn every_scene_is_offered() {
        let mut offered: Vec<&str> =
            shelves().iter().flat_map(|shelf| shelf.scenes.iter().map(|entry| entry.name)).collect();
        let mut all: Vec<&str> = GALLERY.iter().chain(PUBLIC_SCENES).map(|(name, _)| *name).collect();
        offered.sort_unstable();
        all.sort_unstable();
        assert_eq!(offered, all);
    }
}
