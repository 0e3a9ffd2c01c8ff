//! Numbers on which laws are compared: random ones, and those at the borders of their branches.

use pliant::law::fluid::{Kernel, Scale};
use pliant::solver::records::Substep;

use super::twins::calm_of;
use crate::random::Random;

/// One of some values. They come first, since most of them are drawn themselves.
pub fn one_of<T: Copy, const N: usize>(values: [T; N], random: &mut Random) -> T {
    random.pick(&values)
}

pub fn coefficient(random: &mut Random) -> f64 {
    let any = random.magnitude(1e-3, 1e3);
    one_of([0.0, 0.5, 1.0, any, any], random)
}

/// Of either sign, or nothing.
fn way(random: &mut Random) -> f64 {
    let size = random.magnitude(1e-6, 1e-1);
    one_of([0.0, size, -size, size, -size], random)
}

/// h times a speed of approach: often at the border of an impact.
fn approach_way(random: &mut Random, substep: &Substep) -> f64 {
    let calm: f32 = calm_of(substep);
    one_of([-f64::from(calm), 0.0, way(random), way(random), -random.magnitude(1e-4, 1e-1)], random)
}

fn unit(random: &mut Random) -> [f64; 3] {
    loop {
        let v = random.vector(-1.0, 1.0);
        let size = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        if (0.1..1.0).contains(&size) {
            return v.map(|x| x / size);
        }
    }
}

/// Of some length, along an axis, or a point.
pub fn edge(random: &mut Random) -> [f64; 3] {
    let any = random.vector(-1.0, 1.0);
    one_of([any, any, any, any, [0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.0, 0.25]], random)
}

pub fn impact_case(random: &mut Random, substep: &Substep) -> Vec<f64> {
    let approach = approach_way(random, substep);
    let restitution = one_of([0.0, 1.0, 0.5, random.number(0.0, 1.0)], random);
    let push = one_of([0.0, random.magnitude(1e-8, 1e-1), random.magnitude(1e-8, 1e-1)], random);
    let now = one_of([-push, approach, approach + push, way(random)], random);
    let weight = random.magnitude(1e-3, 1e3);
    let lambda = one_of([0.0, push / weight, random.magnitude(1e-6, 1e-1) / weight], random);
    let tangential = random.vector(-1.0, 1.0).map(|x| x * lambda);
    [&[approach, restitution, push, now, weight, lambda], &tangential[..]].concat()
}

/// Friction's λ, what slips, and what presses: with little to spare on either side of the cone, on its border, at its tip.
fn cone(random: &mut Random, weight: f64) -> ([f64; 3], [f64; 3], [f64; 2], f64) {
    if random.chance(0.2) {
        let size = one_of([0.0, 0.25, 1.0], random);
        let border = [0.75 * size, -size, 0.0];
        return (border, [0.0; 3], [1.0, one_of([1.0, 0.5], random)], 1.25 * size);
    }
    let tangential = if random.chance(0.3) { [0.0; 3] } else { random.vector(-1.0, 1.0) };
    let slip = if random.chance(0.2) { [0.0; 3] } else { random.vector(-1.0, 1.0).map(|x| x * weight) };
    let coefficient = coefficient(random);
    let pressed = one_of([0.0, random.magnitude(1e-2, 1e1), random.magnitude(1e-2, 1e1)], random);
    (tangential, slip, [coefficient, one_of([1.0, 0.5], random) * coefficient], pressed)
}

pub fn sweep_case(random: &mut Random, _: &Substep) -> Vec<f64> {
    let weight = random.magnitude(1e-3, 1e3);
    let (tangential, slip, friction, pressed) = cone(random, weight);
    let lambda = one_of([0.0, 1.0, random.magnitude(1e-3, 1e3)], random);
    let value = one_of([0.0, lambda * weight, random.number(-1.0, 1.0) * weight], random);
    let least = one_of([0.0, 0.0, -0.5], random);
    [&[lambda, value, weight, least], &tangential[..], &slip, &friction, &[pressed]].concat()
}

pub fn normal_case(random: &mut Random, _: &Substep) -> Vec<f64> {
    let distance = one_of([1.25, 0.625, random.magnitude(1e-2, 1e1)], random);
    let apart = [0.75, -1.0, 0.0].map(|x| x * distance / 1.25);
    let any = unit(random).map(|x| x * distance * random.number(0.5, 3.0));
    let start = one_of([[0.0; 3], apart, any, any, any], random);
    let towards = start.map(|x| -x * random.number(0.1, 2.0));
    let ahead = one_of([[0.0; 3], towards, towards, random.vector(-2.0, 2.0).map(|x| x * distance)], random);
    [&start[..], &ahead, &[distance, one_of([1.0, -1.0], random)]].concat()
}

pub fn solved_case(random: &mut Random, substep: &Substep) -> Vec<f64> {
    let weight = random.magnitude(1e-2, 1e2);
    let push = random.magnitude(1e-5, 1e-2);
    let lambda = one_of([0.0, push / weight], random);
    let tangential = random.vector(-1.0, 1.0).map(|x| 0.3 * lambda * x);
    let friction = coefficient(random);
    let softness = one_of([0.0, weight * random.magnitude(1e-2, 1e1)], random);
    let value = one_of([0.0, -push, push, random.number(-1.0, 1.0) * push], random);
    let slip = if random.chance(0.1) { [0.0; 3] } else { random.vector(-1.0, 1.0).map(|x| x * push) };
    let restitution = one_of([0.0, 1.0, 0.5], random);
    let (before, way) = ([lambda, tangential[0], tangential[1], tangential[2]], approach_way(random, substep));
    let rest = [friction, one_of([1.0, 0.5], random) * friction, softness, weight];
    [&before[..], &rest, &unit(random), &[value], &slip, &[way, restitution]].concat()
}

pub fn held_case(random: &mut Random, substep: &Substep) -> Vec<f64> {
    let weight = random.magnitude(1e-2, 1e2);
    let push = random.magnitude(1e-5, 1e-2);
    let lambda = one_of([0.0, push / weight], random);
    let tangential = random.vector(-1.0, 1.0).map(|x| 0.3 * lambda * x);
    let friction = coefficient(random);
    let value = one_of([0.0, -push, push, random.number(-1.0, 1.0) * push], random);
    let hold = one_of([0.0, 0.0, random.number(0.0, 2.0) * push / weight], random);
    let start = random.vector(-1e-7, 1e-7);
    let carried = if random.chance(0.5) { [0.0; 3] } else { random.vector(-1.0, 1.0).map(|x| x * push) };
    let moved = random.vector(-1.0, 1.0).map(|x| x * push);
    let before = [lambda, tangential[0], tangential[1], tangential[2]];
    let rest = [friction, one_of([1.0, 0.5], random) * friction, value, weight, hold];
    let last = [approach_way(random, substep), one_of([0.0, 1.0, 0.5], random)];
    [&before[..], &rest, &unit(random), &start, &carried, &moved, &last].concat()
}

/// The inertia of some particles about their centre, its diagonal and xy, yz, zx, and a momentum. Particles in a line,
/// along an axis, and a point are among them.
pub fn rigid_case(random: &mut Random, _: &Substep) -> Vec<f64> {
    let arms = match random.whole(0, 9) {
        0 => vec![[1.0, 0.0, 0.0]],
        1 => vec![[0.0, 0.5, 0.0]],
        2 => vec![[0.0; 3]],
        3 => vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        4 => vec![[1.0, 0.0, 0.0], [0.0, 0.0, 2.0]],
        _ => (0..4).map(|_| random.vector(-1.0, 1.0)).collect(),
    };
    let sum = |of: fn(&[f64; 3]) -> f64| arms.iter().map(of).sum::<f64>();
    let inertia = [
        sum(|[_, y, z]| y * y + z * z),
        sum(|[x, _, z]| z * z + x * x),
        sum(|[x, y, _]| x * x + y * y),
        sum(|[x, y, _]| -x * y),
        sum(|[_, y, z]| -y * z),
        sum(|[x, _, z]| -z * x),
    ];
    [&inertia[..], &random.vector(-1.0, 1.0)].concat()
}

/// Four places: any, the corners of a square, and some that coincide or lie in a line.
pub fn places_case(random: &mut Random, _: &Substep) -> Vec<f64> {
    let mut places: [[f64; 3]; 4] = std::array::from_fn(|_| random.vector(-1.0, 1.0));
    let [p, a, b, c] = &mut places;
    match random.whole(0, 19) {
        0 => *p = *a,
        1 => *a = *b,
        2 => *c = *b,
        3 => *p = std::array::from_fn(|k| 0.25 * (a[k] + b[k]) + 0.5 * c[k]),
        4 => (*p, *a, *b, *c) = ([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]),
        5 => (*p, *a, *b, *c) = ([0.5, 1.0, 0.0], [-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
        6 => *c = std::array::from_fn(|k| b[k] + (a[k] - p[k])),
        _ => {}
    }
    places.concat()
}

/// Two features in motion: four places, where they go, whether they are edges, and the sum of their radii. They do not
/// touch as they begin: no direction could be told.
pub fn features_case(random: &mut Random, _: &Substep) -> Vec<f64> {
    let edges = random.chance(0.5);
    let (apart, of_first) = (unit(random), if edges { 6 } else { 3 });
    let (together, against) = (random.vector(-1.0, 1.0), one_of([0.0, 0.7], random));
    let size = one_of([0.0, 0.02, 0.1], random);
    let (mut begin, mut end) = (Vec::new(), Vec::new());
    for k in 0..12 {
        let off = if k < of_first { apart[k % 3] } else { 0.0 };
        let place = random.number(-0.25, 0.25) + off;
        begin.push(place);
        end.push(place - against * off + together[k % 3] + size * random.number(-1.0, 1.0));
    }
    let rest = [f64::from(u8::from(edges)), random.magnitude(0.01, 0.5)];
    [&begin[..], &end, &rest].concat()
}

/// Two orientations, the way from one end of a segment to the other, what bends at rest, and how heavy and soft it is.
pub fn rod_case(random: &mut Random, _: &Substep) -> Vec<f64> {
    let mut quaternion = || loop {
        let q: [f64; 4] = std::array::from_fn(|_| random.number(-1.0, 1.0));
        let size = q.iter().map(|c| c * c).sum::<f64>().sqrt();
        if (0.1..1.0).contains(&size) {
            return q.map(|c| c / size);
        }
    };
    let (a, far) = (quaternion(), quaternion());
    // Often all but the same.
    let near: [f64; 4] = std::array::from_fn(|k| a[k] + 0.1 * far[k]);
    let b = one_of([near, near, near, near, far], random);
    let turns = [random.vector(-0.03, 0.03), random.vector(-0.03, 0.03)];
    let way = random.vector(-1.0, 1.0);
    let rest = one_of([[0.0; 3], random.vector(-0.5, 0.5)], random);
    let numbers = [
        random.number(0.5, 1.5),
        one_of([0.0, random.number(0.5, 2.0)], random),
        random.number(0.5, 2.0),
        random.number(0.5, 2.0),
        one_of([0.0, random.number(0.5, 2.0)], random),
        random.number(1.0, 4.0),
        random.number(1.0, 4.0),
        one_of([0.0, random.number(0.0, 1.0)], random),
    ];
    let moved = [random.vector(-0.1, 0.1), random.vector(-0.1, 0.1)].concat();
    [&a[..], &turns[0], &b, &turns[1], &way, &rest, &numbers, &moved].concat()
}

pub fn joint_case(random: &mut Random, _: &Substep) -> Vec<f64> {
    let mut numbers: Vec<f64> = (0..4).map(|_| random.number(-1.0, 1.0)).collect();
    numbers[3] += numbers[3].signum();
    // Most joints are all but closed.
    let off = one_of([0.1, 0.1, 1.0], random);
    let other: Vec<f64> = numbers.iter().map(|c| c + off * random.number(-1.0, 1.0)).collect();
    numbers.extend(other);
    numbers.extend(random.vector(-0.2, 0.2));
    numbers.extend(random.vector(-1.0, 1.0));
    numbers.extend(random.vector(-1.0, 1.0));
    let low = random.number(-0.3, 0.3);
    numbers.extend([low, low + one_of([0.0, random.number(0.0, 0.5)], random), random.number(-4.0, 4.0)]);
    numbers
        .extend([one_of([0.0, 1.0, 2.0, 3.0, 4.0], random), one_of([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], random)]);
    numbers
}

/// 1/H and the factors of the kernel of some support, and the square of a distance: often at the border, or none.
pub fn density_case(random: &mut Random, _: &Substep) -> Vec<f64> {
    let support = random.magnitude(1e-3, 10.0);
    let Kernel { inverse, peak, steep } = Kernel::<f64>::new(support);
    let share = one_of([0.0, 0.5, 1.0, random.number(0.0, 0.95), random.number(0.0, 1.2)], random);
    vec![inverse, peak, steep, (share * support).powi(2)]
}

/// The numbers of surface tension of some spacing; the way between two particles, the square of its length and the slope
/// at it; what pulls; the roots of two fluids, or of one and a solid; and the number of walls.
pub fn tension_case(random: &mut Random, _: &Substep) -> Vec<f64> {
    let spacing = random.magnitude(1e-3, 1.0);
    let (scale, tension) = (Scale::new(spacing), Scale::new(spacing).tension::<f64>());
    let way = random.vector(-1.3, 1.3).map(|x| one_of([1.0, 1.0, 0.3, 0.0], random) * spacing * x);
    let squared = way.iter().map(|x| x * x).sum::<f64>();
    let slope = Kernel::<f64>::new(scale.support).at(squared).1;
    let pull = random.vector(-1.0, 1.0).map(|x| x / spacing);
    let mut root = || one_of([-1.0, 0.0, random.magnitude(1e-2, 1.0), random.magnitude(1e-2, 1.0)], random);
    let roots = [root(), root()];
    let numbers = [tension.least, tension.steep, tension.cohesion, tension.area, tension.softness, tension.volume];
    [&[tension.inverse], &numbers[..], &way, &[squared, slope], &pull, &roots, &[tension.wetting]].concat()
}
