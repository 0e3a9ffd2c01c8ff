//! Solids of tetrahedra from files.

mod gmsh;
mod repair;
mod source;
mod tetgen;
mod vtk;

use std::path::{Path, PathBuf};

use super::error::{Fault, MeshError};
use super::{read_bytes, refuse_empty};
use crate::mesh::TetrahedronMesh;

use repair::{Elements, repair};

/// A mesh of tetrahedra read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedTetrahedra {
    /// Without unreferenced vertices, flat or duplicate tetrahedra, each of positive volume. Vertices and tetrahedra
    /// keep the order of the file; those after a dropped one move up.
    pub mesh: TetrahedronMesh,
    /// One sentence for each kind of repair, with how often and where first. Empty for a clean file.
    pub repairs: Vec<String>,
    /// Where repairs have renumbered vertices: the place of each in the file's list, counted from 0, the lowest of
    /// those that became one. Else empty.
    pub numbers: Vec<u32>,
}

/// What the end of a file's name says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// Two files.
    Tetgen,
    Gmsh,
    Vtk,
}

const EXTENSIONS: &[(&str, Format)] =
    &[("node", Format::Tetgen), ("ele", Format::Tetgen), ("msh", Format::Gmsh), ("vtk", Format::Vtk)];

/// Reads and repairs a file of tetrahedra; the end of its name says the format, in small or capital letters.
///
/// | format | what is read |
/// |---|---|
/// | `.node`, `.ele` | TetGen: the two files of a mesh, which lie beside each other; either may be named |
/// | `.msh` | Gmsh, versions 2.0 to 2.2 and 4.1, text or binary |
/// | `.vtk` | VTK's legacy format, text or binary: unstructured grids |
///
/// All tetrahedra become one mesh. Attributes, groups and surfaces are not needed. Numbers are metres.
///
/// Repaired, and told in [`LoadedTetrahedra::repairs`]: vertices that are no corner; tetrahedra that are inside out or
/// come twice; points, lines and faces beside tetrahedra; nodes of higher order; headers that tell of less than
/// follows; corners counted from 1 where vertices are counted from 0, and the other way round. Vertices at the same
/// position stay apart.
///
/// # Errors
/// A file that cannot be read, is not what its name says, breaks off, or has a fault with no one right repair: numbers
/// that are not finite, vertices that do not exist or come twice in an element, flat tetrahedra, hexahedra and other
/// solids. The message names the file, the place, the element, what is wrong, and what to do.
pub fn read_tetrahedra(path: impl AsRef<Path>) -> Result<LoadedTetrahedra, MeshError> {
    read_tetrahedra_welded(path.as_ref(), None)
}

/// As [`read_tetrahedra`]; vertices that an ellipsoid of these radii along the axes, in the file's units, reaches from
/// an earlier one become that one.
pub(crate) fn read_tetrahedra_welded(path: &Path, radii: Option<[f64; 3]>) -> Result<LoadedTetrahedra, MeshError> {
    let name = |path: &Path| path.display().to_string();
    let read = |path: &Path| read_bytes(path).map_err(|fault| fault.in_file(&name(path)));
    match format(path).map_err(|fault| fault.in_file(&name(path)))? {
        Format::Tetgen => {
            let [vertices, elements] = pair(path);
            let bytes = read(path)?;
            for other in [&vertices, &elements] {
                if other != path && !other.exists() {
                    let what = "there is no such file";
                    let remedy = format!("put it beside {}: a mesh of TetGen is two files", name(path));
                    return Err(Fault::of_file(what, remedy).in_file(&name(other)));
                }
            }
            let (vertex_bytes, element_bytes) =
                if vertices == path { (bytes, read(&elements)?) } else { (read(&vertices)?, bytes) };
            load_tetgen([&name(&vertices), &name(&elements)], [&vertex_bytes, &element_bytes], radii)
        }
        format => load(format, &read(path)?, radii).map_err(|fault| fault.in_file(&name(path))),
    }
}

/// Reads and repairs the content of a Gmsh or VTK file as [`read_tetrahedra`] does; `name` is what errors call it, and
/// its end says the format. For TetGen's two files there is [`parse_tetgen`].
///
/// # Errors
/// As those of [`read_tetrahedra`].
pub fn parse_tetrahedra(name: &str, content: impl AsRef<[u8]>) -> Result<LoadedTetrahedra, MeshError> {
    format(Path::new(name)).and_then(|format| load(format, content.as_ref(), None)).map_err(|fault| fault.in_file(name))
}

/// Reads and repairs the content of TetGen's two files as [`read_tetrahedra`] does. Errors call them by `name` with
/// `.node` or `.ele` after it.
///
/// # Errors
/// As those of [`read_tetrahedra`].
pub fn parse_tetgen(
    name: &str,
    vertices: impl AsRef<[u8]>,
    elements: impl AsRef<[u8]>,
) -> Result<LoadedTetrahedra, MeshError> {
    let names = ["node", "ele"].map(|extension| format!("{name}.{extension}"));
    load_tetgen([&names[0], &names[1]], [vertices.as_ref(), elements.as_ref()], None)
}

fn load(format: Format, bytes: &[u8], radii: Option<[f64; 3]>) -> Result<LoadedTetrahedra, Fault> {
    refuse_empty(bytes)?;
    let mut elements = Elements::default();
    match format {
        Format::Gmsh => gmsh::read(bytes, &mut elements)?,
        Format::Vtk => vtk::read(bytes, &mut elements)?,
        Format::Tetgen => {
            return Err(Fault::of_file("a mesh of TetGen is two files", "give both, the .node and the .ele file"));
        }
    }
    repair(elements, radii)
}

fn load_tetgen(names: [&str; 2], contents: [&[u8]; 2], radii: Option<[f64; 3]>) -> Result<LoadedTetrahedra, MeshError> {
    let mut elements = Elements::default();
    let vertices = refuse_empty(contents[0]).and_then(|()| tetgen::read_vertices(contents[0], &mut elements));
    vertices.map_err(|fault| fault.in_file(names[0]))?;
    let read = refuse_empty(contents[1]).and_then(|()| tetgen::read_elements(contents[1], &mut elements));
    read.and_then(|()| repair(elements, radii)).map_err(|fault| fault.in_file(names[1]))
}

/// The files of vertices and of elements, of which one is named. The other's name is in capital letters if that of the
/// first is.
fn pair(path: &Path) -> [PathBuf; 2] {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let capital = extension.chars().all(|letter| letter.is_ascii_uppercase());
    ["node", "ele"].map(|other| match (extension.eq_ignore_ascii_case(other), capital) {
        (true, _) => path.to_owned(),
        (false, true) => path.with_extension(other.to_ascii_uppercase()),
        (false, false) => path.with_extension(other),
    })
}

fn format(path: &Path) -> Result<Format, Fault> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let named = EXTENSIONS.iter().find(|(known, _)| *known == extension);
    named.map(|&(_, format)| format).ok_or_else(|| {
        let what = match extension.as_str() {
            "" => "the name does not end in a format".to_owned(),
            _ => format!("the format .{extension} is not read as tetrahedra"),
        };
        Fault::of_file(what, "export a volume mesh as .node and .ele, .msh or .vtk")
    })
}
