//! Files that are whole or absent: written under a temporary name in the same folder and renamed when complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

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
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "free some space or choose a folder on another disk"
        }
        io::ErrorKind::IsADirectory => "give the name of a file",
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => "a part of the path is a file; choose another",
        _ => "choose a folder that you may write to",
    }
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
        let name = path.file_name().ok_or_else(|| fault(io::ErrorKind::InvalidFilename.into()))?;
        let temporary = path.with_file_name(format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id()));
        path.parent().map_or(Ok(()), make_folder)?;
        let open = File::options().read(true).write(true).create(true).truncate(true).open(&temporary);
        let file = open.map_err(fault)?;
        Ok(Self { path, temporary: Some(temporary), writer: BufWriter::new(file) })
    }

    /// Ends the file and gives it its name.
    ///
    /// # Errors
    /// If the rest of it cannot be written (a full disk) or it cannot be renamed; what bore the name before is then
    /// still there.
    pub fn commit(mut self) -> Result<(), FileError> {
        let fault = |source| FileError { path: self.path.clone(), source };
        self.writer.flush().map_err(fault)?;
        if let Some(temporary) = &self.temporary {
            fs::rename(temporary, &self.path).map_err(fault)?;
        }
        self.temporary = None;
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

    /// Whether it takes the place of what bears its name, and leaves that alone until then.
    pub fn is_swapped(&self) -> bool {
        self.temporary.is_some()
    }

    /// Ends the file and begins another that will take its place.
    ///
    /// # Errors
    /// Those of [`AtomicFile::fill`] and [`AtomicFile::create`].
    pub fn renew(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<Self, FileError> {
        let path = self.path.clone();
        self.fill(write)?;
        Self::create(&path)
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
            // Nothing can be done about a leftover that cannot be removed, and an error is on its way already.
            let _ = fs::remove_file(temporary);
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

    /// A folder in the file's place is refused by name.
    #[test]
    fn folder_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let message = AtomicFile::create(folder.path()).err().unwrap().to_string();
        assert!(message.contains("give the name of a file"), "{message}");
    }
}
