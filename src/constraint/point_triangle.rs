//! Distance of a particle p from a triangle, less a thickness: C = |p - q| - R, q = Σ bᵢ xᵢ the triangle's point
//! nearest to p; ∂C/∂p = n = (p - q)/|p - q|, and ∂C/∂xᵢ = -bᵢ n at its corners: the weights bᵢ depend on the
//! positions, but q being the nearest point, its change within the triangle does not change C. Both sides count alike,
//! and so do its edges and corners.

use super::plane::THICKNESS;
use super::{Arity, Constraint, Placed, Real, RestChange, RestValue, Symmetry, Vec3};
use crate::constraint::Side;
use crate::math::closest::on_triangle;

crate::gpu_record! {
    /// One particle before a triangle, on the GPU.
    pub struct PointTriangle {
        /// Slots of the particle and of the triangle's corners.
        pub particles: [u32; 4],
        /// Distance R that is kept, m.
        pub thickness: f32,
        /// Index into the table of materials.
        pub material: u32,
        /// To the alignment of four slots.
        pub _padding: [u32; 2],
    }
}

impl Constraint for PointTriangle {
    const NAME: &'static str = "point_triangle";
    const WGSL: &'static str = include_str!("../../shaders/constraint/point_triangle.wgsl");
    const ARITY: Arity = Arity::Four;
    const REST: &'static [RestValue] = &[THICKNESS];
    const REST_CHANGE: Option<RestChange> = Some(RestChange::Factor);
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation, Symmetry::Reflection];
    const PLACED: Placed = Placed::Triangle;
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
        let weights = on_triangle(x[0], [x[1], x[2], x[3]]);
        let apart = (x[0] - x[1]) - (x[2] - x[1]) * weights[1] - (x[3] - x[1]) * weights[2];
        let (n, length) = apart.direction_and_length();
        gradient[0] = n;
        for (corner, &weight) in gradient[1..4].iter_mut().zip(&weights) {
            *corner = n * -weight;
        }
        length - rest[0]
    }
}
