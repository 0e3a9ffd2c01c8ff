//! Contacts of particles with particles: one-sided, with compliance and friction in positions, and restitution in
//! velocities. Müller et al., Detailed Rigid Body Simulation with Extended Position Based Dynamics, 2020, sections 3.5
//! and 3.6. All pairs are solved at once, as by Jacobi: with nᵢ the number of pairs that press at a particle
//!   Δλ = (-C - α̃ λ) / (nᵢ wᵢ + nⱼ wⱼ + α̃),   C = n·(xᵢ - xⱼ) - (rᵢ + rⱼ),   λ + Δλ ≥ 0,
//! or less than the sum of the radii where they were placed closer (`model/touch.rs`).

mod pass;
mod segments;

pub use pass::Touching;

use std::collections::HashMap;
use std::ops::Range;

use crate::law::contact::{Impulse, PairState, Skin, Touch, approach, meeting_normal, split};
use crate::law::impact::{Impact, calm_way};
use crate::math::Vec3;
use crate::model::touch::{Kin, SLACK, touching_distance};
use crate::model::{Model, Press};
use crate::reference::points::Points;

/// Two particles that may touch in a substep.
struct Pair {
    ends: [usize; 2],
    touch: Touch<f64>,
    distance: f64,
    normal: Vec3<f64>,
    impact: Impact<f64>,
    impulse: Impulse<f64>,
}

impl Pair {
    /// Of a value of each particle.
    fn relative(&self, list: &[Vec3<f64>]) -> Vec3<f64> {
        list[self.ends[0]] - list[self.ends[1]]
    }
}

/// The pairs of a substep.
pub(crate) struct Pairs {
    /// `None` if no two particles can touch.
    radii: Option<Vec<f64>>,
    placed: Vec<Vec3<f64>>,
    kin: Kin,
    slot_of: Vec<u32>,
    /// Which are ends of segments, and touch others as such.
    is_end: Vec<bool>,
    /// That may touch in a substep, and when it is over those that pressed.
    near: Vec<Pair>,
    /// The inverse mass that each pair sees of each particle, in the last sweep.
    splits: Vec<f64>,
}

impl Pairs {
    pub fn new(model: &Model, slot_of: &[u32]) -> Self {
        let radii = model.touching_radii();
        let placed = model.particles.positions.iter().map(|&place| place.into()).collect();
        let (slot_of, is_end, kin) = (slot_of.to_vec(), model.segment_ends(), model.kin());
        Self { radii, placed, kin, slot_of, is_end, near: Vec::new(), splits: Vec::new() }
    }

    /// At which each particle touches others, m; `None` if no two can.
    pub fn radii(&self) -> Option<&[f64]> {
        self.radii.as_deref()
    }

    /// Where the scene put the particles, m.
    pub fn placed(&self) -> &[Vec3<f64>] {
        &self.placed
    }

    /// Whether constraints may hold two particles together.
    pub fn are_kin(&self, model: &Model, [i, j]: [usize; 2]) -> bool {
        self.kin.of(model, i).is_some_and(|kin| self.kin.of(model, j) == Some(kin))
    }

    /// Takes over a model as torn, with so many of its spare particles in use: these touch others as what they were
    /// split from.
    pub fn follow(&mut self, model: &Model, spares: Range<u32>, taken: u32) {
        let Some(radii) = &mut self.radii else { return };
        for (spare, radius) in model.spare_balls(spares, taken) {
            radii[spare] = radius;
            self.placed[spare] = model.particles.positions[spare].into();
        }
    }

    /// How many press.
    pub fn pressing(&self) -> u64 {
        self.near.len() as u64
    }

    /// What presses, with H of this substep, s.
    pub fn presses(&self, substep: u32, seconds: f64) -> impl Iterator<Item = Press> {
        let per_square = seconds.powi(-2);
        self.near.iter().map(move |pair| {
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
            let placed = (self.placed[i] - self.placed[j]).length();
            let Some(distance) = touching_distance(radii[i] + radii[j], placed, self.are_kin(model, [i, j])) else {
                continue;
            };
            let fixed = points.inverse_masses[i] + points.inverse_masses[j] == 0.0;
            let bodies = [i, j].map(|particle| model.particles.bodies[particle] as usize);
            let [a, b] = bodies.map(|body| &model.bodies[body]);
            let end = [i, j].iter().any(|&particle| self.is_end.get(particle) == Some(&true));
            if fixed || end || !a.meets(b, bodies[0] == bodies[1]) {
                continue;
            }
            self.near.push(Pair {
                ends: [i, j],
                touch: Touch::mixed(model.world.friction_combine, &Skin::of_body(a), &Skin::of_body(b)),
                distance,
                normal: Vec3::zero(),
                impact: Impact::of_two(0.0, 0.0, 0.0, 1.0),
                impulse: Impulse::none(),
            });
        }
        // Each particle's pairs in the order of its partners, as on a device: what BDF2 forgets depends on it, normal
        // after normal.
        let slot = |end: usize| self.slot_of[end];
        self.near.sort_by_key(|pair| {
            let [a, b] = pair.ends.map(slot);
            (a.min(b), a.max(b))
        });
    }

    /// Before the first sweep of a substep, on the ways as far as constraints have let them: by predicted ones those
    /// that are held back would be pushed from where they never come.
    fn meet(&mut self, model: &Model, points: &Points, h: f64, share: f64) {
        let calm = calm_way(model.world.gravity.into(), h);
        for pair in &mut self.near {
            let [i, j] = pair.ends;
            let start = pair.relative(&points.starts);
            let ahead = pair.relative(&points.positions) - start;
            let upper = if self.slot_of[i] > self.slot_of[j] { 1.0 } else { -1.0 };
            pair.normal = meeting_normal(start, ahead, pair.distance, upper);
            let along = pair.normal.dot(pair.relative(&points.velocities)) * h;
            let met = approach(start.length(), pair.distance, along);
            pair.impact = Impact::of_two(met, pair.touch.restitution, calm, share);
        }
    }

    /// One iteration over all pairs at once. `h` is the substep, `share` H/h.
    pub fn solve(&mut self, model: &Model, points: &mut Points, h: f64, share: f64, opening: bool) {
        if opening {
            self.meet(model, points, h, share);
        }
        let implicit = share * h;
        let value = |pair: &Pair, points: &Points| pair.normal.dot(pair.relative(&points.positions)) - pair.distance;
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
            let now = PairState {
                normal: pair.normal,
                value: value(pair, points),
                slip: (points.positions[i] - points.starts[i]) - (points.positions[j] - points.starts[j]),
                weight: self.splits[i] + self.splits[j],
                softness: pair.touch.compliance / (implicit * implicit),
            };
            let solved = pair.impulse.solved(&pair.touch, &pair.impact, &now);
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

    /// Sets the relative normal velocities of what presses, as far as one sweep over all of them at once does. Pairs
    /// then have what they pressed with in all.
    pub fn rebound(&mut self, model: &Model, points: &mut Points, h: f64) {
        let fall = Vec3::from(model.world.gravity) * (h * h);
        let mut velocities = points.velocities.clone();
        self.near.retain(|pair| pair.impulse.normal > 0.0);
        for pair in &mut self.near {
            let ([i, j], weight) = (pair.ends, pair.ends.iter().map(|&end| self.splits[end]).sum::<f64>());
            let now = pair.normal.dot(pair.relative(&points.velocities)) * h;
            let change = pair.impact.change(pair.impulse.normal * weight, now);
            let push = pair.normal * (change / (weight * h));
            velocities[i] += push * points.inverse_masses[i];
            velocities[j] += push * -points.inverse_masses[j];
            pair.impulse = pair.impulse.told(&pair.impact, weight, now);
        }
        for (i, &velocity) in velocities.iter().enumerate() {
            points.push(i, velocity - points.velocities[i], h);
        }
        for pair in &self.near {
            for end in pair.ends {
                if points.inverse_masses[end] > 0.0 {
                    points.strike(end, velocities[end], (!pair.impact.is_one).then_some(pair.normal), fall, h);
                }
            }
        }
    }
}

/// Cells beyond this are one: doubles cannot distinguish neighbouring cells there.
const FARTHEST: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;

/// All pairs of balls that are nearer to each other than the sum of their reaches; those without a radius are not
/// there.
fn neighbours(places: &[Vec3<f64>], reach: &[f64], radii: &[f64]) -> Vec<[usize; 2]> {
    let there: Vec<usize> = (0..places.len()).filter(|&i| radii[i] > 0.0 && places[i].length().is_finite()).collect();
    let size = 2.0 * there.iter().map(|&i| reach[i]).fold(0.0, f64::max);
    let cell = |place: Vec3<f64>| {
        <[f64; 3]>::from(place).map(|value| (value / size).floor().clamp(-FARTHEST, FARTHEST) as i64)
    };
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
