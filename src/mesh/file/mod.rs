//! Meshes from files: one way in for all formats, and the repairs that they share.

mod error;
mod gltf;
mod obj;
pub(crate) mod pc2;
mod ply;
mod polygon;
mod repair;
mod stl;
mod tetrahedra;
mod text;
mod winding;

use std::path::Path;

pub use error::{MeshError, Place};
pub(crate) use pc2::read_point_cache;
pub use repair::Loaded;
pub(crate) use repair::Numbering;
pub(crate) use tetrahedra::read_tetrahedra_welded;
pub use tetrahedra::{LoadedTetrahedra, parse_tetgen, parse_tetrahedra, read_tetrahedra};

use crate::base::input::{self, Unreadable};
use error::Fault;
use repair::{Polygons, repair};

/// What the end of a file's name, or its content, says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Obj,
    Ply,
    Stl,
    /// Text or binary.
    Gltf,
}

const EXTENSIONS: &[(&str, Format)] =
    &[("obj", Format::Obj), ("ply", Format::Ply), ("stl", Format::Stl), ("gltf", Format::Gltf), ("glb", Format::Gltf)];

/// Reads and repairs a mesh file; the end of its name says the format, in small or capital letters.
///
/// - `.obj`: positions and faces of all objects and groups.
/// - `.ply`: text, or binary of either byte order. Vertices, faces and triangle strips are read; other elements and
///   properties are skipped.
/// - `.stl`: text or binary, whatever the header begins with. All solids are read; corners at the same position are one
///   vertex.
/// - `.gltf`, `.glb`: triangles, strips and fans of all meshes in the default scene, with the transforms of their
///   nodes. Buffers may be embedded, in the binary, or in files beside it.
///
/// Several parts become one mesh. Normals, texture coordinates, colours and materials are not needed. Numbers are
/// metres; formats without units are taken as they are.
///
/// Repaired, and told in [`Loaded::repairs`]: vertices that no face uses or that repeat a position exactly, faces
/// without area or that come twice, repeated corners, polygons (split into triangles), faces wound against their
/// neighbours.
///
/// # Errors
/// A file that cannot be read, is not what its name says, breaks off, or has a fault with no one right repair: numbers
/// that are not finite, vertices that do not exist, an edge with three faces, a surface with one side, compressed or
/// skinned glTF meshes. The message names the file, the place, what is wrong, and what to do.
pub fn read(path: impl AsRef<Path>) -> Result<Loaded, MeshError> {
    read_welded(path.as_ref(), None).map(|(loaded, _)| loaded)
}

/// As [`read`]; vertices that an ellipsoid of these radii along the axes, in the file's units, reaches from an earlier
/// one become that one.
pub(crate) fn read_welded(path: &Path, radii: Option<[f64; 3]>) -> Result<(Loaded, Numbering), MeshError> {
    let name = path.display().to_string();
    let folder = path.parent().unwrap_or(Path::new(""));
    read_bytes(path).and_then(|bytes| load(path, &bytes, Some(folder), radii)).map_err(|fault| fault.in_file(&name))
}

/// A surface that a clip moves.
pub(crate) struct Clip {
    /// As the clip begins.
    pub loaded: Loaded,
    /// Where the vertices of the mesh are, sample after sample; at least one sample.
    pub positions: Vec<[f64; 3]>,
    /// Samples per second of the clip, Hz.
    pub rate: f64,
}

/// Reads a glTF file and one of its clips, without a name its only one, in samples from the first key to the last one.
/// `rate`: how many there are a second, at least. `content`: that of the file, where it is known.
pub(crate) fn read_clip(
    (path, content): (&Path, Option<&[u8]>),
    clip: Option<&str>,
    rate: f64,
    radii: Option<[f64; 3]>,
) -> Result<Clip, MeshError> {
    let name = path.display().to_string();
    let folder = path.parent().unwrap_or(Path::new(""));
    let read = |bytes: &[u8]| {
        refuse_empty(bytes)?;
        if format(path, bytes)? != Format::Gltf {
            return Err(Fault::of_file("the file has no clips", "name a .glb, .gltf or .pc2 file"));
        }
        let moving = gltf::moving(bytes, Some(folder), clip, rate)?;
        let (loaded, numbering) = repair(moving.polygons, radii)?;
        let positions = moving.samples.iter().flat_map(|sample| numbering.of_mesh(sample)).collect();
        Ok(Clip { loaded, positions, rate: moving.rate })
    };
    let clip = match content {
        Some(content) => read(content),
        None => read_bytes(path).and_then(|bytes| read(&bytes)),
    };
    clip.map_err(|fault| fault.in_file(&name))
}

/// Reads and repairs the content of a file as [`read`] does; `name` is what errors call it, and its end says the
/// format. Of glTF, all buffers must be embedded.
///
/// # Errors
/// As those of [`read`].
pub fn parse(name: &str, content: impl AsRef<[u8]>) -> Result<Loaded, MeshError> {
    load(Path::new(name), content.as_ref(), None, None).map(|(loaded, _)| loaded).map_err(|fault| fault.in_file(name))
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, Fault> {
    input::read(path).map_err(|unreadable| {
        let remedy = match unreadable {
            Unreadable::Missing => "check the path",
            Unreadable::Folder => "name a mesh file in it",
            Unreadable::Endless => "write the mesh to a file first",
            Unreadable::Other(_) => "check the file and its permissions",
        };
        Fault::of_file(unreadable.to_string(), remedy)
    })
}

fn refuse_empty(bytes: &[u8]) -> Result<(), Fault> {
    match bytes.trim_ascii() {
        [] => Err(Fault::of_file("the file is empty", "export the mesh again")),
        _ => Ok(()),
    }
}

fn load(
    path: &Path,
    bytes: &[u8],
    folder: Option<&Path>,
    radii: Option<[f64; 3]>,
) -> Result<(Loaded, Numbering), Fault> {
    refuse_empty(bytes)?;
    repair(polygons(format(path, bytes)?, bytes, folder)?, radii)
}

fn polygons(format: Format, bytes: &[u8], folder: Option<&Path>) -> Result<Polygons, Fault> {
    match format {
        Format::Obj => obj::polygons(&text(bytes)),
        Format::Ply => ply::polygons(bytes),
        Format::Stl => stl::polygons(bytes),
        Format::Gltf => gltf::polygons(bytes, folder),
    }
}

/// By the end of the name. Content that is plainly of another format is refused, since its errors would mislead.
fn format(path: &Path, bytes: &[u8]) -> Result<Format, Fault> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let named = EXTENSIONS.iter().find(|(known, _)| *known == extension).map(|&(_, format)| format);
    match (named, sniff(bytes)) {
        (Some(named), None) => Ok(named),
        (Some(named), Some((found, _))) if named == found => Ok(named),
        (Some(_), Some((_, content))) => {
            let what = format!("the file is named .{extension}, but its content is {}", content.to_ascii_uppercase());
            Err(Fault::of_file(what, format!("give it a name that ends in .{content}")))
        }
        (None, found) => {
            let what = match extension.as_str() {
                "" => "the name does not end in a format".to_owned(),
                _ => format!("the format .{extension} is not read"),
            };
            let remedy = match found {
                Some((_, content)) => format!("its content is that of .{content}: rename it"),
                None => "export the mesh as .obj, .ply, .stl, .gltf or .glb".to_owned(),
            };
            Err(Fault::of_file(what, remedy))
        }
    }
}

/// The format that the first bytes show, with the end of a name for it.
fn sniff(bytes: &[u8]) -> Option<(Format, &'static str)> {
    let mut start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    while start.starts_with(b"#") {
        let comment = start.iter().position(|byte| b"\n\r".contains(byte)).unwrap_or(start.len());
        start = start[comment..].trim_ascii_start();
    }
    let word = start.split(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
    match word {
        _ if gltf::is_binary(bytes) => Some((Format::Gltf, "glb")),
        _ if stl::is_binary(bytes) || word.eq_ignore_ascii_case(b"solid") => Some((Format::Stl, "stl")),
        b"ply" => Some((Format::Ply, "ply")),
        b"v" | b"vn" | b"vt" | b"f" | b"o" | b"g" | b"mtllib" | b"usemtl" => Some((Format::Obj, "obj")),
        _ if start.starts_with(b"{") => Some((Format::Gltf, "gltf")),
        _ => None,
    }
}

/// Names and comments come in any encoding; what is not UTF-8 in a number is refused as a number.
fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
}
