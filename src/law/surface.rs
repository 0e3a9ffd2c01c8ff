//! Two features of surfaces, a vertex and a face or two edges, and the axes along which they are apart.
//!
//! With A the first feature, B the second and y their vertices, let
//!   g(y) = min over A of n·y - max over B of n·y.
//! If g is positive where a straight motion begins and where it ends, for the same n, A and B are apart all the way:
//! n·y is linear in time for each vertex, so g is concave. The axis moves with the two, so that what they do together
//! and along each other costs nothing. `docs/design/surfaces.md` has what was measured.
//!
//! A contact is linear,
//!   C = n·Σ bᵢ yᵢ - D,
//! with the axis n and the weights bᵢ of the nearest points as they are where the two first touch on their ways. On the
//! device `shaders/law/surface.wgsl`.

use super::contact::{Impulse, PairState, Touch};
use super::impact::Impact;
use crate::math::closest::{between_segments, on_triangle};
use crate::math::mask::{any_of, both, either, greatest, not};
use crate::math::real::smaller;
use crate::math::{Real, Vec3};

/// The share of the distance at which two touch that is left between them in any case.
pub const FLOOR: f64 = 0.1;
/// Of what was placed nearer than the sum of the radii: the share of that distance at which it touches.
pub const PLACED: f64 = 0.99;
/// The least distance at which two touch, by the sum of the radii.
pub const LEAST: f64 = 0.01;
/// Where two first touch is found by so many steps, each to the plane through the nearest points.
const STEPS: usize = 4;
/// An axis is one if the gap along it is more than this share of the coordinates: 2⁻²⁰, sixteen roundings.
const ROUNDING: f64 = 1.0 / 1_048_576.0;

/// Four vertices, relative to any one place.
pub type Places<R> = [Vec3<R>; 4];

/// What two features are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Features {
    /// A vertex, and the corners of a face.
    VertexFace,
    /// The ends of an edge, and of another. The ends of a point are one.
    EdgeEdge,
}

/// A pair of features in a motion from `begin` to `end`.
#[derive(Clone, Copy)]
pub struct Motion<R> {
    pub features: Features,
    pub begin: Places<R>,
    pub end: Places<R>,
}

impl Features {
    /// How many of the four vertices are A's.
    fn of_first(self) -> usize {
        if self == Self::VertexFace { 1 } else { 2 }
    }

    /// bᵢ: the shares of the vertices in the two nearest points; A's are positive, B's negative.
    #[inline(always)]
    pub fn weights<R: Real>(self, y: &Places<R>) -> [R; 4] {
        let one = R::from_f64(1.0);
        match self {
            Self::VertexFace => {
                let [a, b, c] = on_triangle(y[0], [y[1], y[2], y[3]]);
                [one, -a, -b, -c]
            }
            Self::EdgeEdge => {
                let [s, t] = between_segments(y[0], y[1], y[2], y[3]);
                [one - s, s, t - one, -t]
            }
        }
    }

    /// From B's nearest point to A's.
    #[inline(always)]
    pub fn between<R: Real>(self, y: &Places<R>) -> Vec3<R> {
        weighted(&self.weights(y), y)
    }

    /// g along an axis, m.
    #[inline(always)]
    pub fn gap<R: Real>(self, axis: Vec3<R>, y: &Places<R>) -> R {
        let [a, b, c, d] = [axis.dot(y[0]), axis.dot(y[1]), axis.dot(y[2]), axis.dot(y[3])];
        match self {
            Self::VertexFace => a - greatest(greatest(b, c), d),
            Self::EdgeEdge => smaller(a, b) - greatest(c, d),
        }
    }
}

/// Σ bᵢ yᵢ
#[inline(always)]
pub fn weighted<R: Real>(weights: &[R; 4], y: &Places<R>) -> Vec3<R> {
    y[0] * weights[0] + y[1] * weights[1] + y[2] * weights[2] + y[3] * weights[3]
}

/// What a motion's axes say.
#[derive(Clone, Copy)]
pub struct Certificate<R> {
    /// The axis that is valid where the motion begins and has the widest gap where it ends.
    pub axis: Vec3<R>,
    /// That gap, m.
    pub gap: R,
    /// The distance where the motion begins, m: not above 0 where the two cross, or touch.
    pub before: R,
    /// bᵢ of the nearest points where the motion begins and where it ends.
    pub weights: [[R; 4]; 2],
}

impl<R: Real> Certificate<R> {
    /// By how much the pair lacks a certificate, m: what its gap is short of `floor`, or of the distance where the
    /// motion begins if that is less. Not above 0 if it has one, and of two that cross as they begin.
    #[inline(always)]
    pub fn lack(&self, floor: R) -> R {
        let zero = R::from_f64(0.0);
        R::select(self.before.greater(zero), smaller(floor, self.before) - self.gap, zero)
    }
}

impl<R: Real> Motion<R> {
    /// The best of four axes: of the nearest points where the motion begins and where it ends, their mean, and the
    /// normal of the face or of the two edges.
    #[inline(always)]
    pub fn certificate(&self) -> Certificate<R> {
        let Self { features, begin, end } = self;
        let zero = R::from_f64(0.0);
        let extent = self.extent();
        let rounding = extent * R::from_f64(ROUNDING);
        let weights = [features.weights(begin), features.weights(end)];
        let first = weighted(&weights[0], begin).direction_and_length().0;
        // Of two that are next to each other this axis is rounded, and large features are less far apart along it than
        // they are: so the distance is the widest gap, chosen as the gap at the end is, so that what rests has one.
        let mut before = features.gap(first, begin);
        let none = extent * R::from_f64(-4.0);
        let (mut axis, mut gap) = (first, R::select(before.greater(rounding), features.gap(first, end), none));
        let last = weighted(&weights[1], end).direction_and_length().0;
        let normal = match features {
            Features::VertexFace => (end[2] - end[1]).cross(end[3] - end[1]),
            Features::EdgeEdge => (end[1] - end[0]).cross(end[3] - end[2]),
        };
        let normal = normal.direction_and_length().0;
        let normal = either(zero.greater(normal.dot(first)), -normal, normal);
        for other in [last, (first + last).direction_and_length().0, normal] {
            let (at_first, wide) = (features.gap(other, begin), features.gap(other, end));
            before = R::select(at_first.greater(before + rounding), at_first, before);
            let better = both::<R>(wide.greater(gap + rounding), at_first.greater(rounding));
            (axis, gap) = (either(better, other, axis), R::select(better, wide, gap));
        }
        let apart = before.greater(rounding);
        Certificate { axis, gap: R::select(apart, gap, zero), before: R::select(apart, before, zero), weights }
    }

    /// Whether they are farther apart than `reach` where the motion begins and where it ends, along the axis through
    /// their middles where it ends. It decides about most pairs, and costs a tenth of a certificate.
    #[inline(always)]
    pub fn are_far_apart(&self, reach: R) -> R::Mask {
        let Self { features, begin, end: [a, b, c, d] } = self;
        let (third, half) = (R::from_f64(1.0 / 3.0), R::from_f64(0.5));
        let axis = match features {
            Features::VertexFace => *a - (*b + *c + *d) * third,
            Features::EdgeEdge => (*a + *b - *c - *d) * half,
        };
        let wanted = reach * axis.length();
        both::<R>(features.gap(axis, &self.end).greater(wanted), features.gap(axis, begin).greater(wanted))
    }

    /// The largest coordinate.
    #[inline(always)]
    fn extent(&self) -> R {
        let mut extent = R::from_f64(0.0);
        for places in [&self.begin, &self.end] {
            for &Vec3 { x, y, z } in places {
                let size = greatest(greatest(greatest(x, -x), greatest(y, -y)), greatest(z, -z));
                extent = greatest(extent, size);
            }
        }
        extent
    }

    /// The weights of the nearest points where the two first touch on their way; where it ends if they do not, or touch
    /// as it begins. `any`: whether a mask is set anywhere.
    #[inline(always)]
    pub fn weights(&self, distance: R, certificate: &Certificate<R>, any: impl Fn(R::Mask) -> bool) -> [R; 4] {
        let Self { features, begin, end } = self;
        let (zero, one) = (R::from_f64(0.0), R::from_f64(1.0));
        let [mut weights, last] = certificate.weights;
        let ways = [end[0] - begin[0], end[1] - begin[1], end[2] - begin[2], end[3] - begin[3]];
        let (mut time, mut places) = (zero, *begin);
        let (mut goes_on, mut misses) = (one.greater(zero), zero.greater(one));
        for _ in 0..STEPS {
            let (axis, apart) = weighted(&weights, &places).direction_and_length();
            let closing = -features.gap(axis, &ways);
            let nears = both::<R>(apart.greater(distance), closing.greater(zero));
            goes_on = both::<R>(goes_on, nears);
            if !any(goes_on) {
                break;
            }
            time = R::select(goes_on, time + (apart - distance) / closing, time);
            let comes = one.greater(time);
            misses = any_of::<R>(misses, both::<R>(goes_on, not::<R>(comes)));
            goes_on = both::<R>(goes_on, comes);
            for i in 0..4 {
                places[i] = begin[i] + ways[i] * time;
            }
            let nearest = features.weights(&places);
            for i in 0..4 {
                weights[i] = R::select(goes_on, nearest[i], weights[i]);
            }
        }
        let touches = both::<R>(time.greater(zero), not::<R>(misses));
        for i in 0..4 {
            weights[i] = R::select(touches, weights[i], last[i]);
        }
        weights
    }
}

/// At what distance two touch that were placed so far apart, m, by the sum of their radii. What was placed nearer
/// keeps that distance: neighbours on a fine mesh are no further apart. What was placed in one place has a little, or a
/// rounding would decide whether it crosses.
#[inline(always)]
pub fn touching_distance<R: Real>(sum: R, placed: R) -> R {
    smaller(sum, greatest(placed * R::from_f64(PLACED), sum * R::from_f64(LEAST)))
}

/// Two features that may touch in a substep; vertices by what the engine calls them.
#[derive(Clone, Copy)]
pub struct Contact<R> {
    pub vertices: [u32; 4],
    pub features: Features,
    /// n
    pub axis: Vec3<R>,
    /// bᵢ
    pub weights: [R; 4],
    /// D, m.
    pub distance: R,
    /// C where no vertex is displaced, m.
    pub offset: R,
    pub touch: Touch<R>,
    /// The relative normal way before the substep, m.
    pub approach: R,
    pub impulse: Impulse<R>,
}

/// What all contacts of a substep read.
#[derive(Clone, Copy)]
pub struct Law<R> {
    /// 1/H²
    pub softening: R,
    /// 2gh²
    pub calm: R,
    /// H/h
    pub share: R,
}

impl<R: Real<Mask = bool>> Contact<R> {
    /// Of each feature the vertex that is nearest to the contact.
    pub fn nearest(&self) -> [u32; 2] {
        let first = self.features.of_first();
        let heavier = |from: usize, to: usize| {
            let more = |a: usize, b: usize| {
                let [a_size, b_size] = [a, b].map(|i| self.weights[i] * self.weights[i]);
                if b_size.greater(a_size) { b } else { a }
            };
            self.vertices[(from + 1..to).fold(from, more)]
        };
        [heavier(0, first), heavier(first, 4)]
    }

    /// Σ bᵢ² wᵢ
    #[inline(always)]
    pub fn weight(&self, masses: [R; 4]) -> R {
        (0..4).fold(R::from_f64(0.0), |sum, i| sum + self.weights[i] * self.weights[i] * masses[i])
    }

    /// One sweep: by displacements, ways and inverse masses what pushes vertices apart, each by its weight and its
    /// inverse mass; `None` if nothing does.
    #[inline(always)]
    pub fn solve(&mut self, moved: &Places<R>, ways: &Places<R>, masses: [R; 4], law: &Law<R>) -> Option<Vec3<R>> {
        let zero = R::from_f64(0.0);
        let value = self.offset + self.axis.dot(weighted(&self.weights, moved));
        let weight = self.weight(masses);
        let presses = zero.greater(value) || self.impulse.normal.greater(zero);
        if !presses || !weight.greater(zero) {
            return None;
        }
        let impact = self.impact(law);
        let slip = weighted(&self.weights, ways);
        let softness = self.touch.compliance * law.softening;
        let now = PairState { normal: self.axis, value, slip, weight, softness };
        let solved = self.impulse.solved(&self.touch, &impact, &now);
        let push = self.axis * (solved.normal - self.impulse.normal) + (solved.tangential - self.impulse.tangential);
        self.impulse = solved;
        Some(push)
    }

    /// By how much the velocity along the axis of what pressed changes, times h and by Σ bᵢ² wᵢ; what it pressed with
    /// in all is noted. By the relative normal way as positions leave it.
    #[inline(always)]
    pub fn part(&mut self, now: R, masses: [R; 4], law: &Law<R>) -> R {
        let (impact, weight) = (self.impact(law), self.weight(masses));
        let (change, told) = self.impulse.parted(&impact, weight, now);
        self.impulse = told;
        change / weight
    }

    #[inline(always)]
    fn impact(&self, law: &Law<R>) -> Impact<R> {
        Impact::of_two(self.approach, self.touch.restitution, law.calm, law.share)
    }
}

/// What parts a pair along an axis by `lack`: by how much each vertex moves per weight bᵢ and inverse mass wᵢ.
#[inline(always)]
pub fn parting<R: Real<Mask = bool>>(lack: R, weights: &[R; 4], masses: [R; 4]) -> Option<R> {
    let weight = (0..4).fold(R::from_f64(0.0), |sum, i| sum + weights[i] * weights[i] * masses[i]);
    weight.greater(R::from_f64(0.0)).then(|| lack / weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from -1 to 1, the same at each run.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }

        fn vector(&mut self, size: f64) -> Vec3<f64> {
            Vec3::new(size * self.next(), size * self.next(), size * self.next())
        }
    }

    /// Slivers and near parallels among them, with common motions of up to five lengths.
    fn motion(numbers: &mut Numbers, trial: u32) -> Motion<f64> {
        let features = if trial.is_multiple_of(2) { Features::VertexFace } else { Features::EdgeEdge };
        let flat = if trial.is_multiple_of(5) { 1e-4 } else { 1.0 };
        let begin: Places<f64> = std::array::from_fn(|_| {
            let place = numbers.vector(1.0);
            Vec3 { y: flat * place.y, ..place }
        });
        let common = numbers.vector(5.0);
        let end = begin.map(|place| place + common + numbers.vector(0.3));
        Motion { features, begin, end }
    }

    /// A pair that an axis certifies never comes nearer than the lesser of its two gaps, all along its way; and what is
    /// far apart along the axis through the middles is far apart.
    #[test]
    fn an_axis_is_a_certificate() {
        let mut numbers = Numbers(7);
        let (mut certified, mut far) = (0, 0);
        for trial in 0..100_000 {
            let motion = motion(&mut numbers, trial);
            let certificate = motion.certificate();
            let least = certificate.gap.min(motion.features.gap(certificate.axis, &motion.begin));
            let is_far = motion.are_far_apart(0.2);
            far += u32::from(is_far);
            if !(least > 0.0 || is_far) {
                continue;
            }
            certified += 1;
            for part in 0..=20 {
                let place = |i: usize| motion.begin[i] + (motion.end[i] - motion.begin[i]) * (f64::from(part) / 20.0);
                let apart = motion.features.between(&std::array::from_fn(place)).length();
                assert!(apart >= least - 1e-12 && (apart > 0.2 || !is_far), "{apart} m, certified {least} m");
            }
        }
        assert!(certified > 30_000 && far > 10_000, "{certified}, {far}");
    }

    /// In single precision nothing is certified that double precision says comes nearer than a ten-thousandth of the
    /// gap's share.
    #[test]
    fn single_precision_certifies_no_more() {
        let mut numbers = Numbers(3);
        for trial in 0..100_000 {
            let motion = motion(&mut numbers, trial);
            let single = |y: Places<f64>| y.map(|v| Vec3::new(v.x as f32, v.y as f32, v.z as f32));
            let rounded = Motion { features: motion.features, begin: single(motion.begin), end: single(motion.end) };
            let certificate = rounded.certificate();
            let double = |v: Vec3<f32>| Vec3::new(f64::from(v.x), f64::from(v.y), f64::from(v.z));
            let exact = |y: Places<f32>| motion.features.gap(double(certificate.axis), &y.map(double));
            if certificate.before > 0.0 && certificate.gap > 0.0 {
                let (begin, end) = (exact(rounded.begin), exact(rounded.end));
                assert!(begin > 0.0 && end > f64::from(certificate.gap) - 2e-6, "{begin} m, {end} m");
            }
        }
    }

    /// Where nothing moves nothing is lacking, to the last bit, however near the two are.
    #[test]
    fn rest_lacks_nothing() {
        let mut numbers = Numbers(11);
        for trial in 0..20_000 {
            let motion = motion(&mut numbers, trial);
            let still = Motion { end: motion.begin, ..motion };
            assert!(still.certificate().lack(10.0) <= 0.0);
        }
    }

    /// A vertex that falls through a face is found to touch where it meets that, not where it ends; the contact stops
    /// it a distance above.
    #[test]
    fn contact_is_where_two_first_touch() {
        let corner = |x: f64, z: f64| Vec3::new(x, 0.0, z);
        let face = [corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0)];
        let at = |vertex: Vec3<f64>| [vertex, face[0], face[1], face[2]];
        let motion = Motion {
            features: Features::VertexFace,
            begin: at(Vec3::new(0.1, 0.2, 0.1)),
            end: at(Vec3::new(0.5, -0.2, 0.5)),
        };
        let certificate = motion.certificate();
        assert!((certificate.axis.y - 1.0).abs() < 1e-12 && certificate.gap < 0.0);
        // At a height of 1 cm it has gone 0.19/0.4 of its way.
        let weights = motion.weights(0.01, &certificate, |mask| mask);
        let x = 0.1 + 0.4 * (0.19 / 0.4);
        assert!((weights[2] + x).abs() < 1e-3 && (weights[3] + x).abs() < 1e-3, "{weights:?}");
        assert!((certificate.lack(0.001) - 0.201).abs() < 1e-12);
    }
}
