//! A particle held at a point p of the world: C_k = (x₀ - p)_k along each axis k, ∂C_k/∂x₀ = e_k. A spring of rest
//! length 0, without the missing direction that a distance has there; its force is (p - x₀)/α.

use super::{Arity, Constraint, Real, RestChange, RestValue, Symmetry, Vec3};

crate::gpu_record! {
    /// One attachment on the GPU.
    pub struct Attach {
        /// Slot of the particle.
        pub particles: u32,
        /// Of the point p along the world's first axis, m.
        pub point_x: f32,
        /// Along the second, m.
        pub point_y: f32,
        /// Along the third, m.
        pub point_z: f32,
        /// Index into the table of materials.
        pub material: u32,
    }
}

/// A coordinate of the point.
pub(super) const fn coordinate(name: &'static str) -> RestValue {
    RestValue { name, unit: "m", signed: true }
}

impl Constraint for Attach {
    const NAME: &'static str = "attach";
    const WGSL: &'static str = include_str!("../../shaders/constraint/attach.wgsl");
    const ARITY: Arity = Arity::One;
    const COMPONENTS: usize = 3;
    const REST: &'static [RestValue] = &[coordinate("point_x"), coordinate("point_y"), coordinate("point_z")];
    const REST_CHANGE: Option<RestChange> = Some(RestChange::Offset);
    const SYMMETRIES: &'static [Symmetry] = &[];

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        Self { particles: particles[0], point_x: rest[0], point_y: rest[1], point_z: rest[2], material }
    }

    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        vec![x[0].x, x[0].y, x[0].z]
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        gradient[0] = Vec3::axis(component);
        gradient[0].dot(x[0] - Vec3::new(rest[0], rest[1], rest[2]))
    }
}
