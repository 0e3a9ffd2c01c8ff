//! The rest shape of any number of particles, moved as a rigid body to lie nearest to them. With q their rest places, m their weights, c
//! and q̄ the means of x and q by weight, and R the rotation with the largest tr Rᵀ Σ m (x - c)(q - q̄)ᵀ (`polar.rs`):
//!
//!     r = x - c - R (q - q̄),   C = √(Σ m |r|² / Σ m),   ∂C/∂x = m r / (C Σ m)
//!
//! C is the root mean square of how far the particles are off; c and R are stationary and add nothing to the gradient. Weights that are
//! masses make w|∇C|² one over the mass of all: rigid, one step brings free particles onto the shape, which is shape matching as it is known
//! (Müller, Heidelberger, Teschner and Gross, Meshless Deformations Based on Shape Matching, 2005), and with the compliance α each of them
//! is on a spring of its own to its place in the shape, the energy C²/2α: every mode of deformation swings with ω² = 1/(α Σ m). Regions that
//! overlap are as many constraints (Rivers and James, FastLSM, 2007).

use super::polar::polar;
use super::real::inverse;
use super::{Arity, Constraint, Real, RestValue, Symmetry, Vec3, each};

/// Numbers of a rest shape for each particle: its place, m, and its weight.
pub(crate) const OF_MEMBER: usize = 4;

crate::gpu_record! {
    /// One shape on the GPU.
    pub struct ShapeMatching {
        /// Where its particles begin in the list of members.
        pub first: u32,
        /// How many they are.
        pub count: u32,
        /// Where in the list of members their rest shape begins: bits of the inverse of its inertia, then of x, y, z and weight of each;
        /// by weight their mean is zero, and the weights' sum is 1.
        pub places: u32,
        /// Index into the table of materials.
        pub material: u32,
    }
}

impl Constraint for ShapeMatching {
    const NAME: &'static str = "shape_matching";
    const WGSL: &'static str = include_str!("../../shaders/constraint/shape_matching.wgsl");
    const ARITY: Arity = Arity::Many;
    const LEAST: usize = 2;
    const FITTED: bool = true;
    const REST: &'static [RestValue] = &[];
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation];

    fn record(particles: &[u32], _rest: &[f32], material: u32) -> Self {
        Self { first: particles[0], count: particles[1], places: particles[2], material }
    }

    /// As placed, all alike.
    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        x.iter().flat_map(|x| [x.x, x.y, x.z, 1.0]).collect()
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let [zero, one] = each([0.0, 1.0], R::from_f64);
        let mut whole = zero;
        let (mut centre, mut rest_centre) = (Vec3::zero(), Vec3::zero());
        // Relative to the first, so that large coordinates do not drown what is between them.
        for k in 0..x.len() {
            let weight = rest[OF_MEMBER * k + 3];
            whole = whole + weight;
            centre += (x[k] - x[0]) * weight;
            rest_centre += (place(rest, k) - place(rest, 0)) * weight;
        }
        let (centre, rest_centre) = (x[0] + centre * (one / whole), place(rest, 0) + rest_centre * (one / whole));
        let mut turned = [Vec3::zero(); 3];
        for k in 0..x.len() {
            let (off, q) = ((x[k] - centre) * rest[OF_MEMBER * k + 3], place(rest, k) - rest_centre);
            turned[0] += off * q.x;
            turned[1] += off * q.y;
            turned[2] += off * q.z;
        }
        let rotation = polar(turned);
        let mut squared = zero;
        for k in 0..x.len() {
            let (share, q) = (rest[OF_MEMBER * k + 3] / whole, place(rest, k) - rest_centre);
            let off = x[k] - centre - (rotation[0] * q.x + rotation[1] * q.y + rotation[2] * q.z);
            gradient[k] = off * share;
            squared = squared + off.dot(off) * share;
        }
        // Where nobody is off there is no direction: a root of nothing has no derivative, either.
        let there = squared.greater(zero);
        let value = R::select(there, R::select(there, squared, one).sqrt(), zero);
        let inverse = inverse(there, value);
        for gradient in gradient.iter_mut() {
            *gradient = *gradient * inverse;
        }
        value
    }
}

/// The rest place of a particle.
#[inline(always)]
fn place<R: Real>(rest: &[R], k: usize) -> Vec3<R> {
    Vec3::new(rest[OF_MEMBER * k], rest[OF_MEMBER * k + 1], rest[OF_MEMBER * k + 2])
}
