//! A lock on a folder: two runs in one would mix their series of frames.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::atomic::{self, FileError};

/// Name of the file that a run locks in its folder. The system releases the lock when the process ends for any reason.
/// The file holds the number of the process, for people.
const NAME: &str = ".pliant.lock";
/// How often taking the lock is tried: each time another run may just have ended.
const TRIES: u32 = 100;

/// Why a folder could not be locked.
#[derive(Debug, Error)]
pub enum LockError {
    /// The lock file could not be created.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another run writes to the folder.
    #[error(
        "{}: another run{} is writing to this folder; wait until it ends, stop it, or choose another folder",
        folder.display(),
        named(*process)
    )]
    Held {
        /// The folder.
        folder: PathBuf,
        /// Number of the other process, if it can be read.
        process: Option<u32>,
    },
}

fn named(process: Option<u32>) -> String {
    process.map_or_else(String::new, |process| format!(" (process {process})"))
}

/// Locks a folder until it is dropped or the process ends.
pub struct FolderLock {
    path: PathBuf,
    /// Locked if the file system has locks.
    _file: File,
}

impl FolderLock {
    /// Locks a folder.
    ///
    /// # Errors
    /// If another run has locked it, or no file can be created in it.
    pub fn take(folder: &Path) -> Result<Self, LockError> {
        let path = folder.join(NAME);
        let fault = |source| FileError { path: path.clone(), source };
        let own = std::process::id();
        for _ in 0..TRIES {
            // A link or device under this name is not written to.
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
            // The file may be gone: a run that has just ended removed it, and a third run may have created it again.
            // Some systems let nobody read a locked file.
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

/// The number of the process in a lock file.
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

    /// One run at a time has the folder, the error names its process, the file of a killed process is taken over, and
    /// nothing stays behind.
    #[test]
    fn one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(NAME), "4000000\n").unwrap();
        for _ in 0..2 {
            let lock = FolderLock::take(folder.path()).unwrap();
            let message = FolderLock::take(folder.path()).err().unwrap().to_string();
            let process = if cfg!(unix) {
                format!("another run (process {}) is writing", std::process::id())
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
