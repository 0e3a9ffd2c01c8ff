//! Whether the scene's file was saved: its time of change, looked at a few times a second.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// How often the file is looked at.
pub const INTERVAL: Duration = Duration::from_millis(300);

/// A file that is looked at.
#[derive(Debug)]
pub struct Watch {
    path: PathBuf,
    stamp: Option<Stamp>,
    looked: Instant,
}

/// What changes when a file is saved; `None` in its place while there is no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    bytes: u64,
}

impl Watch {
    /// What is saved from now on counts as a change.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self { stamp: stamp(&path), path, looked: Instant::now() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the file was saved since the last call that said so. A file that is gone did not change: editors replace
    /// it.
    pub fn changed(&mut self) -> bool {
        if self.looked.elapsed() < INTERVAL {
            return false;
        }
        self.looked = Instant::now();
        let now = stamp(&self.path);
        let changed = now.is_some() && now != self.stamp;
        if changed {
            self.stamp = now;
        }
        changed
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some(Stamp { modified: metadata.modified().ok(), bytes: metadata.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A saved file is noticed once; one that is gone for a moment is not taken for changed.
    #[test]
    fn notices_a_save_once() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("scene.toml");
        std::fs::write(&path, "a")?;
        let mut watch = Watch::new(&path);
        let mut look = || {
            watch.looked = Instant::now().checked_sub(INTERVAL).unwrap_or(watch.looked);
            watch.changed()
        };
        assert!(!look());
        std::fs::write(&path, "ab")?;
        assert!(look() && !look());
        std::fs::remove_file(&path)?;
        assert!(!look());
        std::fs::write(&path, "abc")?;
        assert!(look());
        Ok(())
    }
}
