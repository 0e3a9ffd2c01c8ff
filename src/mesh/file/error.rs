//! What is wrong with a mesh file, and where.

use std::fmt;

/// A place in a mesh file. Lines are counted from 1, all else from 0 as binary files count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Of a text file.
    Line(usize),
    /// Of a binary PLY file.
    Vertex(usize),
    /// Of a binary PLY or STL file.
    Face(usize),
    /// Of a binary Gmsh or VTK file.
    Byte(usize),
    /// Of a glTF file, like all that follow.
    Node(usize),
    /// Of a glTF file: what is drawn with one material.
    Primitive {
        /// Index of the mesh in the file.
        mesh: u32,
        /// Index of the primitive in its mesh.
        primitive: u32,
    },
    /// Of a glTF file: a typed view of bytes.
    Accessor(usize),
    /// Of a glTF file: a range of a buffer.
    BufferView(usize),
    /// Of a glTF file: the bytes of one file or URI.
    Buffer(usize),
    /// Of a glTF file: a clip.
    Animation(usize),
    /// Of a glTF file: the bones of a mesh.
    Skin(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(index) => write!(f, "line {index}"),
            Self::Vertex(index) => write!(f, "vertex {index}"),
            Self::Face(index) => write!(f, "face {index}"),
            Self::Byte(index) => write!(f, "byte {index}"),
            Self::Node(index) => write!(f, "node {index}"),
            Self::Primitive { mesh, primitive } => write!(f, "primitive {primitive} of mesh {mesh}"),
            Self::Accessor(index) => write!(f, "accessor {index}"),
            Self::BufferView(index) => write!(f, "buffer view {index}"),
            Self::Buffer(index) => write!(f, "buffer {index}"),
            Self::Animation(index) => write!(f, "animation {index}"),
            Self::Skin(index) => write!(f, "skin {index}"),
        }
    }
}

/// A fault of a mesh file, with its place and what to do about it: `file:line: what; remedy` in text files, else `file:
/// place: what; remedy`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshError {
    /// The file, as it was named.
    pub file: String,
    /// `None` for a fault of the file as a whole.
    pub place: Option<Place>,
    /// What is wrong there.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, place, what, remedy } = self;
        match place {
            Some(Place::Line(line)) => write!(f, "{file}:{line}: {what}; {remedy}"),
            Some(place) => write!(f, "{file}: {place}: {what}; {remedy}"),
            None => write!(f, "{file}: {what}; {remedy}"),
        }
    }
}

impl std::error::Error for MeshError {}

/// A fault whose file is named by the caller.
pub(super) struct Fault {
    pub place: Option<Place>,
    pub what: String,
    pub remedy: String,
}

impl Fault {
    pub fn at(place: Place, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { place: Some(place), what: what.into(), remedy: remedy.into() }
    }

    pub fn at_line(line: usize, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::at(Place::Line(line), what, remedy)
    }

    pub fn of_file(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { place: None, what: what.into(), remedy: remedy.into() }
    }

    /// Adds what may be the cause if the file breaks off in the faulty line.
    pub fn where_text_ends(self, ends: bool) -> Self {
        if !ends {
            return self;
        }
        let remedy = format!("the file ends in this line: if it was cut off, get it again; {}", self.remedy);
        Self { remedy, ..self }
    }

    pub fn in_file(self, file: &str) -> MeshError {
        MeshError { file: file.to_owned(), place: self.place, what: self.what, remedy: self.remedy }
    }
}
