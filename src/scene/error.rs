//! What a scene can have wrong with it, and where.

use std::fmt;

/// A fault of the input, told as `file:line:column: path: what is wrong; what to do`. A scene made by the builder has
/// no file and no line; its paths name the same keys as a scene file's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneError {
    /// File at fault, as it was named.
    pub file: Option<String>,
    /// Line and column, both from 1; columns count characters.
    pub position: Option<(usize, usize)>,
    /// What is wrong and what to do.
    pub message: String,
    pub(super) place: Vec<Step>,
    /// Whether the key itself is wrong rather than its value.
    pub(super) at_key: bool,
}

impl SceneError {
    pub(super) fn new(at: &Path, message: impl Into<String>) -> Self {
        Self { file: None, position: None, message: message.into(), place: at.steps(), at_key: false }
    }

    /// A key that should not be there.
    pub(super) fn key(at: &Path, message: impl Into<String>) -> Self {
        Self { at_key: true, ..Self::new(at, message) }
    }

    /// A fault of a whole file.
    #[cfg(feature = "scene-files")]
    pub(super) fn file(file: &str, message: impl Into<String>) -> Self {
        Self { file: Some(file.to_string()), ..Self::new(&Path::ROOT, message) }
    }

    /// The place in the scene: `body[1].constraint[0].compliance`; empty for the scene as a whole.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for step in &self.place {
            match step {
                Step::Key(key) if path.is_empty() => path.push_str(key),
                Step::Key(key) => path.extend([".", key]),
                Step::Index(index) => path.push_str(&format!("[{index}]")),
            }
        }
        path
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}")?;
            if let Some((line, column)) = self.position {
                write!(f, ":{line}:{column}")?;
            }
            write!(f, ": ")?;
        }
        if !self.place.is_empty() {
            write!(f, "{}: ", self.path())?;
        }
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for SceneError {}

/// One step of a place in a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Key(String),
    Index(usize),
}

/// A place in a scene, chained through the stack: costs nothing until something is wrong there.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    last: Last<'a>,
}

#[derive(Clone, Copy)]
enum Last<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl Path<'_> {
    pub const ROOT: Path<'static> = Path { parent: None, last: Last::Root };

    pub fn key<'a>(&'a self, key: &'a str) -> Path<'a> {
        Path { parent: Some(self), last: Last::Key(key) }
    }

    pub fn index(&self, index: usize) -> Path<'_> {
        Path { parent: Some(self), last: Last::Index(index) }
    }

    fn steps(&self) -> Vec<Step> {
        let mut steps = self.parent.map_or_else(Vec::new, Path::steps);
        match self.last {
            Last::Root => {}
            Last::Key(key) => steps.push(Step::Key(key.to_string())),
            Last::Index(index) => steps.push(Step::Index(index)),
        }
        steps
    }
}
