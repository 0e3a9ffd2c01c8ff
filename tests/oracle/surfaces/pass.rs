//! The contact of surfaces as a pass of the reference: found once the constraints have had their first say, pushed apart with friction, and
//! then guarded: no substep ends with a pair that its axis does not certify.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pliant::constraint::Vec3;
use pliant::pass::{Pass, reference};
use pliant::solver::SolverError;

use super::axis::Pair;
use super::faces::Faces;

/// The share of the thickness below which no gap falls.
pub const FLOOR: f64 = 0.1;
/// How often a sweep goes over all contacts.
const ROUNDS: usize = 8;
/// How often the guard pushes apart what lacks a certificate, before it holds vertices back.
const PUSHES: usize = 4;
/// A vertex goes this many times half as far, and then stays.
const LEVELS: i32 = 8;
/// Turns of the guard after which all stays where it was.
const TURNS: usize = 60;

/// A pass for the surfaces of all bodies, with what it tells.
#[derive(Default)]
pub struct Surfaces {
    /// Vertices that it held back, of all substeps together.
    pub held: AtomicU64,
    /// Substeps in which it kept everything where it was.
    pub frozen: AtomicU64,
}

impl Pass for Surfaces {
    fn name(&self) -> &'static str {
        "surfaces"
    }

    fn reference(&'static self, setup: &reference::Setup) -> Option<Box<dyn reference::Pass>> {
        let model = setup.model;
        let faces = Faces::new(model.bodies.iter().flat_map(|body| body.triangles.iter().copied()).collect());
        let body = model.bodies.first()?;
        let placed = model.particles.positions.iter().map(|&place| place.into()).collect();
        let (thickness, friction) = (2.0 * body.radius, body.friction);
        Some(Box::new(Contacts { told: self, faces, placed, thickness, friction, list: Vec::new() }))
    }

    fn cpu(&'static self, _: &pliant::pass::cpu::Setup) -> Option<Box<dyn pliant::pass::cpu::Pass>> {
        None
    }

    fn gpu(
        &'static self,
        _: &pliant::pass::gpu::Setup,
    ) -> Result<Option<Box<dyn pliant::pass::gpu::Pass>>, SolverError> {
        Ok(None)
    }
}

/// C = n·Σ wᵢ yᵢ - D
struct Contact {
    pair: Pair,
    axis: Vec3<f64>,
    weights: [f64; 4],
    distance: f64,
    lambda: f64,
    tangential: Vec3<f64>,
}

struct Contacts {
    told: &'static Surfaces,
    faces: Faces,
    placed: Vec<Vec3<f64>>,
    thickness: f64,
    friction: f64,
    list: Vec<Contact>,
}

fn at(pair: Pair, list: &[Vec3<f64>]) -> [Vec3<f64>; 4] {
    pair.vertices().map(|vertex| list[vertex])
}

impl Contact {
    fn value(&self, ends: &[Vec3<f64>]) -> f64 {
        let sum = self.weights.iter().zip(at(self.pair, ends)).map(|(weight, place)| weight * self.axis.dot(place));
        sum.sum::<f64>() - self.distance
    }

    /// One after another: split masses leave so much to the guard that a twist locks.
    fn solve(&mut self, begin: &[Vec3<f64>], ends: &mut [Vec3<f64>], masses: &[f64], friction: f64) {
        let value = self.value(ends);
        let vertices = self.pair.vertices();
        let weight: f64 =
            self.weights.iter().zip(vertices).map(|(weight, vertex)| weight * weight * masses[vertex]).sum();
        if (value >= 0.0 && self.lambda == 0.0) || weight == 0.0 {
            return;
        }
        let lambda = (self.lambda - value / weight).max(0.0);
        let ways = self.weights.iter().zip(vertices).map(|(&weight, vertex)| (ends[vertex] - begin[vertex]) * weight);
        let slip = ways.fold(Vec3::zero(), |sum, way| sum + way);
        let slip = slip - self.axis * self.axis.dot(slip);
        let wanted = self.tangential - slip * (1.0 / weight);
        let (size, most) = (wanted.length(), friction * lambda);
        let tangential = if size > most { wanted * (most / size) } else { wanted };
        let push = self.axis * (lambda - self.lambda) + (tangential - self.tangential);
        (self.lambda, self.tangential) = (lambda, tangential);
        for (&weight, vertex) in self.weights.iter().zip(vertices) {
            ends[vertex] += push * (weight * masses[vertex]);
        }
    }
}

impl Contacts {
    /// No gap falls below it, m.
    fn floor(&self) -> f64 {
        FLOOR * self.thickness
    }

    /// Where two first touch on their way: each step leads to the plane through the nearest points.
    fn touching(&self, pair: Pair, begin: &[Vec3<f64>; 4], end: &[Vec3<f64>; 4], distance: f64) -> [Vec3<f64>; 4] {
        let place = |time: f64| std::array::from_fn(|i| begin[i] + (end[i] - begin[i]) * time);
        let mut time = 0.0;
        for _ in 0..4 {
            let now = place(time);
            let (axis, apart) = pair.between(&now).direction_and_length();
            let ways: [Vec3<f64>; 4] = std::array::from_fn(|i| begin[i] - end[i]);
            let closing = -pair.gap(axis, &ways.map(|way| -way)).min(0.0);
            if apart <= distance || closing == 0.0 {
                break;
            }
            time += (apart - distance) / closing;
            if time >= 1.0 {
                return *end;
            }
        }
        if time == 0.0 { *end } else { place(time) }
    }

    fn find(&mut self, begin: &[Vec3<f64>], ends: &[Vec3<f64>]) {
        let reach = self.thickness + 2.0 * self.floor();
        let near = self.faces.near(begin, ends, reach);
        let touch = |pair: Pair| {
            let (first, last) = (at(pair, begin), at(pair, ends));
            let (axis, gap) = pair.widest(&first, &last);
            let placed = pair.between(&at(pair, &self.placed)).length();
            let distance = self.thickness.min(0.99 * placed);
            let weights = pair.weights(&self.touching(pair, &first, &last, distance));
            let contact = Contact { pair, axis, weights, distance, lambda: 0.0, tangential: Vec3::zero() };
            (gap < reach).then_some(contact)
        };
        self.list = near.into_iter().filter_map(touch).collect();
    }

    /// Pushes apart what lacks a certificate, then lets its vertices go half as far, and again, until every pair has one.
    fn guard(&self, begin: &[Vec3<f64>], ends: &mut [Vec3<f64>], masses: &[f64]) {
        let floor = self.floor();
        let (mut wanted, mut levels) = (Vec::new(), vec![0; ends.len()]);
        for turn in 0.. {
            let near = self.faces.near(begin, ends, floor).into_iter();
            let lacks = near.map(|pair| (pair, pair.lack(&at(pair, begin), &at(pair, ends), floor)));
            let failing: Vec<(Pair, (f64, Vec3<f64>))> = lacks.filter(|(_, (lack, _))| *lack > 0.0).collect();
            if failing.is_empty() {
                break;
            }
            if turn < PUSHES {
                for (pair, (lack, axis)) in failing.into_iter().filter(|(_, (lack, _))| lack.is_finite()) {
                    let weights = pair.weights(&at(pair, ends));
                    let distance = lack + weights.iter().zip(at(pair, ends)).map(|(w, y)| w * axis.dot(y)).sum::<f64>();
                    let none = Vec3::zero();
                    Contact { pair, axis, weights, distance, lambda: 0.0, tangential: none }
                        .solve(begin, ends, masses, 0.0);
                }
                continue;
            }
            if turn == PUSHES {
                wanted = ends.to_vec();
            }
            let mut raised: Vec<usize> = failing.iter().flat_map(|(pair, _)| pair.vertices()).collect();
            raised.sort_unstable();
            raised.dedup();
            if turn == TURNS {
                self.told.frozen.fetch_add(1, Relaxed);
                raised = (0..ends.len()).collect();
                levels.fill(LEVELS);
            }
            for vertex in raised.into_iter().filter(|&vertex| masses[vertex] > 0.0) {
                levels[vertex] = (levels[vertex] + 1).min(LEVELS);
                let share = if levels[vertex] == LEVELS { 0.0 } else { 0.5_f64.powi(levels[vertex]) };
                ends[vertex] = begin[vertex] + (wanted[vertex] - begin[vertex]) * share;
            }
            if turn > TURNS {
                // Driven surfaces meet each other: nobody can yield.
                break;
            }
        }
        self.told.held.fetch_add(levels.iter().filter(|&&level| level > 0).count() as u64, Relaxed);
    }
}

impl reference::Pass for Contacts {
    fn solve(&mut self, substep: &mut reference::Substep, opening: bool) {
        let reference::Points { starts, positions, inverse_masses, .. } = &mut *substep.points;
        if opening {
            self.find(starts, positions);
        }
        for _ in 0..ROUNDS {
            self.list.iter_mut().for_each(|contact| contact.solve(starts, positions, inverse_masses, self.friction));
        }
        self.guard(starts, positions, inverse_masses);
    }
}
