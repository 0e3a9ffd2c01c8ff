//! Angle between two triangles (a, b, c) and (b, a, d) that share the edge from a to b: C = θ - θ₀, 0 where flat,
//! positive where d lies on the side that (b - a)×(c - a) points to. Compared as rotations, so that any rest angle is
//! served and |C| ≤ π. Bridson et al., Simulation of Clothing with Folds and Wrinkles, 2003; Müller et al., Position
//! Based Dynamics, 2007.

use super::{Arity, Constraint, Placed, Real, RestChange, RestValue, Symmetry, Vec3};
use crate::math::real::{inverse, smaller};

crate::gpu_record! {
    /// One dihedral angle on the GPU.
    pub struct Dihedral {
        /// Slots of the edge's ends a and b and of the opposite corners c and d.
        pub particles: [u32; 4],
        /// Rest angle, rad.
        pub rest_angle: f32,
        /// Index into the table of materials.
        pub material: u32,
        /// To the alignment of four slots.
        pub _padding: [u32; 2],
    }
}

/// Not scaled: |n₁| |n₂| times the sine and the cosine of the angle, and what its gradient takes.
#[inline(always)]
fn fold<R: Real>(x: &[Vec3<R>]) -> (R, R, [Vec3<R>; 3], R) {
    let e = x[1] - x[0];
    let (direction, length) = e.direction_and_length();
    let (n1, n2) = (e.cross(x[2] - x[0]), (x[3] - x[0]).cross(e));
    (-n1.cross(n2).dot(direction), n1.dot(n2), [e, n1, n2], length)
}

impl Constraint for Dihedral {
    const NAME: &'static str = "dihedral";
    const WGSL: &'static str = include_str!("../../shaders/constraint/dihedral.wgsl");
    const ARITY: Arity = Arity::Four;
    const REST: &'static [RestValue] = &[RestValue { name: "rest_angle", unit: "rad", signed: true }];
    const REST_CHANGE: Option<RestChange> = Some(RestChange::Offset);
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation];
    const PLACED: Placed = Placed::Hinge;

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        let particles = [particles[0], particles[1], particles[2], particles[3]];
        Self { particles, rest_angle: rest[0], material, _padding: [0; 2] }
    }

    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        let (sine, cosine, ..) = fold(x);
        vec![sine.atan2(cosine)]
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let zero = R::from_f64(0.0);
        let (sine, cosine, [e, n1, n2], length) = fold(x);
        let (rest_sine, rest_cosine) = rest[0].sin_cos();
        let value = (sine * rest_cosine - cosine * rest_sine).atan2(cosine * rest_cosine + sine * rest_sine);
        let (squared1, squared2, squared) = (n1.dot(n1), n2.dot(n2), length * length);
        // No product of all three, which in single precision is nothing for edges of 30 µm.
        let whole = smaller(squared, smaller(squared1, squared2)).greater(zero);
        let (at_c, at_d) = (n1 * (length * inverse(whole, squared1)), n2 * (length * inverse(whole, squared2)));
        let (s, t) = ((x[2] - x[0]).dot(e) * inverse(whole, squared), (x[3] - x[0]).dot(e) * inverse(whole, squared));
        gradient[1] = -(at_c * s + at_d * t);
        gradient[2] = at_c;
        gradient[3] = at_d;
        gradient[0] = -(gradient[1] + at_c + at_d);
        R::select(whole, value, zero)
    }
}
