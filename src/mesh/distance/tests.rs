use super::*;

/// A wavy field on 4 × 3 × 5 nodes.
fn waves() -> DistanceGrid {
    let nodes = [4, 3, 5];
    let mut distances = Vec::new();
    for z in 0..nodes[2] {
        for y in 0..nodes[1] {
            for x in 0..nodes[0] {
                distances.push((0.7 * x as f32 - 1.3 * y as f32).sin() + 0.4 * (z as f32 * 0.9 + x as f32).cos());
            }
        }
    }
    DistanceGrid { low: [-1.0, 0.5, 2.0], cell: 0.25, nodes, distances }
}

/// At a node the interpolant is the node's own, and the normal is the direction in which it grows fastest: by central
/// differences, whose error is nothing along an axis, along which the interpolant is linear.
#[test]
fn the_interpolant_and_its_gradient_agree() {
    let grid = waves();
    let (_, at_node) = grid.nearest([-1.0 + 0.25, 0.5 + 0.25, 2.0 + 0.5]);
    assert_eq!(at_node, f64::from(grid.distances[2 * 12 + 4 + 1]));
    for point in [[-0.9, 0.6, 2.1], [-0.4, 0.8, 2.9], [-0.6, 0.51, 2.6]] {
        let (normal, _) = grid.nearest(point);
        let step = 1e-4;
        let change = |axis: usize| {
            let value =
                |way: f64| grid.nearest(std::array::from_fn(|i| point[i] + if i == axis { way } else { 0.0 })).1;
            (value(step) - value(-step)) / (2.0 * step)
        };
        let gradient = Vec3::new(change(0), change(1), change(2));
        let off = Vec3::from(normal) - gradient * (1.0 / gradient.length());
        // Rounding of values near 1 over 2e-4.
        assert!(off.length() < 1e-10, "{point:?}: {}", off.length());
    }
}

#[cfg(feature = "mesh-colliders")]
mod measured {
    use super::*;
    use crate::mesh::generate::{Sphere, Torus};

    fn grid_of(surface: &TriangleMesh, cells: u32) -> DistanceGrid {
        build(surface, lattice(surface, cells).unwrap(), &|_| ()).unwrap()
    }

    /// Points in and around the unit cube of the given scale, evenly spread (the additive recurrence of Roberts).
    fn points(count: usize, scale: f64) -> impl Iterator<Item = [f64; 3]> {
        let steps = [0.819_172_513_396_164_4, 0.671_043_606_703_789_2, 0.549_700_477_901_970_1];
        (0..count).map(move |i| steps.map(|step| scale * (2.0 * ((i as f64 + 0.5) * step).fract() - 1.0)))
    }

    /// In the grid the distance is that from a sphere in closed form but for the mesh's own chords and the
    /// interpolant's error, which is an eighth of cell² times the second derivatives 1/r at most in each of the two
    /// directions across. Outside it is never more than the truth, so that no way along it steps through the surface,
    /// and never less than the distance to the grid.
    #[test]
    fn a_sphere_in_closed_form() {
        let surface = Sphere { radius: 1.0, segments: 80 }.mesh();
        let grid = grid_of(&surface, 32);
        let chord = 1.0 - surface.signed_volume() / (4.0 / 3.0 * std::f64::consts::PI);
        let (mut inside, mut normals) = (0.0f64, 0.0f64);
        let reach = 1.0 + 3.0 * grid.cell;
        for point in points(20_000, 1.5) {
            let (normal, distance) = grid.nearest(point);
            let r = Vec3::from(point).length();
            if point.iter().all(|x| x.abs() < reach) && r > 0.5 {
                inside = inside.max((distance - (r - 1.0)).abs());
                normals = normals.max((Vec3::from(normal) - Vec3::from(point) * (1.0 / r)).length());
            } else if r > 1.5 {
                assert!(distance <= r - 1.0 + 1e-3, "{point:?}: {distance}");
            }
        }
        let bound = grid.cell * grid.cell / 8.0 * 2.0 / 0.5 + chord;
        println!(
            "sphere: distance within {inside:.2e} m of {bound:.2e}, normals within {normals:.2e}; cell {:.3}",
            grid.cell
        );
        assert!(inside < bound);
        // The gradient of the interpolant is off by half a cell times the second derivatives, in either direction
        // across; so is the chord's.
        assert!(normals < grid.cell / 2.0 * 2.0 / 0.5);
    }

    /// So is that of a torus, beyond whose spine and axis the distance has no kink; and halving the cells quarters the
    /// error.
    #[test]
    fn a_torus_in_closed_form() {
        let surface = Torus { radius: 1.0, tube_radius: 0.4, segments: 256, tube_segments: 128 }.mesh();
        let error = |cells| {
            let grid = grid_of(&surface, cells);
            let mut worst = 0.0f64;
            for [x, y, z] in points(20_000, 1.4) {
                let ring = x.hypot(z) - 1.0;
                let tube = ring.hypot(y);
                if (0.2..0.55).contains(&tube) {
                    worst = worst.max((grid.nearest([x, y, z]).1 - (tube - 0.4)).abs());
                }
            }
            worst
        };
        let (coarse, fine) = (error(28), error(56));
        // Cells of a tenth and a twentieth of a metre; 1/r is 5 at a distance of 0.2 from the spine. The chords of the
        // mesh leave 4e-4 m.
        println!("torus: {coarse:.2e} m with cells of 0.1 m, {fine:.2e} m with 0.05 m");
        assert!(coarse < 0.1 * 0.1 / 8.0 * 2.0 * 5.0 + 4e-4);
        assert!(fine < coarse / 3.0);
    }

    /// The hull of a cube's corners, of points inside it, twice over, is the cube; flat points have none.
    #[test]
    fn hulls() {
        let corners: Vec<[f64; 3]> =
            (0..8).map(|i| std::array::from_fn(|axis| if i >> axis & 1 == 1 { 3.0 } else { 1.0 })).collect();
        let within = points(100, 0.9).map(|point| point.map(|x| x + 2.0));
        let all: Vec<[f64; 3]> = corners.iter().chain(&corners).copied().chain(within).collect();
        let cube = hull(&all).unwrap();
        let (cube, turned) = solid(&cube).unwrap();
        assert_eq!(turned, 0);
        // Corners are single precision.
        assert!((cube.signed_volume() - 8.0).abs() < 1e-5, "{}", cube.signed_volume());
        assert_eq!(hull(&corners[..4]), None);
        assert_eq!(hull(&[[1.0; 3]; 8]), None);
        assert_eq!(hull(&[[0.0; 3], [1.0; 3], [2.0; 3], [5.0; 3]]), None);
    }

    /// What comes out of the grid at the mesh itself is its error. A plate thinner than the cells is told to be so,
    /// wherever it lies between the nodes, and one of two cells is not; nor is a needle's point, whose area is next to
    /// nothing.
    #[test]
    fn errors_and_thin_parts() {
        let ball = Sphere { radius: 1.0, segments: 40 }.mesh();
        let grid = grid_of(&ball, 40);
        assert!(grid.error(&ball) < 0.1 * grid.cell && grid.thin_share(&ball) == 0.0);
        let plate = |height: f64, y: f64| {
            let mut mesh = crate::mesh::generate::Cuboid { cells: [8, 1, 8], size: [1.0, height, 1.0] }.mesh();
            // A knob that shifts the grid under the plate.
            let knob = Sphere { radius: 0.02, segments: 10 }.mesh();
            let first = mesh.positions.len() as u32;
            mesh.positions.extend(knob.positions.iter().map(|&[x, z, h]| [x, h + y, z]));
            mesh.triangles.extend(knob.triangles.iter().map(|triangle| triangle.map(|vertex| vertex + first)));
            mesh
        };
        for step in 0..8 {
            let (thin, thick) = (plate(0.01, 0.5 + 0.01 * f64::from(step)), plate(0.125, 0.5 + 0.01 * f64::from(step)));
            let [thin, thick] = [thin, thick].map(|mesh| grid_of(&mesh, 16).thin_share(&mesh));
            assert!(thin > 0.5 && thick < 0.05, "{step}: {thin}, {thick}");
        }
        let mut needle = vec![[0.0, 2.0, 0.0]];
        needle.extend([[0.2, 0.0, 0.0], [-0.2, 0.0, 0.2], [-0.2, 0.0, -0.2]]);
        let needle = hull(&needle).unwrap();
        assert!(grid_of(&needle, 64).thin_share(&needle) < 0.01);
    }
}
