//! A scene of a mesh alone.

use std::path::Path;

use super::{Scene, SceneError};
use crate::mesh;

/// What a mesh is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshUse {
    /// A surface that stretches and bends.
    Cloth,
    /// A solid, filled with tetrahedra.
    Soft,
    /// A closed surface that holds its volume.
    Balloon,
    /// A surface that keeps its shape.
    Shape,
    /// What a cloth falls on.
    Collider,
}

impl Scene {
    /// A scene of one mesh, above or below what it needs to show what it does. Left out, `as_what` is cloth for an open
    /// surface and soft for a closed one or for tetrahedra.
    ///
    /// # Errors
    /// If the file cannot be read, or cannot be what is asked for.
    pub fn of_mesh(path: &Path, as_what: Option<MeshUse>) -> Result<Scene, SceneError> {
        let file = path.display().to_string();
        let tetrahedra = ["msh", "vtk"].iter().any(|ending| path.extension().is_some_and(|own| own == *ending));
        let failed = |error: mesh::MeshError| SceneError::file(&file, error.to_string());
        let (low, high, closed) = if tetrahedra {
            let mesh = mesh::read_tetrahedra(path).map_err(failed)?.mesh;
            let (low, high) = mesh::bounds(&mesh.positions);
            (low, high, true)
        } else {
            let mesh = mesh::read(path).map_err(failed)?.mesh;
            let (low, high) = mesh::bounds(&mesh.positions);
            (low, high, mesh::unclosed(&mesh.triangles).is_none())
        };
        let as_what = as_what.unwrap_or(if closed { MeshUse::Soft } else { MeshUse::Cloth });
        let size = (0..3).map(|axis| high[axis] - low[axis]).fold(f64::MIN_POSITIVE, f64::max);
        let quoted = format!("{:?}", std::path::absolute(path).unwrap_or(path.to_path_buf()).display().to_string());
        let mesh = if tetrahedra {
            format!("{{ file = {quoted} }}")
        } else {
            format!("{{ surface = {{ file = {quoted} }} }}")
        };
        let radius = 0.01 * size;
        let body = match as_what {
            MeshUse::Cloth => format!(
                "kind = \"cloth\"\nmesh = {{ file = {quoted} }}\nstretch_compliance = 1e-6\nbend = {{ kind = \"dihedral\", compliance = 1e-1 }}"
            ),
            MeshUse::Soft => format!("kind = \"soft\"\nmesh = {mesh}\nyoung_modulus = 1e5\ndensity = 1000.0"),
            MeshUse::Balloon => format!("kind = \"balloon\"\nmesh = {{ file = {quoted} }}\nstretch_compliance = 1e-5"),
            MeshUse::Shape => format!("kind = \"shape\"\nmesh = {{ file = {quoted} }}"),
            MeshUse::Collider => format!(
                "kind = \"cloth\"\nmesh = {{ grid = {{ columns = 40, rows = 40, width = {size}, height = {size} }} }}\nstretch_compliance = 1e-7\nrotation = [-0.7071067811865476, 0.0, 0.0, 0.7071067811865476]\nposition = [{}, {}, {}]",
                0.5 * (low[0] + high[0]),
                high[1] + 0.1 * size,
                0.5 * (low[2] + high[2]) - 0.5 * size,
            ),
        };
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let collider = if as_what == MeshUse::Collider {
            format!("\n[[collider]]\nshape = {{ mesh = {{ file = {quoted} }} }}\n")
        } else {
            String::new()
        };
        let floor = low[1] - 0.5 * size;
        let text = format!(
            "# {name}, a mesh.\nname = {name:?}\n\n[[body]]\n{body}\nradius = {radius}\nfriction = 0.5\n{collider}\n[[collider]]\nshape = {{ plane = {{ offset = {floor} }} }}\nfriction = 0.5\n"
        );
        Scene::parse(&text, &file, "")
    }
}
