//! Distance between two particles: C = |x₀ - x₁| - L, ∂C/∂x₀ = n, ∂C/∂x₁ = -n, n = (x₀ - x₁)/|x₀ - x₁|.
//! Müller et al., Position Based Dynamics, 2007, section 3.3; Macklin et al., XPBD, 2016.

use super::{Arity, Constraint, Real, RestChange, RestValue, Symmetry, Vec3};

crate::gpu_record! {
    /// One distance constraint on the GPU.
    pub struct Distance {
        /// Slots of the two ends.
        pub particles: [u32; 2],
        /// Rest length, m.
        pub rest_length: f32,
        /// Index into the table of materials.
        pub material: u32,
    }
}

impl Constraint for Distance {
    const NAME: &'static str = "distance";
    const WGSL: &'static str = include_str!("../../shaders/constraint/distance.wgsl");
    const ARITY: Arity = Arity::Two;
    const REST: &'static [RestValue] = &[RestValue { name: "rest_length", unit: "m", signed: false }];
    const REST_CHANGE: Option<RestChange> = Some(RestChange::Factor);
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation, Symmetry::Reflection];

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        Self { particles: [particles[0], particles[1]], rest_length: rest[0], material }
    }

    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        vec![(x[0] - x[1]).length()]
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let (n, length) = (x[0] - x[1]).direction_and_length();
        gradient[0] = n;
        gradient[1] = -n;
        length - rest[0]
    }
}
