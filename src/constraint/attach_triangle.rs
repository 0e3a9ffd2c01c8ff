//! A particle held at a point of a triangle a, b, c by its barycentric weights: C_k = (x₀ - (1 - v - w) a - v b - w
//! c)_k along each axis k, with the gradient e_k at the particle and minus the weight times e_k at each corner. The
//! triangle bears the reaction.

use super::{Arity, Attach, Constraint, Placed, Real, RestValue, Symmetry, Vec3};

crate::gpu_record! {
    /// One attachment to a triangle on the GPU.
    pub struct AttachTriangle {
        /// Slots of the particle and of the corners a, b and c.
        pub particles: [u32; 4],
        /// Share of the corner b, v.
        pub weight_b: f32,
        /// Share of the corner c, w.
        pub weight_c: f32,
        /// Index into the table of materials.
        pub material: u32,
        /// To the alignment of four slots.
        pub _padding: u32,
    }
}

/// A weight of a corner.
const fn weight(name: &'static str) -> RestValue {
    RestValue { name, unit: "1", signed: true }
}

impl Constraint for AttachTriangle {
    const NAME: &'static str = "attach_triangle";
    const FAMILY: &'static str = Attach::NAME;
    const WGSL: &'static str = include_str!("../../shaders/constraint/attach_triangle.wgsl");
    const ARITY: Arity = Arity::Four;
    const COMPONENTS: usize = 3;
    const REST: &'static [RestValue] = &[weight("weight_b"), weight("weight_c")];
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation];
    const PLACED: Placed = Placed::WeightedTriangle;

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        let particles = [particles[0], particles[1], particles[2], particles[3]];
        Self { particles, weight_b: rest[0], weight_c: rest[1], material, _padding: 0 }
    }

    /// The weights of the foot of the perpendicular to the triangle's plane; those of a where there is no plane.
    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        let (p, b, c) = (x[0] - x[1], x[2] - x[1], x[3] - x[1]);
        let normal = b.cross(c);
        let squared = normal.dot(normal);
        if squared == 0.0 {
            return vec![0.0, 0.0];
        }
        vec![p.cross(c).dot(normal) / squared, b.cross(p).dot(normal) / squared]
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let axis = Vec3::axis(component);
        gradient[0] = axis;
        gradient[1] = axis * (rest[0] + rest[1] - R::from_f64(1.0));
        gradient[2] = axis * -rest[0];
        gradient[3] = axis * -rest[1];
        axis.dot((x[0] - x[1]) - (x[2] - x[1]) * rest[0] - (x[3] - x[1]) * rest[1])
    }
}
