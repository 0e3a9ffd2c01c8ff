//! A folder to which one run at a time writes: two would mix their series of frames.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::atomic::{self, FileError};

/// Of the file that a run holds in its folder. The system lets go of it when the process ends, however that comes; what
/// is in it, the process's number, is for people.
const NAME: &str = ".pliant.lock";
/// How often another run may end while this one tries.
const TRIES: u32 = 100;

/// Why a folder could not be taken.
#[derive(Debug, Error)]
pub enum LockError {
    /// The file could not be made.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another run writes there.
    #[error("{}: another run{} writes to this folder; wait until it is over, end it, or choose another folder", folder.display(), named(*process))]
    Held {
        /// The folder.
        folder: PathBuf,
        /// Number of the other process, where it can be read.
        process: Option<u32>,
    },
}

fn named(process: Option<u32>) -> String {
    process.map_or_else(String::new, |process| format!(" (process {process})"))
}

/// Holds a folder until it is dropped, or the process ends.
pub struct FolderLock {
    path: PathBuf,
    /// Locked, where the file system has locks.
    _file: File,
}

impl FolderLock {
    /// Takes a folder.
    ///
    /// # Errors
    /// If another run has it, or no file can be made in it.
    pub fn take(folder: &Path) -> Result<Self, LockError> {
        let path = folder.join(NAME);
        let fault = |source| FileError { path: path.clone(), source };
        let own = std::process::id();
        for _ in 0..TRIES {
            // What somebody has put there for us to write over stays.
            if fs::symlink_metadata(&path).is_ok_and(|there| !there.is_file()) {
                return Err(fault(io::ErrorKind::AlreadyExists.into()).into());
            }
            let open = File::options().read(true).write(true).create(true).truncate(false).open(&path);
            let mut file = open.map_err(fault)?;
            if let Err(TryLockError::WouldBlock) = file.try_lock() {
                return Err(LockError::Held { folder: folder.to_path_buf(), process: written(&path).ok().flatten() });
            }
            let write = |file: &mut File| file.set_len(0).and_then(|()| writeln!(file, "{own}"));
            write(&mut file).map_err(fault)?;
            // A run that has ended since it was opened has removed it, and yet another may have made the next. Some
            // systems let nobody read what is locked.
            match written(&path) {
                Ok(process) if process != Some(own) => continue,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Ok(_) | Err(_) => {}
            }
            atomic::remember(&path);
            return Ok(Self { path, _file: file });
        }
        Err(LockError::Held { folder: folder.to_path_buf(), process: None })
    }
}

/// The process that a lock names.
fn written(path: &Path) -> io::Result<Option<u32>> {
    Ok(fs::read_to_string(path)?.trim().parse().ok())
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        atomic::remove(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One at a time has a folder; who is refused hears which process has it; what a process that is no longer there
    /// has left is taken over, and nothing stays behind.
    #[test]
    fn one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(NAME), "4000000\n").unwrap();
        for _ in 0..2 {
            let lock = FolderLock::take(folder.path()).unwrap();
            let message = FolderLock::take(folder.path()).err().unwrap().to_string();
            let process = if cfg!(unix) {
                format!("another run (process {}) writes", std::process::id())
            } else {
                "another run".into()
            };
            assert!(message.contains(&process) && message.contains("choose another folder"), "{message}");
            drop(lock);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }

    /// A link is not followed.
    #[cfg(unix)]
    #[test]
    fn a_link_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("other");
        fs::write(&other, "precious").unwrap();
        std::os::unix::fs::symlink(&other, folder.path().join(NAME)).unwrap();
        assert!(matches!(FolderLock::take(folder.path()), Err(LockError::File(_))));
        assert_eq!(fs::read_to_string(&other).unwrap(), "precious");
    }
}
