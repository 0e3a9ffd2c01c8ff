//! A triangle of St. Venant-Kirchhoff material in plane stress: as [`Stvk`] with F = [x₁ - x₀, x₂ - x₀] B of two
//! columns, the area A for the volume, λ/μ = 2ν/(1 - ν), and the compliance 1/(μ t) of a sheet of thickness t, m/N.

use super::energy::{self, Law};
use super::rest_shape;
use super::{Arity, Constraint, Real, RestValue, Stvk, Symmetry, Vec3};

crate::gpu_record! {
    /// One triangle on the GPU.
    pub struct SurfaceStvk {
        /// Slots of the corners.
        pub particles: [u32; 3],
        /// Inverse of the rest shape [x₁ - x₀, x₂ - x₀] along two axes of its plane, 1/m: first row, first column.
        pub inverse00: f32,
        /// First row, second column.
        pub inverse01: f32,
        /// Second row, first column.
        pub inverse10: f32,
        /// Second row, second column.
        pub inverse11: f32,
        /// Square root of the area at rest, m.
        pub root_area: f32,
        /// ν, from 0 to below 0.5.
        pub poisson_ratio: f32,
        /// Index into the table of materials.
        pub material: u32,
        /// To the alignment of four slots.
        pub _padding: [u32; 2],
    }
}

impl Constraint for SurfaceStvk {
    const NAME: &'static str = "surface_stvk";
    const FAMILY: &'static str = Stvk::NAME;
    const WGSL: &'static str = include_str!("../../shaders/constraint/surface_stvk.wgsl");
    const ARITY: Arity = Arity::Three;
    const REST: &'static [RestValue] = rest_shape::ISOTROPIC_TRIANGLE;
    const SHAPE: Option<usize> = Some(0);
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation, Symmetry::Reflection];
    // E and ν have no meaning there.
    const PBD: bool = false;

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        Self {
            particles: [particles[0], particles[1], particles[2]],
            inverse00: rest[0],
            inverse01: rest[1],
            inverse10: rest[2],
            inverse11: rest[3],
            root_area: rest[4],
            poisson_ratio: rest[5],
            material,
            _padding: [0; 2],
        }
    }

    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        rest_shape::isotropic_triangle(x)
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], _: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        energy::surface(Law::Stvk, rest, x, gradient)
    }
}
