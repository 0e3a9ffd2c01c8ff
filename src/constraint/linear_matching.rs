//! How far any number of particles are off the nearest image of their rest shape by
//! polynomials of the first degree, which stretches and shears it: the formulas are in `modes.rs`.

use super::modes::{self, LINEAR};
use super::{Arity, Constraint, Listed, Members, Real, RestValue, ShapeMatching, Symmetry, Vec3, Weight, Whole};

crate::gpu_record! {
    /// One shape on the GPU.
    pub struct LinearMatching {
        /// Where its particles begin in the list of members.
        pub first: u32,
        /// How many they are.
        pub count: u32,
        /// Where in the list of members the bits of their weights and modes begin.
        pub data: u32,
        /// Index into the table of materials.
        pub material: u32,
    }
}

impl Constraint for LinearMatching {
    const NAME: &'static str = "linear_matching";
    const WGSL: &'static str = include_str!("../../shaders/constraint/linear_matching.wgsl");
    const ARITY: Arity = Arity::Many;
    /// Fewer have no deformation that is none of these.
    const LEAST: usize = LINEAR + 1;
    const LISTED: Listed = Listed::InAnyOrder;
    const REST: &'static [RestValue] = &[];
    const MEMBER_REST: &'static [RestValue] = ShapeMatching::MEMBER_REST;
    const WHOLE: Whole = modes::WHOLE;
    const NEVER_NEGATIVE: bool = true;
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation, Symmetry::Reflection];

    fn record(particles: &[u32], _rest: &[f32], material: u32) -> Self {
        Self { first: particles[0], count: particles[1], data: particles[2], material }
    }

    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        ShapeMatching::measure(x)
    }

    fn weigh(rest: &mut [f64], inverse_mass: &dyn Fn(usize) -> f64) {
        ShapeMatching::weigh(rest, inverse_mass);
    }

    fn push_data(members: &Members, list: &mut Vec<u32>) {
        modes::push_data::<LINEAR>(members, list);
    }

    fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        modes::evaluate::<R, LINEAR>(rest, x, gradient)
    }

    fn weight(
        rest: &[f64],
        _x: &[Vec3<f64>],
        _value: f64,
        gradient: &[Vec3<f64>],
        inverse_mass: &dyn Fn(usize) -> f64,
    ) -> Weight {
        modes::weight::<LINEAR>(rest, gradient, inverse_mass)
    }
}
