//! Bending of a hinge whose edges keep their lengths: C = ½ Σ Qᵢⱼ xᵢ·xⱼ, Q = 3/(A₁ + A₂) K Kᵀ of the flat rest shape,
//! which is ½ |m|² with m = Σ kᵢ xᵢ, kᵢ = √(3/(A₁ + A₂)) Kᵢ; as Σ kᵢ = 0, k₀ need not be known. C is zero where the
//! hinge is flat and has no gradient there. Bergou et al., A Quadratic Bending Model for Inextensible Surfaces, 2006;
//! Bender et al., Position-Based Simulation of Continuous Materials, 2014.

use super::{Arity, Constraint, Placed, Real, RestValue, Symmetry, Vec3};

crate::gpu_record! {
    /// One hinge on the GPU.
    pub struct IsometricBend {
        /// Slots of the edge's ends a and b and of the opposite corners c and d.
        pub particles: [u32; 4],
        /// k of b, 1/m.
        pub k1: f32,
        /// k of c, 1/m.
        pub k2: f32,
        /// k of d, 1/m.
        pub k3: f32,
        /// Index into the table of materials.
        pub material: u32,
    }
}

const fn weight(name: &'static str) -> RestValue {
    RestValue { name, unit: "1/m", signed: true }
}

/// Cotangent of the angle at `corner` of a triangle, by the other two.
fn cotangent(corner: Vec3<f64>, a: Vec3<f64>, b: Vec3<f64>) -> f64 {
    let (a, b) = (a - corner, b - corner);
    a.dot(b) / a.cross(b).length().max(f64::MIN_POSITIVE)
}

impl Constraint for IsometricBend {
    const NAME: &'static str = "isometric_bend";
    const WGSL: &'static str = include_str!("../../shaders/constraint/isometric_bend.wgsl");
    const ARITY: Arity = Arity::Four;
    const REST: &'static [RestValue] = &[weight("k1"), weight("k2"), weight("k3")];
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation, Symmetry::Reflection];
    const PLACED: Placed = Placed::Hinge;
    // Not zero on a hinge that is measured folded: it wants to be flat.
    const PBD: bool = false;

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        let particles = [particles[0], particles[1], particles[2], particles[3]];
        Self { particles, k1: rest[0], k2: rest[1], k3: rest[2], material }
    }

    /// By the triangles' own shapes: the cotangents are those of the hinge unfolded.
    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        let [a, b, c, d] = [x[0], x[1], x[2], x[3]];
        let (at_a1, at_a2) = (cotangent(a, b, c), cotangent(a, b, d));
        let (at_b1, at_b2) = (cotangent(b, a, c), cotangent(b, a, d));
        let areas = 0.5 * ((b - a).cross(c - a).length() + (b - a).cross(d - a).length());
        let scale = (3.0 / areas.max(f64::MIN_POSITIVE)).sqrt();
        [at_a1 + at_a2, -at_a1 - at_b1, -at_a2 - at_b2].map(|k| k * scale).to_vec()
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let m = (x[1] - x[0]) * rest[0] + (x[2] - x[0]) * rest[1] + (x[3] - x[0]) * rest[2];
        gradient[0] = m * -(rest[0] + rest[1] + rest[2]);
        for (gradient, &k) in gradient[1..].iter_mut().zip(rest) {
            *gradient = m * k;
        }
        m.dot(m) * R::from_f64(0.5)
    }
}
