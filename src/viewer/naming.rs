//! Names for files that the window writes.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The names that were given out: a file is there only when it is whole.
#[derive(Clone, Debug, Default)]
pub struct Names {
    given: HashSet<PathBuf>,
}

impl Names {
    /// `NAME-0001.ENDING`, or the first number after it that no file in the folder has.
    pub fn free(&mut self, folder: &Path, name: &str, ending: &str) -> PathBuf {
        let paths = (1..).map(|number: u32| folder.join(format!("{name}-{number:04}.{ending}")));
        let mut free = paths.filter(|path| !path.exists() && !self.given.contains(path));
        let path = free.next().unwrap_or_else(|| folder.join(format!("{name}.{ending}")));
        self.given.insert(path.clone());
        path
    }
}

/// What files of a scene are called: after its name in the gallery, or after its file.
pub fn stem(source: &str) -> String {
    let stem = Path::new(source).file_stem().map_or_else(|| "scene".into(), |stem| stem.to_string_lossy());
    let letter = |c: char| if c.is_alphanumeric() || "-_".contains(c) { c } else { '_' };
    stem.chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No name is given twice, nor one that a file has.
    #[test]
    fn names_are_free() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("flag-0002.png"), "").unwrap();
        let mut names = Names::default();
        let given = [0; 3].map(|_| names.free(folder.path(), "flag", "png"));
        assert_eq!(given, ["flag-0001.png", "flag-0003.png", "flag-0004.png"].map(|name| folder.path().join(name)));
        assert_eq!(names.free(folder.path(), "flag", "toml"), folder.path().join("flag-0001.toml"));
    }

    /// Files are called after the scene, by what every file system takes.
    #[test]
    fn stems_are_plain() {
        let stems = ["hanging_cloth", "../a b/my scene.toml", "", "shirt.v2.obj"].map(stem);
        assert_eq!(stems, ["hanging_cloth", "my_scene", "scene", "shirt_v2"]);
    }
}
