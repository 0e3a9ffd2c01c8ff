//! A tetrahedron of stable neo-Hookean material. With F = [x₁ - x₀, x₂ - x₀, x₃ - x₀] B, B the inverse of the rest
//! shape, J = det F, V the volume at rest and Lamé's λ = 2ν/(1 - 2ν) μ, its energy is
//!
//!   Ψ = V (μ/2 tr FᵀF + λ̂/2 (J - 1 - μ/λ̂)²),   λ̂ = λ + μ    (Macklin and Müller, A Constraint-based Formulation of
//!   Stable
//!                                                            Neo-Hookean Materials, 2021)
//!     = V (μ/2 (tr FᵀF + J² - 4J) + λ/2 (J - 1)²) + a constant
//!
//! Taken as it stands, the first line has two constraints that are not zero at rest, where their large forces cancel:
//! solved one after the other they do not unless substeps are short, and stiff bodies crumple. The second line has two
//! that are zero at rest, C₀ = √(V λ/μ) (J - 1) and C₁ = √V √(tr FᵀF + J² - 4J), and the compliance 1/μ for both. What
//! is under the root is never negative: (3 J^⅔ + J²)/4 ≥ J, as the arithmetic mean is not below the geometric one, and
//! tr FᵀF ≥ 3 J^⅔. It is zero at rotations, and where F = 0: there the material stays, in either form.

use super::rest_shape::{self, columns, rows};
use super::{Arity, Constraint, Real, RestValue, Symmetry, Vec3};
use crate::math::each;

crate::gpu_record! {
    /// One tetrahedron on the GPU.
    pub struct NeoHookean {
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

impl NeoHookean {
    /// ν where a scene does not say: that of many solids.
    pub const DEFAULT_POISSON_RATIO: f64 = 0.3;

    /// 1/μ of a material, 1/Pa, by its Young's modulus, Pa, and Poisson's ratio: μ = E/(2 (1 + ν)).
    pub fn compliance(young_modulus: f64, poisson_ratio: f64) -> f64 {
        2.0 * (1.0 + poisson_ratio) / young_modulus
    }
}

impl Constraint for NeoHookean {
    const NAME: &'static str = "neo_hookean";
    const WGSL: &'static str = include_str!("../../shaders/constraint/neo_hookean.wgsl");
    const ARITY: Arity = Arity::Four;
    // The volume first: what is solved last holds best, and there are stiff bodies with nothing but C₁ (ν = 0).
    const COMPONENTS: usize = 2;
    const REST: &'static [RestValue] = rest_shape::ISOTROPIC_TETRAHEDRON;
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation];
    const SHAPE: Option<usize> = Some(0);
    // E and ν have no meaning there.
    const PBD: bool = false;

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        let particles = [particles[0], particles[1], particles[2], particles[3]];
        Self {
            particles,
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
    fn evaluate<R: Real>(rest: &[R], component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let [zero, one, two] = each([0.0, 1.0, 2.0], R::from_f64);
        let y = [x[1] - x[0], x[2] - x[0], x[3] - x[0]];
        let b = rows(rest);
        let (root_volume, poisson_ratio) = (rest[9], rest[10]);
        let determinant = b[0].cross(b[1]).dot(b[2]);
        let at_j = [y[1].cross(y[2]) * determinant, y[2].cross(y[0]) * determinant, y[0].cross(y[1]) * determinant];
        let j = y[0].dot(at_j[0]);
        // The component is the same for all lanes of a number, so this is a branch.
        let value = if component == 0 {
            let scale = root_volume * (two * poisson_ratio / (one - two * poisson_ratio)).sqrt();
            for i in 0..3 {
                gradient[i + 1] = at_j[i] * scale;
            }
            scale * (j - one)
        } else {
            let f = columns(y, b);
            let squared = distortion(f, j);
            let distorted = squared.greater(zero);
            let root = R::select(distorted, squared, one).sqrt();
            let scale = R::select(distorted, root_volume / root, zero);
            for i in 0..3 {
                let at_half_trace = f[0] * b[i].x + f[1] * b[i].y + f[2] * b[i].z;
                gradient[i + 1] = (at_half_trace + at_j[i] * (j - two)) * scale;
            }
            R::select(distorted, root_volume * root, zero)
        };
        gradient[0] = -(gradient[1] + gradient[2] + gradient[3]);
        value
    }
}

/// tr FᵀF + J² - 4J by the columns of F. Near rest by Green's strain E, 2 (J - 1)² - 4 (e₁e₂ + e₂e₃ + e₃e₁) - 8 det E
/// with its principal values, as the terms before would leave nothing of strains below √ε.
#[inline(always)]
fn distortion<R: Real>(f: [Vec3<R>; 3], j: R) -> R {
    let number = R::from_f64;
    let (one, two, half) = (number(1.0), number(2.0), number(0.5));
    let squares = [f[0].dot(f[0]), f[1].dot(f[1]), f[2].dot(f[2])];
    let [e0, e1, e2] = [(squares[0] - one) * half, (squares[1] - one) * half, (squares[2] - one) * half];
    let [s0, s1, s2] = [f[1].dot(f[2]) * half, f[2].dot(f[0]) * half, f[0].dot(f[1]) * half];
    let second = e0 * e1 + e1 * e2 + e2 * e0 - (s0 * s0 + s1 * s1 + s2 * s2);
    let third = e0 * e1 * e2 + two * s0 * s1 * s2 - (e0 * s0 * s0 + e1 * s1 * s1 + e2 * s2 * s2);
    let near = two * (j - one) * (j - one) - number(4.0) * second - number(8.0) * third;
    let far = squares[0] + squares[1] + squares[2] + j * j - number(4.0) * j;
    let trace = e0 + e1 + e2;
    let is_far = R::select(trace.greater(number(0.0)), trace, -trace).greater(half);
    R::select(is_far, far, near)
}
