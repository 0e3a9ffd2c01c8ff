//! Contacts of particles with the segments between two others: a ball against a capsule. A particle that is an end is
//! touched as such by all, once: at the first of its segments. In positions, one-sided, with compliance and friction,
//! and with restitution in velocities, as pairs of particles (`pairs.rs`):
//!   C = n·(x - (1 - s) xₐ - s x_b) - R,   ∇C = n, -(1 - s) n, -s n,
//! with R the sum of the radii, or less where they were placed closer (`model/touch.rs`: the first end decides whose
//! the segment is), and with the normal n and the share s as they are where the two first touch on their ways in the
//! substep.
//!
//! A particle goes through its contacts one after another, those first that it touches first, and sees what each does
//! to it: so it stops at the first surface on its way, whatever lies beyond, and in corners. What they do to the ends
//! of segments, which others push as well, is summed over all particles at once, by split masses, as with pairs.

use crate::law::contact::{Impulse, Skin, Touch, split};
use crate::law::impact::calm_way;
use crate::law::segment::{Contact, Relative, Sweep, apart, counted, part};
use crate::math::Vec3;
use crate::model::touch::{SLACK, Segment, touching_distance};
use crate::model::{Against, Model, Press};
use crate::pass::pairs::reference::Pairs;
use crate::reference::points::Points;

/// The contacts of a substep, by particle and then segment.
pub(crate) struct Segments {
    segments: Vec<Segment>,
    is_end: Vec<bool>,
    slot_of: Vec<u32>,
    near: Vec<Contact<f64>>,
}

impl Segments {
    pub fn new(model: &Model, slot_of: &[u32]) -> Self {
        let (segments, is_end) = (model.touching_segments(), model.segment_ends());
        Self { segments, is_end, slot_of: slot_of.to_vec(), near: Vec::new() }
    }

    /// How many press.
    pub fn pressing(&self) -> u64 {
        self.near.iter().filter(|contact| contact.active).count() as u64
    }

    /// What presses, with H of this substep, s.
    pub fn presses(&self, substep: u32, seconds: f64) -> impl Iterator<Item = Press> {
        let per_square = seconds.powi(-2);
        self.near.iter().filter(|contact| contact.active).map(move |contact| {
            let Impulse { normal, tangential } = contact.impulse;
            let forces = (contact.normal.into(), normal * per_square, (tangential * per_square).into());
            Press::new(contact.particle, Against::Particle(contact.nearest_end()), forces, substep)
        })
    }

    /// What may touch in this substep, at the predicted positions.
    pub fn detect(&mut self, model: &Model, points: &Points, pairs: &Pairs) {
        self.near.clear();
        let Some(radii) = pairs.radii().filter(|_| !self.segments.is_empty()) else { return };
        // A way that is bent at a first contact stays in the ball round the straight one.
        let extent = |i: usize| {
            let (start, end) = (points.starts[i], points.positions[i]);
            let reach = (1.0 + SLACK) * radii[i] + 0.5 * (end - start).length();
            [-reach, reach].map(|reach| <[f64; 3]>::from((start + end) * 0.5).map(|middle| middle + reach))
        };
        let sound = |i: &usize| radii[*i] > 0.0 && points.positions[*i].length().is_finite();
        let mut balls: Vec<(usize, [[f64; 3]; 2])> = (0..radii.len()).filter(sound).map(|i| (i, extent(i))).collect();
        balls.sort_by(|a, b| a.1[0][0].total_cmp(&b.1[0][0]));
        let widest = balls.iter().map(|(_, [low, high])| high[0] - low[0]).fold(0.0, f64::max);
        for (index, segment) in (0..).zip(&self.segments) {
            let [a, b] = segment.ends.map(|end| end as usize);
            if ![a, b].iter().all(sound) {
                continue;
            }
            let [one, other] = [extent(a), extent(b)];
            let low: [f64; 3] = std::array::from_fn(|k| one[0][k].min(other[0][k]));
            let high: [f64; 3] = std::array::from_fn(|k| one[1][k].max(other[1][k]));
            let from = balls.partition_point(|(_, [begin, _])| begin[0] < low[0] - widest);
            for &(i, [begin, end]) in balls[from..].iter().take_while(|(_, [begin, _])| begin[0] < high[0]) {
                let meets = (0..3).all(|k| begin[k] < high[k] && end[k] > low[k]);
                if meets && i != a && i != b && self.may_touch(model, points, [i, a, b]) {
                    let Some(distance) = self.distance(model, pairs, [i, a, b]) else { continue };
                    let bodies = [i, a].map(|particle| &model.bodies[model.particles.bodies[particle] as usize]);
                    let [mine, theirs] = bodies.map(Skin::of_body);
                    let touch = Touch::mixed(model.world.friction_combine, &mine, &theirs);
                    let [slot, one, other] = [i, a, b].map(|particle| self.slot_of[particle]);
                    let line = (index, segment.ends, segment.touched_at(slot, self.is_end[i], [one, other]));
                    self.near.push(Contact::new(i as u32, line, touch, distance));
                }
            }
        }
        self.near.sort_by_key(|contact| (contact.particle, contact.segment));
    }

    fn may_touch(&self, model: &Model, points: &Points, [i, a, b]: [usize; 3]) -> bool {
        let bodies = [i, a].map(|particle| model.particles.bodies[particle] as usize);
        let [mine, theirs] = bodies.map(|body| &model.bodies[body]);
        let free = [i, a, b].iter().any(|&particle| points.inverse_masses[particle] > 0.0);
        free && mine.meets(theirs, bodies[0] == bodies[1])
    }

    /// At which a particle and a segment touch, m; `None` if they never do.
    fn distance(&self, model: &Model, pairs: &Pairs, [i, a, b]: [usize; 3]) -> Option<f64> {
        let [mine, theirs] = [i, a].map(|particle| &model.bodies[model.particles.bodies[particle] as usize]);
        let kin = pairs.are_kin(model, [i, a]);
        let [i, a, b] = [i, a, b].map(|particle| pairs.placed()[particle]);
        touching_distance(mine.radius + theirs.radius, apart(i - a, b - a), kin)
    }

    /// One iteration. `h` is the substep, `share` H/h.
    pub fn solve(&mut self, model: &Model, points: &mut Points, h: f64, share: f64) {
        if self.near.is_empty() {
            return;
        }
        let relative = |list: &[Vec3<f64>], contact: &Contact<f64>| {
            let [i, a, b] = [contact.particle, contact.ends[0], contact.ends[1]].map(|p| list[p as usize]);
            [i - a, b - a]
        };
        let ways = |contact: &Contact<f64>| {
            let [start, edge] = relative(&points.starts, contact);
            let [place, edge_now] = relative(&points.positions, contact);
            Relative { start, way: place - start, edge, edge_way: edge_now - edge }
        };
        let mut counts = vec![0_u32; points.positions.len()];
        let calm = calm_way(model.world.gravity.into(), h);
        let softening = (share * h).powi(-2);
        for looking in [true, false] {
            let mass = |particle: u32| points.inverse_masses[particle as usize];
            let split = |particle: u32| split(mass(particle), counts[particle as usize]);
            let speeds = |contact: &Contact<f64>| relative(&points.velocities, contact).map(|speed| speed * h);
            let sweep = Sweep { ways, mass, split, speeds, softening, calm, share };
            for own in self.near.chunk_by_mut(|a, b| a.particle == b.particle) {
                if looking { sweep.look(own) } else { sweep.solve(own) }
            }
            if looking {
                counted(&self.near, |particle| counts[particle as usize] += 1);
            }
        }
        for (particle, push) in self.near.iter().flat_map(pushes) {
            points.positions[particle] += push * points.inverse_masses[particle];
        }
    }

    /// Sets the relative normal velocities of what presses, as far as one sweep does.
    pub fn rebound(&mut self, points: &mut Points, h: f64) {
        let mut counts = vec![0_u32; points.positions.len()];
        self.near.iter_mut().for_each(|contact| contact.active = contact.presses());
        counted(&self.near, |particle| counts[particle as usize] += 1);
        let mut velocities = points.velocities.clone();
        for own in self.near.chunk_by_mut(|a, b| a.particle == b.particle) {
            let speed = |particle: u32| points.velocities[particle as usize] * h;
            let split = |particle: u32| split(points.inverse_masses[particle as usize], counts[particle as usize]);
            part(own, speed, split, points.inverse_masses[own[0].particle as usize]);
        }
        for (particle, push) in self.near.iter().filter(|contact| contact.active).flat_map(pushes) {
            velocities[particle] += push * (points.inverse_masses[particle] / h);
        }
        for (i, _) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            points.push(i, velocities[i] - points.velocities[i], h);
            if points.inverse_masses[i] > 0.0 {
                points.strike(i, velocities[i], None, Vec3::zero(), h);
            }
        }
    }
}

/// What moves each of the three, were its inverse mass 1.
fn pushes(contact: &Contact<f64>) -> [(usize, Vec3<f64>); 3] {
    contact.parts().map(|(particle, part)| (particle as usize, contact.push * part))
}
