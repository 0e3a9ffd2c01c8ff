//! Constraint kinds of the tests, made as an embedder would make them: through the public trait, outside the crate, each with
//! its WGSL file beside it.

#![allow(dead_code, reason = "each test file uses its own part")]

use pliant::constraint::{Arity, Constraint, Kind, Listed, Real, RestChange, RestValue, Symmetry, Vec3, kind};
use pliant::gpu_record;

/// Every kind below.
pub static ALL: &[&dyn Kind] = &[kind::<Anchor>(), kind::<Bracket>(), kind::<LoopLength>(), kind::<Film>()];

/// Particles as a kind lists them: of a surface the corners of a double cone's triangles, its points first, at least five.
pub fn listed(kind: &dyn Kind, particles: &[u32]) -> Vec<u32> {
    if kind.listed() != Listed::Triangles {
        return particles.to_vec();
    }
    let ([above, below], ring) = ([particles[0], particles[1]], &particles[2..]);
    let next = |k: usize| ring[(k + 1) % ring.len()];
    (0..ring.len()).flat_map(|k| [above, ring[k], next(k), below, next(k), ring[k]]).collect()
}

gpu_record! {
    /// One particle at a distance from a fixed point p: C = |x₀ - p| - L, ∂C/∂x₀ = n = (x₀ - p)/|x₀ - p|.
    pub struct Anchor {
        pub particles: u32,
        /// The fixed point, m.
        pub x: f32,
        pub y: f32,
        pub z: f32,
        /// m
        pub length: f32,
        pub material: u32,
    }
}

impl Constraint for Anchor {
    const NAME: &'static str = "anchor";
    const WGSL: &'static str = include_str!("kinds/anchor.wgsl");
    const ARITY: Arity = Arity::One;
    const REST: &'static [RestValue] = &[
        RestValue { name: "x", unit: "m", signed: true },
        RestValue { name: "y", unit: "m", signed: true },
        RestValue { name: "z", unit: "m", signed: true },
        RestValue { name: "length", unit: "m", signed: false },
    ];
    const SYMMETRIES: &'static [Symmetry] = &[];

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        Self { particles: particles[0], x: rest[0], y: rest[1], z: rest[2], length: rest[3], material }
    }

    /// Held where it is.
    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        vec![x[0].x, x[0].y, x[0].z, 0.0]
    }

    fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let (n, length) = (x[0] - Vec3::new(rest[0], rest[1], rest[2])).direction_and_length();
        gradient[0] = n;
        length - rest[3]
    }
}

gpu_record! {
    /// Two arms a = x₀ - x₁ and b = x₂ - x₁ from a common particle. C₀ = |a| - L, C₁ = a·b - P.
    pub struct Bracket {
        pub particles: [u32; 3],
        /// Of the first arm, m.
        pub rest_length: f32,
        /// Scalar product of the arms, m².
        pub rest_product: f32,
        pub material: u32,
        pub _padding: [u32; 2],
    }
}

impl Constraint for Bracket {
    const NAME: &'static str = "bracket";
    const WGSL: &'static str = include_str!("kinds/bracket.wgsl");
    const ARITY: Arity = Arity::Three;
    const COMPONENTS: usize = 2;
    const REST: &'static [RestValue] = &[
        RestValue { name: "rest_length", unit: "m", signed: false },
        RestValue { name: "rest_product", unit: "m²", signed: true },
    ];
    const REST_CHANGE: Option<RestChange> = Some(RestChange::Offset);
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation, Symmetry::Reflection];

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        let particles = [particles[0], particles[1], particles[2]];
        Self { particles, rest_length: rest[0], rest_product: rest[1], material, _padding: [0; 2] }
    }

    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        let (a, b) = (x[0] - x[1], x[2] - x[1]);
        vec![a.length(), a.dot(b)]
    }

    fn evaluate<R: Real>(rest: &[R], component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let (a, b) = (x[0] - x[1], x[2] - x[1]);
        let (n, length) = a.direction_and_length();
        // The component is the same for all lanes of a number, so this is a branch.
        let (value, at_a, at_b) =
            if component == 0 { (length - rest[0], n, Vec3::zero()) } else { (a.dot(b) - rest[1], b, a) };
        gradient[0] = at_a;
        gradient[2] = at_b;
        gradient[1] = -(at_a + at_b);
        value
    }
}

gpu_record! {
    /// Length of a closed loop of any number of particles: C = Σ |xⱼ₊₁ - xⱼ| - L; the gradient at each particle is the sum
    /// of the directions to it from its two neighbours.
    pub struct LoopLength {
        pub first: u32,
        pub count: u32,
        /// m
        pub rest_length: f32,
        pub material: u32,
    }
}

impl Constraint for LoopLength {
    const NAME: &'static str = "loop_length";
    const WGSL: &'static str = include_str!("kinds/loop_length.wgsl");
    const ARITY: Arity = Arity::Many;
    const REST: &'static [RestValue] = &[RestValue { name: "rest_length", unit: "m", signed: false }];
    const REST_CHANGE: Option<RestChange> = Some(RestChange::Factor);
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation, Symmetry::Reflection];

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        Self { first: particles[0], count: particles[1], rest_length: rest[0], material }
    }

    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        vec![(0..x.len()).map(|k| (x[(k + 1) % x.len()] - x[k]).length()).sum()]
    }

    fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let mut value = -rest[0];
        gradient.fill(Vec3::zero());
        for k in 0..x.len() {
            let next = (k + 1) % x.len();
            let (n, length) = (x[next] - x[k]).direction_and_length();
            value = value + length;
            gradient[next] += n;
            gradient[k] += -n;
        }
        value
    }
}

gpu_record! {
    /// A triangle of a film: C = √A (tr FᵀF - 2), F = [x₁ - x₀, x₂ - x₀] B, B the inverse of the rest shape, A its area. With
    /// the columns f of F, ∂C/∂xᵢ = 2 √A Σ f Bᵢ over them.
    pub struct Film {
        pub particles: [u32; 3],
        /// First row of B, 1/m.
        pub inverse00: f32,
        pub inverse01: f32,
        /// Second row.
        pub inverse10: f32,
        pub inverse11: f32,
        /// √A, m.
        pub root_area: f32,
        pub material: u32,
        pub _padding: [u32; 3],
    }
}

const fn inverse(name: &'static str) -> RestValue {
    RestValue { name, unit: "1/m", signed: true }
}

impl Constraint for Film {
    const NAME: &'static str = "film";
    const WGSL: &'static str = include_str!("kinds/film.wgsl");
    const ARITY: Arity = Arity::Three;
    const REST: &'static [RestValue] = &[
        inverse("inverse00"),
        inverse("inverse01"),
        inverse("inverse10"),
        inverse("inverse11"),
        RestValue { name: "root_area", unit: "m", signed: false },
    ];
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation, Symmetry::Reflection];
    const SHAPE: Option<usize> = Some(0);

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        Self {
            particles: [particles[0], particles[1], particles[2]],
            inverse00: rest[0],
            inverse01: rest[1],
            inverse10: rest[2],
            inverse11: rest[3],
            root_area: rest[4],
            material,
            _padding: [0; 3],
        }
    }

    /// With the first edge along the first axis.
    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        let (a, b) = (x[1] - x[0], x[2] - x[0]);
        let (along, length) = a.direction_and_length();
        let twice_area = a.cross(b).length();
        if twice_area == 0.0 {
            return vec![0.0; 5];
        }
        vec![1.0 / length, -along.dot(b) / twice_area, 0.0, length / twice_area, (twice_area / 2.0).sqrt()]
    }

    fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let (a, b) = (x[1] - x[0], x[2] - x[0]);
        let f = [a * rest[0] + b * rest[2], a * rest[1] + b * rest[3]];
        let two = R::from_f64(2.0);
        gradient[1] = (f[0] * rest[0] + f[1] * rest[1]) * (two * rest[4]);
        gradient[2] = (f[0] * rest[2] + f[1] * rest[3]) * (two * rest[4]);
        gradient[0] = -(gradient[1] + gradient[2]);
        rest[4] * (f[0].dot(f[0]) + f[1].dot(f[1]) - two)
    }
}
