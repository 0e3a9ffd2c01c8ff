//! Distance of a particle p from the segment from a to b, less a thickness: C = |p - q| - R, q = (1 - s) a + s b the
//! segment's point nearest to p; ∂C/∂p = n = (p - q)/|p - q|, ∂C/∂a = -(1 - s) n, ∂C/∂b = -s n. s depends on the
//! positions, but q being the nearest point, its change along the segment does not change C.

use super::plane::THICKNESS;
use super::{Arity, Constraint, Real, RestChange, RestValue, Side, Symmetry, Vec3};
use crate::math::closest::along_segment;

crate::gpu_record! {
    /// One particle before a segment, on the GPU.
    pub struct PointSegment {
        /// Slots of the particle and of the segment's ends.
        pub particles: [u32; 3],
        /// Distance R that is kept, m.
        pub thickness: f32,
        /// Index into the table of materials.
        pub material: u32,
        /// To the alignment of three slots.
        pub _padding: [u32; 3],
    }
}

impl Constraint for PointSegment {
    const NAME: &'static str = "point_segment";
    const WGSL: &'static str = include_str!("../../shaders/constraint/point_segment.wgsl");
    const ARITY: Arity = Arity::Three;
    const REST: &'static [RestValue] = &[THICKNESS];
    const REST_CHANGE: Option<RestChange> = Some(RestChange::Factor);
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation, Symmetry::Reflection];
    const SIDE: Side = Side::Push;

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        let particles = [particles[0], particles[1], particles[2]];
        Self { particles, thickness: rest[0], material, _padding: [0; 3] }
    }

    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        vec![Self::evaluate(&[0.0], 0, x, &mut [Vec3::zero(); 3])]
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let s = along_segment(x[0], x[1], x[2]);
        let (n, length) = ((x[0] - x[1]) - (x[2] - x[1]) * s).direction_and_length();
        gradient[0] = n;
        gradient[1] = n * (s - R::from_f64(1.0));
        gradient[2] = n * -s;
        length - rest[0]
    }
}
