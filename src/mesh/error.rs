//! What is wrong with a mesh file.

use std::fmt;

/// A fault of a mesh file, with its place and what to do about it: `file:line: what; remedy`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshError {
    pub file: String,
    /// Counted from 1; `None` for a fault of the file as a whole.
    pub line: Option<usize>,
    pub what: String,
    pub remedy: String,
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, what, remedy } = self;
        match line {
            Some(line) => write!(f, "{file}:{line}: {what}; {remedy}"),
            None => write!(f, "{file}: {what}; {remedy}"),
        }
    }
}

impl std::error::Error for MeshError {}

/// A fault whose file is named by the caller.
pub(super) struct Fault {
    pub line: Option<usize>,
    pub what: String,
    pub remedy: String,
}

impl Fault {
    pub fn at(line: usize, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { line: Some(line), what: what.into(), remedy: remedy.into() }
    }

    pub fn of_file(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { line: None, what: what.into(), remedy: remedy.into() }
    }

    pub fn in_file(self, file: &str) -> MeshError {
        MeshError { file: file.to_owned(), line: self.line, what: self.what, remedy: self.remedy }
    }
}
