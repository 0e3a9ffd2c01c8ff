//! The rest shape of any number of particles, moved as a rigid body to lie nearest to them. With q their rest places, m
//! their weights, c and q̄ the means of x and q by weight, and R the rotation with the largest tr Rᵀ Σ m (x - c)(q -
//! q̄)ᵀ (`polar.rs`), r = x - c - R (q - q̄), C = √(Σ m |r|² / Σ m), ∂C/∂x = m r / (C Σ m).
//!
//! C is the root mean square of how far the particles are off; c and R are stationary and add nothing to the gradient.
//! Weights that are masses make Σ w|∇C|² one over the mass of all: rigid, one step brings free particles onto the
//! shape, which is shape matching as it is known (Müller, Heidelberger, Teschner and Gross, Meshless Deformations Based
//! on Shape Matching, 2005), and with the compliance α each of them is on a spring of its own to its place in the
//! shape, the energy C²/2α: every mode of deformation swings with ω² = 1/(α Σ m). Regions that overlap are as many
//! constraints (Rivers and James, FastLSM, 2007).
//!
//! Where particles are fixed C may have no zero, and a step to where the tangent has one would go ever farther the
//! nearer it is to the least C. So the step goes to the least C along its way u = w∇C, which that way takes with the
//! fit let go, P u of it: in place of W = Σ w|∇C|² the multiplier takes W' = Σ m |P u|² / (W Σ m). The two are the same
//! where C can be zero. ([`effective_weight`]; by W a box held by both ends, one of them moved by 10 cm, flew about at
//! 84 m/s.)

use super::{Arity, Constraint, Listed, Members, Real, RestValue, Symmetry, Vec3, Weight, Whole};
use crate::math::each;
use crate::math::polar::polar;
use crate::math::real::inverse;

/// Numbers of a rest shape for each particle: its place, m, and its weight.
pub(super) const OF_MEMBER: usize = 4;

crate::gpu_record! {
    /// One shape on the GPU.
    pub struct ShapeMatching {
        /// Where its particles begin in the list of members.
        pub first: u32,
        /// How many they are.
        pub count: u32,
        /// Where in the list of members their rest shape begins: bits of the inverse of its inertia, then of x, y, z
        /// and weight of each; by weight their mean is zero, and the weights' sum is 1.
        pub data: u32,
        /// Index into the table of materials.
        pub material: u32,
    }
}

impl Constraint for ShapeMatching {
    const NAME: &'static str = "shape_matching";
    const WGSL: &'static str = include_str!("../../shaders/constraint/shape_matching.wgsl");
    const ARITY: Arity = Arity::Many;
    const LEAST: usize = 2;
    const LISTED: Listed = Listed::InAnyOrder;
    const REST: &'static [RestValue] = &[];
    const MEMBER_REST: &'static [RestValue] = &[
        RestValue { name: "x", unit: "m", signed: true },
        RestValue { name: "y", unit: "m", signed: true },
        RestValue { name: "z", unit: "m", signed: true },
        RestValue { name: "weight", unit: "1", signed: false },
    ];
    const WHOLE: Whole = Whole {
        path: "constraint/shape_matching_whole.wgsl",
        wgsl: include_str!("../../shaders/constraint/shape_matching_whole.wgsl"),
        // Position, displacement and slot twice, to lay the shape onto the particles, and the gradient for the weight.
        bytes: 2 * (16 + 16 + 4) + 16,
    };
    const RESHAPES: bool = true;
    const NEVER_NEGATIVE: bool = true;
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::Translation, Symmetry::Rotation];

    fn record(particles: &[u32], _rest: &[f32], material: u32) -> Self {
        Self { first: particles[0], count: particles[1], data: particles[2], material }
    }

    /// As placed, all alike.
    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        x.iter().flat_map(|x| [x.x, x.y, x.z, 1.0]).collect()
    }

    /// Masses are the weights; what is fixed weighs as much as the others on the mean.
    fn weigh(rest: &mut [f64], inverse_mass: &dyn Fn(usize) -> f64) {
        let members: &mut [[f64; OF_MEMBER]] = rest.as_chunks_mut().0;
        let count = members.len();
        let moving = || (0..count).map(inverse_mass).filter(|&w| w > 0.0).map(|w| 1.0 / w);
        let mean = moving().sum::<f64>() / (moving().count() as f64).max(1.0);
        for (k, [.., weight]) in members.iter_mut().enumerate() {
            let w = inverse_mass(k);
            *weight = if w > 0.0 {
                1.0 / w
            } else if mean > 0.0 {
                mean
            } else {
                1.0
            };
        }
    }

    /// The bits of a shape: the inverse of its inertia, column by column, then for each particle its rest place, from
    /// the mean by weight, and its share of the weight.
    fn push_data(members: &Members, list: &mut Vec<u32>) {
        let shape: &[[f64; OF_MEMBER]] = members.rest.as_chunks().0;
        let whole: f64 = shape.iter().map(|[.., weight]| weight).sum();
        let mean = |axis: usize| shape.iter().map(|member| member[axis] * member[3]).sum::<f64>() / whole;
        let centre = Vec3::new(mean(0), mean(1), mean(2));
        let members = || shape.iter().map(|&[x, y, z, weight]| (Vec3::new(x, y, z) - centre, weight / whole));
        let bits = |values: &[f64], list: &mut Vec<u32>| list.extend(values.iter().map(|&v| (v as f32).to_bits()));
        bits(inverse_inertia(members()).as_flattened(), list);
        members().for_each(|(q, weight)| bits(&[q.x, q.y, q.z, weight], list));
    }

    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let [zero, one] = each([0.0, 1.0], R::from_f64);
        let mut whole = zero;
        let (mut centre, mut rest_centre) = (Vec3::zero(), Vec3::zero());
        // Relative to the first, so that large coordinates do not drown what is between them.
        for k in 0..x.len() {
            let weight = rest[OF_MEMBER * k + 3];
            whole = whole + weight;
            centre += (x[k] - x[0]) * weight;
            rest_centre += (place(rest, k) - place(rest, 0)) * weight;
        }
        let (centre, rest_centre) = (x[0] + centre * (one / whole), place(rest, 0) + rest_centre * (one / whole));
        let mut turned = [Vec3::zero(); 3];
        for k in 0..x.len() {
            let (off, q) = ((x[k] - centre) * rest[OF_MEMBER * k + 3], place(rest, k) - rest_centre);
            turned[0] += off * q.x;
            turned[1] += off * q.y;
            turned[2] += off * q.z;
        }
        let rotation = polar(turned);
        let mut squared = zero;
        for k in 0..x.len() {
            let (share, q) = (rest[OF_MEMBER * k + 3] / whole, place(rest, k) - rest_centre);
            let off = x[k] - centre - (rotation[0] * q.x + rotation[1] * q.y + rotation[2] * q.z);
            gradient[k] = off * share;
            squared = squared + off.dot(off) * share;
        }
        // Where nobody is off there is no direction: a root of nothing has no derivative, either.
        let there = squared.greater(zero);
        let value = R::select(there, R::select(there, squared, one).sqrt(), zero);
        let inverse = inverse(there, value);
        for gradient in gradient.iter_mut() {
            *gradient = *gradient * inverse;
        }
        value
    }
    fn weight(
        rest: &[f64],
        x: &[Vec3<f64>],
        value: f64,
        gradient: &[Vec3<f64>],
        inverse_mass: &dyn Fn(usize) -> f64,
    ) -> Weight {
        // It does not vanish with the gradient.
        Weight { all: effective_weight(rest.as_chunks().0, x, value, gradient, inverse_mass), least: 0.0 }
    }
}

/// The rest place of a particle.
#[inline(always)]
pub(super) fn place<R: Real>(rest: &[R], k: usize) -> Vec3<R> {
    Vec3::new(rest[OF_MEMBER * k], rest[OF_MEMBER * k + 1], rest[OF_MEMBER * k + 2])
}

/// W' of a constraint whose C and gradient with the particles at `x` these are: what the way u = w∇C changes of the
/// offsets, over W. Damping goes by it, too: where pins make it larger than W a damped step is shorter than it might
/// be.
fn effective_weight(
    shape: &[[f64; OF_MEMBER]],
    x: &[Vec3<f64>],
    value: f64,
    gradient: &[Vec3<f64>],
    inverse_mass: impl Fn(usize) -> f64,
) -> f64 {
    let whole: f64 = shape.iter().map(|[.., weight]| weight).sum();
    let share = |k: usize| shape[k][3] / whole;
    let mean = |of: &dyn Fn(usize) -> Vec3<f64>| (0..x.len()).fold(Vec3::zero(), |sum, k| sum + of(k) * share(k));
    let way = |k: usize| gradient[k] * inverse_mass(k);
    let weight: f64 = (0..x.len()).map(|k| gradient[k].dot(way(k))).sum();
    if weight == 0.0 {
        return 0.0;
    }
    // The places in the shape as it lies, from its middle: the particles' less what they are off.
    let centre = x[0] + mean(&|k| x[k] - x[0]);
    let lever = |k: usize| x[k] - centre - gradient[k] * (value / share(k));
    let shift = mean(&way);
    let inverse = inverse_inertia((0..x.len()).map(|k| (lever(k), share(k)))).map(Vec3::from);
    let torque = mean(&|k| lever(k).cross(way(k)));
    let turn = Vec3::new(inverse[0].dot(torque), inverse[1].dot(torque), inverse[2].dot(torque));
    let left = |k: usize| way(k) - shift - turn.cross(lever(k));
    let fitted = (0..x.len()).map(|k| left(k).dot(left(k)) * share(k)).sum::<f64>() / weight;
    // By Cauchy and Schwarz W' is never less than W. Where nothing is off the gradient is the direction of a rounding,
    // which may be that of a rigid motion: P leaves nothing of it, and a step over nothing has no end.
    fitted.max(weight)
}

/// Of its inertia a shape is given so much more of the whole: what lies in a line then has an inverse, too, and what is
/// turned by it has no lever.
const LEAST_INERTIA: f64 = 1e-6;

/// The inverse of Σ m (|q|² - q qᵀ), by columns, of places q from their mean with their weights m; nothing of particles
/// in one place, and of those so near that single precision has no number for it.
pub(crate) fn inverse_inertia(members: impl Iterator<Item = (Vec3<f64>, f64)>) -> [[f64; 3]; 3] {
    let mut columns = [Vec3::zero(); 3];
    let mut trace = 0.0;
    for (q, weight) in members {
        let along = [q.x, q.y, q.z];
        for (axis, column) in columns.iter_mut().enumerate() {
            *column += (Vec3::axis(axis) * q.dot(q) - q * along[axis]) * weight;
        }
        trace += 2.0 * q.dot(q) * weight;
    }
    for (axis, column) in columns.iter_mut().enumerate() {
        *column += Vec3::axis(axis) * (LEAST_INERTIA * trace);
    }
    let [a, b, c] = columns;
    let determinant = a.dot(b.cross(c));
    // Rows of the inverse, which is symmetric.
    let inverse = [b.cross(c), c.cross(a), a.cross(b)].map(|row| <[f64; 3]>::from(row * (1.0 / determinant)));
    let is_number = inverse.as_flattened().iter().all(|value| (*value as f32).is_finite());
    if is_number { inverse } else { [[0.0; 3]; 3] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Dual;

    /// With weights of any size the gradient is the derivative, and moves neither the middle nor the turn of what
    /// weighs so.
    #[test]
    fn weights_may_differ() {
        let wave = |k: usize, by: f64| (by * (k as f64 + 1.0)).sin();
        let x: Vec<Vec3<f64>> = (0..7).map(|k| Vec3::new(wave(k, 1.3), wave(k, 2.9), wave(k, 5.3))).collect();
        let rest: Vec<f64> =
            (0..7).flat_map(|k| [wave(k, 1.1), wave(k, 3.1), wave(k, 4.7), 10_f64.powi(k as i32 % 4)]).collect();
        let mut gradient = vec![Vec3::zero(); 7];
        let value = ShapeMatching::evaluate(&rest, 0, &x, &mut gradient);
        let constant = |value: f64| Dual::new(value, 0.0);
        for (k, axis) in (0..7).flat_map(|k| (0..3).map(move |axis| (k, axis))) {
            let mut moved: Vec<Vec3<Dual>> =
                x.iter().map(|x| Vec3::new(constant(x.x), constant(x.y), constant(x.z))).collect();
            let Vec3 { x: a, y: b, z: c } = &mut moved[k];
            [a, b, c][axis].derivative = 1.0;
            let rest: Vec<Dual> = rest.iter().map(|&value| constant(value)).collect();
            let change = ShapeMatching::evaluate(&rest, 0, &moved, &mut vec![Vec3::zero(); 7]).derivative;
            let found = [gradient[k].x, gradient[k].y, gradient[k].z][axis];
            assert!((change - found).abs() < 1e-13, "{k}, {axis}: {change} is not {found}");
        }
        let force = gradient.iter().fold(Vec3::zero(), |sum, &g| sum + g);
        let torque = x.iter().zip(&gradient).fold(Vec3::zero(), |sum, (&x, &g)| sum + x.cross(g));
        assert!(force.length() < 1e-14 && torque.length() < 1e-14, "{force:?} {torque:?}");
        // Masses as weights: the step goes where the tangent does.
        let members: &[[f64; OF_MEMBER]] = rest.as_chunks().0;
        let whole: f64 = members.iter().map(|[.., m]| m).sum();
        let weight = effective_weight(members, &x, value, &gradient, |k| 1.0 / members[k][3]);
        assert!((weight * whole - 1.0).abs() < 1e-9, "{weight}");
        // What is held makes it shorter.
        let inverse_mass = |k: usize| if k < 3 { 0.0 } else { 1.0 / members[k][3] };
        let tangent: f64 = (0..7).map(|k| inverse_mass(k) * gradient[k].dot(gradient[k])).sum();
        let weight = effective_weight(members, &x, value, &gradient, inverse_mass);
        assert!(weight > 1.01 * tangent, "{weight}, {tangent}");
    }

    /// Where nothing is off and rounding has made the gradient a shift of all, a step has the length that the tangent
    /// gives it.
    #[test]
    fn a_rounding_moves_nothing_far() {
        let x = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from);
        let members = x.map(|x| [x.x, x.y, x.z, 2.0]);
        let gradient = [Vec3::axis(0) * 0.25; 4];
        let weight = effective_weight(&members, &x, 1e-17, &gradient, |_| 0.5);
        assert_eq!(weight, 4.0 * 0.5 * 0.25 * 0.25);
    }
}
