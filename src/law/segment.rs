//! Contacts of particles with the segments between two others: a ball against a capsule. In positions, one-sided, with
//! compliance and friction, and with restitution in velocities ([`super::contact`]):
//!   C = n·(x - (1 - s) xₐ - s x_b) - R,   ∇C = n, -(1 - s) n, -s n,
//! with the normal n and the share s as they are where the two first touch on their ways in the substep. A particle
//! goes through its contacts one after another, those first that it touches first. On the device
//! `shaders/pairs/segments/`.

use super::contact::{Impulse, PairState, Touch, approach};
use super::impact::Impact;
use crate::math::{Real, Vec3};

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
pub fn nearest<R: Real<Mask = bool>>(place: Vec3<R>, edge: Vec3<R>) -> (R, Vec3<R>, R) {
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
pub fn meeting<R: Real<Mask = bool>>(ways: &Relative<R>, distance: R) -> Option<(R, R, Vec3<R>)> {
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

    /// The sum of the inverse masses, those of the particles from `split`.
    pub fn weight(&self, split: impl Fn(u32) -> R) -> R {
        self.parts().into_iter().fold(R::from_f64(0.0), |sum, (particle, part)| sum + part * part * split(particle))
    }
}

/// What a sweep over the contacts of a particle reads.
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
        let now = PairState {
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
