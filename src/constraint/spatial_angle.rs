//! Angle at a vertex between two arms, in space and without a sign: C = θ - θ₀, θ = atan2(|a×b|, a·b) from 0 to π. No
//! arccos, which has no derivative at 0 and π; where the arms are in line the angle itself has none, and what is at
//! rest there stays. For ropes and hair, which bend any way alike. Müller et al., Position Based Dynamics, 2007,
//! section 4.

use super::{Arity, Constraint, Placed, Real, RestChange, RestValue, Symmetry, Vec3};

crate::gpu_record! {
    /// One angle in space on the GPU.
    pub struct SpatialAngle {
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

impl Constraint for SpatialAngle {
    const NAME: &'static str = "spatial_angle";
    const WGSL: &'static str = include_str!("../../shaders/constraint/spatial_angle.wgsl");
    const ARITY: Arity = Arity::Three;
    const REST: &'static [RestValue] = &[RestValue { name: "rest_angle", unit: "rad", signed: true }];
    const REST_CHANGE: Option<RestChange> = Some(RestChange::Offset);
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation, Symmetry::Reflection];
    const PLACED: Placed = Placed::Arms;

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        let particles = [particles[0], particles[1], particles[2]];
        Self { particles, rest_angle: rest[0], material, _padding: [0; 3] }
    }

    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        let (a, b) = (x[0] - x[1], x[2] - x[1]);
        vec![a.cross(b).length().atan2(a.dot(b))]
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let (zero, one) = (R::from_f64(0.0), R::from_f64(1.0));
        let (a, b) = (x[0] - x[1], x[2] - x[1]);
        let (n, sine) = a.cross(b).direction_and_length();
        let cosine = a.dot(b);
        let (rest_sine, rest_cosine) = rest[0].sin_cos();
        let value = (sine * rest_cosine - cosine * rest_sine).atan2(cosine * rest_cosine + sine * rest_sine);
        let bent = sine.greater(zero);
        gradient[0] = a.cross(n) * (one / R::select(bent, a.dot(a), one));
        gradient[2] = n.cross(b) * (one / R::select(bent, b.dot(b), one));
        gradient[1] = -(gradient[0] + gradient[2]);
        R::select(bent, value, zero)
    }
}
