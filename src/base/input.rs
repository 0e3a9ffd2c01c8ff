//! Files that are read whole. What never ends, as a device does, would be read until memory is full.

use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Why a file is not read.
#[derive(Debug)]
pub(crate) enum Unreadable {
    Missing,
    Folder,
    /// A device, a pipe or a socket.
    Endless,
    Other(io::Error),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => write!(f, "there is no such file"),
            Self::Folder => write!(f, "this is a folder"),
            Self::Endless => write!(f, "this is a device or a pipe, which may never end"),
            Self::Other(error) => write!(f, "the file cannot be read: {error}"),
        }
    }
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Self {
        if error.kind() == ErrorKind::NotFound { Self::Missing } else { Self::Other(error) }
    }
}

/// Opens a file that ends. Not before its kind is known: who opens a pipe waits for another who writes to it.
pub(crate) fn open(path: &Path) -> Result<File, Unreadable> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(Unreadable::Folder);
    }
    if !metadata.is_file() {
        return Err(Unreadable::Endless);
    }
    Ok(File::open(path)?)
}

/// The content of a file that ends.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Unreadable> {
    let mut content = Vec::new();
    open(path)?.read_to_end(&mut content)?;
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files are read; what is none, a folder, a device and a pipe that nobody writes to are refused at once, with the
    /// cause.
    #[test]
    fn only_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some");
        std::fs::write(&path, b"words").unwrap();
        assert_eq!(read(&path).unwrap(), b"words");
        assert!(matches!(read(&folder.path().join("none")), Err(Unreadable::Missing)));
        assert!(matches!(read(folder.path()), Err(Unreadable::Folder)));
        #[cfg(unix)]
        {
            let pipe = folder.path().join("pipe");
            assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            for endless in [&pipe, Path::new("/dev/zero")] {
                assert!(matches!(read(endless), Err(Unreadable::Endless)), "{}", endless.display());
            }
        }
    }
}
