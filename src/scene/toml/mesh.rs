//! Meshes of bodies and colliders.

use std::path::Path as FilePath;

use super::super::{Cuboid, Grid, Mesh, Sphere, Torus};
use super::read::{Result, Table, Value, list, number, table, text, vector, whole};

/// Meshes that bodies can have.
const MESHES: [&str; 5] = ["grid", "file", "box", "sphere", "torus"];

pub(in crate::scene) fn mesh(value: Value, folder: &FilePath) -> Result<Mesh> {
    let mesh = table(value)?;
    let read = mesh_variant(&mesh, &MESHES, folder)?;
    mesh.finish()?;
    Ok(read)
}

/// A mesh by one of these keys of a table, which may have others.
pub(super) fn mesh_variant(mesh: &Table, names: &[&'static str], folder: &FilePath) -> Result<Mesh> {
    let (name, value) = mesh.variant(names)?;
    if name == "file" {
        return Ok(Mesh::File(folder.join(text(value)?)));
    }
    if name == "box" {
        return cuboid(value).map(Mesh::Box);
    }
    let shape = table(value)?;
    let mesh = match name {
        "grid" => Mesh::Grid(Grid {
            columns: shape.required("columns", "64", whole)?,
            rows: shape.required("rows", "64", whole)?,
            width: shape.required("width", "1.0", number)?,
            height: shape.required("height", "1.0", number)?,
        }),
        "sphere" => Mesh::Sphere(Sphere {
            radius: shape.required("radius", "0.5", number)?,
            segments: shape.required("segments", "20", whole)?,
        }),
        _ => Mesh::Torus(Torus {
            radius: shape.required("radius", "1.0", number)?,
            tube_radius: shape.required("tube_radius", "0.4", number)?,
            segments: shape.required("segments", "48", whole)?,
            tube_segments: shape.required("tube_segments", "24", whole)?,
        }),
    };
    shape.finish()?;
    Ok(mesh)
}

pub(in crate::scene) fn cuboid(value: Value) -> Result<Cuboid> {
    let shape = table(value)?;
    let cuboid = Cuboid {
        cells: shape.required("cells", "[8, 8, 8]", three_whole)?,
        size: shape.required("size", "[1.0, 1.0, 1.0]", vector)?,
    };
    shape.finish()?;
    Ok(cuboid)
}

fn three_whole(value: Value) -> Result<[u32; 3]> {
    list(value, whole)?.try_into().map_err(|_| value.wrong("a list of 3 whole numbers"))
}
