//! The scenes that are compiled in, as the window offers them.

use crate::cli::scenes::description;
use crate::scene::{GROUPS, PUBLIC_SCENES};

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

/// All scenes, each once.
pub fn shelves() -> Vec<Shelf> {
    let gallery = GROUPS.iter().map(|group| (group.heading, group.scenes));
    let all = gallery.chain([("Large, for benchmarks", PUBLIC_SCENES)]);
    all.map(|(title, scenes)| Shelf { title, scenes: scenes.iter().map(entry).collect() }).collect()
}

fn entry((name, text): &(&'static str, &'static str)) -> Entry {
    Entry { name, says: description(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::GALLERY;

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
