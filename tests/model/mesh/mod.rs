//! Meshes: what they measure, those that are generated, and those read from files.

#[cfg(feature = "mesh-files")]
mod files;

use std::f64::consts::{PI, TAU};

use pliant::mesh::TriangleMesh;
use pliant::mesh::generate::{Cuboid, Diagonals, Grid, Line, Sphere, Torus};

use crate::closed::{assert_closed, assert_tight};

/// Rounding of sums over a few thousand terms of order one.
const ROUNDING: f64 = 1e-12;

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn normal(mesh: &TriangleMesh, [a, b, c]: [u32; 3]) -> [f64; 3] {
    let [a, b, c] = [a, b, c].map(|vertex| mesh.positions[vertex as usize]);
    cross(sub(b, a), sub(c, a))
}

/// A grid has its particles in the order of the contract, its rectangle in place, and faces +z, however it is split.
#[test]
fn grid_keeps_the_order_of_the_contract() {
    let grid = Grid { columns: 4, rows: 3, width: 3.0, height: 1.0 };
    for diagonals in [Diagonals::Uniform, Diagonals::Alternating] {
        let mesh = grid.mesh(diagonals);
        assert_eq!(mesh.positions.len(), 12);
        assert_eq!(mesh.positions[0], [-1.5, 0.0, 0.0]);
        assert_eq!(mesh.positions[3], [1.5, 0.0, 0.0]);
        assert_eq!(mesh.positions[4 + 1], [-0.5, -0.5, 0.0]);
        assert_eq!(mesh.bounding_box(), Some(([-1.5, -1.0, 0.0], [1.5, 0.0, 0.0])));
        assert_eq!(mesh.triangles.len(), 12);
        assert!(mesh.triangles.iter().all(|&triangle| normal(&mesh, triangle)[2] > 0.0));
        assert!((mesh.area() - 3.0).abs() < ROUNDING);
        // 17 along rows and columns, 6 diagonals; of these 10 on the rim.
        assert_eq!(mesh.edges().len(), 17 + 6);
        assert_eq!(mesh.hinges().len(), 17 + 6 - 10);
    }
    let has = |mesh: &TriangleMesh, edge| mesh.edges().binary_search(&edge).is_ok();
    let uniform = grid.mesh(Diagonals::Uniform);
    assert!([[0, 5], [1, 6], [4, 9], [5, 10]].into_iter().all(|edge| has(&uniform, edge)));
    let alternating = grid.mesh(Diagonals::Alternating);
    assert!([[0, 5], [2, 5], [5, 8], [5, 10]].into_iter().all(|edge| has(&alternating, edge)));
}

/// Grids of one row or one column are points on a line, and of none nothing.
#[test]
fn narrow_grids_have_no_triangles() {
    let grid = |columns, rows| Grid { columns, rows, width: 2.0, height: 2.0 }.mesh(Diagonals::default());
    assert_eq!(grid(3, 1).positions, [[-1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    assert_eq!(grid(1, 2).positions, [[0.0, 0.0, 0.0], [0.0, -2.0, 0.0]]);
    assert!(grid(3, 1).triangles.is_empty() && grid(1, 2).triangles.is_empty());
    assert_eq!(grid(0, 0), TriangleMesh::default());
    assert_eq!(grid(0, 0).bounding_box(), None);
}

/// A sphere is closed, on its radius, with alike vertices, and its volume lies between those of the balls inside and
/// outside its faces.
#[test]
fn sphere_is_closed_and_outward() {
    for (segments, parts) in [(0, 1), (5, 1), (6, 2), (32, 7), (50, 10)] {
        let mesh = Sphere { radius: 2.0, segments }.mesh();
        assert_closed(&mesh);
        assert_tight(&mesh);
        assert_eq!(mesh.positions.len(), 10 * parts * parts + 2);
        assert_eq!(mesh.triangles.len(), 20 * parts * parts);
        assert!(mesh.positions.iter().all(|&x| (dot(x, x).sqrt() - 2.0).abs() < ROUNDING));
        let plane = |&triangle: &[u32; 3]| {
            let n = normal(&mesh, triangle);
            dot(n, mesh.positions[triangle[0] as usize]) / dot(n, n).sqrt()
        };
        let inner = mesh.triangles.iter().map(plane).fold(f64::INFINITY, f64::min);
        assert!(inner > 0.0, "a face is wound inwards");
        let ball = |radius: f64| 4.0 / 3.0 * PI * radius.powi(3);
        assert!(ball(inner) < mesh.signed_volume() && mesh.signed_volume() < ball(2.0));
        let mut degrees = vec![0; mesh.positions.len()];
        mesh.edges().into_iter().flatten().for_each(|vertex| degrees[vertex as usize] += 1);
        assert!(degrees.iter().all(|&degree| degree == 5 || degree == 6));
    }
}

/// A torus is closed, and its volume is that of the polygon of the tube carried around the polygon of the ring.
#[test]
fn torus_is_closed_and_outward() {
    for (segments, tube_segments) in [(3u32, 3u32), (20, 12), (7, 30)] {
        let mesh = Torus { radius: 2.0, tube_radius: 0.5, segments, tube_segments }.mesh();
        assert_closed(&mesh);
        assert_tight(&mesh);
        let (n, m) = (f64::from(segments), f64::from(tube_segments));
        // The quads are plane trapezia, so a segment is the polygon times sin(2π/n) times its centre's distance.
        let volume = n * (TAU / n).sin() * 2.0 * (0.5 * m * 0.25 * (TAU / m).sin());
        assert!((mesh.signed_volume() - volume).abs() < ROUNDING * n * m, "{} {volume}", mesh.signed_volume());
    }
}

/// A box is closed, centred, and has the volume and area of its size, whatever its cells.
#[test]
fn box_is_closed_and_outward() {
    for cells in [[0, 0, 0], [1, 1, 1], [3, 2, 5]] {
        let mesh = Cuboid { cells, size: [1.0, 2.0, 3.0] }.mesh();
        assert_closed(&mesh);
        assert_tight(&mesh);
        assert_eq!(mesh.bounding_box(), Some(([-0.5, -1.0, -1.5], [0.5, 1.0, 1.5])));
        assert!((mesh.signed_volume() - 6.0).abs() < ROUNDING);
        assert!((mesh.area() - 22.0).abs() < ROUNDING);
        let [x, y, z] = cells.map(|count: u32| count.max(1) as usize);
        assert_eq!(mesh.triangles.len(), 4 * (x * y + y * z + z * x));
    }
}

/// The tetrahedra of a box fill it, none inside out, and match face to face: the boundary is closed, outward and as large as the
/// box's, however many cells there are.
#[test]
fn solid_box_is_filled_and_matches_face_to_face() {
    for cells in [[1, 1, 1], [2, 1, 1], [3, 2, 5]] {
        let cuboid = Cuboid { cells, size: [1.0, 2.0, 3.0] };
        let (solid, [x, y, z]) = (cuboid.solid(), cells);
        assert_eq!(solid.positions.len() as u32, (x + 1) * (y + 1) * (z + 1));
        assert_eq!(solid.tetrahedra.len() as u32, 5 * x * y * z);
        let cell = 6.0 / f64::from(x * y * z);
        for &tetrahedron in &solid.tetrahedra {
            let share = solid.volume_of(tetrahedron) / cell;
            assert!((share - 1.0 / 3.0).abs() < ROUNDING || (share - 1.0 / 6.0).abs() < ROUNDING, "{share} of a cell");
        }
        assert!((solid.signed_volume() - 6.0).abs() < ROUNDING);
        assert!((solid.vertex_volumes().iter().sum::<f64>() - 6.0).abs() < ROUNDING);
        let surface = solid.surface();
        assert_closed(&surface);
        assert_eq!(surface.triangles.len() as u32, 4 * (x * y + y * z + z * x));
        assert!((surface.signed_volume() - 6.0).abs() < ROUNDING);
        assert!((surface.area() - 22.0).abs() < ROUNDING);
        // Euler's formula for a ball: vertices - edges + faces - tetrahedra = 1.
        let faces = (4 * solid.tetrahedra.len() + surface.triangles.len()) / 2;
        let characteristic =
            (solid.positions.len() + faces) as i64 - (solid.edges().len() + solid.tetrahedra.len()) as i64;
        assert_eq!(characteristic, 1);
    }
}

/// A line runs from one end exactly to the other in equal parts.
#[test]
fn line_joins_its_ends() {
    let line = Line { from: [0.1, 0.0, 0.0], to: [0.3, -3.0, 0.7], segments: 3 };
    let positions = line.positions();
    assert_eq!((positions[0], positions[3], positions.len()), (line.from, line.to, 4));
    assert!((positions[1][1] + 1.0).abs() < ROUNDING && (positions[2][1] + 2.0).abs() < ROUNDING);
    assert_eq!(line.edges(), [[0, 1], [1, 2], [2, 3]]);
    assert_eq!(Line { segments: 0, ..line }.positions(), [line.from, line.to]);
}

/// Edges come once each in ascending order, and a hinge lists its edge as its first triangle runs through it, so that the
/// angle is positive when the second triangle is folded to the side of the first one's normal.
#[test]
fn edges_and_hinges_come_once() {
    let mesh = TriangleMesh {
        positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.5]],
        triangles: vec![[0, 1, 2], [3, 2, 1]],
    };
    assert_eq!(mesh.edges(), [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]);
    assert_eq!(mesh.hinges(), [[1, 2, 0, 3]]);
    let [a, b, c, d] = mesh.hinges()[0].map(|vertex| mesh.positions[vertex as usize]);
    assert!(dot(cross(sub(b, a), sub(c, a)), sub(d, a)) > 0.0);

    let sphere = Sphere { radius: 1.0, segments: 15 }.mesh();
    assert_eq!(sphere.hinges().len(), sphere.edges().len());
    for [a, b, c, d] in sphere.hinges() {
        let centre = sphere.positions[a as usize];
        assert!(dot(normal(&sphere, [a, b, c]), centre) > 0.0, "the first triangle is [a, b, c]");
        assert!(dot(normal(&sphere, [b, a, d]), centre) > 0.0, "the second triangle is [b, a, d]");
    }
}

/// Areas at the vertices add up to the area of the surface, and are a third of what lies around each.
#[test]
fn vertex_areas_share_out_the_area() {
    let mesh = TriangleMesh {
        positions: vec![[0.0; 3], [2.0, 0.0, 0.0], [2.0, 3.0, 0.0], [0.0, 3.0, 0.0], [9.0; 3]],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    };
    assert_eq!(mesh.area(), 6.0);
    assert_eq!(mesh.vertex_areas(), [2.0, 1.0, 2.0, 1.0, 0.0]);
    let torus = Torus { radius: 1.0, tube_radius: 0.3, segments: 12, tube_segments: 8 }.mesh();
    assert!((torus.vertex_areas().iter().sum::<f64>() - torus.area()).abs() < ROUNDING);
}
