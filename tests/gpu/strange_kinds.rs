//! Kinds of constraints from outside whose WGSL is wrong.

use pliant::constraint::{Arity, Constraint, Distance, Kind, Real, RestValue, Symmetry, Vec3, kind};
use pliant::model::Material;
use pliant::plan::Plan;
use pliant::solver::{KernelError, Solver, SolverError};

use crate::device::gpu;
use crate::models;

/// A solver of two particles that such a kind connects.
fn solver_of(kind: &'static dyn Kind) -> Result<Solver, SolverError> {
    let mut model = models::particles(&[[0.0; 3], [1.0, 0.0, 0.0]], &[1.0; 2]);
    models::connect(&mut model, kind, &[0, 1], Material::default());
    Solver::new(&gpu().device, &model, &Plan::new(&model))
}

/// A distance of an author's own, with this text.
macro_rules! distance {
    ($kind:ident, $name:literal, $wgsl:expr) => {
        impl Constraint for $kind {
            const NAME: &'static str = $name;
            const WGSL: &'static str = $wgsl;
            const ARITY: Arity = Arity::Two;
            const REST: &'static [RestValue] = Distance::REST;
            const SYMMETRIES: &'static [Symmetry] = Distance::SYMMETRIES;

            fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
                Self { particles: [particles[0], particles[1]], rest_length: rest[0], material }
            }
            fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
                Distance::measure(x)
            }
            fn evaluate<R: Real>(rest: &[R], component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
                Distance::evaluate(rest, component, x, gradient)
            }
        }
    };
}

pliant::gpu_record! {
    /// A distance whose author forgot a semicolon.
    struct Forgetful {
        particles: [u32; 2],
        rest_length: f32,
        material: u32,
    }
}

distance!(
    Forgetful,
    "forgetful",
    "struct Forgetful { particles: vec2u, rest_length: f32, material: u32 }\n\
     fn forgetful(c: Forgetful, x0: vec3f, x1: vec3f) -> Evaluation2 {\n\
     let n = normalize(x0 - x1)\n\
     return Evaluation2(distance(x0, x1) - c.rest_length, n, -n);\n\
     }\n"
);

/// A kind from outside whose shader does not parse is refused with its file and line.
#[test]
fn a_broken_shader_names_its_file_and_line() {
    match solver_of(kind::<Forgetful>()) {
        Err(SolverError::Kernel(KernelError::Invalid { kernel, place, message })) => {
            assert_eq!((kernel.as_str(), place.as_str()), ("solve forgetful", "constraint/forgetful.wgsl:4"));
            assert!(message.contains("expected"), "{message}");
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it compiles"),
    }
}

pliant::gpu_record! {
    /// A distance whose fields are in another order than in WGSL.
    struct Swapped {
        particles: [u32; 2],
        material: u32,
        rest_length: f32,
    }
}

distance!(
    Swapped,
    "swapped",
    "struct Swapped { particles: vec2u, rest_length: f32, material: u32 }\n\
     fn swapped(c: Swapped, x0: vec3f, x1: vec3f) -> Evaluation2 {\n\
     let n = normalize(x0 - x1);\n\
     return Evaluation2(distance(x0, x1) - c.rest_length, n, -n);\n\
     }\n"
);

/// A kind from outside whose struct in WGSL is not its record is refused, with both: it would read material numbers as lengths.
#[test]
fn a_record_that_is_another_in_wgsl_is_refused() {
    let Err(SolverError::Kernel(error)) = solver_of(kind::<Swapped>()) else { panic!("it is taken") };
    let told = error.to_string();
    assert!(
        told.starts_with(
            "constraint/swapped.wgsl: the struct `Swapped` has (particles at 0, 8 bytes; rest_length at 8"
        ),
        "{told}"
    );
    assert!(told.contains("Rust has (particles at 0, 8 bytes; material at 8, 4 bytes; rest_length at 12"), "{told}");
}
