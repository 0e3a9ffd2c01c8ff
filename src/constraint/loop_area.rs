//! Signed area of a closed loop of particles in the plane of x and y, positive counter-clockwise:
//! C = ½ Σ (xₖ yₖ₊₁ - xₖ₊₁ yₖ) - A, ∂C/∂(xₖ, yₖ) = ½ (yₖ₊₁ - yₖ₋₁, xₖ₋₁ - xₖ₊₁). Being signed, it has a gradient where
//! the loop is squashed flat, and a loop turned inside out finds back.

use super::{Area, Arity, Constraint, Real, RestChange, RestValue, Symmetry, Vec3};

crate::gpu_record! {
    /// One loop on the GPU.
    pub struct LoopArea {
        /// Where its particles begin in the list of members.
        pub first: u32,
        /// How many they are.
        pub count: u32,
        /// Rest area, m².
        pub rest_area: f32,
        /// Index into the table of materials.
        pub material: u32,
    }
}

impl Constraint for LoopArea {
    const NAME: &'static str = "loop_area";
    const FAMILY: &'static str = Area::NAME;
    const WGSL: &'static str = include_str!("../../shaders/constraint/loop_area.wgsl");
    const ARITY: Arity = Arity::Many;
    const LEAST: usize = 3;
    const REST: &'static [RestValue] = &[RestValue { name: "rest_area", unit: "m²", signed: true }];
    const REST_CHANGE: Option<RestChange> = Some(RestChange::Factor);
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation];

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        Self { first: particles[0], count: particles[1], rest_area: rest[0], material }
    }

    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        vec![Self::evaluate(&[0.0], 0, x, &mut vec![Vec3::zero(); x.len()])]
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let (zero, half, count) = (R::from_f64(0.0), R::from_f64(0.5), x.len());
        let mut value = -rest[0];
        for (k, gradient) in gradient.iter_mut().enumerate() {
            // Relative to one of them, so that the area does not drown in products of large coordinates.
            let [before, here, after] = [k + count - 1, k, k + 1].map(|i| x[i % count] - x[0]);
            value = value + (here.x * after.y - after.x * here.y) * half;
            *gradient = Vec3::new(after.y - before.y, before.x - after.x, zero) * half;
        }
        value
    }
}
