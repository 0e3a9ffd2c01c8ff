//! The strain of a triangle, each component with a stiffness of its own: C_k = √A (ε_k - rest_k), by Green's strain E =
//! (FᵀF - 1)/2 (Müller, Chentanez, Kim and Macklin, Strain Based Dynamics, 2014), F = [x₁ - x₀, x₂ - x₀] B:
//!
//!   along warp and weft  ε_u = (f_u·f_u - 1)/2,  ∂ε_u/∂xᵢ = B_iu f_u        shear  γ = f_u·f_v = 2 E_uv,  ∂γ/∂xᵢ =
//!   B_iu f_v + B_iv f_u
//!
//! with the columns f of F. The energy C²/2α is that of a woven sheet without lateral contraction, A (k_u ε_u² + k_v
//! ε_v² + G γ²)/2: the compliances are the inverses of its moduli, m/N (Young's modulus times thickness), of shear that
//! of the shear modulus, as γ is the shear of engineers.

use super::rest_shape::{inverse, of_triangle};
use super::strain::rest_strain;
use super::{Arity, Constraint, Real, RestChange, RestValue, Strain, Symmetry, Vec3};

crate::gpu_record! {
    /// One triangle on the GPU.
    pub struct SurfaceStrain {
        /// Slots of the corners.
        pub particles: [u32; 3],
        /// Inverse of the rest shape [x₁ - x₀, x₂ - x₀] along warp and weft, 1/m: first row, first column.
        pub inverse00: f32,
        /// First row, second column.
        pub inverse01: f32,
        /// Second row, first column.
        pub inverse10: f32,
        /// Second row, second column.
        pub inverse11: f32,
        /// Square root of the area at rest, m.
        pub root_area: f32,
        /// Strain along the warp without stress.
        pub rest_strain_warp: f32,
        /// Strain along the weft without stress.
        pub rest_strain_weft: f32,
        /// Shear γ between the two without stress.
        pub rest_strain_shear: f32,
        /// Index into the table of materials of that of the warp; those of weft and shear follow.
        pub material: u32,
    }
}

impl SurfaceStrain {
    /// The rest values of a triangle as placed, m, with its warp along a direction, which is laid onto the triangle.
    pub fn along(x: &[Vec3<f64>; 3], warp: Vec3<f64>) -> Vec<f64> {
        let mut rest = of_triangle(x, warp);
        rest.extend([0.0; 3]);
        rest
    }
}

impl Constraint for SurfaceStrain {
    const NAME: &'static str = "surface_strain";
    const FAMILY: &'static str = Strain::NAME;
    const WGSL: &'static str = include_str!("../../shaders/constraint/surface_strain.wgsl");
    const ARITY: Arity = Arity::Three;
    const COMPONENTS: usize = 3;
    const OWN_MATERIALS: bool = true;
    const REST: &'static [RestValue] = &[
        inverse("inverse00"),
        inverse("inverse01"),
        inverse("inverse10"),
        inverse("inverse11"),
        RestValue { name: "root_area", unit: "m", signed: false },
        rest_strain("rest_strain_warp"),
        rest_strain("rest_strain_weft"),
        rest_strain("rest_strain_shear"),
    ];
    const REST_CHANGE: Option<RestChange> = Some(RestChange::Offset);
    const FIRST_CHANGING: usize = 5;
    const REST_SCALE: Option<usize> = Some(4);
    const SHAPE: Option<usize> = Some(0);
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation, Symmetry::Reflection];

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        Self {
            particles: [particles[0], particles[1], particles[2]],
            inverse00: rest[0],
            inverse01: rest[1],
            inverse10: rest[2],
            inverse11: rest[3],
            root_area: rest[4],
            rest_strain_warp: rest[5],
            rest_strain_weft: rest[6],
            rest_strain_shear: rest[7],
            material,
        }
    }

    /// The shape as placed, with the warp along the first edge, at which nothing is strained.
    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        Self::along(&[x[0], x[1], x[2]], x[1] - x[0])
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let y = [x[1] - x[0], x[2] - x[0]];
        let columns = [[rest[0], rest[2]], [rest[1], rest[3]]];
        let [i, j] = [[0, 0], [1, 1], [0, 1]][component];
        let (p, q) = (columns[i], columns[j]);
        let (f, g) = (y[0] * p[0] + y[1] * p[1], y[0] * q[0] + y[1] * q[1]);
        let (share, at_rest) = if component < 2 { (0.5, 1.0) } else { (1.0, 0.0) };
        let scale = rest[4];
        for k in 0..2 {
            gradient[k + 1] = (g * p[k] + f * q[k]) * (scale * R::from_f64(share));
        }
        gradient[0] = -(gradient[1] + gradient[2]);
        scale * ((f.dot(g) - R::from_f64(at_rest)) * R::from_f64(share) - rest[5 + component])
    }
}
