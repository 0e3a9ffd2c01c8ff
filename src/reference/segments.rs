//! Contacts of particles with the segments between two others: a ball against a capsule. A particle that is an end is
//! touched as such by all, once: at the first of its segments. In positions, one-sided, with compliance and friction,
//! and with restitution in velocities, as pairs of particles (`pairs.rs`):
//!   C = n·(x - (1 - s) xₐ - s x_b) - R,   ∇C = n, -(1 - s) n, -s n,
//! with R the sum of the radii, or less where they were placed closer (`model/touch.rs`: the first end tells whose the
//! segment is), and with the normal n and the share s as they are where the two first touch on their ways in the
//! substep.
//!
//! A particle goes through its contacts one after another, those first that it touches first, and sees what each does
//! to it: so it stops at the first surface on its way, whatever lies beyond, and in corners. What they do to the ends
//! of segments, which others push as well, is summed over all particles at once, by split masses, as with pairs. What
//! is the same in other engines is written for any number.

use super::impact::{Impact, calm_way};
use super::pairs::{Impulse, Pairs, Sight, Touch, approach, split};
use super::points::Points;
use crate::constraint::{Real, Vec3};
use crate::model::touch::{SLACK, Segment, touching_distance};
use crate::model::{Against, Model, Press};

/// Steps to where two first touch: each leads on to the plane through the surface's nearest point.
const STEPS: usize = 8;
/// What is nearer than this share of the distance touches.
const CLOSE: f64 = 1e-3;
/// How often a sweep solves a contact of a particle.
const MOST: usize = 8;

/// A particle and a segment as a substep begins, and their ways so far: all relative to the segment's first end, m.
#[derive(Clone, Copy)]
pub struct Relative<R> {
    pub start: Vec3<R>,
    pub way: Vec3<R>,
    /// From the first end to the second.
    pub edge: Vec3<R>,
    pub edge_way: Vec3<R>,
}

/// The nearest point of a segment: its share of the way from the first end, the direction from there, and how far that
/// is.
fn nearest<R: Real<Mask = bool>>(place: Vec3<R>, edge: Vec3<R>) -> (R, Vec3<R>, R) {
    let (zero, one) = (R::from_f64(0.0), R::from_f64(1.0));
    let squared = edge.dot(edge);
    let share = if squared.greater(zero) { place.dot(edge) / squared } else { zero };
    let share = if share.greater(one) { one } else { R::select(share.greater(zero), share, zero) };
    let (direction, apart) = (place - edge * share).direction_and_length();
    (share, if apart.greater(zero) { direction } else { side(edge) }, apart)
}

/// A direction across a segment: in the plane of x and y where that can be.
fn side<R: Real<Mask = bool>>(edge: Vec3<R>) -> Vec3<R> {
    let (zero, one) = (R::from_f64(0.0), R::from_f64(1.0));
    let (direction, length) = Vec3 { x: edge.y, y: -edge.x, z: zero }.direction_and_length();
    if length.greater(zero) { direction } else { Vec3 { x: one, y: zero, z: zero } }
}

/// How far apart a particle and a segment are.
pub fn apart<R: Real<Mask = bool>>(place: Vec3<R>, edge: Vec3<R>) -> R {
    nearest(place, edge).2
}

/// Where the two first touch on their ways: when, as a share of the substep, the share of the segment, and the normal.
/// `None` if they do not.
///
/// The segment lies beyond the plane through its nearest point for as long as both of its ends do. These and the
/// particle go straight: so until one of them has closed the gap to the plane nothing can touch.
fn meeting<R: Real<Mask = bool>>(ways: &Relative<R>, distance: R) -> Option<(R, R, Vec3<R>)> {
    let (zero, one) = (R::from_f64(0.0), R::from_f64(1.0));
    let mut time = zero;
    let mut share = zero;
    let mut normal = Vec3::zero();
    for _ in 0..STEPS {
        let (place, edge) = (ways.start + ways.way * time, ways.edge + ways.edge_way * time);
        let apart;
        (share, normal, apart) = nearest(place, edge);
        if (distance * R::from_f64(1.0 + CLOSE)).greater(apart) {
            break;
        }
        let until = |place: Vec3<R>, way: Vec3<R>| {
            let closing = -normal.dot(way);
            if closing.greater(zero) { (normal.dot(place) - distance) / closing } else { one }
        };
        let (first, second) = (until(place, ways.way), until(place - edge, ways.way - ways.edge_way));
        time = time + R::select(second.greater(first), first, second);
        // It may be not a number.
        if !one.greater(time) {
            return None;
        }
    }
    Some((time, share, normal))
}

/// A particle and a segment that may touch in a substep; particles by what the engine calls them.
#[derive(Clone, Copy)]
pub struct Contact<R: Real<Mask = bool>> {
    pub particle: u32,
    pub segment: u32,
    pub ends: [u32; 2],
    /// At which of them they touch.
    pub touched_at: [bool; 2],
    pub touch: Touch<R>,
    pub distance: R,
    pub share: R,
    pub normal: Vec3<R>,
    pub impulse: Impulse<R>,
    /// What moves a particle of inverse mass 1, and at last what changes its velocity.
    pub push: Vec3<R>,
    pub impact: Impact<R>,
    /// Whether they push each other before a sweep, and when all is over whether they pressed.
    pub active: bool,
    done: bool,
}

impl<R: Real<Mask = bool>> Contact<R> {
    pub fn new(
        particle: u32,
        (segment, ends, touched_at): (u32, [u32; 2], [bool; 2]),
        touch: Touch<R>,
        distance: R,
    ) -> Self {
        let zero = R::from_f64(0.0);
        let (impulse, normal, push) = (Impulse::none(), Vec3::zero(), Vec3::zero());
        let impact = Impact::of_two(zero, zero, zero, R::from_f64(1.0));
        let (share, active, done) = (zero, false, false);
        Self {
            particle,
            segment,
            ends,
            touched_at,
            touch,
            distance,
            share,
            normal,
            impulse,
            push,
            impact,
            active,
            done,
        }
    }

    pub fn presses(&self) -> bool {
        self.impulse.normal.greater(R::from_f64(0.0))
    }

    /// The three that it moves, with what each has of the push.
    pub fn parts(&self) -> [(u32, R); 3] {
        let one = R::from_f64(1.0);
        let [a, b] = self.ends;
        [(self.particle, one), (a, self.share - one), (b, -self.share)]
    }

    /// The ends that it moves: at one of them it does not move the other.
    pub fn pushed_ends(&self) -> impl Iterator<Item = u32> + use<R> {
        let (share, [a, b]) = (self.share, self.ends);
        let first = R::from_f64(1.0).greater(share).then_some(a);
        first.into_iter().chain(share.greater(R::from_f64(0.0)).then_some(b))
    }

    /// The end that is nearer.
    pub fn nearest_end(&self) -> u32 {
        self.ends[usize::from(self.share.greater(R::from_f64(0.5)))]
    }

    /// What is at the particle against what is at the segment's point, of what is relative to the first end.
    fn at_point(&self, particle: Vec3<R>, edge: Vec3<R>) -> Vec3<R> {
        particle - edge * self.share
    }

    fn value(&self, ways: &Relative<R>) -> R {
        let place = self.at_point(ways.start + ways.way, ways.edge + ways.edge_way);
        self.normal.dot(place) - self.distance
    }

    /// When on their ways they begin to push each other, if they do; what pressed before goes on.
    pub fn look(&mut self, ways: &Relative<R>) -> Option<R> {
        let zero = R::from_f64(0.0);
        if self.presses() {
            return Some(zero);
        }
        let (time, share, normal) = meeting(ways, self.distance)?;
        (self.share, self.normal) = (share, normal);
        let [first, second] = self.touched_at;
        let counts = (first || share.greater(zero)) && (second || R::from_f64(1.0).greater(share));
        (counts && zero.greater(self.value(ways))).then_some(time)
    }

    /// The sum of the inverse masses as `split` tells those of the particles.
    pub fn weight(&self, split: impl Fn(u32) -> R) -> R {
        self.parts().into_iter().fold(R::from_f64(0.0), |sum, (particle, part)| sum + part * part * split(particle))
    }
}

/// What a sweep over the contacts of a particle goes by.
pub struct Sweep<R, W, M, S, V> {
    /// Start and ways of a contact, before the sweep.
    pub ways: W,
    /// The inverse masses, and as contacts see them.
    pub mass: M,
    pub split: S,
    /// h times how fast the particle and the second end are, relative to the first one, before the substep.
    pub speeds: V,
    /// 1/H²
    pub softening: R,
    /// 2gh², below which ways are no impact, and H/h.
    pub calm: R,
    pub share: R,
}

impl<R, W, M, S, V> Sweep<R, W, M, S, V>
where
    R: Real<Mask = bool>,
    W: Fn(&Contact<R>) -> Relative<R>,
    M: Fn(u32) -> R,
    S: Fn(u32) -> R,
    V: Fn(&Contact<R>) -> [Vec3<R>; 2],
{
    /// Before a sweep: which contacts push.
    pub fn look(&self, contacts: &mut [Contact<R>]) {
        for contact in contacts {
            let ways = (self.ways)(contact);
            (contact.active, contact.done, contact.push) = (contact.look(&ways).is_some(), false, Vec3::zero());
        }
    }

    /// Solves the contacts of one particle, one after another.
    pub fn solve(&self, contacts: &mut [Contact<R>]) {
        let mut moved = Vec3::zero();
        for _ in 0..MOST {
            let Some(index) = self.first(contacts, moved).or_else(|| self.deepest(contacts, moved)) else { return };
            let contact = &mut contacts[index];
            let before = contact.push;
            self.press(contact, moved);
            contact.done = true;
            moved += (contact.push - before) * (self.mass)(contact.particle);
        }
    }

    /// Which of those that were not solved touches first.
    fn first(&self, contacts: &mut [Contact<R>], moved: Vec3<R>) -> Option<usize> {
        let mut first: Option<(R, usize)> = None;
        for (index, contact) in contacts.iter_mut().enumerate().filter(|(_, contact)| !contact.done) {
            let ways = self.ways_now(contact, moved);
            if let Some(time) = contact.look(&ways)
                && first.is_none_or(|(before, _)| before.greater(time))
            {
                first = Some((time, index));
            }
        }
        first.map(|(_, index)| index)
    }

    /// Which of those that were solved others have pushed in again, and farthest: in corners.
    fn deepest(&self, contacts: &[Contact<R>], moved: Vec3<R>) -> Option<usize> {
        let mut deepest: Option<(R, usize)> = None;
        for (index, contact) in contacts.iter().enumerate().filter(|(_, contact)| contact.done) {
            let value = contact.value(&self.ways_now(contact, moved));
            let deep = (contact.distance * R::from_f64(-CLOSE)).greater(value);
            if deep && deepest.is_none_or(|(before, _)| before.greater(value)) {
                deepest = Some((value, index));
            }
        }
        deepest.map(|(_, index)| index)
    }

    /// After the particle has moved so far in this sweep, and the segment by what the contact did to it.
    fn ways_now(&self, contact: &Contact<R>, moved: Vec3<R>) -> Relative<R> {
        let ways = (self.ways)(contact);
        let given = contact.weight(|end| if end == contact.particle { R::from_f64(0.0) } else { (self.mass)(end) });
        Relative { way: ways.way + moved + contact.push * given, ..ways }
    }

    /// Solves one.
    fn press(&self, contact: &mut Contact<R>, moved: Vec3<R>) {
        let weight = contact.weight(&self.split);
        if !weight.greater(R::from_f64(0.0)) {
            return;
        }
        let ways = self.ways_now(contact, moved);
        let [speed, edge_speed] = (self.speeds)(contact);
        let (start, speed) = (contact.at_point(ways.start, ways.edge), contact.at_point(speed, edge_speed));
        let met = approach(start.length(), contact.distance, contact.normal.dot(speed));
        contact.impact = Impact::of_two(met, contact.touch.restitution, self.calm, self.share);
        let now = Sight {
            normal: contact.normal,
            value: contact.value(&ways),
            slip: contact.at_point(ways.way, ways.edge_way),
            weight,
            softness: contact.touch.compliance * self.softening,
        };
        let before = contact.impulse;
        let after = before.solved(&contact.touch, &contact.impact, &now);
        let push = contact.normal * (after.normal - before.normal) + (after.tangential - before.tangential);
        (contact.push, contact.impulse) = (contact.push + push, after);
    }
}

/// Changes the velocities with which the active contacts of one particle part, one after another. They then have what
/// they pressed with in all. Velocities are times h.
pub fn part<R: Real<Mask = bool>>(
    contacts: &mut [Contact<R>],
    speed: impl Fn(u32) -> Vec3<R>,
    split: impl Fn(u32) -> R,
    inverse_mass: R,
) {
    let mut change = Vec3::zero();
    for contact in contacts.iter_mut().filter(|contact| contact.active) {
        let ([a, b], own) = (contact.ends.map(&speed), speed(contact.particle));
        let now = contact.normal.dot(contact.at_point((own - a) + change, b - a));
        let weight = contact.weight(&split);
        let parting = contact.impact.change(contact.impulse.normal * weight, now);
        contact.push = contact.normal * (parting / weight);
        change += contact.push * inverse_mass;
        contact.impulse = contact.impulse.told(&contact.impact, weight, now);
    }
}

/// By how many contacts the mass of each particle is split: by all whose end it is, and by its own as by one, since it
/// goes through them one after another.
pub fn counted<R: Real<Mask = bool>>(contacts: &[Contact<R>], mut count: impl FnMut(u32)) {
    for own in contacts.chunk_by(|a, b| a.particle == b.particle) {
        let active = || own.iter().filter(|contact| contact.active);
        active().flat_map(Contact::pushed_ends).for_each(&mut count);
        if active().next().is_some() {
            count(own[0].particle);
        }
    }
}

/// The contacts of a substep, by particle and then segment.
pub(super) struct Segments {
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
                    let touch = Touch::of(bodies[0], bodies[1]);
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
