//! Contacts of particles with each other: what `shaders/pairs/` does, and there is why. Each thread keeps the lists of its own particles, which
//! grow as they must.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use wide::f32x4;

use super::grid::Grid;
use super::particles::{CROWDED, Signs, double, four, three};
use super::past::Past;
use super::shared::Shared;
use super::solve::Points;
use super::team::Member;
use crate::constraint::Vec3;
use crate::model::touch::{PLACED_APART, SLACK};
use crate::model::{Groups, Model};
use crate::plan::Plan;
use crate::reference::touch::{Impulse, Touch, approach, normal, parting, split};
use crate::solver::records::Substep;

/// Steps of the lattice that single precision may lose of a place.
const ROUNDING: f32 = 2.0;
/// What a particle may always move before lists are made again, in radii.
const CALM: f32 = 0.25;

/// A particle as others touch it.
#[derive(Clone, Copy)]
pub struct Ball {
    /// m; 0 where it touches nothing.
    radius: f32,
    body: u32,
    /// Where the scene put it.
    placed: Vec3<f32>,
    /// x when the lists were made, and from there how far it may come until they are made again.
    anchor: Vec3<f32>,
    allowance: f32,
}

/// The particles that touch each other, in the order of slots.
pub struct Pairs {
    balls: Vec<Ball>,
    /// Whether the particles of each body touch each other, whom else they touch, and how.
    touches: Vec<(bool, Groups, Touch<f32>)>,
    grid: Grid,
    /// The middle of each particle's way in the substep, and how near others must come.
    middles: Vec<f32x4>,
    /// Its way as predicted.
    aheads: Vec<f32x4>,
    /// d - e before the sweep, and the inverse mass that each of its pairs sees.
    ways: Vec<f32x4>,
    /// Whether the lists are to be made again.
    stale: AtomicBool,
    /// Bits of the lattice's step for which they were made; 0 where they were not.
    made_for: AtomicU32,
    own: Vec<Mutex<Own>>,
}

/// What belongs to the particles of one thread.
#[derive(Default)]
struct Own {
    partners: Vec<u32>,
    /// Where those of each particle end.
    partner_ends: Vec<u32>,
    pushing: Vec<Pushing>,
    pushing_ends: Vec<u32>,
    velocities: Vec<f32x4>,
}

/// A partner that is near, from one side.
#[derive(Clone, Copy)]
struct Pushing {
    partner: u32,
    normal: Vec3<f32>,
    distance: f32,
    /// h times the relative normal velocity before the substep, m.
    approach: f32,
    active: bool,
    impulse: Impulse<f32>,
}

/// A pair that pressed.
pub struct Pressing {
    pub slots: [usize; 2],
    /// From the second to the first.
    pub normal: [f64; 3],
    /// λ along the normal and across it.
    pub multipliers: (f64, [f64; 3]),
}

impl Pairs {
    /// `None` where no two particles can touch.
    pub fn new(model: &Model, plan: &Plan, threads: usize) -> Option<Self> {
        let radii = model.touching_radii()?;
        let first = model.particles.positions[0];
        let ball = |&particle: &u32| {
            let place = model.particles.positions[particle as usize];
            let [x, y, z] = std::array::from_fn(|i| (place[i] - first[i]) as f32);
            Ball {
                radius: radii[particle as usize] as f32,
                body: model.particles.bodies[particle as usize],
                placed: Vec3 { x, y, z },
                anchor: Vec3::zero(),
                allowance: 0.0,
            }
        };
        let touch = |body: &crate::model::Body| {
            let touch = Touch::of(body, body);
            let single = Touch {
                compliance: body.contact_compliance as f32,
                friction: touch.friction as f32,
                dynamic_friction: touch.dynamic_friction as f32,
                restitution: touch.restitution as f32,
            };
            (body.self_collision, body.groups, single)
        };
        let count = radii.len();
        Some(Self {
            balls: plan.particle_of.iter().map(ball).collect(),
            touches: model.bodies.iter().map(touch).collect(),
            grid: Grid::new(&radii, f64::from(1.0 + SLACK as f32 + CALM)),
            middles: vec![f32x4::ZERO; count],
            aheads: vec![f32x4::ZERO; count],
            ways: vec![f32x4::ZERO; count],
            stale: AtomicBool::new(false),
            made_for: AtomicU32::new(0),
            own: (0..threads).map(|_| Mutex::default()).collect(),
        })
    }

    /// Forgets the lists: the particles are elsewhere.
    pub fn forget(&mut self) {
        self.made_for = AtomicU32::new(0);
    }

    /// What pressed in the last sweep, from the side of each free particle.
    pub fn pressing(&self) -> Vec<Pressing> {
        let (mut pressing, mut slot) = (Vec::new(), 0);
        for own in &self.own {
            let own = locked(own);
            let mut first = 0;
            for &end in &own.pushing_ends {
                let mine = own.pushing[first..end as usize].iter().filter(|pair| pair.impulse.normal > 0.0);
                pressing.extend(mine.map(|pair| Pressing {
                    slots: [slot, pair.partner as usize],
                    normal: double(pair.normal),
                    multipliers: (f64::from(pair.impulse.normal), double(pair.impulse.tangential)),
                }));
                (first, slot) = (end as usize, slot + 1);
            }
        }
        pressing
    }

    /// # Safety
    /// As [`Shared::new`].
    pub unsafe fn view(&mut self) -> View<'_> {
        let Self { balls, touches, grid, middles, aheads, ways, stale, made_for, own } = self;
        // SAFETY: the caller's.
        unsafe {
            View {
                balls: Shared::new(balls),
                touches,
                grid,
                middles: Shared::new(middles),
                aheads: Shared::new(aheads),
                ways: Shared::new(ways),
                stale,
                made_for,
                own,
            }
        }
    }
}

/// The pairs in a frame.
pub struct View<'a> {
    balls: Shared<'a, Ball>,
    touches: &'a [(bool, Groups, Touch<f32>)],
    grid: &'a Grid,
    middles: Shared<'a, f32x4>,
    aheads: Shared<'a, f32x4>,
    ways: Shared<'a, f32x4>,
    stale: &'a AtomicBool,
    made_for: &'a AtomicU32,
    own: &'a [Mutex<Own>],
}

/// What a substep goes by.
pub struct Moment<'a> {
    pub substep: &'a Substep,
    pub points: Points<'a>,
    pub u: Shared<'a, f32x4>,
    pub lattice: f32,
    pub signs: &'a Signs,
    /// With BDF2.
    pub past: Option<Past<'a>>,
    /// Whether there are several sweeps.
    pub iterated: bool,
}

fn locked(own: &Mutex<Own>) -> std::sync::MutexGuard<'_, Own> {
    own.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl View<'_> {
    fn slots(&self, member: &Member) -> Range<usize> {
        member.share(self.balls.len())
    }

    /// After predicting: where everything goes, and lists where they are not good any more. Ends with a meeting.
    pub fn detect(&self, member: &Member, moment: &Moment) {
        for slot in self.slots(member) {
            let ball = self.balls.read(slot);
            let (x, e) = (three(moment.points.x.read(slot)), three(moment.points.e.read(slot)));
            let ahead = three(moment.points.d.read(slot)) - e;
            let half = 0.5 * ahead.length();
            let Vec3 { x: a, y: b, z: c } = x + (e + ahead * 0.5);
            self.middles.write(slot, f32x4::new([a, b, c, (1.0 + SLACK as f32) * ball.radius + half]));
            self.aheads.write(slot, four(ahead));
            let start = (x - ball.anchor) + e;
            if ball.radius > 0.0 && (start + ahead * 0.5).length() + half > ball.allowance {
                self.stale.store(true, Ordering::Relaxed);
            }
        }
        member.meet();
        // Anchors and what is lost in rounding are of a lattice.
        let other_lattice = self.made_for.load(Ordering::Relaxed) != moment.lattice.to_bits();
        if other_lattice || self.stale.load(Ordering::Relaxed) {
            self.find(member, moment);
        }
    }

    /// Makes the grid and the lists. Ends with a meeting.
    fn find(&self, member: &Member, moment: &Moment) {
        let rounding = ROUNDING * moment.lattice;
        self.grid.clear(member);
        member.meet();
        for slot in self.slots(member) {
            let mut ball = self.balls.read(slot);
            let ahead = three(self.aheads.read(slot)).length();
            let rest = 1.2 * moment.substep.count as f32 * ahead;
            let allowed = rest.max(CALM * ball.radius).min(ball.radius).max(1.5 * ahead);
            ball.allowance = allowed + rounding;
            ball.anchor = three(moment.points.x.read(slot));
            self.balls.write(slot, ball);
            if ball.radius > 0.0 {
                self.grid.count(slot, ball.anchor, (1.0 + SLACK as f32) * ball.radius + ball.allowance + rounding);
            }
        }
        member.meet();
        if self.grid.begin_buckets(member) {
            moment.signs.flags.fetch_or(CROWDED, Ordering::Relaxed);
        }
        member.meet();
        self.slots(member).for_each(|slot| self.grid.put(slot));
        if member.index == 0 {
            self.stale.store(false, Ordering::Relaxed);
            self.made_for.store(moment.lattice.to_bits(), Ordering::Relaxed);
        }
        member.meet();
        let mut own = locked(&self.own[member.index]);
        let Own { partners, partner_ends, .. } = &mut *own;
        partners.clear();
        partner_ends.clear();
        for slot in self.slots(member) {
            let first = partners.len();
            if moment.points.x.read(slot).to_array()[3] > 0.0 && self.balls.read(slot).radius > 0.0 {
                self.grid.near(slot, |partner| {
                    if self.may_touch(slot, partner) {
                        partners.push(partner as u32);
                    }
                });
                partners[first..].sort_unstable();
                // What was found in two buckets.
                let mut kept = first;
                for at in first..partners.len() {
                    if at == first || partners[at] != partners[kept - 1] {
                        partners[kept] = partners[at];
                        kept += 1;
                    }
                }
                partners.truncate(kept);
            }
            partner_ends.push(partners.len() as u32);
        }
        member.meet();
    }

    #[inline(always)]
    fn may_touch(&self, slot: usize, partner: usize) -> bool {
        let (a, b) = (self.balls.read(slot), self.balls.read(partner));
        let placed = a.placed - b.placed;
        let apart = PLACED_APART as f32 * (a.radius + b.radius);
        let (mine, theirs) = (&self.touches[a.body as usize], &self.touches[b.body as usize]);
        let meet = if a.body == b.body { mine.0 } else { mine.1.meet(theirs.1) };
        meet && placed.dot(placed) >= apart * apart
    }

    #[inline(always)]
    fn touch(&self, a: &Ball, b: &Ball) -> Touch<f32> {
        let [a, b] = [a, b].map(|ball| &self.touches[ball.body as usize].2);
        Touch {
            compliance: a.compliance + b.compliance,
            friction: 0.5 * (a.friction + b.friction),
            dynamic_friction: 0.5 * (a.dynamic_friction + b.dynamic_friction),
            restitution: 0.5 * (a.restitution + b.restitution),
        }
    }

    /// One sweep over all pairs at once. Begins with what other threads did to d, and ends with a meeting.
    pub fn solve(&self, member: &Member, moment: &Moment, opening: bool) {
        let mut own = locked(&self.own[member.index]);
        let points = &moment.points;
        if opening {
            self.open(member, moment, &mut own);
        }
        let Own { pushing, pushing_ends, .. } = &mut *own;
        let mut first = 0;
        for (slot, &end) in self.slots(member).zip(&*pushing_ends) {
            let mut count = 0;
            let way = points.d.read(slot) - points.e.read(slot);
            let mine = &mut pushing[first..end as usize];
            // With one sweep there are no others.
            if !moment.iterated {
                count = mine.len() as u32;
            }
            for pair in mine.iter_mut().filter(|_| moment.iterated) {
                let partner = pair.partner as usize;
                let other = points.d.read(partner) - points.e.read(partner);
                let value = pair.normal.dot(self.start(points, slot, partner) + three(way - other)) - pair.distance;
                pair.active = value < 0.0 || pair.impulse.normal > 0.0;
                count += u32::from(pair.active);
            }
            first = end as usize;
            let Vec3 { x, y, z } = three(way);
            let w = points.x.read(slot).to_array()[3];
            self.ways.write(slot, f32x4::new([x, y, z, split(w, count)]));
        }
        member.meet();
        let mut first = 0;
        for (slot, &end) in self.slots(member).zip(&*pushing_ends) {
            let (ball, mine) = (self.balls.read(slot), self.ways.read(slot));
            let mut sum = Vec3::zero();
            for pair in &mut pushing[first..end as usize] {
                let before = pair.impulse;
                if !pair.active {
                    pair.impulse = Impulse::none();
                    continue;
                }
                let partner = pair.partner as usize;
                let theirs = self.ways.read(partner);
                let slip = three(mine - theirs);
                let value = pair.normal.dot(self.start(points, slot, partner) + slip) - pair.distance;
                let touch = self.touch(&ball, &self.balls.read(partner));
                let softness = touch.compliance * moment.substep.inverse_seconds_squared;
                let weight = mine.to_array()[3] + theirs.to_array()[3];
                pair.impulse = before.solved(&touch, pair.normal, value, slip, weight, softness);
                sum +=
                    pair.normal * (pair.impulse.normal - before.normal) + (pair.impulse.tangential - before.tangential);
            }
            if end as usize > first {
                let w = points.x.read(slot).to_array()[3];
                points.d.write(slot, points.d.read(slot) + four(sum * w));
            }
            first = end as usize;
        }
        member.meet();
    }

    #[inline(always)]
    fn start(&self, points: &Points, slot: usize, partner: usize) -> Vec3<f32> {
        three((points.x.read(slot) - points.x.read(partner)) + (points.e.read(slot) - points.e.read(partner)))
    }

    /// In a substep's first sweep: the partners that are near, or with one sweep only those that push.
    fn open(&self, member: &Member, moment: &Moment, own: &mut Own) {
        let Own { partners, partner_ends, pushing, pushing_ends, .. } = own;
        let points = &moment.points;
        pushing.clear();
        pushing_ends.clear();
        let mut first = 0;
        for (slot, &end) in self.slots(member).zip(&*partner_ends) {
            let middle = self.middles.read(slot);
            let reach = middle.to_array()[3];
            for &partner in &partners[first..end as usize] {
                let other = self.middles.read(partner as usize);
                let reaches = reach + other.to_array()[3];
                let [x, y, z, _] = (middle - other).to_array();
                let squared = x * x + y * y + z * z;
                if squared < reaches * reaches {
                    let way = |slot: usize| points.d.read(slot) - points.e.read(slot);
                    let ways = three(way(slot) - way(partner as usize));
                    let start = self.start(points, slot, partner as usize);
                    let near = self.near(moment, slot, partner, start, ways);
                    if moment.iterated || near.normal.dot(start + ways) < near.distance {
                        pushing.push(near);
                    }
                }
            }
            first = end as usize;
            pushing_ends.push(pushing.len() as u32);
        }
    }

    #[inline(always)]
    fn near(&self, moment: &Moment, slot: usize, partner: u32, start: Vec3<f32>, ways: Vec3<f32>) -> Pushing {
        let other = partner as usize;
        let distance = self.balls.read(slot).radius + self.balls.read(other).radius;
        let normal = normal(start, ways, distance, slot > other);
        let approach = approach(start, distance, normal, three(moment.u.read(slot) - moment.u.read(other)));
        Pushing { partner, normal, distance, approach, active: true, impulse: Impulse::none() }
    }

    /// Sets the velocities with which pairs that pressed part. Begins and ends with a meeting.
    pub fn rebound(&self, member: &Member, moment: &Moment, last: bool) {
        member.meet();
        let mut own = locked(&self.own[member.index]);
        let Own { pushing, pushing_ends, velocities, .. } = &mut *own;
        let [x, y, z] = moment.substep.gravity;
        let slow = 2.0 * (x * x + y * y + z * z).sqrt() * moment.substep.seconds * moment.substep.seconds;
        velocities.clear();
        let (mut first, mut pressing) = (0, 0);
        for (slot, &end) in self.slots(member).zip(&*pushing_ends) {
            let mine = moment.u.read(slot);
            let mut way = three(mine);
            let w = moment.points.x.read(slot).to_array()[3];
            for pair in pushing[first..end as usize].iter().filter(|pair| pair.impulse.normal > 0.0) {
                let (n, partner) = (pair.normal, pair.partner as usize);
                let now = n.dot(three(mine - moment.u.read(partner)));
                let touch = self.touch(&self.balls.read(slot), &self.balls.read(partner));
                let wanted = parting(pair.approach, slow, touch.restitution);
                let weight = self.ways.read(slot).to_array()[3] + self.ways.read(partner).to_array()[3];
                way += n * (w * ((wanted - now) / weight));
                if let Some(past) = &moment.past {
                    past.forget(slot, four(n), pair.approach < -slow);
                }
                // Each pair once.
                let other_is_fixed = moment.points.x.read(partner).to_array()[3] == 0.0;
                pressing += u32::from(slot > partner || other_is_fixed);
            }
            first = end as usize;
            velocities.push(four(way));
        }
        if last {
            moment.signs.contacts.fetch_add(pressing, Ordering::Relaxed);
        }
        member.meet();
        for (slot, &way) in self.slots(member).zip(&*velocities) {
            moment.u.write(slot, way);
        }
        member.meet();
    }
}
