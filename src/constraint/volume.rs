//! Signed volume of a tetrahedron: C = (b - a)×(c - a)·(d - a)/6 - V, positive where d lies on the side to which (b -
//! a)×(c - a) points. The gradient at each corner is the opposite face's area vector over three. Being signed, it turns
//! an inverted tetrahedron back. Müller et al., Position Based Dynamics, 2007; Bender et al., A Survey on Position
//! Based Dynamics, 2017.

use super::{Arity, Constraint, Placed, Real, RestChange, RestValue, Symmetry, Vec3};

crate::gpu_record! {
    /// One tetrahedron on the GPU.
    pub struct Volume {
        /// Slots of the corners.
        pub particles: [u32; 4],
        /// Rest volume, m³.
        pub rest_volume: f32,
        /// Index into the table of materials.
        pub material: u32,
        /// To the alignment of four slots.
        pub _padding: [u32; 2],
    }
}

impl Constraint for Volume {
    const NAME: &'static str = "volume";
    const WGSL: &'static str = include_str!("../../shaders/constraint/volume.wgsl");
    const ARITY: Arity = Arity::Four;
    const REST: &'static [RestValue] = &[RestValue { name: "rest_volume", unit: "m³", signed: true }];
    const REST_CHANGE: Option<RestChange> = Some(RestChange::Factor);
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation];
    const PLACED: Placed = Placed::Extent;

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        let particles = [particles[0], particles[1], particles[2], particles[3]];
        Self { particles, rest_volume: rest[0], material, _padding: [0; 2] }
    }

    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        vec![Self::evaluate(&[0.0], 0, x, &mut [Vec3::zero(); 4])]
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let sixth = R::from_f64(1.0 / 6.0);
        let (b, c, d) = (x[1] - x[0], x[2] - x[0], x[3] - x[0]);
        gradient[1] = c.cross(d) * sixth;
        gradient[2] = d.cross(b) * sixth;
        gradient[3] = b.cross(c) * sixth;
        gradient[0] = -(gradient[1] + gradient[2] + gradient[3]);
        gradient[3].dot(d) - rest[0]
    }
}
