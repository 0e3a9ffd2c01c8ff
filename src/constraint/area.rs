//! Area of a triangle: C = |(x₁ - x₀)×(x₂ - x₀)|/2 - A, and with n its unit normal ∂C/∂x₁ = (x₂ - x₀)×n/2,
//! ∂C/∂x₂ = n×(x₁ - x₀)/2, ∂C/∂x₀ = -∂C/∂x₁ - ∂C/∂x₂. A triangle without area has no gradient and stays.
//! Müller et al., Position Based Dynamics, 2007; Bender et al., A Survey on Position Based Dynamics, 2017.

use super::{Arity, Constraint, Placed, Real, RestChange, RestValue, Symmetry, Vec3};

crate::gpu_record! {
    /// One triangle on the GPU.
    pub struct Area {
        /// Slots of the corners.
        pub particles: [u32; 3],
        /// Rest area, m².
        pub rest_area: f32,
        /// Index into the table of materials.
        pub material: u32,
        /// To the alignment of three slots.
        pub _padding: [u32; 3],
    }
}

impl Constraint for Area {
    const NAME: &'static str = "area";
    const WGSL: &'static str = include_str!("../../shaders/constraint/area.wgsl");
    const ARITY: Arity = Arity::Three;
    const REST: &'static [RestValue] = &[RestValue { name: "rest_area", unit: "m²", signed: false }];
    const REST_CHANGE: Option<RestChange> = Some(RestChange::Factor);
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation, Symmetry::Reflection];
    const PLACED: Placed = Placed::Extent;

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        let particles = [particles[0], particles[1], particles[2]];
        Self { particles, rest_area: rest[0], material, _padding: [0; 3] }
    }

    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        vec![0.5 * (x[1] - x[0]).cross(x[2] - x[0]).length()]
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let half = R::from_f64(0.5);
        let (a, b) = (x[1] - x[0], x[2] - x[0]);
        let (n, doubled_area) = a.cross(b).direction_and_length();
        gradient[1] = b.cross(n) * half;
        gradient[2] = n.cross(a) * half;
        gradient[0] = -(gradient[1] + gradient[2]);
        doubled_area * half - rest[0]
    }
}
