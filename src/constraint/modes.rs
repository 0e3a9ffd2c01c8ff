//! The nearest image of a rest shape by polynomials of its places: what `linear_matching` and `quadratic_matching` have
//! in common.
//!
//! With m the members' weights, whose sum is M, and φⱼ polynomials of their rest places q for which Σ m φⱼ φₖ = M δⱼₖ,
//! the nearest image of the rest shape is Σⱼ φⱼ aⱼ, aⱼ = Σ m φⱼ x / M. What is off it is r = x - Σⱼ φⱼ aⱼ, and
//!
//! C = √(Σ m |r|² / M), ∂C/∂x = m r / (C M).
//!
//! The image is stationary and adds nothing to the gradient. φ₀ = 1, so that r moves no middle, and the first degree is
//! always among them, so that it turns nothing: Σ m x×r = 0. These are the linear and quadratic deformations of Müller,
//! Heidelberger, Teschner and Gross, Meshless Deformations Based on Shape Matching, 2005, as an energy: together with
//! `shape_matching`, which resists all deformations alike, the stiffness of stretch and shear, of bending and twist, and
//! of all finer dents is each a material's, at any number of substeps.

use super::shape_matching::{OF_MEMBER, place};
use super::{Members, Real, Vec3, Weight, Whole};
use crate::math::real::inverse;

/// 1, x, y, z.
pub(super) const LINEAR: usize = 4;
/// And x², y², z², xy, yz, zx.
pub(super) const QUADRATIC: usize = 10;

pub(super) const WHOLE: Whole = Whole {
    path: "constraint/modes_whole.wgsl",
    wgsl: include_str!("../../shaders/constraint/modes_whole.wgsl"),
    // Position, displacement and slot twice, to find the image, and the gradient for the weight.
    bytes: 2 * (16 + 16 + 4) + 16,
};

/// A polynomial of which less than this share is left beside those before it is one of them: those along the thickness
/// of a sheet, and x² + y² + z² on a ball.
const INDEPENDENT: f64 = 1e-9;

/// The polynomials φ of a rest shape, by the decomposition L D Lᵀ of the matrix Σ m ψ ψᵀ / M of the powers ψ.
struct Modes<R, const N: usize> {
    whole: R,
    centre: Vec3<R>,
    /// 1 over the shape's size, 1/m, so that powers are of one order.
    scale: R,
    lower: [[R; N]; N],
    /// 1/√D, 0 of those that are none of their own.
    roots: [R; N],
}

impl<R: Real, const N: usize> Modes<R, N> {
    fn new(rest: &[R]) -> Self {
        let [zero, one] = [0.0, 1.0].map(R::from_f64);
        let count = rest.len() / OF_MEMBER;
        let weight = |k: usize| rest[OF_MEMBER * k + 3];
        let (mut whole, mut centre, mut size) = (zero, Vec3::zero(), zero);
        for k in 0..count {
            whole = whole + weight(k);
            centre += (place(rest, k) - place(rest, 0)) * weight(k);
        }
        let centre = place(rest, 0) + centre * (one / whole);
        for k in 0..count {
            let q = place(rest, k) - centre;
            size = size + q.dot(q) * (weight(k) / whole);
        }
        let large = size.greater(zero);
        let scale = R::select(large, one / R::select(large, size, one).sqrt(), zero);
        let mut modes = Self { whole, centre, scale, lower: [[zero; N]; N], roots: [zero; N] };
        let mut matrix = [[zero; N]; N];
        for k in 0..count {
            let powers = modes.powers(place(rest, k));
            for i in 0..N {
                for j in 0..=i {
                    matrix[i][j] = matrix[i][j] + powers[i] * powers[j] * (weight(k) / whole);
                }
            }
        }
        modes.decompose(&matrix);
        modes
    }

    fn decompose(&mut self, matrix: &[[R; N]; N]) {
        let [zero, one] = [0.0, 1.0].map(R::from_f64);
        let mut diagonal = [zero; N];
        for j in 0..N {
            let sum = |row: &[R; N], other: &[R; N]| (0..j).fold(zero, |sum, k| sum + row[k] * other[k] * diagonal[k]);
            let left = matrix[j][j] - sum(&self.lower[j], &self.lower[j]);
            let own = left.greater(matrix[j][j] * R::from_f64(INDEPENDENT));
            let inverse = inverse(own, left);
            for (i, row) in matrix.iter().enumerate().skip(j + 1) {
                let off = row[j] - sum(&self.lower[i], &self.lower[j]);
                self.lower[i][j] = off * inverse;
            }
            diagonal[j] = R::select(own, left, zero);
            self.roots[j] = R::select(own, one / R::select(own, left, one).sqrt(), zero);
        }
    }

    /// The powers ψ of a rest place.
    fn powers(&self, place: Vec3<R>) -> [R; N] {
        let q = (place - self.centre) * self.scale;
        let [a, b, c] = [q.x, q.y, q.z];
        let all = [R::from_f64(1.0), a, b, c, a * a, b * b, c * c, a * b, b * c, c * a];
        std::array::from_fn(|j| all[j])
    }

    /// The polynomials φ of a rest place.
    fn at(&self, place: Vec3<R>) -> [R; N] {
        let mut values = self.powers(place);
        for j in 0..N {
            let before = (0..j).fold(R::from_f64(0.0), |sum, k| sum + self.lower[j][k] * values[k]);
            values[j] = values[j] - before;
        }
        std::array::from_fn(|j| values[j] * self.roots[j])
    }

    /// What is left of vectors of the members beside their nearest image; `left` holds the vectors and then that.
    fn project(&self, rest: &[R], left: &mut [Vec3<R>]) {
        let mut image = [Vec3::zero(); N];
        for (k, vector) in left.iter().enumerate() {
            let (modes, share) = (self.at(place(rest, k)), rest[OF_MEMBER * k + 3] / self.whole);
            image.iter_mut().zip(modes).for_each(|(sum, mode)| *sum += *vector * (mode * share));
        }
        for (k, vector) in left.iter_mut().enumerate() {
            let modes = self.at(place(rest, k));
            *vector = image.iter().zip(modes).fold(*vector, |left, (image, mode)| left - *image * mode);
        }
    }
}

/// C, and its gradient.
pub(super) fn evaluate<R: Real, const N: usize>(rest: &[R], x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
    let [zero, one] = [0.0, 1.0].map(R::from_f64);
    let modes = Modes::<R, N>::new(rest);
    // Relative to the first, so that large coordinates do not drown what is between them.
    gradient.iter_mut().zip(x).for_each(|(offset, place)| *offset = *place - x[0]);
    // What rounding leaves of the image is of the order of the places, and moved and turned what C is damped by.
    modes.project(rest, gradient);
    modes.project(rest, gradient);
    let share = |k: usize| rest[OF_MEMBER * k + 3] / modes.whole;
    let mut squared = zero;
    for (k, offset) in gradient.iter().enumerate() {
        squared = squared + offset.dot(*offset) * share(k);
    }
    let there = squared.greater(zero);
    let value = R::select(there, R::select(there, squared, one).sqrt(), zero);
    let inverse = inverse(there, value);
    for (k, offset) in gradient.iter_mut().enumerate() {
        *offset = *offset * (share(k) * inverse);
    }
    value
}

/// What the multiplier divides by, so that a step along w∇C goes to the least C, as for
/// [`ShapeMatching`](super::ShapeMatching): Σ m |P u|² / (W M), P u what the way u = w∇C changes of the offsets. Where the
/// weights are masses that is W itself.
pub(super) fn weight<const N: usize>(
    rest: &[f64],
    gradient: &[Vec3<f64>],
    inverse_mass: &dyn Fn(usize) -> f64,
) -> Weight {
    let mut ways: Vec<Vec3<f64>> = gradient.iter().enumerate().map(|(k, &slope)| slope * inverse_mass(k)).collect();
    let all: f64 = gradient.iter().zip(&ways).map(|(slope, way)| slope.dot(*way)).sum();
    if all == 0.0 {
        return Weight { all, least: 0.0 };
    }
    let modes = Modes::<f64, N>::new(rest);
    modes.project(rest, &mut ways);
    let left = |(k, way): (usize, &Vec3<f64>)| way.dot(*way) * rest[OF_MEMBER * k + 3] / modes.whole;
    let fitted = ways.iter().enumerate().map(left).sum::<f64>() / all;
    // By Cauchy and Schwarz no less than W, but for roundings.
    Weight { all: fitted.max(all), least: 0.0 }
}

/// Bits for the kernel: of each member its share of the weight and φ from the first degree on.
pub(super) fn push_data<const N: usize>(members: &Members, list: &mut Vec<u32>) {
    let modes = Modes::<f64, N>::new(members.rest);
    for k in 0..members.rest.len() / OF_MEMBER {
        let mut values = modes.at(place(members.rest, k));
        values[0] = members.rest[OF_MEMBER * k + 3] / modes.whole;
        list.extend(values.map(|value| (value as f32).to_bits()));
    }
}

/// A kind of this name whose images have so many polynomials.
macro_rules! matching {
    ($kind:ident, $name:literal, $modes:expr) => {
        crate::gpu_record! {
            /// One shape on the GPU.
            pub struct $kind {
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

        impl Constraint for $kind {
            const NAME: &'static str = $name;
            const WGSL: &'static str = include_str!(concat!("../../shaders/constraint/", $name, ".wgsl"));
            const ARITY: Arity = Arity::Many;
            /// Fewer have no deformation that is none of these.
            const LEAST: usize = $modes + 1;
            const LISTED: Listed = Listed::InAnyOrder;
            const REST: &'static [RestValue] = &[];
            const MEMBER_REST: &'static [RestValue] = ShapeMatching::MEMBER_REST;
            const WHOLE: Whole = $crate::constraint::modes::WHOLE;
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
                $crate::constraint::modes::push_data::<$modes>(members, list);
            }

            fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
                $crate::constraint::modes::evaluate::<R, $modes>(rest, x, gradient)
            }

            fn weight(
                rest: &[f64],
                _x: &[Vec3<f64>],
                _value: f64,
                gradient: &[Vec3<f64>],
                inverse_mass: &dyn Fn(usize) -> f64,
            ) -> Weight {
                $crate::constraint::modes::weight::<$modes>(rest, gradient, inverse_mass)
            }
        }
    };
}
pub(super) use matching;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Dual;

    fn wave(k: usize, by: f64) -> f64 {
        (by * (k as f64 + 1.0)).sin()
    }

    fn rest() -> Vec<f64> {
        let weight = |k: usize| 10_f64.powi(k as i32 % 3);
        (0..15).flat_map(|k| [wave(k, 1.1), wave(k, 3.1), wave(k, 4.7), weight(k)]).collect()
    }

    /// With weights of any size the gradient is the derivative, and moves and turns nothing of what weighs so; a step by
    /// the weight goes where the tangent does.
    #[test]
    fn weights_may_differ() {
        gradient_is_the_derivative::<LINEAR>();
        gradient_is_the_derivative::<QUADRATIC>();
    }

    fn gradient_is_the_derivative<const N: usize>() {
        let rest = rest();
        let x: Vec<Vec3<f64>> = (0..15).map(|k| Vec3::new(wave(k, 1.3), wave(k, 2.9), wave(k, 5.3))).collect();
        let mut gradient = vec![Vec3::zero(); 15];
        evaluate::<f64, N>(&rest, &x, &mut gradient);
        let constant = |value: f64| Dual::new(value, 0.0);
        let dual: Vec<Dual> = rest.iter().map(|&value| constant(value)).collect();
        for (k, axis) in (0..15).flat_map(|k| (0..3).map(move |axis| (k, axis))) {
            let mut moved: Vec<Vec3<Dual>> =
                x.iter().map(|x| Vec3::new(constant(x.x), constant(x.y), constant(x.z))).collect();
            let Vec3 { x: a, y: b, z: c } = &mut moved[k];
            [a, b, c][axis].derivative = 1.0;
            let change = evaluate::<Dual, N>(&dual, &moved, &mut vec![Vec3::zero(); 15]).derivative;
            let found = [gradient[k].x, gradient[k].y, gradient[k].z][axis];
            assert!((change - found).abs() < 1e-12, "{k}, {axis}: {change} is not {found}");
        }
        let force = gradient.iter().fold(Vec3::zero(), |sum, &g| sum + g);
        let torque = x.iter().zip(&gradient).fold(Vec3::zero(), |sum, (&x, &g)| sum + x.cross(g));
        assert!(force.length() < 1e-13 && torque.length() < 1e-13, "{force:?} {torque:?}");
        let whole: f64 = rest.iter().skip(3).step_by(OF_MEMBER).sum();
        let weight = weight::<N>(&rest, &gradient, &|k| 1.0 / rest[OF_MEMBER * k + 3]);
        assert!((weight.all * whole - 1.0).abs() < 1e-9, "{weight:?}");
    }

    /// Images by polynomials up to their degree are no deformation, others are; so are those of a flat shape, and of
    /// points on a ball, whose powers depend on each other.
    #[test]
    fn images_are_no_deformation() {
        let on_a_ball = |k: usize| {
            let place = Vec3::new(wave(k, 1.1), wave(k, 3.1), wave(k, 4.7));
            place * (1.0 / place.length())
        };
        let shapes: [&dyn Fn(usize) -> Vec3<f64>; 3] = [
            &|k| Vec3::new(wave(k, 1.1), wave(k, 3.1), wave(k, 4.7)),
            &|k| Vec3::new(wave(k, 1.1), wave(k, 3.1), 0.25),
            &on_a_ball,
        ];
        for shape in shapes {
            let rest: Vec<f64> = (0..24).map(shape).flat_map(|q| [q.x, q.y, q.z, 1.0]).collect();
            let value = |image: &dyn Fn(Vec3<f64>) -> Vec3<f64>| {
                let x: Vec<Vec3<f64>> = (0..24).map(|k| image(shape(k))).collect();
                let mut gradient = vec![Vec3::zero(); 24];
                [
                    evaluate::<f64, LINEAR>(&rest, &x, &mut gradient),
                    evaluate::<f64, QUADRATIC>(&rest, &x, &mut gradient),
                ]
            };
            let linear = value(&|q| Vec3::new(3.0 + 2.0 * q.x - q.y, q.z - 4.0 * q.x, q.y + q.z));
            assert!(linear.iter().all(|value| *value < 1e-12), "{linear:?}");
            let [linear, quadratic] = value(&|q| Vec3::new(q.x + 0.5 * q.x * q.y, q.y - q.x * q.x, q.z + q.y * q.y));
            assert!(linear > 0.1 && quadratic < 1e-12, "{linear} {quadratic}");
            let cubic = value(&|q| Vec3::new(q.x, q.y + q.x * q.x * q.x, q.z));
            assert!(cubic[1] > 1e-3, "{cubic:?}");
        }
    }
}
