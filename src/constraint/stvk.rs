//! A tetrahedron of St. Venant-Kirchhoff material: one constraint C = √(2Ψ/μ) with the compliance 1/μ, by Green's
//! strain E = (FᵀF - 1)/2, F = [x₁ - x₀, x₂ - x₀, x₃ - x₀] B, B the inverse of the rest shape and V its volume:
//!
//!   Ψ = V (μ E:E + λ/2 (tr E)²),  ∂C/∂xᵢ = √V P Bᵢᵀ/√(2Ψ/μV),  P = F (2E + λ/μ tr E)
//!
//! It is here to be compared with: it softens where it is pressed, gives way at 58 % of its length, and does not see
//! whether it is inside out. As one root of a sum it is solved along one direction at a time, and so more slowly than
//! by components.

use super::energy::{self, Law};
use super::rest_shape;
use super::{Arity, Constraint, Real, RestValue, Symmetry, Vec3};

crate::gpu_record! {
    /// One tetrahedron on the GPU.
    pub struct Stvk {
        /// Slots of the corners.
        pub particles: [u32; 4],
        /// Inverse of the rest shape [x₁ - x₀, x₂ - x₀, x₃ - x₀], 1/m: first row, first column.
        pub inverse00: f32,
        /// First row, second column.
        pub inverse01: f32,
        /// First row, third column.
        pub inverse02: f32,
        /// Second row, first column.
        pub inverse10: f32,
        /// Second row, second column.
        pub inverse11: f32,
        /// Second row, third column.
        pub inverse12: f32,
        /// Third row, first column.
        pub inverse20: f32,
        /// Third row, second column.
        pub inverse21: f32,
        /// Third row, third column.
        pub inverse22: f32,
        /// Square root of the volume at rest, m^1.5.
        pub root_volume: f32,
        /// ν, from 0 to below 0.5.
        pub poisson_ratio: f32,
        /// Index into the table of materials.
        pub material: u32,
    }
}

impl Constraint for Stvk {
    const NAME: &'static str = "stvk";
    const WGSL: &'static str = include_str!("../../shaders/constraint/stvk.wgsl");
    const ARITY: Arity = Arity::Four;
    const REST: &'static [RestValue] = rest_shape::ISOTROPIC_TETRAHEDRON;
    const SHAPE: Option<usize> = Some(0);
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation, Symmetry::Reflection];
    // E and ν have no meaning there.
    const PBD: bool = false;

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        Self {
            particles: [particles[0], particles[1], particles[2], particles[3]],
            inverse00: rest[0],
            inverse01: rest[1],
            inverse02: rest[2],
            inverse10: rest[3],
            inverse11: rest[4],
            inverse12: rest[5],
            inverse20: rest[6],
            inverse21: rest[7],
            inverse22: rest[8],
            root_volume: rest[9],
            poisson_ratio: rest[10],
            material,
        }
    }

    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        rest_shape::isotropic_tetrahedron(x)
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], _: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        energy::solid(Law::Stvk, rest, x, gradient)
    }
}
