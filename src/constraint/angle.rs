//! Angle at a vertex from one arm to another, counter-clockwise about +z, in the plane of x and y: C = θ - θ₀, compared
//! as rotations, so that any rest angle is served, |C| ≤ π, and nothing flips where the arms are in line. For strips,
//! grass and strings in 2D. Müller et al., Position Based Dynamics, 2007, section 4.

use super::{Arity, Constraint, Placed, Real, RestChange, RestValue, Symmetry, Vec3};
use crate::math::real::{inverse, smaller};

crate::gpu_record! {
    /// One planar angle on the GPU.
    pub struct Angle {
        /// Slots of the end of one arm, of the vertex, and of the end of the other.
        pub particles: [u32; 3],
        /// Rest angle, rad.
        pub rest_angle: f32,
        /// Index into the table of materials.
        pub material: u32,
        /// To the alignment of three slots.
        pub _padding: [u32; 3],
    }
}

/// The arms, and |a| |b| times the sine and the cosine of the angle between them.
#[inline(always)]
fn arms<R: Real>(x: &[Vec3<R>]) -> ([Vec3<R>; 2], R, R) {
    let [a, b] = [x[0] - x[1], x[2] - x[1]];
    ([a, b], a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y)
}

impl Constraint for Angle {
    const NAME: &'static str = "angle";
    const WGSL: &'static str = include_str!("../../shaders/constraint/angle.wgsl");
    const ARITY: Arity = Arity::Three;
    const REST: &'static [RestValue] = &[RestValue { name: "rest_angle", unit: "rad", signed: true }];
    const REST_CHANGE: Option<RestChange> = Some(RestChange::Offset);
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation];
    const PLACED: Placed = Placed::PlanarArms;

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        let particles = [particles[0], particles[1], particles[2]];
        Self { particles, rest_angle: rest[0], material, _padding: [0; 3] }
    }

    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        let (_, sine, cosine) = arms(x);
        vec![sine.atan2(cosine)]
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let zero = R::from_f64(0.0);
        let ([a, b], sine, cosine) = arms(x);
        let (rest_sine, rest_cosine) = rest[0].sin_cos();
        let value = (sine * rest_cosine - cosine * rest_sine).atan2(cosine * rest_cosine + sine * rest_sine);
        let (squared_a, squared_b) = (a.x * a.x + a.y * a.y, b.x * b.x + b.y * b.y);
        let whole = smaller(squared_a, squared_b).greater(zero);
        gradient[0] = Vec3::new(a.y, -a.x, zero) * inverse(whole, squared_a);
        gradient[2] = Vec3::new(-b.y, b.x, zero) * inverse(whole, squared_b);
        gradient[1] = -(gradient[0] + gradient[2]);
        R::select(whole, value, zero)
    }
}
