//! Models of particles that touch segments, and what theory says of them.

#![allow(dead_code, reason = "each test file uses its own part")]

use pliant::constraint::{Distance, Vec3, kind};
use pliant::measure::constraint_force;
use pliant::model::{Body, Drive, Keyframes, Material, Model, State};

use crate::models::{self, GRAVITY, compliant};
use crate::random::Random;

/// Of all that touch, m: they do at twice of it.
pub const THIN: f64 = 0.01;
pub const TRIES: usize = 1000;

/// A body of particles: places, masses (0 is fixed), and segments by index in the body.
pub struct Part {
    pub places: Vec<[f64; 3]>,
    pub masses: Vec<f64>,
    pub segments: Vec<[u32; 2]>,
}

/// Points of one mass.
pub fn points(places: &[[f64; 3]], mass: f64) -> Part {
    Part { places: places.to_vec(), masses: vec![mass; places.len()], segments: Vec::new() }
}

/// A segment.
pub fn bar(ends: [[f64; 3]; 2], masses: [f64; 2]) -> Part {
    Part { places: ends.to_vec(), masses: masses.to_vec(), segments: vec![[0, 1]] }
}

/// Segments from each place to the next.
pub fn chain(places: &[[f64; 3]], mass: f64) -> Part {
    let segments = (1..places.len() as u32).map(|i| [i - 1, i]).collect();
    Part { segments, ..points(places, mass) }
}

/// Bodies of this radius in a world without gravity.
pub fn bodies(radius: f64, parts: &[Part]) -> Model {
    let join = |of: fn(&Part) -> Vec<f64>| parts.iter().flat_map(of).collect::<Vec<_>>();
    let places: Vec<[f64; 3]> = parts.iter().flat_map(|part| part.places.clone()).collect();
    let mut model = models::particles(&places, &join(|part| part.masses.clone()));
    model.world.gravity = [0.0; 3];
    let mut first = 0;
    model.bodies.clear();
    for (index, part) in parts.iter().enumerate() {
        let end = first + part.places.len() as u32;
        model.particles.bodies[first as usize..end as usize].fill(index as u32);
        let segments = part.segments.iter().map(|ends| ends.map(|i| first + i)).collect();
        let name = format!("body {index}");
        model.bodies.push(Body { name, particles: first..end, radius, segments, ..Body::default() });
        first = end;
    }
    model
}

pub fn set_friction(model: &mut Model, friction: f64) {
    for body in &mut model.bodies {
        (body.friction, body.dynamic_friction) = (friction, friction);
    }
}

/// A point of 2 kg that comes down on a free bar of 1 m, of 1 and 3 kg at its ends.
#[derive(Clone, Copy)]
pub struct Strike {
    /// Of the bar, where it comes down.
    pub share: f64,
    /// Downwards, m/s.
    pub speed: f64,
    /// Across the bar, as a share of that.
    pub across: f64,
    pub restitution: f64,
    pub friction: f64,
}

impl Strike {
    pub fn smooth(share: f64, speed: f64, restitution: f64) -> Self {
        Self { share, speed, across: 0.0, restitution, friction: 0.0 }
    }
}

/// A point that rubs on the bar to the end, and one that sticks to it.
pub const RUBBING_STRIKES: [Strike; 2] = [
    Strike { share: 0.2, speed: 2.0, across: 0.9, restitution: 0.4, friction: 0.2 },
    Strike { share: 0.7, speed: 2.0, across: 0.9, restitution: 0.0, friction: 2.0 },
];

/// The model of one, which begins `phase` of a substep later.
pub fn strike(strike: &Strike, phase: f64) -> Model {
    let Strike { share, speed, across, restitution, friction } = *strike;
    let way = speed * (3.0 + phase) / 600.0;
    let place = [share, 2.0 * THIN + way, -across * way];
    let mut model = bodies(THIN, &[points(&[place], 2.0), bar([[0.0; 3], [1.0, 0.0, 0.0]], [1.0, 3.0])]);
    model.particles.velocities[0] = [0.0, -speed, across * speed];
    set_friction(&mut model, friction);
    model.bodies.iter_mut().for_each(|body| body.restitution = restitution);
    model
}

/// By how much the velocities after a [`strike`] are off what the impulse makes of them, and the momentum, both in shares
/// of the speed.
///   J = (1 + e) v m,   Jₜ = min(μ J, m vₜ),   1/m = 1/m₀ + (1 - s)²/mₐ + s²/m_b
pub fn strike_errors(state: &State, strike: &Strike) -> [f64; 2] {
    let Strike { share, speed, across, restitution, friction } = *strike;
    let mass = 1.0 / (1.0 / 2.0 + (1.0 - share).powi(2) + share * share / 3.0);
    let impulse = (1.0 + restitution) * speed * mass;
    let rub = (friction * impulse).min(mass * across * speed);
    let expected = |given: f64, before: f64| [before + given / 2.0, -given * (1.0 - share), -given * share / 3.0];
    let (down, aside) = (expected(impulse, -speed), expected(-rub, across * speed));
    let v = &state.velocities;
    let mut error = 0.0_f64;
    for (found, (down, aside)) in v.iter().zip(down.into_iter().zip(aside)) {
        error = error.max((found[1] - down).abs()).max(found[0].abs()).max((found[2] - aside).abs());
    }
    let momentum = |k: usize| 2.0 * v[0][k] + v[1][k] + 3.0 * v[2][k];
    let lost = (momentum(1) + 2.0 * speed).hypot(momentum(2) - 2.0 * across * speed);
    [error / speed, lost / (2.0 * speed)]
}

/// A point of 2 kg that lies on a fixed bar.
pub fn lying(share: f64) -> Model {
    let place = [share, 2.0004 * THIN, 0.0];
    let mut model = bodies(THIN, &[points(&[place], 2.0), bar([[0.0; 3], [1.0, 0.0, 0.0]], [0.0; 2])]);
    model.world.gravity = [0.0, -GRAVITY, 0.0];
    model
}

/// A point of 2 kg on a bar whose ends, 0.5 kg each, hang by springs of 1e-4 m/N and 1 m, and the forces of these, which
/// are those of a lever.
pub fn scales(share: f64) -> (Model, [f64; 2]) {
    let hooks = points(&[[0.0, 1.0, 0.5], [1.0, 1.0, 0.5]], 0.0);
    let place = [share, 2.0004 * THIN, 0.5];
    let parts = [points(&[place], 2.0), bar([[0.0, 0.0, 0.5], [1.0, 0.0, 0.5]], [0.5; 2]), hooks];
    let mut model = bodies(THIN, &parts);
    model.world.gravity = [0.0, -GRAVITY, 0.0];
    for end in [1, 2] {
        let spring = Material { damping: 20.0, ..compliant(1e-4) };
        models::connect_with_rest(&mut model, kind::<Distance>(), &[end, end + 2], &[1.0], spring);
    }
    // Or it would slide down the bar, which the springs let hang askew.
    set_friction(&mut model, 0.5);
    (model, [0.5 + 2.0 * (1.0 - share), 0.5 + 2.0 * share].map(|mass| mass * GRAVITY))
}

/// The largest relative error of the forces of the springs of [`scales`].
pub fn scales_error(model: &Model, state: &State, expected: [f64; 2]) -> f64 {
    let error = |i: usize| (constraint_force(model, state, 0, i) / expected[i] - 1.0).abs();
    error(0).max(error(1))
}

/// A point on a fixed bar of 4 m that falls by so many degrees, with friction, and the way down.
pub fn sloping(degrees: f64, friction: f64) -> (Model, Vec3<f64>) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let down = Vec3::new(cos, -sin, 0.0);
    let place = Vec3::new(sin, cos, 0.0) * (2.0 * THIN + GAP);
    let ends = [down * -1.0, down * 3.0].map(<[f64; 3]>::from);
    let mut model = bodies(THIN, &[points(&[place.into()], 1.0), bar(ends, [0.0; 2])]);
    model.world.gravity = [0.0, -GRAVITY, 0.0];
    set_friction(&mut model, friction);
    (model, down)
}

/// By how much what is placed is farther from a segment than they touch, m: or it never would.
const GAP: f64 = 4e-4 * THIN;

/// By how much the speed of the point of a [`sloping`] bar after half a second is off that of theory, g (sin θ - μ cos θ) t
/// or 0, and by how much it may be: by what friction does in the time in which it closes the gap.
pub fn sloping_error(state: &State, down: Vec3<f64>, degrees: f64, friction: f64) -> [f64; 2] {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let expected = (0.5 * GRAVITY * (sin - friction * cos)).max(0.0);
    let closing = (2.0 * GAP / (GRAVITY * cos)).sqrt() + 1.0 / 600.0;
    [(down.dot(state.velocities[0].into()) - expected).abs(), friction * GRAVITY * cos * closing]
}

/// Radii, m, and velocities of the bar, m/s, with which points are shot at it.
pub const VOLLEYS: [(f64, [f64; 2]); 3] = [(5e-4, [0.0, 0.0]), (5e-4, [-20.0, 30.0]), (0.01, [0.0, -40.0])];

/// Points of this radius at 100 m/s towards the middle of a bar of 4 m that lies along x, from both sides and at random
/// angles and phases; the bar goes ahead with this velocity. Beside it their velocities when they have met.
pub fn volley(radius: f64, carried: [f64; 2]) -> (Model, Vec<Vec3<f64>>) {
    let mut random = Random::new(7);
    let (mut places, mut velocities, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    while places.len() < TRIES {
        let angle = random.number(0.0, std::f64::consts::TAU);
        let way = Vec3::new(angle.cos(), angle.sin(), 0.0);
        if way.y.abs() > 0.1 {
            // Where they meet, and as far as they both come in this time.
            let time = random.number(0.2, 1.0) / 100.0;
            let carried = Vec3::new(carried[0], carried[1], 0.0);
            let velocity = way * 100.0 + carried;
            let target = Vec3::new(random.number(-0.5, 0.5), 0.0, 0.0) + carried * time;
            places.push((target - velocity * time).into());
            velocities.push(velocity.into());
            expected.push(Vec3 { y: carried.y, ..velocity });
        }
    }
    let mut model = bodies(radius, &[points(&places, 1.0), bar([[-2.0, 0.0, 0.0], [2.0, 0.0, 0.0]], [0.0; 2])]);
    model.particles.velocities[..TRIES].copy_from_slice(&velocities);
    let motion = Keyframes::new(vec![(0.0, [0.0; 3]), (1.0, [carried[0], carried[1], 0.0])]).unwrap();
    for end in [TRIES, TRIES + 1] {
        models::drive(&mut model, end, Drive { motion: Some(motion.clone()), ..Drive::default() });
    }
    (model, expected)
}

/// How many of a [`volley`] have gone on as if there were no bar, or otherwise than they should.
pub fn passed(state: &State, expected: &[Vec3<f64>]) -> usize {
    let wrong = |(found, expected): (&[f64; 3], &Vec3<f64>)| (Vec3::from(*found) - *expected).length() > 0.1;
    state.velocities.iter().zip(expected).filter(|pair| wrong(*pair)).count()
}

/// Points at 100 m/s in a ring of fixed segments, which is a star with corners that point in and out; a frame is one substep.
pub fn cage(radius: f64) -> Model {
    const CORNERS: u32 = 24;
    let corner = |i: u32| {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / f64::from(CORNERS)).sin_cos();
        let size = if i.is_multiple_of(2) { 1.0 } else { 0.8 };
        [size * cos, size * sin, 0.0]
    };
    let mut random = Random::new(3);
    let turned = |angle: f64, by: f64| [by * angle.cos(), by * angle.sin(), 0.0];
    let place = |random: &mut Random| turned(random.number(0.0, 6.3), random.number(0.0, 0.7));
    let places: Vec<[f64; 3]> = (0..TRIES).map(|_| place(&mut random)).collect();
    let ring = Part {
        segments: (0..CORNERS).map(|i| [i, (i + 1) % CORNERS]).collect(),
        ..points(&(0..CORNERS).map(corner).collect::<Vec<_>>(), 0.0)
    };
    let mut model = bodies(radius, &[points(&places, 1.0), ring]);
    for velocity in &mut model.particles.velocities[..TRIES] {
        *velocity = turned(random.number(0.0, 6.3), 100.0);
    }
    model.bodies.iter_mut().for_each(|body| body.restitution = 1.0);
    model
}

/// How many points of a [`cage`] are out of it.
pub fn escaped(state: &State) -> usize {
    let ring = &state.positions[TRIES..];
    state.positions[..TRIES].iter().filter(|place| !is_inside(ring, place)).count()
}

/// Whether a polygon in the plane of x and y winds round a place.
pub fn is_inside(polygon: &[[f64; 3]], [x, y, _]: &[f64; 3]) -> bool {
    let edges = polygon.iter().zip(polygon.iter().cycle().skip(1));
    let crosses = |(a, b): &(&[f64; 3], &[f64; 3])| {
        (a[1] > *y) != (b[1] > *y) && *x < a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1])
    };
    edges.filter(crosses).count() % 2 == 1
}

/// Corners of a ring.
pub const CORNERS: u32 = 10;

/// Elastic rings with hubs that come towards each other.
pub fn rings(friction: f64) -> Model {
    let corner = |x: f64, i: u32| {
        let (sin, cos) = (std::f64::consts::TAU * (f64::from(i) + 0.3 * x) / f64::from(CORNERS)).sin_cos();
        [x + 0.3 * cos, 0.3 * sin + 0.05 * x, 0.0]
    };
    let ring = |x: f64| {
        let mut places: Vec<[f64; 3]> = (0..CORNERS).map(|i| corner(x, i)).collect();
        places.push([x, 0.05 * x, 0.0]);
        Part { segments: (0..CORNERS).map(|i| [i, (i + 1) % CORNERS]).collect(), ..points(&places, 0.1) }
    };
    let mut model = bodies(THIN, &[ring(-0.5), ring(0.5)]);
    for first in [0, CORNERS + 1] {
        for i in 0..CORNERS {
            models::spring(&mut model, first + i, first + (i + 1) % CORNERS, compliant(1e-5));
            models::spring(&mut model, first + i, first + CORNERS, compliant(1e-3));
        }
        for i in first..=first + CORNERS {
            model.particles.velocities[i as usize] = [if first == 0 { 2.0 } else { -2.0 }, 0.0, 0.0];
        }
    }
    set_friction(&mut model, friction);
    model
}

/// How many corners of each of the [`rings`] are in the other.
pub fn inside_each_other(state: &State) -> usize {
    let corners = CORNERS as usize;
    let [one, other] = [0, corners + 1].map(|first| &state.positions[first..first + corners]);
    let count = |of: &[[f64; 3]], polygon: &[[f64; 3]]| of.iter().filter(|place| is_inside(polygon, place)).count();
    count(one, other) + count(other, one)
}

/// Momentum of particles of equal mass, per mass.
pub fn momentum(state: &State) -> Vec3<f64> {
    state.velocities.iter().fold(Vec3::zero(), |sum, &v| sum + v.into())
}

/// Points and segments of all kinds in space, some of them held, that fly about.
pub fn swarm(count: usize, seed: u64) -> Model {
    let mut random = Random::new(seed);
    let mut places = Vec::new();
    for _ in 0..count / 2 {
        let (place, line) = (Vec3::from(random.vector(-0.17, 0.17)), Vec3::from(random.vector(-0.1, 0.1)));
        places.extend([place, place + line].map(<[f64; 3]>::from));
    }
    let half = count / 2;
    let segments = |to: usize| (0..to as u32 / 2).map(|i| [2 * i, 2 * i + 1]).collect();
    let mut mass = |i: usize| if i.is_multiple_of(11) { 0.0 } else { random.number(0.1, 3.0) };
    let part = |range: std::ops::Range<usize>, masses: Vec<f64>| Part {
        segments: segments(range.len()),
        places: places[range].to_vec(),
        masses,
    };
    let [one, other] = [0..half, half..count].map(|range| range.clone().map(&mut mass).collect::<Vec<_>>());
    let mut model = bodies(0.01, &[part(0..half, one), part(half..count, other)]);
    model.particles.velocities = (0..count).map(|_| random.vector(-2.0, 2.0)).collect();
    let common = Body { self_collision: true, friction: 0.6, dynamic_friction: 0.4, ..Body::default() };
    for (index, body) in model.bodies.iter_mut().enumerate() {
        let (name, particles, segments) = (body.name.clone(), body.particles.clone(), body.segments.clone());
        *body = match index {
            0 => Body { name, particles, segments, radius: 0.012, restitution: 0.8, ..common.clone() },
            _ => Body {
                name,
                particles,
                segments,
                radius: 0.02,
                restitution: 0.2,
                contact_compliance: 1e-7,
                ..common.clone()
            },
        };
    }
    model
}
