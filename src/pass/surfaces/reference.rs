//! The contact of surfaces in the reference: found once the constraints and the colliders have had their first say,
//! pushed apart one after another with friction, and then guarded: no substep ends with a pair that its axis does not
//! certify. One after another, because split masses leave so much to the guard that a twist locks
//! (`docs/design/surfaces.md`).

#[cfg(all(test, feature = "cli"))]
mod mutations;

use super::features::{Pair, Surfaces};
use super::near::near;
use super::tangle::{Tangle, Ways};
use crate::law::contact::{Impulse, approach};
use crate::law::impact::calm_way;
use crate::law::surface::{Certificate, Contact, FLOOR, Law, Motion, Places, parting, weighted};
use crate::math::Vec3;
use crate::model::{Against, Model, Press};
use crate::reference::pass::{self, Points, Substep};

/// How often the guard pushes apart what lacks a certificate, before it holds vertices back.
const PUSHES: usize = 4;
/// A vertex goes this many times half as far, and then stays.
const LEVELS: i32 = 8;

/// The contacts of a substep, in the order in which they are found.
pub(crate) struct Contacts {
    surfaces: Surfaces,
    placed: Vec<[f64; 3]>,
    list: Vec<Contact<f64>>,
    tangle: Tangle,
}

fn at((_, vertices): Pair, list: &[Vec3<f64>]) -> Places<f64> {
    vertices.map(|vertex| list[vertex as usize])
}

/// What the axes of a pair's motion say, unless a test changes it.
fn certified(_pair: Pair, motion: &Motion<f64>) -> Certificate<f64> {
    let certificate = motion.certificate();
    #[cfg(all(test, feature = "cli"))]
    let certificate = mutations::changed(_pair, certificate);
    certificate
}

fn law(model: &Model, substep: (f64, f64)) -> Law<f64> {
    let (h, implicit) = substep;
    Law { softening: implicit.powi(-2), calm: calm_way(model.world.gravity.into(), h), share: implicit / h }
}

impl Contacts {
    /// `None` where no surfaces touch.
    pub fn new(model: &Model) -> Option<Self> {
        let surfaces = Surfaces::new(model)?;
        let (placed, tangle) = (model.particles.positions.clone(), Tangle::new(model));
        Some(Self { surfaces, placed, list: Vec::new(), tangle })
    }

    /// Calls for all pairs that come nearer than the distance at which they touch and `slack` of the sum of their
    /// radii, with that distance and what their axes say.
    fn each_near(
        &self,
        points: &Points,
        slack: f64,
        mut each: impl FnMut([u32; 2], Pair, f64, Motion<f64>, Certificate<f64>),
    ) {
        let Points { starts, positions, inverse_masses, .. } = points;
        let widened = |body: u32| (1.0 + slack) * self.surfaces.radius(body);
        near(&self.surfaces, starts, positions, widened, |bodies, pair| {
            if pair.1.iter().all(|&vertex| inverse_masses[vertex as usize] == 0.0) || self.tangle.frees(pair) {
                return;
            }
            let distance = self.surfaces.distance(&self.placed, bodies, pair);
            let motion = Motion { features: pair.0, begin: at(pair, starts), end: at(pair, positions) };
            let certificate = certified(pair, &motion);
            let sum: f64 = bodies.iter().map(|&body| self.surfaces.radius(body)).sum();
            if certificate.before > 0.0 && certificate.gap < distance + slack * sum {
                each(bodies, pair, distance, motion, certificate);
            }
        });
    }

    fn find(&mut self, points: &Points, h: f64) {
        self.tangle.find(&self.surfaces, &points.starts, |vertex| points.inverse_masses[vertex as usize]);
        let mut list = Vec::new();
        self.each_near(points, 2.0 * FLOOR, |[one, other], pair, distance, motion, certificate| {
            let (axis, weights) = (certificate.axis, motion.weights(distance, &certificate, |mask| mask));
            let along = axis.dot(weighted(&weights, &at(pair, &points.velocities))) * h;
            list.push(Contact {
                vertices: pair.1,
                features: pair.0,
                axis,
                weights,
                distance,
                offset: -distance,
                touch: self.surfaces.touch(one, other),
                approach: approach(certificate.before, distance, along),
                impulse: Impulse::none(),
            });
        });
        self.list = list;
    }

    fn push(&mut self, points: &mut Points, law: &Law<f64>) {
        let Points { starts, positions, inverse_masses, .. } = points;
        for contact in &mut self.list {
            let vertices = contact.vertices.map(|vertex| vertex as usize);
            let moved = vertices.map(|vertex| positions[vertex]);
            let ways = vertices.map(|vertex| positions[vertex] - starts[vertex]);
            let masses = vertices.map(|vertex| inverse_masses[vertex]);
            if let Some(push) = contact.solve(&moved, &ways, masses, law) {
                for (vertex, weight) in vertices.into_iter().zip(contact.weights) {
                    positions[vertex] += push * (weight * inverse_masses[vertex]);
                }
            }
        }
    }

    /// Pushes apart what lacks a certificate, then lets its vertices go half as far, and again, until every pair has
    /// one in which a vertex may yield.
    fn hold(&mut self, points: &mut Points) {
        for &(vertex, shift) in self.tangle.shifts() {
            points.positions[vertex as usize] += shift;
        }
        let (mut wanted, mut levels) = (Vec::new(), vec![0; points.positions.len()]);
        for turn in 0.. {
            let mut failing = Vec::new();
            self.each_near(points, 0.0, |_, pair, distance, _, certificate| {
                if certificate.lack(FLOOR * distance) > 0.0 {
                    failing.push((pair, distance));
                }
            });
            if failing.is_empty() {
                break;
            }
            if turn < PUSHES {
                failing.iter().for_each(|&(pair, distance)| part(points, pair, distance));
                continue;
            }
            if turn == PUSHES {
                wanted = points.positions.clone();
            }
            let mut yielding: Vec<usize> = failing.iter().flat_map(|(pair, ..)| pair.1).map(|v| v as usize).collect();
            yielding.sort_unstable();
            yielding.dedup();
            yielding.retain(|&vertex| points.inverse_masses[vertex] > 0.0 && levels[vertex] < LEVELS);
            if yielding.is_empty() {
                self.tangle.expect();
                break;
            }
            for vertex in yielding {
                levels[vertex] += 1;
                let start = points.starts[vertex];
                points.positions[vertex] = start + (wanted[vertex] - start) * share_at(levels[vertex]);
            }
        }
        for (vertex, &level) in (0..).zip(&levels).filter(|(_, level)| **level > 0) {
            self.tangle.hold(vertex, share_at(level));
        }
    }

    /// Sets the relative normal velocities of what presses, one after another.
    fn part(&mut self, points: &mut Points, h: f64, law: &Law<f64>) {
        for contact in self.list.iter_mut().filter(|contact| contact.impulse.normal > 0.0) {
            let vertices = contact.vertices.map(|vertex| vertex as usize);
            let masses = vertices.map(|vertex| points.inverse_masses[vertex]);
            let now = contact.axis.dot(weighted(&contact.weights, &vertices.map(|vertex| points.velocities[vertex])));
            let change = contact.axis * (contact.part(now * h, masses, law) / h);
            for (k, &vertex) in vertices.iter().enumerate() {
                points.velocities[vertex] += change * (contact.weights[k] * masses[k]);
            }
        }
    }
}

/// The share of its way that a vertex goes at a level.
fn share_at(level: i32) -> f64 {
    if level == LEVELS { 0.0 } else { 0.5_f64.powi(level) }
}

/// Velocities as ways in a substep.
struct Moving<'a> {
    velocities: &'a mut [Vec3<f64>],
    h: f64,
}

impl Ways for Moving<'_> {
    fn of(&self, vertex: u32) -> Vec3<f64> {
        self.velocities[vertex as usize] * self.h
    }

    fn add(&mut self, vertex: u32, change: Vec3<f64>) {
        self.velocities[vertex as usize] += change * (1.0 / self.h);
    }
}

/// Pushes a pair apart by what it still lacks, at most by the distance at which it touches.
fn part(points: &mut Points, pair: Pair, distance: f64) {
    let motion = Motion { features: pair.0, begin: at(pair, &points.starts), end: at(pair, &points.positions) };
    let certificate = certified(pair, &motion);
    let lack = certificate.lack(FLOOR * distance).min(distance);
    let (vertices, weights) = (pair.1.map(|vertex| vertex as usize), certificate.weights[1]);
    let masses = vertices.map(|vertex| points.inverse_masses[vertex]);
    if lack > 0.0
        && let Some(push) = parting(lack, &weights, masses)
    {
        for (k, &vertex) in vertices.iter().enumerate() {
            points.positions[vertex] += certificate.axis * (push * weights[k] * masses[k]);
        }
    }
}

impl pass::Pass for Contacts {
    fn guards(&self) -> bool {
        true
    }

    fn solve_round(&mut self, substep: &mut Substep, opening: bool) {
        let Substep { model, points, h, implicit, .. } = substep;
        if opening {
            self.find(points, *h);
        }
        self.push(points, &law(model, (*h, *implicit)));
    }

    fn guard(&mut self, substep: &mut Substep) {
        self.hold(substep.points);
    }

    fn correct_velocities(&mut self, substep: &mut Substep) {
        let Substep { model, points, h, implicit, .. } = substep;
        let Points { velocities, inverse_masses, .. } = &mut **points;
        self.tangle.leave(|vertex| inverse_masses[vertex as usize], &mut Moving { velocities, h: *h });
        self.part(points, *h, &law(model, (*h, *implicit)));
    }

    fn presses(&self, index: u32, implicit: f64) -> Vec<Press> {
        let per_square = implicit.powi(-2);
        let pressing = self.list.iter().filter(|contact| contact.impulse.normal > 0.0);
        let press = |contact: &Contact<f64>| {
            let Impulse { normal, tangential } = contact.impulse;
            let forces = (contact.axis.into(), normal * per_square, (tangential * per_square).into());
            let [one, other] = contact.nearest();
            Press::new(one, Against::Particle(other), forces, index)
        };
        pressing.map(press).collect()
    }

    fn pressing(&self) -> u64 {
        self.list.iter().filter(|contact| contact.impulse.normal > 0.0).count() as u64
    }
}
