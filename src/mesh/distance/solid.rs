//! Whether a surface has an inside, and on which side of its triangles.

use std::f64::consts::TAU;

use crate::math::Vec3;
use crate::mesh::{HalfEdge, TriangleMesh, half_edges};

/// Why a surface encloses no solid.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fault {
    /// There are no triangles.
    Empty,
    /// Some edges belong to one triangle only.
    Holes {
        /// How many.
        edges: usize,
        /// Whether there are also edges as those of [`Fault::Tangled`].
        tangled: bool,
    },
    /// So many edges belong to more than two triangles, or to two that are wound against each other.
    Tangled(usize),
    /// What is enclosed has no volume.
    Flat,
}

/// The closed surface, wound outwards, and how many of its connected parts had to be turned round for that: those that
/// enclose a negative volume and lie in no other. In another they are a cavity.
pub(crate) fn solid(surface: &TriangleMesh) -> Result<(TriangleMesh, usize), Fault> {
    let [holes, tangled] = faults(&surface.triangles);
    match (surface.triangles.len(), holes, tangled) {
        (0, ..) => return Err(Fault::Empty),
        (_, 0, 0) => {}
        (_, 0, tangled) => return Err(Fault::Tangled(tangled)),
        (_, edges, tangled) => return Err(Fault::Holes { edges, tangled: tangled > 0 }),
    }
    let mut parts: Vec<TriangleMesh> =
        parts(surface).map(|triangles| TriangleMesh { positions: surface.positions.clone(), triangles }).collect();
    let volumes: Vec<f64> = parts.iter().map(TriangleMesh::signed_volume).collect();
    let is_turned = |part: usize| {
        let [first, ..] = parts[part].triangles[0];
        let point = surface.positions[first as usize].into();
        let others = parts.iter().enumerate().filter(|&(other, _)| other != part);
        let around = others.filter(|(_, other)| winding(other, point).abs() > 0.5);
        volumes[part] < 0.0 && around.count() == 0
    };
    let turned: Vec<usize> = (0..parts.len()).filter(|&part| is_turned(part)).collect();
    turned.iter().for_each(|&part| parts[part].triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2)));
    let triangles = parts.into_iter().flat_map(|part| part.triangles).collect();
    let solid = TriangleMesh { positions: surface.positions.clone(), triangles };
    let (low, high) = solid.bounding_box().unwrap_or_default();
    let extent = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
    // Rounding alone makes a volume of a folded sheet.
    if solid.signed_volume() > 1e-9 * extent.powi(3) { Ok((solid, turned.len())) } else { Err(Fault::Flat) }
}

/// How many edges belong to one triangle only, and how many to others than two that run through it in opposite
/// directions.
fn faults(triangles: &[[u32; 3]]) -> [usize; 2] {
    let mut faults = [0; 2];
    for edge in half_edges(triangles).chunk_by(HalfEdge::same_edge) {
        match edge {
            [first, second] if first.is_ascending() != second.is_ascending() => {}
            [_] => faults[0] += 1,
            _ => faults[1] += 1,
        }
    }
    faults
}

/// The triangles of each connected part, parts in the order of their first triangles.
fn parts(surface: &TriangleMesh) -> impl Iterator<Item = Vec<[u32; 3]>> {
    let mut parents: Vec<u32> = (0..surface.positions.len() as u32).collect();
    let root = |parents: &mut Vec<u32>, mut vertex: u32| {
        while parents[vertex as usize] != vertex {
            parents[vertex as usize] = parents[parents[vertex as usize] as usize];
            vertex = parents[vertex as usize];
        }
        vertex
    };
    for &[a, b, c] in &surface.triangles {
        for other in [b, c] {
            let (one, other) = (root(&mut parents, a), root(&mut parents, other));
            parents[one.max(other) as usize] = one.min(other);
        }
    }
    let mut number = vec![usize::MAX; parents.len()];
    let mut parts: Vec<Vec<[u32; 3]>> = Vec::new();
    for &triangle in &surface.triangles {
        let number = &mut number[root(&mut parents, triangle[0]) as usize];
        if *number == usize::MAX {
            *number = parts.len();
            parts.push(Vec::new());
        }
        parts[*number].push(triangle);
    }
    parts.into_iter()
}

/// How often a closed surface goes round a point: the solid angles of its triangles (Van Oosterom and Strackee 1983)
/// over the whole sphere.
fn winding(surface: &TriangleMesh, point: Vec3<f64>) -> f64 {
    let angle = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|vertex| Vec3::from(surface.positions[vertex as usize]) - point);
        let [la, lb, lc] = [a.length(), b.length(), c.length()];
        let aligned = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        a.dot(b.cross(c)).atan2(aligned)
    };
    surface.triangles.iter().map(angle).sum::<f64>() / TAU
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::Sphere;

    fn sphere(radius: f64, x: f64) -> TriangleMesh {
        let mut mesh = Sphere { radius, segments: 10 }.mesh();
        mesh.positions.iter_mut().for_each(|position| position[0] += x);
        mesh
    }

    fn turned(mut mesh: TriangleMesh) -> TriangleMesh {
        mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
        mesh
    }

    fn both(a: &TriangleMesh, b: &TriangleMesh) -> TriangleMesh {
        let first = a.positions.len() as u32;
        let moved = b.triangles.iter().map(|triangle| triangle.map(|vertex| vertex + first));
        TriangleMesh {
            positions: [&*a.positions, &*b.positions].concat(),
            triangles: a.triangles.iter().copied().chain(moved).collect(),
        }
    }

    /// What is inside out is turned, part by part; what is in another part is a cavity and stays as it is.
    #[test]
    fn inside_out_parts_are_turned() {
        let one = sphere(1.0, 0.0);
        assert_eq!(solid(&one), Ok((one.clone(), 0)));
        let (mended, count) = solid(&turned(one.clone())).unwrap();
        assert_eq!((count, mended.signed_volume()), (1, one.signed_volume()));
        let (pair, count) = solid(&both(&one, &turned(sphere(0.5, 3.0)))).unwrap();
        let expected = one.signed_volume() * (1.0 + 0.125);
        // Vertices three metres from the origin lose a few digits in the sum of volumes.
        assert!(count == 1 && (pair.signed_volume() / expected - 1.0).abs() < 1e-12);
        let hollow = both(&one, &turned(sphere(0.5, 0.2)));
        assert_eq!(solid(&hollow), Ok((hollow.clone(), 0)));
    }

    /// Holes are counted by their edges; a surface that is empty, flat or crossed by a fin is none.
    #[test]
    fn what_encloses_nothing_is_refused() {
        let mut open = sphere(1.0, 0.0);
        open.triangles.pop();
        assert_eq!(solid(&open), Err(Fault::Holes { edges: 3, tangled: false }));
        let empty = TriangleMesh { positions: open.positions.clone(), triangles: vec![] };
        assert_eq!(solid(&empty), Err(Fault::Empty));
        let square = vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        let folded = vec![[0, 1, 2], [0, 2, 3], [2, 1, 0], [3, 2, 0]];
        // The diagonal belongs to all four.
        let flat = TriangleMesh { positions: square.clone(), triangles: folded };
        assert_eq!(solid(&flat), Err(Fault::Tangled(1)));
        let lens = vec![[0, 1, 2], [0, 2, 3], [1, 0, 3], [2, 1, 3]];
        assert_eq!(solid(&TriangleMesh { positions: square, triangles: lens }), Err(Fault::Flat));
    }
}
