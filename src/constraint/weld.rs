//! Two particles held together: C_k = (x₀ - x₁)_k along each axis k, ∂C_k/∂x₀ = e_k, ∂C_k/∂x₁ = -e_k. A spring of rest
//! length 0, without the missing direction that a distance has there.

use super::{Arity, Attach, Constraint, Real, RestValue, Symmetry, Vec3};

crate::gpu_record! {
    /// One weld on the GPU.
    pub struct Weld {
        /// Slots of the two particles.
        pub particles: [u32; 2],
        /// Index into the table of materials.
        pub material: u32,
        /// To the alignment of two slots.
        pub _padding: u32,
    }
}

impl Constraint for Weld {
    const NAME: &'static str = "weld";
    const FAMILY: &'static str = Attach::NAME;
    const WGSL: &'static str = include_str!("../../shaders/constraint/weld.wgsl");
    const ARITY: Arity = Arity::Two;
    const COMPONENTS: usize = 3;
    const REST: &'static [RestValue] = &[];
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation];

    fn record(particles: &[u32], _rest: &[f32], material: u32) -> Self {
        Self { particles: [particles[0], particles[1]], material, _padding: 0 }
    }

    fn measure(_x: &[Vec3<f64>]) -> Vec<f64> {
        Vec::new()
    }

    #[inline(always)]
    fn evaluate<R: Real>(_rest: &[R], component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        gradient[0] = Vec3::axis(component);
        gradient[1] = -gradient[0];
        gradient[0].dot(x[0] - x[1])
    }
}
