//! Distance between the segments from a to b and from c to d, less a thickness: C = |p - q| - R, p = (1 - s) a + s b
//! and q = (1 - t) c + t d the points nearest to each other; with n = (p - q)/|p - q| ∂C/∂a = (1 - s) n, ∂C/∂b = s n,
//! ∂C/∂c = -(1 - t) n, ∂C/∂d = -t n: the change of s and t does not count, p and q being the nearest points.

use super::plane::THICKNESS;
use super::{Arity, Constraint, Placed, Real, RestChange, RestValue, Symmetry, Vec3};
use crate::constraint::Side;
use crate::math::closest::between_segments;

crate::gpu_record! {
    /// Two segments on the GPU.
    pub struct EdgeEdge {
        /// Slots of the ends of one segment, then of the other.
        pub particles: [u32; 4],
        /// Distance R that is kept, m.
        pub thickness: f32,
        /// Index into the table of materials.
        pub material: u32,
        /// To the alignment of four slots.
        pub _padding: [u32; 2],
    }
}

impl Constraint for EdgeEdge {
    const NAME: &'static str = "edge_edge";
    const WGSL: &'static str = include_str!("../../shaders/constraint/edge_edge.wgsl");
    const ARITY: Arity = Arity::Four;
    const REST: &'static [RestValue] = &[THICKNESS];
    const REST_CHANGE: Option<RestChange> = Some(RestChange::Factor);
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation, Symmetry::Reflection];
    const PLACED: Placed = Placed::Edges;
    const SIDE: Side = Side::Push;

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        let particles = [particles[0], particles[1], particles[2], particles[3]];
        Self { particles, thickness: rest[0], material, _padding: [0; 2] }
    }

    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        vec![Self::evaluate(&[0.0], 0, x, &mut [Vec3::zero(); 4])]
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let one = R::from_f64(1.0);
        let [s, t] = between_segments(x[0], x[1], x[2], x[3]);
        let (n, length) = ((x[0] - x[2]) + (x[1] - x[0]) * s - (x[3] - x[2]) * t).direction_and_length();
        gradient[0] = n * (one - s);
        gradient[1] = n * s;
        gradient[2] = n * (t - one);
        gradient[3] = n * -t;
        length - rest[0]
    }
}
