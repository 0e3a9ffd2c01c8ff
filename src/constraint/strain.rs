//! The strain of a tetrahedron, each component with a stiffness of its own: C_k = √V (ε_k - rest_k), by Green's strain
//! E = (FᵀF - 1)/2 (Müller, Chentanez, Kim and Macklin, Strain Based Dynamics, 2014), F = [x₁ - x₀, x₂ - x₀, x₃ - x₀]
//! B:
//!
//!   ε_xx = (f_x·f_x - 1)/2,  ∂ε_xx/∂xᵢ = B_ix f_x        γ_yz = f_y·f_z = 2 E_yz,  ∂γ_yz/∂xᵢ = B_iy f_z + B_iz f_y
//!
//! with the columns f of F. The energy C²/2α is that of an orthotropic material without lateral contraction, V (E_x
//! ε_xx²/2 + ... + G_yz γ_yz²/2 + ...): the compliances are the inverses of its moduli, 1/Pa, of shear those of the
//! shear moduli, as γ is the shear of engineers. It does not see whether an element is inside out.

use super::rest_shape::{inverse, of_tetrahedron, rows};
use super::{Arity, Constraint, Real, RestChange, RestValue, Symmetry, Vec3};

crate::gpu_record! {
    /// One tetrahedron on the GPU.
    pub struct Strain {
        /// Slots of the corners.
        pub particles: [u32; 4],
        /// Inverse of the rest shape [x₁ - x₀, x₂ - x₀, x₃ - x₀], 1/m: first row, first column.
        pub inverse00: f32,
        /// First row, second column.
        pub inverse01: f32,
        /// First row, third column.
        pub inverse02: f32,
        /// Second row, first column.
        pub inverse10: f32,
        /// Second row, second column.
        pub inverse11: f32,
        /// Second row, third column.
        pub inverse12: f32,
        /// Third row, first column.
        pub inverse20: f32,
        /// Third row, second column.
        pub inverse21: f32,
        /// Third row, third column.
        pub inverse22: f32,
        /// Square root of the volume at rest, m^1.5.
        pub root_volume: f32,
        /// ε_xx without stress.
        pub rest_strain_xx: f32,
        /// ε_yy without stress.
        pub rest_strain_yy: f32,
        /// ε_zz without stress.
        pub rest_strain_zz: f32,
        /// γ_yz = 2 E_yz without stress.
        pub rest_strain_yz: f32,
        /// γ_zx without stress.
        pub rest_strain_zx: f32,
        /// γ_xy without stress.
        pub rest_strain_xy: f32,
        /// Index into the table of materials of that of ε_xx; the others follow.
        pub material: u32,
        /// To the alignment of four slots.
        pub _padding: [u32; 3],
    }
}

pub(super) const fn rest_strain(name: &'static str) -> RestValue {
    RestValue { name, unit: "1", signed: true }
}

impl Strain {
    /// Compliances of the six components, 1/Pa, of an isotropic material without lateral contraction (ν = 0), by its
    /// Young's modulus, Pa: 1/E for stretch and 1/G = 2/E for shear.
    pub fn compliances(young_modulus: f64) -> [f64; 6] {
        let (stretch, shear) = (1.0 / young_modulus, 2.0 / young_modulus);
        [stretch, stretch, stretch, shear, shear, shear]
    }
}

impl Constraint for Strain {
    const NAME: &'static str = "strain";
    const WGSL: &'static str = include_str!("../../shaders/constraint/strain.wgsl");
    const ARITY: Arity = Arity::Four;
    const COMPONENTS: usize = 6;
    const OWN_MATERIALS: bool = true;
    const REST: &'static [RestValue] = &[
        inverse("inverse00"),
        inverse("inverse01"),
        inverse("inverse02"),
        inverse("inverse10"),
        inverse("inverse11"),
        inverse("inverse12"),
        inverse("inverse20"),
        inverse("inverse21"),
        inverse("inverse22"),
        RestValue { name: "root_volume", unit: "m^1.5", signed: false },
        rest_strain("rest_strain_xx"),
        rest_strain("rest_strain_yy"),
        rest_strain("rest_strain_zz"),
        rest_strain("rest_strain_yz"),
        rest_strain("rest_strain_zx"),
        rest_strain("rest_strain_xy"),
    ];
    const REST_CHANGE: Option<RestChange> = Some(RestChange::Offset);
    const FIRST_CHANGING: usize = 10;
    const REST_SCALE: Option<usize> = Some(9);
    const SHAPE: Option<usize> = Some(0);
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation, Symmetry::Reflection];

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        Self {
            particles: [particles[0], particles[1], particles[2], particles[3]],
            inverse00: rest[0],
            inverse01: rest[1],
            inverse02: rest[2],
            inverse10: rest[3],
            inverse11: rest[4],
            inverse12: rest[5],
            inverse20: rest[6],
            inverse21: rest[7],
            inverse22: rest[8],
            root_volume: rest[9],
            rest_strain_xx: rest[10],
            rest_strain_yy: rest[11],
            rest_strain_zz: rest[12],
            rest_strain_yz: rest[13],
            rest_strain_zx: rest[14],
            rest_strain_xy: rest[15],
            material,
            _padding: [0; 3],
        }
    }

    /// The shape as placed, with the axes of the world, at which nothing is strained.
    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        let mut rest = of_tetrahedron(x);
        rest.extend([0.0; 6]);
        rest
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let y = [x[1] - x[0], x[2] - x[0], x[3] - x[0]];
        // Along one axis, or between the two others.
        let (i, j) = if component < 3 { (component, component) } else { ((component + 1) % 3, (component + 2) % 3) };
        let rows = rows(rest);
        let [i, j] = [Vec3::axis(i), Vec3::axis(j)];
        let p = [rows[0].dot(i), rows[1].dot(i), rows[2].dot(i)];
        let q = [rows[0].dot(j), rows[1].dot(j), rows[2].dot(j)];
        let f = y[0] * p[0] + y[1] * p[1] + y[2] * p[2];
        let g = y[0] * q[0] + y[1] * q[1] + y[2] * q[2];
        let (share, at_rest) = if component < 3 { (0.5, 1.0) } else { (1.0, 0.0) };
        let scale = rest[9];
        for k in 0..3 {
            gradient[k + 1] = (g * p[k] + f * q[k]) * (scale * R::from_f64(share));
        }
        gradient[0] = -(gradient[1] + gradient[2] + gradient[3]);
        scale * ((f.dot(g) - R::from_f64(at_rest)) * R::from_f64(share) - rest[10 + component])
    }
}
