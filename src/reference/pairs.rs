//! Contacts of particles with particles: one-sided, with compliance and friction in positions, and restitution in velocities. Müller et
//! al., Detailed Rigid Body Simulation with Extended Position Based Dynamics, 2020, sections 3.5 and 3.6. All pairs are solved at once, as
//! by Jacobi: with nᵢ the number of pairs that press at a particle
//!   Δλ = (-C - α̃ λ) / (nᵢ wᵢ + nⱼ wⱼ + α̃),   C = n·(xᵢ - xⱼ) - (rᵢ + rⱼ),   λ + Δλ ≥ 0.
//! What is the same in other engines is written for any kind of number.

use std::collections::HashMap;
use std::ops::Range;

use super::points::Points;
use crate::constraint::{Real, Vec3};
use crate::model::touch::{PLACED_APART, SLACK};
use crate::model::{Body, Model, Press};

/// Share of their number by which masses are split. All of it would suit contacts that pull the same way, but those of a particle
/// point in all directions: corrections then are larger by 3/2. Above 2 sums of them no longer converge.
pub const SPLIT: f64 = 2.0 / 3.0;

/// The inverse mass that each of `count` pairs sees of a particle.
#[inline(always)]
pub fn split<R: Real>(inverse_mass: R, count: u32) -> R {
    inverse_mass * R::from_f64((f64::from(count) * SPLIT).max(1.0))
}

/// The direction in which two balls push each other in a substep, from the second to the first: where they first touch on their way,
/// from `start` by `ahead`, both relative; where they get to if they do not touch; where they are if they touch from the beginning.
/// Centres in one place are parted along y: `upper` is 1 for the one up, and -1.
#[inline(always)]
pub fn normal<R: Real>(start: Vec3<R>, ahead: Vec3<R>, distance: R, upper: R) -> Vec3<R> {
    let (zero, one) = (R::from_f64(0.0), R::from_f64(1.0));
    let apart = start.dot(start) - distance * distance;
    let closing = start.dot(ahead);
    let squared = closing * closing - ahead.dot(ahead) * apart;
    // Of the two roots of |start + t ahead| = distance the first, in the form that does not cancel.
    let time = apart / (R::select(zero.greater(squared), one, squared).sqrt() - closing);
    let time = R::select(zero.greater(squared), one, R::select(time.greater(one), one, time));
    let part = R::select(apart.greater(zero), R::select(zero.greater(closing), time, one), zero);
    let (direction, length) = (start + ahead * part).direction_and_length();
    Vec3 { y: R::select(length.greater(zero), direction.y, upper), ..direction }
}

/// What a pair of bodies has in common.
#[derive(Clone, Copy, PartialEq)]
pub struct Touch<R> {
    /// m/N
    pub compliance: R,
    pub friction: R,
    pub dynamic_friction: R,
    pub restitution: R,
}

impl Touch<f64> {
    pub fn of(a: &Body, b: &Body) -> Self {
        Self {
            compliance: a.contact_compliance + b.contact_compliance,
            friction: 0.5 * (a.friction + b.friction),
            dynamic_friction: 0.5 * (a.dynamic_friction + b.dynamic_friction),
            restitution: 0.5 * (a.restitution + b.restitution),
        }
    }
}

/// λ and that of friction, such that w λ is a displacement and λ/H² a force.
#[derive(Clone, Copy)]
pub struct Impulse<R> {
    pub normal: R,
    pub tangential: Vec3<R>,
}

impl<R: Real> Impulse<R> {
    #[inline(always)]
    pub fn none() -> Self {
        Self { normal: R::from_f64(0.0), tangential: Vec3::zero() }
    }
}

impl<R: Real> Impulse<R> {
    /// After one more sweep. `value` is C, `slip` the relative way since the substep began, `weight` the sum of the split inverse masses,
    /// `softness` α̃.
    #[inline(always)]
    pub fn solved(self, touch: &Touch<R>, normal: Vec3<R>, value: R, slip: Vec3<R>, weight: R, softness: R) -> Self {
        let zero = R::from_f64(0.0);
        let lambda = self.normal - (value + softness * self.normal) / (weight + softness);
        let lambda = R::select(lambda.greater(zero), lambda, zero);
        let across = slip - normal * normal.dot(slip);
        let tangential = self.tangential - across * (R::from_f64(1.0) / weight);
        let size = tangential.length();
        let slips = size.greater(touch.friction * lambda);
        let share = R::select(slips, touch.dynamic_friction * lambda / size, R::from_f64(1.0));
        Self { normal: lambda, tangential: tangential * share }
    }
}

/// Pairs that overlap by more when a substep begins, in their distance, do not rebound in it: that they did when they met. What parts them
/// now is the push, which would be thrown back from neighbour to neighbour for ever.
pub const SETTLED: f64 = 1e-3;

/// The relative normal velocity with which two balls meet, if they do in this substep; they are at `start` when it begins.
#[inline(always)]
pub fn approach<R: Real>(start: Vec3<R>, distance: R, normal: Vec3<R>, velocity: Vec3<R>) -> R {
    let settled = distance * R::from_f64(1.0 - SETTLED);
    R::select((settled * settled).greater(start.dot(start)), R::from_f64(0.0), normal.dot(velocity))
}

/// The relative normal velocity with which a pair that pressed parts: what `approach` leaves of it, and none below 2gh, which is gravity's
/// own doing.
#[inline(always)]
pub fn parting<R: Real>(approach: R, slow: R, restitution: R) -> R {
    let zero = R::from_f64(0.0);
    R::select((-slow).greater(approach), -restitution * approach, zero)
}

/// Two particles that may touch in a substep.
struct Pair {
    ends: [usize; 2],
    touch: Touch<f64>,
    distance: f64,
    normal: Vec3<f64>,
    /// Relative normal velocity before the substep, m/s; negative when approaching.
    approach: f64,
    impulse: Impulse<f64>,
}

/// The pairs of a substep.
pub(super) struct Pairs {
    /// `None` if no two particles can touch.
    radii: Option<Vec<f64>>,
    placed: Vec<Vec3<f64>>,
    slot_of: Vec<u32>,
    /// Which are ends of segments, and touch others as such.
    is_end: Vec<bool>,
    near: Vec<Pair>,
    /// The inverse mass that each pair sees of each particle, in the last sweep.
    splits: Vec<f64>,
}

impl Pairs {
    pub fn new(model: &Model, slot_of: &[u32]) -> Self {
        let radii = model.touching_radii();
        let placed = model.particles.positions.iter().map(|&place| place.into()).collect();
        let (slot_of, is_end) = (slot_of.to_vec(), model.segment_ends());
        Self { radii, placed, slot_of, is_end, near: Vec::new(), splits: Vec::new() }
    }

    /// At which each particle touches others, m; `None` if no two can.
    pub fn radii(&self) -> Option<&[f64]> {
        self.radii.as_deref()
    }

    /// Where the scene put the particles, m.
    pub fn placed(&self) -> &[Vec3<f64>] {
        &self.placed
    }

    /// Takes over a model as torn, with so many of its spare particles in use: these touch others as what they were split from.
    pub fn follow(&mut self, model: &Model, spares: Range<u32>, taken: u32) {
        let Some(radii) = &mut self.radii else { return };
        for (spare, radius) in model.spare_balls(spares, taken) {
            radii[spare] = radius;
            self.placed[spare] = model.particles.positions[spare].into();
        }
    }

    /// How many press.
    pub fn pressing(&self) -> u64 {
        self.near.iter().filter(|pair| pair.impulse.normal > 0.0).count() as u64
    }

    /// What presses, with H of this substep, s.
    pub fn presses(&self, substep: u32, seconds: f64) -> impl Iterator<Item = Press> {
        let per_square = seconds.powi(-2);
        self.near.iter().filter(|pair| pair.impulse.normal > 0.0).map(move |pair| {
            let friction = pair.impulse.tangential * per_square;
            let forces = (pair.normal.into(), pair.impulse.normal * per_square, friction.into());
            Press::between(pair.ends.map(|end| end as u32), forces, substep)
        })
    }

    /// The pairs that may touch in this substep, at the predicted positions.
    pub fn detect(&mut self, model: &Model, points: &Points) {
        self.near.clear();
        let Some(radii) = &self.radii else { return };
        let ahead: Vec<Vec3<f64>> =
            points.positions.iter().zip(&points.starts).map(|(&position, &start)| position - start).collect();
        let middles: Vec<Vec3<f64>> =
            points.starts.iter().zip(&ahead).map(|(&start, &ahead)| start + ahead * 0.5).collect();
        let reach: Vec<f64> =
            ahead.iter().zip(radii).map(|(ahead, radius)| (1.0 + SLACK) * radius + 0.5 * ahead.length()).collect();
        for [i, j] in neighbours(&middles, &reach, radii) {
            let distance = radii[i] + radii[j];
            let fixed = points.inverse_masses[i] + points.inverse_masses[j] == 0.0;
            let bodies = [i, j].map(|particle| model.particles.bodies[particle] as usize);
            let [a, b] = bodies.map(|body| &model.bodies[body]);
            let close = (self.placed[i] - self.placed[j]).length() < PLACED_APART * distance;
            let end = [i, j].iter().any(|&particle| self.is_end.get(particle) == Some(&true));
            if fixed || close || end || !a.meets(b, bodies[0] == bodies[1]) {
                continue;
            }
            self.near.push(Pair {
                ends: [i, j],
                touch: Touch::of(a, b),
                distance,
                normal: Vec3::zero(),
                approach: 0.0,
                impulse: Impulse::none(),
            });
        }
        // Each particle's pairs in the order of its partners, as on a device: what BDF2 forgets goes by it, normal after normal.
        let slot = |end: usize| self.slot_of[end];
        self.near.sort_by_key(|pair| {
            let [a, b] = pair.ends.map(slot);
            (a.min(b), a.max(b))
        });
    }

    /// Before the first sweep of a substep, on the ways as far as constraints have let them: by predicted ones those that are held back
    /// would be pushed from where they never come.
    fn meet(&mut self, points: &Points) {
        for pair in &mut self.near {
            let [i, j] = pair.ends;
            let start = points.starts[i] - points.starts[j];
            let ahead = (points.positions[i] - points.positions[j]) - start;
            let upper = if self.slot_of[i] > self.slot_of[j] { 1.0 } else { -1.0 };
            pair.normal = normal(start, ahead, pair.distance, upper);
            let velocity = points.velocities[i] - points.velocities[j];
            pair.approach = approach(start, pair.distance, pair.normal, velocity);
        }
    }

    /// One iteration over all pairs at once. `h` is H.
    pub fn solve(&mut self, points: &mut Points, h: f64, opening: bool) {
        if opening {
            self.meet(points);
        }
        let value = |pair: &Pair, points: &Points| {
            let [i, j] = pair.ends;
            pair.normal.dot(points.positions[i] - points.positions[j]) - pair.distance
        };
        let touches = |pair: &Pair| value(pair, points) < 0.0 || pair.impulse.normal > 0.0;
        let active: Vec<bool> = self.near.iter().map(touches).collect();
        let mut counts = vec![0; points.positions.len()];
        for (pair, _) in self.near.iter().zip(&active).filter(|(_, active)| **active) {
            pair.ends.iter().for_each(|&end| counts[end] += 1);
        }
        self.splits = points.inverse_masses.iter().zip(counts).map(|(&w, count)| split(w, count)).collect();
        let mut corrections = vec![Vec3::zero(); points.positions.len()];
        for (pair, _) in self.near.iter_mut().zip(&active).filter(|(_, active)| **active) {
            let [i, j] = pair.ends;
            let slip = (points.positions[i] - points.starts[i]) - (points.positions[j] - points.starts[j]);
            let softness = pair.touch.compliance / (h * h);
            let weight = self.splits[i] + self.splits[j];
            let value = value(pair, points);
            let solved = pair.impulse.solved(&pair.touch, pair.normal, value, slip, weight, softness);
            let push =
                pair.normal * (solved.normal - pair.impulse.normal) + (solved.tangential - pair.impulse.tangential);
            pair.impulse = solved;
            corrections[i] += push * points.inverse_masses[i];
            corrections[j] += push * -points.inverse_masses[j];
        }
        for (position, correction) in points.positions.iter_mut().zip(corrections) {
            *position += correction;
        }
    }

    /// Sets the relative normal velocities of what presses, as far as one sweep over all of them at once does.
    pub fn rebound(&self, model: &Model, points: &mut Points, h: f64) {
        let slow = 2.0 * Vec3::from(model.world.gravity).length() * h;
        let pressing = || self.near.iter().filter(|pair| pair.impulse.normal > 0.0);
        let mut velocities = points.velocities.clone();
        for pair in pressing() {
            let [i, j] = pair.ends;
            let now = pair.normal.dot(points.velocities[i] - points.velocities[j]);
            let wanted = parting(pair.approach, slow, pair.touch.restitution);
            let push = pair.normal * ((wanted - now) / (self.splits[i] + self.splits[j]));
            velocities[i] += push * points.inverse_masses[i];
            velocities[j] += push * -points.inverse_masses[j];
        }
        for (i, &velocity) in velocities.iter().enumerate() {
            points.push(i, velocity - points.velocities[i], h);
        }
        for pair in pressing() {
            let along = (pair.approach >= -slow).then_some(pair.normal);
            for end in pair.ends {
                if points.inverse_masses[end] > 0.0 {
                    points.strike(end, velocities[end], along, h);
                }
            }
        }
    }
}

/// All pairs of balls that are nearer to each other than the sum of their reaches; those without a radius are not there.
fn neighbours(places: &[Vec3<f64>], reach: &[f64], radii: &[f64]) -> Vec<[usize; 2]> {
    let there: Vec<usize> = (0..places.len()).filter(|&i| radii[i] > 0.0 && places[i].length().is_finite()).collect();
    let size = 2.0 * there.iter().map(|&i| reach[i]).fold(0.0, f64::max);
    let cell = |place: Vec3<f64>| <[f64; 3]>::from(place).map(|value| (value / size).floor() as i64);
    let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
    for &i in &there {
        cells.entry(cell(places[i])).or_default().push(i);
    }
    let mut pairs = Vec::new();
    for &i in &there {
        let [x, y, z] = cell(places[i]);
        for k in 0..27 {
            let near = cells.get(&[x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1]);
            for &j in near.into_iter().flatten().filter(|j| **j > i) {
                if (places[i] - places[j]).length() < reach[i] + reach[j] {
                    pairs.push([i, j]);
                }
            }
        }
    }
    pairs
}
