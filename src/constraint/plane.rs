//! Distance of a particle from a plane through a point p with the normal m: C = n·(x₀ - p) - R, ∂C/∂x₀ = n = m/|m|.
//! Pushing, as where a scene does not say, it is a floor at the thickness R; both ways, with R = 0, it keeps a particle
//! in a plane. Müller et al., Position Based Dynamics, 2007, section 4.2.

use super::attach::coordinate;
use super::{Arity, Constraint, Real, RestValue, Side, Symmetry, Vec3};

crate::gpu_record! {
    /// One particle before a plane, on the GPU.
    pub struct Plane {
        /// Slot of the particle.
        pub particles: u32,
        /// Of the point p along the world's first axis, m.
        pub point_x: f32,
        /// Along the second, m.
        pub point_y: f32,
        /// Along the third, m.
        pub point_z: f32,
        /// Of the normal along the first axis.
        pub normal_x: f32,
        /// Along the second.
        pub normal_y: f32,
        /// Along the third.
        pub normal_z: f32,
        /// Distance R that is kept, m.
        pub thickness: f32,
        /// Index into the table of materials.
        pub material: u32,
    }
}

/// The distance that two things keep.
pub(super) const THICKNESS: RestValue = RestValue { name: "thickness", unit: "m", signed: false };

/// A component of a normal of any length but 0.
const fn normal(name: &'static str) -> RestValue {
    RestValue { name, unit: "1", signed: true }
}

impl Constraint for Plane {
    const NAME: &'static str = "plane";
    const WGSL: &'static str = include_str!("../../shaders/constraint/plane.wgsl");
    const ARITY: Arity = Arity::One;
    const REST: &'static [RestValue] = &[
        coordinate("point_x"),
        coordinate("point_y"),
        coordinate("point_z"),
        normal("normal_x"),
        normal("normal_y"),
        normal("normal_z"),
        THICKNESS,
    ];
    const SYMMETRIES: &'static [Symmetry] = &[];
    const SIDE: Side = Side::Push;

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        let &[point_x, point_y, point_z, normal_x, normal_y, normal_z, thickness] = rest else {
            unreachable!("a record is made with as many rest values as its kind names")
        };
        Self { particles: particles[0], point_x, point_y, point_z, normal_x, normal_y, normal_z, thickness, material }
    }

    /// Level, through the particle.
    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        vec![x[0].x, x[0].y, x[0].z, 0.0, 1.0, 0.0, 0.0]
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let (n, _) = Vec3::new(rest[3], rest[4], rest[5]).direction_and_length();
        gradient[0] = n;
        n.dot(x[0] - Vec3::new(rest[0], rest[1], rest[2])) - rest[6]
    }
}
