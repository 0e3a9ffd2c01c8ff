//! The laws in Rust as functions of a list of numbers, in either precision.

use pliant::constraint::{Real, Vec3};
use pliant::law::contact::{Impulse, PairState, Touch, Wall, approach, meeting_normal, split};
use pliant::law::fluid::{self, Chebyshev, Kernel, Tension};
use pliant::law::friction::combined;
use pliant::law::impact::{Impact, calm_way};
use pliant::law::joint::{Placed, Rows, Terms};
use pliant::law::rod::{Chain, Eliminated, Link, solve};
use pliant::law::segment::{self, Relative};
use pliant::law::surface::{FLOOR, Features, Motion, touching_distance, weighted};
use pliant::math::closest::{along_segment, between_segments, on_triangle};
use pliant::math::polar::polar;
use pliant::math::turn::{Orientation, Quaternion, by, compose};
use pliant::model::{FrictionCombine, JointKind};
use pliant::solver::records::Substep;

/// A number of either precision.
pub trait Number: Real<Mask = bool> + Into<f64> {}
impl<R: Real<Mask = bool> + Into<f64>> Number for R {}

fn real<R: Real>(value: f32) -> R {
    R::from_f64(value.into())
}

pub fn vector<R: Real>(v: &[R], first: usize) -> Vec3<R> {
    Vec3::new(v[first], v[first + 1], v[first + 2])
}

pub fn numbers<R: Real>(vectors: &[Vec3<R>]) -> Vec<R> {
    vectors.iter().flat_map(|v| [v.x, v.y, v.z]).collect()
}

pub fn calm_of<R: Real>(substep: &Substep) -> R {
    let [x, y, z] = substep.gravity.map(real);
    calm_way(Vec3::new(x, y, z), real(substep.seconds))
}

fn impacts<R: Number>(substep: &Substep, approach: R, restitution: R) -> [Impact<R>; 2] {
    let (calm, share) = (calm_of(substep), real(substep.share));
    [Impact::new(approach, restitution, calm, share), Impact::of_two(approach, restitution, calm, share)]
}

fn rough<R: Real>(friction: R, dynamic_friction: R) -> Touch<R> {
    let zero = R::from_f64(0.0);
    Touch { compliance: zero, friction, dynamic_friction, restitution: zero }
}

pub fn friction<R: Number>(substep: &Substep, v: &[R]) -> Vec<R> {
    let rule = FrictionCombine::ALL[substep.friction_combine as usize];
    vec![combined(rule, v[0], v[2]), combined(rule, v[1], v[3])]
}

pub fn calm<R: Number>(substep: &Substep, v: &[R]) -> Vec<R> {
    vec![v[0] * calm_of(substep)]
}

pub fn impact<R: Number>(substep: &Substep, v: &[R]) -> Vec<R> {
    let of = |impact: Impact<R>| {
        let told = Impulse { normal: v[5], tangential: vector(v, 6) }.told(&impact, v[4], v[3]);
        let is_one = R::from_f64(if impact.is_one { 1.0 } else { 0.0 });
        let pressed = [impact.pressed(v[2], v[3]), impact.change(v[2], v[3]), impact.bound(v[5], v[4], v[3])];
        [&[is_one], &pressed[..], &[told.normal], &numbers(&[told.tangential])].concat()
    };
    impacts(substep, v[0], v[1]).into_iter().flat_map(of).collect()
}

pub fn sweep<R: Number>(_: &Substep, v: &[R]) -> Vec<R> {
    let before = Impulse { normal: v[0], tangential: vector(v, 4) };
    let tangential = before.tangential_after(vector(v, 7), v[2], &rough(v[10], v[11]), v[12]);
    [vec![before.normal_after(v[1], v[2], v[3])], numbers(&[tangential])].concat()
}

pub fn split_mass<R: Number>(_: &Substep, v: &[R]) -> Vec<R> {
    vec![split(v[0], v[1].into().round() as u32)]
}

pub fn approaching<R: Number>(_: &Substep, v: &[R]) -> Vec<R> {
    vec![approach(v[0], v[1], v[2])]
}

pub fn normal_of_balls<R: Number>(_: &Substep, v: &[R]) -> Vec<R> {
    numbers(&[meeting_normal(vector(v, 0), vector(v, 3), v[6], v[7])])
}

pub fn solved<R: Number>(substep: &Substep, v: &[R]) -> Vec<R> {
    let [_, impact] = impacts(substep, v[15], v[16]);
    let now = PairState { normal: vector(v, 8), value: v[11], slip: vector(v, 12), weight: v[7], softness: v[6] };
    let after = Impulse { normal: v[0], tangential: vector(v, 1) }.solved(&rough(v[4], v[5]), &impact, &now);
    [numbers(&[after.tangential]), vec![after.normal]].concat()
}

pub fn held<R: Number>(substep: &Substep, v: &[R]) -> Vec<R> {
    let [impact, _] = impacts(substep, v[21], v[22]);
    let wall = Wall {
        normal: vector(v, 9),
        value: v[6],
        weight: v[7],
        hold: v[8],
        start: vector(v, 12),
        carried: vector(v, 15),
        share: real(substep.share),
    };
    let mut moved = vector(v, 18);
    let before = Impulse { normal: v[0], tangential: vector(v, 1) };
    let after = before.held(&rough(v[4], v[5]), &impact, &wall, &mut moved);
    [numbers(&[after.tangential]), vec![after.normal], numbers(&[moved])].concat()
}

pub fn nearest_of_segment<R: Number>(_: &Substep, v: &[R]) -> Vec<R> {
    let (share, normal, apart) = segment::nearest(vector(v, 0), vector(v, 3));
    [numbers(&[normal]), vec![share, apart]].concat()
}

pub fn meeting_of_segment<R: Number>(_: &Substep, v: &[R]) -> Vec<R> {
    let ways = Relative { start: vector(v, 0), way: vector(v, 3), edge: vector(v, 6), edge_way: vector(v, 9) };
    let never = || (R::from_f64(2.0), R::from_f64(0.0), Vec3::zero());
    let (time, share, normal) = segment::meeting(&ways, v[12]).unwrap_or_else(never);
    [vec![time], numbers(&[normal]), vec![share]].concat()
}

pub fn nearest_places<R: Number>(_: &Substep, v: &[R]) -> Vec<R> {
    let [p, a, b, c] = [0, 3, 6, 9].map(|first| vector(v, first));
    let along = along_segment(p, a, b);
    let on = on_triangle(p, [a, b, c]);
    let between = between_segments(p, a, b, c);
    let apart = [
        p - a - (b - a) * along,
        p - a * on[0] - b * on[1] - c * on[2],
        p + (a - p) * between[0] - b - (c - b) * between[1],
    ]
    .map(Vec3::length);
    let direction = (p - a).direction_and_length().0;
    let all = [&[along, apart[0]], &on[..], &[apart[1]], &between, &[apart[2]]].concat();
    [all, numbers(&[direction])].concat()
}

pub fn features<R: Number>(_: &Substep, v: &[R]) -> Vec<R> {
    let zero = R::from_f64(0.0);
    let features = if v[24].greater(zero) { Features::EdgeEdge } else { Features::VertexFace };
    let places = |first: usize| [0, 3, 6, 9].map(|k| vector(v, first + k));
    let motion = Motion { features, begin: places(0), end: places(12) };
    let distance = touching_distance(v[25], R::from_f64(1.0));
    let certificate = motion.certificate();
    let weights = motion.weights(distance, &certificate, |mask| mask);
    let apart = weighted(&weights, &motion.end).length();
    let masses = [1.0, 2.0, 3.0, 4.0].map(R::from_f64);
    let weight = (0..4).fold(zero, |sum, i| sum + weights[i] * weights[i] * masses[i]);
    let far = R::from_f64(if motion.are_far_apart(distance) { 1.0 } else { 0.0 });
    let lack = certificate.lack(distance * R::from_f64(FLOOR));
    let told = vec![certificate.before, certificate.gap, lack, far, apart, weight];
    let [valid, last] = [&motion.begin, &motion.end].map(|places| features.gap(certificate.axis, places));
    let valid = R::from_f64(if valid.greater(zero) { 1.0 } else { 0.0 });
    [told, vec![last, valid]].concat()
}

pub fn rotation<R: Number>(_: &Substep, v: &[R]) -> Vec<R> {
    numbers(&polar([vector(v, 0), vector(v, 3), vector(v, 6)]))
}

/// Two links, and what elimination keeps of them.
struct TwoLinks<R> {
    links: [Link<R>; 2],
    kept: [Eliminated<R>; 2],
}

impl<R: Real> Chain<R> for TwoLinks<R> {
    fn links(&self) -> usize {
        2
    }
    fn link(&self, index: usize) -> Link<R> {
        self.links[index]
    }
    fn keep(&mut self, index: usize, eliminated: &Eliminated<R>) {
        self.kept[index] = *eliminated;
    }
    fn kept(&self, index: usize) -> Eliminated<R> {
        self.kept[index]
    }
    fn press(&mut self, _: usize, _: [Vec3<R>; 2]) {}
    fn push(&mut self, _: usize, _: Vec3<R>) {}
    fn turn(&mut self, _: usize, _: Vec3<R>) {}
}

pub fn rod<R: Number>(_: &Substep, v: &[R]) -> Vec<R> {
    let [zero, one] = [0.0, 1.0].map(R::from_f64);
    let orientation = |first: usize| Orientation {
        reference: Quaternion { vector: vector(v, first), scalar: v[first + 3] }.normalised(),
        turn: vector(v, first + 4),
    };
    let (a, b) = (orientation(0), orientation(7));
    let stretch = Vec3::new(v[25], v[25], v[25] * R::from_f64(0.5));
    let bend = Vec3::new(v[26], v[26] * R::from_f64(2.0), v[26]);
    let still = [Vec3::zero(); 2];
    let first = Link {
        present: [one; 2],
        inverse_masses: [v[21], v[22]],
        inverse_inertias: [v[23], v[24]],
        orientations: [a, b],
        way: vector(v, 14),
        length: v[20],
        rest: vector(v, 17),
        compliances: [stretch, bend],
        damping: v[27],
        moved: vector(v, 28),
        turned: [vector(v, 31), Vec3::zero()],
        multipliers: still,
    };
    let second = Link {
        inverse_masses: [v[22], v[21]],
        inverse_inertias: [v[24], v[23]],
        orientations: [b, a],
        rest: Vec3::zero(),
        damping: zero,
        moved: Vec3::zero(),
        turned: still,
        multipliers: [vector(v, 17); 2],
        ..first
    };
    let mut chain = TwoLinks { links: [first, second], kept: [Eliminated::nothing(); 2] };
    solve(&mut chain);
    let residuals = first.rows().residuals;
    let [left, last] = chain.kept.map(|kept| kept.solution);
    let turned = [compose(a.turn, b.turn), by(vector(v, 28))];
    numbers(&[residuals, left, last, turned].concat())
}

pub fn joint<R: Number>(_: &Substep, v: &[R]) -> Vec<R> {
    let axes = |first: usize| Quaternion { vector: vector(v, first), scalar: v[first + 3] }.normalised().axes();
    let [kind, flags] = [v[20], v[21]].map(|number| Into::<f64>::into(number).round() as usize);
    let terms = Terms {
        kind: JointKind::ALL[kind],
        compliance: R::from_f64(0.25),
        limits: (flags & 1 != 0).then_some([v[17], v[18]]),
        motor: (flags & 2 != 0).then_some([v[19], R::from_f64(0.5)]),
        damping: (flags & 4 != 0).then_some([v[18], R::from_f64(0.75)]),
        is_whole: true,
    };
    let levers = [vector(v, 11), vector(v, 14)];
    let rows = Rows::new(&terms, &Placed { apart: vector(v, 8), levers, axes: [axes(0), axes(4)] });
    // Angles push nothing along.
    let mut given = numbers(&[&rows.linear[..3], &rows.angular[0], &rows.angular[1]].concat());
    given.extend(rows.values);
    given.extend(rows.compliances);
    given
}

pub fn density<R: Number>(_: &Substep, v: &[R]) -> Vec<R> {
    let (value, slope) = Kernel { inverse: v[0], peak: v[1], steep: v[2] }.at(v[3]);
    vec![value, slope]
}

pub fn wall<R: Number>(_: &Substep, v: &[R]) -> Vec<R> {
    vec![fluid::wall(v[0]).0]
}

pub fn pressed<R: Number>(_: &Substep, v: &[R]) -> Vec<R> {
    vec![fluid::pressed(v[0], v[1], [v[2], v[3]], v[4])]
}

pub fn rubbing<R: Number>(_: &Substep, v: &[R]) -> Vec<R> {
    vec![fluid::rubbing(v[0], v[1], v[2])]
}

pub fn viscosity<R: Number>(_: &Substep, v: &[R]) -> Vec<R> {
    vec![fluid::viscosity_between(v[0], v[1])]
}

pub fn tension<R: Number>(_: &Substep, v: &[R]) -> Vec<R> {
    let [inverse, least, steep, cohesion, area, softness, volume] = [0, 1, 2, 3, 4, 5, 6].map(|k| v[k]);
    let wetting = v[17];
    let tension = Tension { inverse, least, steep, cohesion, area, softness, volume, wetting };
    let vector = |k: usize| Vec3 { x: v[k], y: v[k + 1], z: v[k + 2] };
    let (way, pull) = (vector(7), vector(12));
    let sigma = fluid::tension_between(v[15], v[16]);
    let force = tension.force((way, v[10], v[11]), sigma, pull);
    let pulled = tension.pull(sigma, pull);
    let held = fluid::held_root(v[15], v[16], v[10]);
    let of_wall = tension.wall_force(sigma, (R::from_f64(4.0) * v[7] * v[7]).sqrt());
    vec![held, sigma, force.x, force.y, force.z, pulled.x, pulled.y, pulled.z, of_wall]
}

/// The second factor of a first step, and both of the next two.
pub fn chebyshev(_: &Substep, v: &[f64]) -> Vec<f64> {
    let mut steps = Chebyshev::new(v[0]);
    let [first, second, third] = [true, false, false].map(|first| steps.step(first));
    [&first[1..], &second, &third].concat()
}
