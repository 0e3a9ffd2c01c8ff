//! Long-range attachment: C = |x₀ - x₁| - L, one-sided, L the way along the mesh from the particle to where it hangs.
//! However long the way, one constraint keeps what hangs from stretching, where a chain of distances takes many
//! iterations. Kim et al., Long Range Attachments: A Method to Simulate Inextensible Clothing in Computer Games, 2012.

use super::{Arity, Constraint, Distance, Real, RestChange, RestValue, Side, Symmetry, Vec3};

crate::gpu_record! {
    /// One tether on the GPU.
    pub struct Tether {
        /// Slots of the particle and of the one that it hangs from.
        pub particles: [u32; 2],
        /// Length at which it is taut, m.
        pub rest_length: f32,
        /// Index into the table of materials.
        pub material: u32,
    }
}

impl Constraint for Tether {
    const NAME: &'static str = "tether";
    const WGSL: &'static str = include_str!("../../shaders/constraint/tether.wgsl");
    const ARITY: Arity = Arity::Two;
    const REST: &'static [RestValue] = Distance::REST;
    const REST_CHANGE: Option<RestChange> = Some(RestChange::Factor);
    const SYMMETRIES: &'static [Symmetry] = Distance::SYMMETRIES;
    const SIDE: Side = Side::Pull;

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        Self { particles: [particles[0], particles[1]], rest_length: rest[0], material }
    }

    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        Distance::measure(x)
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        Distance::evaluate(rest, component, x, gradient)
    }
}
