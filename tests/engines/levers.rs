//! Constraints whose gradient is nearly zero at all that is free: what is fixed bears them, and nothing is thrown away.

use pliant::constraint::{Arity, Constraint, Dihedral, Kind, Real, RestValue, SurfaceStrain, Symmetry, Vec3, kind};
use pliant::gpu_record;
use pliant::measure::Measurement;
use pliant::mesh::TriangleMesh;
use pliant::model::{Material, Model};
use pliant::scene::Cuboid;

use crate::device::run;
use crate::models;

const REST: &[RestValue] =
    &[RestValue { name: "lever", unit: "1", signed: true }, RestValue { name: "place", unit: "m", signed: true }];

/// C = (x₀ - x₁) + s (x - x₁) - p by the first coordinates of the first two particles and of the last, where the gradient is s.
fn along<R: Real>(rest: &[R], x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
    let (one, last) = (R::from_f64(1.0), x.len() - 1);
    gradient.fill(Vec3::zero());
    gradient[0] = Vec3::axis(0);
    gradient[1] = Vec3::axis(0) * -(one + rest[0]);
    gradient[last] = Vec3::axis(0) * rest[0];
    (x[0].x - x[1].x) + rest[0] * (x[last].x - x[1].x) - rest[1]
}

gpu_record! {
    pub struct Lever {
        pub particles: [u32; 3],
        /// s
        pub lever: f32,
        /// p
        pub place: f32,
        pub material: u32,
        pub _padding: [u32; 2],
    }
}

impl Constraint for Lever {
    const NAME: &'static str = "lever";
    const WGSL: &'static str = "
struct Lever { particles: vec3u, lever: f32, place: f32, material: u32 }

fn lever(c: Lever, x0: vec3f, x1: vec3f, x2: vec3f) -> Evaluation3 {
    let along = vec3f(1.0, 0.0, 0.0);
    let value = fma(c.lever, x2.x - x1.x, (x0.x - x1.x) - c.place);
    return Evaluation3(value, along, -(1.0 + c.lever) * along, c.lever * along);
}
";
    const ARITY: Arity = Arity::Three;
    const REST: &'static [RestValue] = REST;
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation];

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        let particles = [particles[0], particles[1], particles[2]];
        Self { particles, lever: rest[0], place: rest[1], material, _padding: [0; 2] }
    }

    fn measure(_: &[Vec3<f64>]) -> Vec<f64> {
        vec![0.0; 2]
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], _: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        along(rest, x, gradient)
    }
}

gpu_record! {
    pub struct Levers {
        pub first: u32,
        pub count: u32,
        /// s
        pub lever: f32,
        /// p
        pub place: f32,
        pub material: u32,
    }
}

impl Constraint for Levers {
    const NAME: &'static str = "levers";
    const WGSL: &'static str = "
struct Levers { first: u32, count: u32, lever: f32, place: f32, material: u32 }

fn levers(c: Levers, k: u32) -> EvaluationMany {
    let x = member(c.first + k).x;
    if (k == 0u) {
        return EvaluationMany(x - c.place, vec3f(1.0, 0.0, 0.0));
    }
    let slope = select(select(0.0, c.lever, k + 1u == c.count), -(1.0 + c.lever), k == 1u);
    return EvaluationMany(slope * x, vec3f(slope, 0.0, 0.0));
}
";
    const ARITY: Arity = Arity::Many;
    const LEAST: usize = 3;
    const REST: &'static [RestValue] = REST;
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation];

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        Self { first: particles[0], count: particles[1], lever: rest[0], place: rest[1], material }
    }

    fn measure(_: &[Vec3<f64>]) -> Vec<f64> {
        vec![0.0; 2]
    }

    fn evaluate<R: Real>(rest: &[R], _: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        along(rest, x, gradient)
    }
}

/// A rigid constraint of which all particles are fixed but the last, for one substep of 1 s without gravity.
fn held(kind: &'static dyn Kind, positions: &[[f64; 3]], rest: &[f64]) -> Model {
    let mut masses = vec![0.0; positions.len()];
    *masses.last_mut().unwrap() = 2.0;
    let mut model = models::particles(positions, &masses);
    let particles: Vec<u32> = (0..positions.len() as u32).collect();
    models::connect_with_rest(&mut model, kind, &particles, rest, Material::default());
    model.world.gravity = [0.0; 3];
    (model.settings.frame_rate, model.settings.substeps) = (1.0, 1);
    model
}

/// C is -1e-3 m, and its gradient s at what is free, where it is 1 at what is fixed. The particle takes Newton's step, C/s, where s² is above ε = 1e-6; below
/// that C s/ε, as if the constraint yielded by so much; and where s is rounding, below ε, none.
#[test]
fn steps_end_where_levers_do() {
    for (kind, count) in [(kind::<Lever>(), 3), (kind::<Levers>(), 400)] {
        for lever in [0.5, 1e-2, 2e-3, 5e-4, 1e-5, 1e-7] {
            let model = held(kind, &vec![[0.0; 3]; count], &[lever, 1e-3]);
            // The largest gradient is that of the second particle.
            let least = 1e-6 * (1.0 + lever) * (1.0 + lever);
            let expected = if lever < 1e-6 { 0.0 } else { 1e-3 * lever / (lever * lever).max(least) };
            for (state, engine) in [(run(&model, 1), "engine"), (models::run(&model, 1), "reference")] {
                let moved = state.positions[count - 1][0];
                // Roundings of single precision.
                assert!((moved - expected).abs() <= 1e-6 * expected, "{} {engine}, {lever}: {moved}", kind.name());
            }
        }
    }
}

/// Of a hinge whose wings stand at one end of its edge the other end does not change the angle, and the third corner of a triangle does not stretch the edge
/// between the others. What is off there by a tenth does not move them, though single precision rounds their gradient to something.
#[test]
fn what_has_no_lever_stays() {
    let tilted = |[x, y, z]: [f64; 3]| [0.6 * x - 0.8 * y, 0.8 * x + 0.6 * y, z].map(|value| 0.3 * value + 0.7);
    let corners = [[0.0; 3], [0.0, -0.6, 0.7], [0.0, 0.5, 0.3], [1.0, 0.0, 0.0]].map(tilted);
    let mut hinge = held(kind::<Dihedral>(), &corners, &[0.1]);
    hinge.groups[0].particles = vec![0, 3, 1, 2];
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.3, 0.9, 0.0]].map(tilted);
    let mut rest = kind::<SurfaceStrain>().measure(&corners.map(Vec3::from));
    rest[5] += 0.1;
    let stretched = held(kind::<SurfaceStrain>(), &corners, &rest);
    for model in [hinge, stretched] {
        for (state, engine) in [(run(&model, 1), "engine"), (models::run(&model, 1), "reference")] {
            let ways = state
                .positions
                .iter()
                .zip(&model.particles.positions)
                .flat_map(|(x, y)| [0, 1, 2].map(|i| x[i] - y[i]));
            let way = ways.fold(0.0, |most: f64, way| most.max(way.abs()));
            assert!(way < 1e-6, "{} {engine}: {way} m", model.groups[0].kind.name());
        }
    }
}

/// Closed meshes of rigid edges and hinges, held by the corners at the bottom, above some of which there are others: these have no lever on the hinges between. They rest, as they do
/// in double precision.
#[test]
fn hinges_of_closed_meshes_rest() {
    let corners = vec![[0.0; 3], [0.8, 0.0, 0.0], [0.0, 0.8, 0.0], [0.0, 0.0, 0.8]];
    let tetrahedron = TriangleMesh { positions: corners, triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] };
    for mesh in [tetrahedron, Cuboid { cells: [1; 3], size: [0.5; 3] }.mesh()] {
        let lowest = mesh.positions.iter().map(|x| x[1]).fold(f64::INFINITY, f64::min);
        let masses: Vec<f64> = mesh.positions.iter().map(|x| if x[1] == lowest { 0.0 } else { 1.0 }).collect();
        let mut model = models::particles(&mesh.positions, &masses);
        mesh.edges().iter().for_each(|&[a, b]| models::spring(&mut model, a, b, Material::default()));
        mesh.hinges()
            .iter()
            .for_each(|hinge| models::connect(&mut model, kind::<Dihedral>(), hinge, Material::default()));
        for (frame_rate, substeps) in [(60.0, 10), (600.0, 1)] {
            (model.settings.frame_rate, model.settings.substeps) = (frame_rate, substeps);
            let energy = Measurement::of(&model, &run(&model, 60)).kinetic_energy_j;
            assert!(energy < 1e-6, "{} corners, {substeps} substeps: {energy} J", mesh.positions.len());
        }
    }
}
