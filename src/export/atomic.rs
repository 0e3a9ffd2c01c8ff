//! Files that are whole or absent: written under a temporary name in the same folder, handed to the disk, and renamed
//! when complete.
//!
//! A process locks its temporary files while it writes them. [`clear`] removes those that nobody has locked: killed
//! processes left them.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use thiserror::Error;

/// A file that could not be written. The message names the file, the trouble and the remedy.
#[derive(Debug, Error)]
#[error("cannot write {}: {source}; {}", path.display(), remedy(source.kind()))]
pub struct FileError {
    /// The file or folder.
    pub path: PathBuf,
    /// What the operating system said.
    pub source: io::Error,
}

fn remedy(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space or choose a folder on another disk"
        }
        io::ErrorKind::FileTooLarge => {
            "raise the limit of a file's size (`ulimit -f`), free some space or choose a folder on another disk"
        }
        io::ErrorKind::IsADirectory => "give the name of a file",
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => "a part of the path is a file; choose another",
        _ => "choose a folder that you may write to",
    }
}

/// Ending of a temporary file's name.
const ENDING: &str = ".pliant.tmp";
/// Stands before the ending for the second name of a file that is shown and stays open.
const SHOWN: &str = ".shown";
/// How many names are tried for a temporary file.
const TRIES: u32 = 1000;

/// Files that this process removes if it ends early.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files before the process ends. The lock stays taken, so that no thread makes or renames
/// another.
pub(crate) fn abandon_all() {
    let unfinished = unfinished();
    unfinished.iter().for_each(|path| drop(fs::remove_file(path)));
    std::mem::forget(unfinished);
}

/// Registers a file for removal if the process ends early.
pub(crate) fn remember(path: &Path) {
    unfinished().insert(path.to_path_buf());
}

/// Removes a registered file, if it is still there.
pub(crate) fn remove(path: &Path) {
    let mut unfinished = unfinished();
    // Nothing can be done about a leftover that cannot be removed.
    drop(fs::remove_file(path));
    unfinished.remove(path);
}

/// Removes the temporary files in a folder that killed processes have left.
pub fn clear(folder: &Path) {
    clear_of(folder, None);
}

/// As [`clear`], for the temporary files of one file.
pub fn clear_for(path: &Path) {
    if let (Some(folder), Some(name)) = (path.parent(), path.file_name()) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        clear_of(folder, Some(&name.to_string_lossy()));
    }
}

fn clear_of(folder: &Path, of: Option<&str>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        let ours = target(&name).is_some_and(|target| of.is_none_or(|of| of == target));
        // Removed while locked: a process that has just created it notices and creates another.
        if is_file
            && ours
            && let Ok(file) = File::options().write(true).open(entry.path())
            && file.try_lock().is_ok()
        {
            drop(fs::remove_file(entry.path()));
        }
    }
}

/// The file that a temporary file is for: `a.txt` for `.a.txt.123-0.pliant.tmp`.
fn target(name: &str) -> Option<&str> {
    let name = name.strip_prefix('.')?.strip_suffix(ENDING)?;
    let (target, numbers) = name.strip_suffix(SHOWN).unwrap_or(name).rsplit_once('.')?;
    let (process, number) = numbers.split_once('-')?;
    [process, number].iter().all(|number| number.parse::<u32>().is_ok()).then_some(target)
}

/// The second name of a temporary file.
fn second_name(temporary: &Path) -> PathBuf {
    let name = temporary.file_name().unwrap_or_default().to_string_lossy();
    temporary.with_file_name(format!("{}{SHOWN}{ENDING}", name.strip_suffix(ENDING).unwrap_or(&name)))
}

/// Creates and locks a temporary file beside a path. It follows no link and replaces no file.
fn temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_string_lossy();
    for number in 0..TRIES {
        let temporary = path.with_file_name(format!(".{name}.{}-{number}{ENDING}", std::process::id()));
        let mut unfinished = unfinished();
        let file = match File::options().read(true).write(true).create_new(true).open(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            opened => opened?,
        };
        // Some file systems have no locks: there nothing is cleared.
        let _ = file.lock();
        // Another process may have cleared it before it was locked.
        if fs::exists(&temporary)? {
            unfinished.insert(temporary.clone());
            return Ok((temporary, file));
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// A file being written. It bears its name only after [`AtomicFile::commit`]; dropped before, it leaves nothing behind.
/// What is no regular file (a pipe, `/dev/stdout`) has no name to swap and is written as it stands.
pub struct AtomicFile {
    path: PathBuf,
    temporary: Option<PathBuf>,
    writer: BufWriter<File>,
}

impl AtomicFile {
    /// Opens the temporary file, making the folder if it is missing: a place that cannot be written to shows here,
    /// before any work is done.
    ///
    /// # Errors
    /// If the folder or the file cannot be made, or a folder bears the file's name.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let fault = |source| FileError { path: path.to_path_buf(), source };
        // The file behind a link is replaced, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let existing = fs::metadata(&path).ok();
        if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(fault(io::ErrorKind::IsADirectory.into()));
        }
        if existing.is_some_and(|metadata| !metadata.is_file()) {
            let file = File::options().write(true).open(&path).map_err(fault)?;
            return Ok(Self { path, temporary: None, writer: BufWriter::new(file) });
        }
        path.parent().map_or(Ok(()), make_folder)?;
        let (temporary, file) = temporary(&path).map_err(fault)?;
        Ok(Self { path, temporary: Some(temporary), writer: BufWriter::new(file) })
    }

    /// Ends the file and gives it its name.
    ///
    /// # Errors
    /// If the rest of it cannot be written (a full disk) or it cannot be renamed; what bore the name before is then
    /// still there.
    pub fn commit(mut self) -> Result<(), FileError> {
        self.finish().map_err(|source| self.error(source))
    }

    fn finish(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        if let Some(temporary) = &self.temporary {
            // First the content, then the name: otherwise a power failure may leave the name without the content.
            self.writer.get_ref().sync_all()?;
            let mut unfinished = unfinished();
            fs::rename(temporary, &self.path)?;
            unfinished.remove(temporary);
            self.temporary = None;
        }
        Ok(())
    }

    /// Gives the file its name as it is so far, and keeps it open under its temporary name. It must not be changed
    /// until another file has taken the name.
    ///
    /// # Errors
    /// As [`AtomicFile::commit`].
    pub(crate) fn show(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        let Some(temporary) = &self.temporary else { return Ok(()) };
        self.writer.get_ref().sync_all()?;
        let mut unfinished = unfinished();
        let second = second_name(temporary);
        unfinished.insert(second.clone());
        // An earlier process with this number may have left one.
        let _ = fs::remove_file(&second);
        // Some file systems have no hard links.
        fs::hard_link(temporary, &second).or_else(|_| fs::copy(temporary, &second).map(drop))?;
        fs::rename(&second, &self.path)?;
        unfinished.remove(&second);
        Ok(())
    }

    /// The file itself with all that was written so far, for formats that go back in it.
    ///
    /// # Errors
    /// If what waits to be written cannot be.
    pub fn file(&mut self) -> io::Result<&mut File> {
        self.writer.flush()?;
        Ok(self.writer.get_mut())
    }

    /// The path that another program is to write to, before this file is committed. It may truncate the file, but not
    /// replace it.
    ///
    /// # Errors
    /// If the lock that keeps others out cannot be given up.
    pub fn hand_over(&self) -> Result<&Path, FileError> {
        // Elsewhere a lock does not keep others from writing, and it tells other runs that the file is not left over.
        if cfg!(windows) {
            self.writer.get_ref().unlock().map_err(|source| self.error(source))?;
        }
        Ok(self.temporary.as_deref().unwrap_or(&self.path))
    }

    /// Whether it takes the place of what bears its name, and leaves that alone until then.
    pub fn is_swapped(&self) -> bool {
        self.temporary.is_some()
    }

    /// Puts the file's name to an error that occurred while filling it.
    pub fn error(&self, source: io::Error) -> FileError {
        FileError { path: self.path.clone(), source }
    }

    /// Fills the file by a function and commits it.
    ///
    /// # Errors
    /// Those of `write`, under the file's name, and of [`AtomicFile::commit`].
    pub fn fill(mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), FileError> {
        match write(&mut self.writer) {
            Ok(()) => self.commit(),
            Err(source) => Err(self.error(source)),
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            remove(temporary);
        }
    }
}

/// Makes a folder and those above it, if they are missing.
///
/// # Errors
/// If it may not be made, or a file bears its name.
pub fn make_folder(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(|source| FileError { path: path.to_path_buf(), source })
}

/// Writes a whole file at once.
///
/// # Errors
/// As [`AtomicFile::create`] and [`AtomicFile::fill`].
pub fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), FileError> {
    AtomicFile::create(path)?.fill(fill)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// A committed file is whole, in a folder made for it, and alone there.
    #[test]
    fn committed_file_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("made/for/it/a.txt");
        write(&path, |w| w.write_all(b"whole")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(names(path.parent().unwrap()), ["a.txt"]);
    }

    /// A file whose writing fails leaves what was there before, and no temporary file.
    #[test]
    fn failed_file_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let error = write(&path, |w| {
            w.write_all(b"half")?;
            Err(io::ErrorKind::StorageFull.into())
        })
        .unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.txt"]);
        let message = error.to_string();
        assert!(message.contains("a.txt") && message.contains("free some space"), "{message}");
    }

    /// Temporary files of killed processes are cleared; those being written stay, and so do files with other names.
    #[test]
    fn leftovers_are_cleared() {
        let folder = tempfile::tempdir().unwrap();
        let left = [".a.txt.4000000-0.pliant.tmp", ".b.json.7-3.shown.pliant.tmp"];
        let others = [".a.txt.4000000.tmp", "a.txt.1-1.pliant.tmp", ".a.txt.1-x.pliant.tmp", "b.json"];
        left.iter().chain(&others).for_each(|name| fs::write(folder.path().join(name), "").unwrap());
        let mut writing = AtomicFile::create(&folder.path().join("a.txt")).unwrap();
        clear_for(&folder.path().join("a.txt"));
        assert!(!folder.path().join(left[0]).exists() && folder.path().join(left[1]).exists());
        clear(folder.path());
        assert!(!folder.path().join(left[1]).exists());
        assert!(others.iter().all(|name| folder.path().join(name).exists()));
        writing.write_all(b"whole").unwrap();
        writing.commit().unwrap();
        assert_eq!(fs::read(folder.path().join("a.txt")).unwrap(), b"whole");
    }

    /// A link in place of a temporary file is not followed: its target stays as it is.
    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("other");
        fs::write(&other, "precious").unwrap();
        let trap = folder.path().join(format!(".a.txt.{}-0{ENDING}", std::process::id()));
        std::os::unix::fs::symlink(&other, &trap).unwrap();
        write(&folder.path().join("a.txt"), |w| w.write_all(b"whole")).unwrap();
        assert_eq!(fs::read(&other).unwrap(), b"precious");
        assert_eq!(fs::read(folder.path().join("a.txt")).unwrap(), b"whole");
    }

    /// A folder in the file's place is refused by name.
    #[test]
    fn folder_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let message = AtomicFile::create(folder.path()).err().unwrap().to_string();
        assert!(message.contains("give the name of a file"), "{message}");
    }
}
