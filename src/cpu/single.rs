//! Solving constraints one at a time, in double precision: those of one particle, which are against the world and would
//! lose its coordinates' digits, and those over any number of particles, whose sums would lose theirs. What
//! `shaders/solve/one.wgsl` and `many.wgsl` do, with the kind's function of Rust.

use wide::f32x4;

use super::shared::Shared;
use super::solve::Task;
use crate::cpu::multiplier::LEAST_BROKEN;
use crate::math::Vec3;
use crate::model::Group;
use crate::step::BROKEN;

/// A vector in double precision.
pub fn double(v: f32x4) -> Vec3<f64> {
    let [x, y, z, _] = v.to_array().map(f64::from);
    Vec3 { x, y, z }
}

/// A vector in single precision, with nothing in the fourth place.
pub fn single(v: Vec3<f64>) -> f32x4 {
    f32x4::new([v.x as f32, v.y as f32, v.z as f32, 0.0])
}

/// The sum of what a row has, by two sums at once: with one each term waits for the one before, which takes as long as
/// all else that it needs.
#[inline(always)]
pub fn sum<T>(row: &[T], term: impl Fn(&T) -> f32x4) -> f32x4 {
    let (pairs, last) = row.as_chunks::<2>();
    let mut sums = [f32x4::ZERO; 2];
    for [a, b] in pairs {
        sums = [sums[0] + term(a), sums[1] + term(b)];
    }
    match last {
        [last] => sums[0] + sums[1] + term(last),
        _ => sums[0] + sums[1],
    }
}

/// Solves a thread's share of a batch of such constraints of the model's `group`.
pub fn solve(task: &Task, group: &Group, slot_of: &[u32]) {
    let blocks = task.group.blocks;
    let mut members = Members::default();
    for index in 0..task.blocks.len() {
        let block = task.block(index);
        for lane in 0..usize::from(blocks.counts[block]) {
            let index = task.step.index(block, lane, blocks.lanes());
            let place = task.step.place as usize;
            let first = (blocks.firsts[place + index] - blocks.firsts[place]) as usize;
            let one = One { constraint: blocks.constraint(block, lane), block, lane, lanes: blocks.lanes(), first };
            one.solve(task, group, slot_of, &mut members);
        }
    }
}

/// The rest values of a constraint, and of its particles list beside list: the same lists for one after another.
#[derive(Default)]
struct Members {
    rest: Vec<f64>,
    slots: Vec<usize>,
    x: Vec<Vec3<f64>>,
    /// d - e
    ways: Vec<Vec3<f64>>,
    w: Vec<f64>,
    moves: Vec<Vec3<f64>>,
    forces: Vec<Vec3<f64>>,
    gradient: Vec<Vec3<f64>>,
}

impl Members {
    fn find(&mut self, task: &Task, particles: &[u32], slot_of: &[u32]) {
        let (points, damping) = (&task.points, task.group.blocks.needs.damping);
        let Self { slots, x, ways, w, moves, forces, gradient, .. } = self;
        fill(slots, particles.iter().map(|&particle| slot_of[particle as usize] as usize));
        let (d, place) = (|slot| double(points.d.read(slot)), |slot| double(points.x.read(slot)));
        let e = |slot| if damping { double(points.e.read(slot)) } else { Vec3::zero() };
        fill(x, slots.iter().map(|&slot| place(slot) + d(slot)));
        fill(ways, slots.iter().map(|&slot| d(slot) - e(slot)));
        fill(w, slots.iter().map(|&slot| f64::from(points.x.read(slot).to_array()[3])));
        for list in [moves, forces, gradient] {
            fill(list, slots.iter().map(|_| Vec3::zero()));
        }
    }
}

fn fill<T>(list: &mut Vec<T>, values: impl Iterator<Item = T>) {
    list.clear();
    list.extend(values);
}

struct One {
    constraint: usize,
    block: usize,
    lane: usize,
    lanes: usize,
    /// Index of its first correction in a Jacobi batch.
    first: usize,
}

impl One {
    fn solve(&self, task: &Task, group: &Group, slot_of: &[u32], members: &mut Members) {
        let Self { constraint, block, .. } = self;
        let (points, needs, components) = (&task.points, &task.group.blocks.needs, group.kind.components());
        let entry = task.group.blocks.rest_of[*block] as usize;
        let count = group.kind.rest().len();
        members.find(task, group.particles_of(*constraint), slot_of);
        let Members { rest, slots, x, ways, w, moves, forces, gradient } = members;
        let of_members = &task.group.members;
        match (group.kind.has_member_rest(), of_members.is_empty()) {
            (false, _) => fill(rest, (0..count).map(|k| f64::from(self.get(&task.group.rest, entry * count + k)))),
            (true, true) => fill(rest, group.member_rest_of(*constraint).iter().copied()),
            (true, false) => fill(rest, group.members_rest(*constraint).map(|place| of_members.read(place))),
        }
        let valence = |k: usize| match &task.step.gather {
            None => 1.0,
            Some(gather) => f64::from(gather.valences[self.first + k]),
        };
        let scale = f64::from(task.state.scale);
        let is_broken = needs.breaking && self.get(&task.group.lambdas, block * components) > LEAST_BROKEN;
        for turn in (0..components).filter(|_| !is_broken) {
            let component = if task.state.back { components - 1 - turn } else { turn };
            let index = block * components + component;
            let value = group.evaluate_at(*constraint, component, rest, x, gradient);
            let lambda = match needs.iterating && !task.state.opening {
                true => f64::from(self.get(&task.group.lambdas, index)) / scale,
                false => 0.0,
            };
            let weight = group.kind.weight(rest, x, value, gradient, &|k| valence(k) * w[k]);
            let way = gradient.iter().zip(ways.iter()).map(|(slope, way)| slope.dot(*way)).sum();
            let law = task.laws[group.material_of(*constraint, component) as usize].to_f64().scaled(task.state.scale);
            let change = law.change(needs, lambda, value, way, weight.all, Some(weight.least));
            let (sum, next) = (f64::from(self.get(&task.group.sums, index)), (lambda + change) * scale);
            for k in 0..slots.len() {
                let step = gradient[k] * (w[k] * change);
                moves[k] += step;
                x[k] += step * valence(k);
                ways[k] += step * valence(k);
                forces[k] += gradient[k] * (sum * f64::from(task.state.share));
            }
            if needs.summing && task.state.closing {
                let sum = if task.state.first { 0.0 } else { sum };
                self.set(&task.group.sums, index, (sum + next) as f32);
            }
            self.set(&task.group.lambdas, index, next as f32);
        }
        let largest = forces.iter().map(|force| force.dot(*force)).fold(0.0, f64::max);
        let law = task.laws[group.material_of(*constraint, 0) as usize].to_f64();
        if needs.breaking && task.state.breaking() && law.breaks(largest) {
            moves.fill(Vec3::zero());
            for index in block * components..(block + 1) * components {
                self.set(&task.group.lambdas, index, BROKEN);
                self.set(&task.group.sums, index, 0.0);
            }
        }
        for (k, &slot) in slots.iter().enumerate() {
            match (&task.step.gather, task.group.blocks.sharing && w[k] == 0.0) {
                (Some(_), _) => task.corrections.write(self.first + k, single(moves[k])),
                (None, true) => {}
                (None, false) => points.d.write(slot, points.d.read(slot) + single(moves[k])),
            }
        }
    }

    fn get(&self, list: &Shared<f32>, index: usize) -> f32 {
        list.read(index * self.lanes + self.lane)
    }

    fn set(&self, list: &Shared<f32>, index: usize, value: f32) {
        list.write(index * self.lanes + self.lane, value);
    }
}
