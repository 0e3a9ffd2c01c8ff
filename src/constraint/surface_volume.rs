//! Volume that a closed surface of triangles encloses, positive if they are wound counter-clockwise seen from outside:
//! C = Σ (a - o)×(b - o)·(c - o)/6 - V over the triangles abc, o the first corner of all. The gradient at a particle is
//! a third of the area vector of the triangles around it. With compliance α in m⁵/N the multiplier is the pressure, p =
//! λ/h² = (V - V(x))/α: linear in what is lacking of the volume. Müller et al., Position Based Dynamics, 2007, section
//! 4.4, with the volume's own gradient.

use super::{Arity, Constraint, Listed, Members, Real, RestChange, RestValue, Symmetry, Vec3, Volume};

crate::gpu_record! {
    /// One surface on the GPU.
    pub struct SurfaceVolume {
        /// Where its particles begin in the list of members.
        pub first: u32,
        /// How many they are.
        pub count: u32,
        /// Where in the list of members it says where the triangles of each particle are.
        pub data: u32,
        /// Rest volume, m³.
        pub rest_volume: f32,
        /// Index into the table of materials.
        pub material: u32,
    }
}

impl Constraint for SurfaceVolume {
    const NAME: &'static str = "surface_volume";
    const FAMILY: &'static str = Volume::NAME;
    const WGSL: &'static str = include_str!("../../shaders/constraint/surface_volume.wgsl");
    const ARITY: Arity = Arity::Many;
    /// A tetrahedron's.
    const LEAST: usize = 12;
    const LISTED: Listed = Listed::Triangles;
    const REST: &'static [RestValue] = &[RestValue { name: "rest_volume", unit: "m³", signed: true }];
    const REST_CHANGE: Option<RestChange> = Some(RestChange::Factor);
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation];

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        let [first, count, data] = [particles[0], particles[1], particles[2]];
        Self { first, count, data, rest_volume: rest[0], material }
    }

    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        vec![Self::evaluate(&[0.0], 0, x, &mut vec![Vec3::zero(); x.len()])]
    }

    /// Where the triangles of each particle begin in the list of members, and the end, then the slots of the other two
    /// corners of these triangles, as they are wound.
    fn push_data(members: &Members, list: &mut Vec<u32>) {
        let Members { slots, corners, begin, .. } = *members;
        let mut pairs = vec![Vec::new(); slots.len()];
        for triangle in corners.chunks_exact(3) {
            for k in 0..3 {
                let [b, c] = [1, 2].map(|next| slots[triangle[(k + next) % 3] as usize]);
                pairs[triangle[k] as usize].extend([b, c]);
            }
        }
        let mut end = begin + slots.len() as u32 + 1;
        list.push(end);
        for pairs in &pairs {
            end += pairs.len() as u32;
            list.push(end);
        }
        list.extend(pairs.into_iter().flatten());
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let sixth = R::from_f64(1.0 / 6.0);
        let mut value = -rest[0];
        // That of the point o, zero where the surface is closed.
        let mut total = Vec3::zero();
        for (corners, gradient) in x.chunks_exact(3).zip(gradient.chunks_exact_mut(3)) {
            let [a, b, c] = [0, 1, 2].map(|k| corners[k] - x[0]);
            gradient[0] = b.cross(c) * sixth;
            gradient[1] = c.cross(a) * sixth;
            gradient[2] = a.cross(b) * sixth;
            value = value + gradient[2].dot(c);
            total += gradient[0] + gradient[1] + gradient[2];
        }
        gradient[0] = gradient[0] - total;
        value
    }
}
