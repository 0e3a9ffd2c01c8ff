//! The shapes of a link, made into one surface in the link's frame.

use std::f64::consts::{FRAC_PI_2, TAU};
use std::path::{Path as FilePath, PathBuf};

use super::urdf::{Geometry, Link, Shape};
use super::xml::{Result, Source};
use crate::mesh::TriangleMesh;
use crate::mesh::generate::{Cuboid, Sphere};
use crate::scene::error::Path;
use crate::scene::lower::Reading;

/// Around a sphere, a cylinder and a capsule.
const SEGMENTS: u32 = 20;
/// Along the longest edge of a box and along a cylinder. Single light corners would yield to what hits them.
const CELLS: f64 = 4.0;
/// From the end of a capsule's middle part to its pole.
const LATITUDES: u32 = 5;

/// All shapes of a link as one surface, each closed by itself.
pub(super) fn surface(
    source: &Source,
    folder: &FilePath,
    link: &Link,
    notes: &mut Vec<String>,
) -> Result<TriangleMesh> {
    let mut whole = TriangleMesh::default();
    for shape in &link.shapes {
        let mesh = local(source, folder, (link, shape), notes)?;
        let first = whole.positions.len() as u32;
        whole.positions.extend(mesh.positions.iter().map(|&place| shape.origin.place(place)));
        whole.triangles.extend(mesh.triangles.iter().map(|corners| corners.map(|corner| corner + first)));
    }
    Ok(whole)
}

/// A shape before its origin.
fn local(
    source: &Source,
    folder: &FilePath,
    (link, shape): (&Link, &Shape),
    notes: &mut Vec<String>,
) -> Result<TriangleMesh> {
    Ok(match &shape.geometry {
        Geometry::Box(size) => cuboid(*size),
        Geometry::Sphere { radius } => Sphere { radius: *radius, segments: SEGMENTS }.mesh(),
        Geometry::Cylinder { radius, length } => cylinder(*radius, *length),
        Geometry::Capsule { radius, length } => capsule(*radius, *length),
        Geometry::Mesh { file, scale } => scaled(from_file(source, folder, (link, shape, file), notes)?, *scale),
    })
}

/// A box with nearly cubic cells.
pub(super) fn cuboid(size: [f64; 3]) -> TriangleMesh {
    let cell = size.into_iter().fold(0.0, f64::max) / CELLS;
    Cuboid { cells: size.map(|edge| (edge / cell).round().max(1.0) as u32), size }.mesh()
}

/// A cylinder about z.
fn cylinder(radius: f64, length: f64) -> TriangleMesh {
    let rows = CELLS as u32;
    let height = |row: u32| length * (f64::from(row) / f64::from(rows) - 0.5);
    let rings: Vec<[f64; 2]> = (0..=rows).map(|row| [radius, height(row)]).collect();
    turned(&rings, [-0.5 * length, 0.5 * length])
}

/// A capsule about z with this length between the centres of its ends.
fn capsule(radius: f64, length: f64) -> TriangleMesh {
    let latitude = |row: u32| FRAC_PI_2 * (f64::from(row) / f64::from(LATITUDES) - 1.0);
    let lower = (1..=LATITUDES).map(latitude).map(|angle| [radius * angle.cos(), radius * angle.sin() - 0.5 * length]);
    let mut rings: Vec<[f64; 2]> = lower.collect();
    rings.extend(rings.clone().into_iter().rev().map(|[radius, height]| [radius, -height]));
    let pole = radius + 0.5 * length;
    turned(&rings, [-pole, pole])
}

/// A solid of revolution about z: rings `[radius, z]` from the lowest to the highest, between two poles.
fn turned(rings: &[[f64; 2]], [lower, upper]: [f64; 2]) -> TriangleMesh {
    let mut positions = vec![[0.0, 0.0, lower]];
    for &[radius, height] in rings {
        positions.extend((0..SEGMENTS).map(|segment| {
            let (sin, cos) = (TAU * f64::from(segment) / f64::from(SEGMENTS)).sin_cos();
            [radius * cos, radius * sin, height]
        }));
    }
    positions.push([0.0, 0.0, upper]);
    let top = positions.len() as u32 - 1;
    let vertex = |ring: u32, segment: u32| 1 + ring * SEGMENTS + segment % SEGMENTS;
    let last = rings.len() as u32 - 1;
    let mut triangles = Vec::new();
    for segment in 0..SEGMENTS {
        triangles.push([0, vertex(0, segment + 1), vertex(0, segment)]);
        for ring in 0..last {
            let [a, b] = [vertex(ring, segment), vertex(ring, segment + 1)];
            let [c, d] = [vertex(ring + 1, segment), vertex(ring + 1, segment + 1)];
            triangles.extend([[a, b, d], [a, d, c]]);
        }
        triangles.push([top, vertex(last, segment), vertex(last, segment + 1)]);
    }
    TriangleMesh { positions, triangles }
}

/// A mesh times a scale. Where that mirrors it, its triangles are turned round.
fn scaled(mut mesh: TriangleMesh, scale: [f64; 3]) -> TriangleMesh {
    mesh.positions.iter_mut().for_each(|place| *place = std::array::from_fn(|i| place[i] * scale[i]));
    if scale.iter().product::<f64>() < 0.0 {
        mesh.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
    }
    mesh
}

fn from_file(
    source: &Source,
    folder: &FilePath,
    (link, shape, file): (&Link, &Shape, &str),
    notes: &mut Vec<String>,
) -> Result<TriangleMesh> {
    let refused = |message: &str| source.error(shape.byte, format!("mesh of link '{}': {message}", link.name));
    let at = Path::ROOT;
    let mut reading = Reading::new(&at, None, [1.0; 3])?;
    let mesh = reading.surface(&at, &path(folder, file)).map_err(|error| refused(&error.message))?;
    notes.extend(reading.notes.iter().map(|note| format!("link '{}': {note}", link.name)));
    if let Err(error) = crate::scene::mesh::check_closed(&at, &mesh.triangles, &mesh.positions) {
        let error = reading.explain(error);
        let message =
            format!("{file} {}; or give the link a <collision> of boxes, cylinders and spheres", error.message);
        return Err(refused(&message));
    }
    Ok(mesh)
}

/// Where a mesh lies that a file in this folder names.
fn path(folder: &FilePath, name: &str) -> PathBuf {
    let in_package = ["package://", "model://"].iter().find_map(|scheme| name.strip_prefix(scheme));
    if let Some(name) = in_package {
        let (package, inside) = name.split_once('/').unwrap_or(("", name));
        return package_folder(folder, package).unwrap_or(folder.to_path_buf()).join(inside);
    }
    folder.join(name.strip_prefix("file://").unwrap_or(name))
}

/// The folder of a package: the nearest one above that is called so, or that holds one called so.
fn package_folder(folder: &FilePath, package: &str) -> Option<PathBuf> {
    let folder = std::path::absolute(folder).ok()?;
    folder.ancestors().find_map(|above| {
        let inside = above.join(package);
        let is_itself = above.file_name().is_some_and(|name| name == package);
        if is_itself { Some(above.to_path_buf()) } else { inside.is_dir().then_some(inside) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::unclosed;

    /// Cylinders and capsules are closed, wound outwards, and of the volume of their 20 sides.
    #[test]
    fn solids_of_revolution() {
        let sides = f64::from(SEGMENTS);
        let section = 0.5 * sides * (TAU / sides).sin();
        let mesh = cylinder(0.5, 3.0);
        assert_eq!(unclosed(&mesh.triangles), None);
        assert!((mesh.signed_volume() - section * 0.25 * 3.0).abs() < 1e-12);
        let mesh = capsule(0.5, 3.0);
        assert_eq!(unclosed(&mesh.triangles), None);
        let ball = 4.0 / 3.0 * std::f64::consts::PI * 0.125;
        assert!((mesh.signed_volume() / (section * 0.25 * 3.0 + ball) - 1.0).abs() < 0.01);
        let (low, high) = mesh.bounding_box().unwrap();
        assert!((low[2] + 2.0).abs() < 1e-12 && (high[2] - 2.0).abs() < 1e-12);
    }

    /// A mirrored mesh still encloses its volume.
    #[test]
    fn mirrored_meshes_are_turned_round() {
        let mesh = scaled(cuboid([1.0, 2.0, 3.0]), [1.0, -2.0, 1.0]);
        assert!((mesh.signed_volume() - 12.0).abs() < 1e-12);
    }
}
