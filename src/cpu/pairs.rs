//! Contacts of particles with each other: what `shaders/pairs/` does, and there is why. Each thread keeps the lists of its own particles, which
//! grow as they must.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use wide::f32x4;

use super::grid::{Grid, first_lanes};
use super::lanes::{InLanes, Instructions, Lanes, MOST};
use super::particles::{CROWDED, Signs, three};
use super::past::Past;
use super::pushing::{Pushing, Rebound, Solve};
use super::shared::Shared;
use super::solve::Points;
use super::team::Member;
use crate::constraint::Vec3;
use crate::engine::records::Substep;
use crate::model::touch::{PLACED_APART, SLACK};
use crate::model::{Groups, Model};
use crate::plan::Plan;
use crate::reference::touch::Touch;

/// Steps of the lattice that single precision may lose of a place.
const ROUNDING: f32 = 2.0;
/// What a particle may always move before lists are made again, in radii.
const CALM: f32 = 0.25;

/// The particles that touch each other, in the order of slots.
pub struct Pairs {
    /// m; 0 where it touches nothing.
    radii: Vec<f32>,
    bodies: Vec<u32>,
    /// Where the scene put each, and its radius.
    placed: Vec<f32x4>,
    /// x when the lists were made, and how far it may come from there until they are made again.
    anchors: Vec<f32x4>,
    /// Whether the particles of each body touch each other, whom else they touch, and how.
    touches: Vec<(bool, Groups, Touch<f32>)>,
    grid: Grid,
    /// The middle of each particle's way in the substep, and how near others must come.
    middles: Vec<f32x4>,
    /// The length of its way as predicted.
    aheads: Vec<f32>,
    /// The inverse mass that each of its pairs sees.
    splits: Vec<f32>,
    /// Whether the lists are to be made again.
    stale: AtomicBool,
    /// Bits of the lattice's step for which they were made; 0 where they were not.
    made_for: AtomicU32,
    own: Vec<Mutex<Own>>,
}

/// What belongs to the particles of one thread.
#[derive(Default)]
pub struct Own {
    /// With some more at the end, that registers may read.
    partners: Vec<u32>,
    /// Where those of each particle end.
    partner_ends: Vec<u32>,
    found: Vec<u32>,
    /// Slots of pairs that are near, of some particles.
    pub near: Vec<[u32; 2]>,
    pub pushing: Vec<Pushing>,
    pub pushing_ends: Vec<u32>,
    pub velocities: Vec<(usize, f32x4)>,
}

impl Own {
    /// Where the partners of one of its particles end.
    pub fn partner_end(&self, index: usize) -> u32 {
        self.partner_ends[index]
    }

    /// What pressed in the last sweep, of particles from this slot on.
    fn pressing(&self, slot: usize) -> impl Iterator<Item = Pressing> {
        let first = |index: usize| if index == 0 { 0 } else { self.pushing_ends[index - 1] as usize };
        let of = move |index: usize| {
            let pairs = first(index)..self.pushing_ends[index] as usize;
            pairs.filter_map(move |pair| Pushing::pressing(&self.pushing, slot + index, pair))
        };
        (0..self.pushing_ends.len()).flat_map(of)
    }
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
        let slots = || plan.particle_of.iter().map(|&particle| particle as usize);
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
            radii: slots().map(|particle| radii[particle] as f32).collect(),
            bodies: slots().map(|particle| model.particles.bodies[particle]).collect(),
            placed: slots().map(|particle| placed(model, particle, radii[particle])).collect(),
            anchors: vec![f32x4::ZERO; count],
            touches: model.bodies.iter().map(touch).collect(),
            grid: Grid::new(&radii, f64::from(1.0 + SLACK as f32 + CALM)),
            middles: vec![f32x4::ZERO; count],
            aheads: vec![0.0; count],
            splits: vec![0.0; count],
            stale: AtomicBool::new(false),
            made_for: AtomicU32::new(0),
            own: (0..threads).map(|_| Mutex::default()).collect(),
        })
    }

    /// Takes over a model as torn, with so many of its spare particles in use: these touch others as what they were split from.
    pub fn follow(&mut self, model: &Model, slot_of: &[u32], spares: Range<u32>, taken: u32) {
        for (spare, radius) in model.spare_balls(spares, taken) {
            let slot = slot_of[spare] as usize;
            self.radii[slot] = radius as f32;
            self.bodies[slot] = model.particles.bodies[spare];
            self.placed[slot] = placed(model, spare, radius);
        }
        self.forget();
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
            pressing.extend(own.pressing(slot));
            slot += own.pushing_ends.len();
        }
        pressing
    }

    /// # Safety
    /// As [`Shared::new`].
    pub unsafe fn view(&mut self) -> View<'_> {
        let Self { radii, bodies, placed, anchors, touches, grid, middles, aheads, splits, stale, made_for, own } =
            self;
        let alike = touches.windows(2).all(|two| two[0].2 == two[1].2);
        // SAFETY: the caller's.
        unsafe {
            View {
                radii,
                bodies,
                placed,
                anchors: Shared::new(anchors),
                touches,
                alike,
                grid,
                middles: Shared::new(middles),
                aheads: Shared::new(aheads),
                splits: Shared::new(splits),
                stale,
                made_for,
                own,
            }
        }
    }
}

/// The pairs in a frame.
pub struct View<'a> {
    pub radii: &'a [f32],
    pub bodies: &'a [u32],
    placed: &'a [f32x4],
    anchors: Shared<'a, f32x4>,
    pub touches: &'a [(bool, Groups, Touch<f32>)],
    /// Whether all bodies touch alike.
    pub alike: bool,
    grid: &'a Grid,
    middles: Shared<'a, f32x4>,
    aheads: Shared<'a, f32>,
    pub splits: Shared<'a, f32>,
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
    pub instructions: Instructions,
}

/// Where the scene put a particle, from its first one, and the radius at which it touches others.
fn placed(model: &Model, particle: usize, radius: f64) -> f32x4 {
    let (place, first) = (model.particles.positions[particle], model.particles.positions[0]);
    let [x, y, z] = std::array::from_fn(|i| (place[i] - first[i]) as f32);
    f32x4::new([x, y, z, radius as f32])
}

fn locked(own: &Mutex<Own>) -> std::sync::MutexGuard<'_, Own> {
    own.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl View<'_> {
    pub fn slots(&self, member: &Member) -> Range<usize> {
        member.share(self.radii.len())
    }

    /// After predicting: where everything goes, and lists where they are not good any more. Ends with a meeting.
    pub fn detect(&self, member: &Member, moment: &Moment) {
        let mut stale = false;
        for slot in self.slots(member) {
            let (radius, anchor) = (self.radii[slot], self.anchors.read(slot));
            let (x, e) = (moment.points.x.read(slot), moment.points.e.read(slot));
            let ahead = moment.points.d.read(slot) - e;
            let length = three(ahead).length();
            let halfway = f32x4::splat(0.5) * ahead;
            let Vec3 { x: a, y: b, z: c } = three(x + (e + halfway));
            self.middles.write(slot, f32x4::new([a, b, c, (1.0 + SLACK as f32) * radius + 0.5 * length]));
            self.aheads.write(slot, length);
            let gone = three((x - anchor) + (e + halfway)).length() + 0.5 * length;
            stale |= radius > 0.0 && gone > anchor.to_array()[3];
        }
        if stale {
            self.stale.store(true, Ordering::Relaxed);
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
            let (radius, ahead) = (self.radii[slot], self.aheads.read(slot));
            let rest = 1.2 * moment.substep.count as f32 * ahead;
            let allowed = rest.max(CALM * radius).min(radius).max(1.5 * ahead);
            let anchor = three(moment.points.x.read(slot));
            self.anchors.write(slot, f32x4::new([anchor.x, anchor.y, anchor.z, allowed + rounding]));
            if radius > 0.0 {
                self.grid.count(slot, anchor, (1.0 + SLACK as f32) * radius + allowed + 2.0 * rounding);
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
        moment.instructions.run(List { view: self, slots: self.slots(member), moment, own: &mut own });
        member.meet();
    }

    /// One sweep over all pairs at once. Begins with what other threads did to d, and ends with a meeting.
    pub fn solve(&self, member: &Member, moment: &Moment, opening: bool) {
        let mut own = locked(&self.own[member.index]);
        for solving in [false, true] {
            let (slots, own) = (self.slots(member), &mut *own);
            moment.instructions.run(Solve { view: self, slots, moment, opening, solving, own });
            member.meet();
        }
    }

    /// What pressed in the last sweep, of a thread's particles.
    pub fn pressing(&self, member: &Member) -> Vec<Pressing> {
        locked(&self.own[member.index]).pressing(self.slots(member).start).collect()
    }

    /// Sets the velocities with which pairs that pressed part. Begins and ends with a meeting.
    pub fn rebound(&self, member: &Member, moment: &Moment, last: bool) {
        member.meet();
        let mut own = locked(&self.own[member.index]);
        let slots = self.slots(member);
        moment.instructions.run(Rebound { view: self, slots, moment, last, own: &mut own });
        member.meet();
        for &(slot, way) in &own.velocities {
            moment.u.write(slot, way);
        }
        member.meet();
    }

    /// Whether two particles of these bodies may touch.
    fn meet(&self, a: u32, b: u32) -> bool {
        let (mine, theirs) = (&self.touches[a as usize], &self.touches[b as usize]);
        if a == b { mine.0 } else { mine.1.meet(theirs.1) }
    }

    /// The partners of one particle that come near in this substep, in their order.
    ///
    /// # Safety
    /// The list must go on for as long as a register reads.
    #[inline(always)]
    pub unsafe fn near<L: Lanes>(&self, slot: usize, own: &mut Own, listed: Range<u32>) {
        let of = self.middles.pointer().cast_const();
        let [x, y, z, reach] = self.middles.read(slot).to_array();
        let (x, y, z, reach) = (L::splat(x), L::splat(y), L::splat(z), L::splat(reach));
        let first = own.near.len();
        for at in listed.clone().step_by(L::COUNT) {
            // SAFETY: partners are slots, of which each has a middle, that nobody writes meanwhile.
            let entries = unsafe { L::gather(of, own.partners.as_ptr().add(at as usize)) };
            let [a, b, c, other] = L::transposed(entries);
            let apart = Vec3 { x: x - a, y: y - b, z: z - c };
            let reaches = reach + other;
            let mut near = (reaches * reaches).exceeding(apart.dot(apart)) & first_lanes(listed.end - at);
            while near != 0 {
                insert(&mut own.near, first, [slot as u32, own.partners[(at + near.trailing_zeros()) as usize]]);
                near &= near - 1;
            }
        }
    }
}

/// Adds a pair to those from `first` on, which are sorted, unless it is there: it may have been found in two buckets.
#[inline(always)]
fn insert(near: &mut Vec<[u32; 2]>, first: usize, pair: [u32; 2]) {
    let mut to = near.len();
    while to > first && near[to - 1][1] > pair[1] {
        to -= 1;
    }
    if to == first || near[to - 1][1] != pair[1] {
        near.push(pair);
        for later in (to + 1..near.len()).rev() {
            near[later] = near[later - 1];
        }
        near[to] = pair;
    }
}

/// Lists the partners of a thread's particles.
struct List<'a> {
    view: &'a View<'a>,
    slots: Range<usize>,
    moment: &'a Moment<'a>,
    own: &'a mut Own,
}

impl InLanes for List<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { view, slots, moment, own } = self;
        let levels = view.grid.levels();
        own.partners.clear();
        own.partner_ends.clear();
        for slot in slots {
            if moment.points.x.read(slot).to_array()[3] > 0.0 && view.radii[slot] > 0.0 {
                own.found.clear();
                view.grid.near::<L>(slot, &levels, &mut own.found);
                let count = own.found.len() as u32;
                own.found.resize(count as usize + MOST, 0);
                // SAFETY: so many were added.
                unsafe { view.choose::<L>(slot, own, count) };
            }
            own.partner_ends.push(own.partners.len() as u32);
        }
        own.partners.extend([0; MOST]);
    }
}

impl View<'_> {
    /// Of what was found about a particle, those that it may touch.
    ///
    /// # Safety
    /// The list must go on for as long as a register reads.
    #[inline(always)]
    unsafe fn choose<L: Lanes>(&self, slot: usize, own: &mut Own, count: u32) {
        let [x, y, z, radius] = self.placed[slot].to_array();
        let (x, y, z, radius) = (L::splat(x), L::splat(y), L::splat(z), L::splat(radius));
        let single = self.touches.len() == 1;
        for at in (0..count).step_by(L::COUNT) {
            // SAFETY: what was found is slots, of which each was placed.
            let entries = unsafe { L::gather(self.placed.as_ptr(), own.found.as_ptr().add(at as usize)) };
            let [a, b, c, other] = L::transposed(entries);
            let apart = Vec3 { x: x - a, y: y - b, z: z - c };
            let least = L::from_f64(PLACED_APART) * (radius + other);
            let close = (least * least).exceeding(apart.dot(apart));
            let mut chosen = !close & first_lanes((count - at).min(L::COUNT as u32));
            while chosen != 0 {
                let partner = own.found[(at + chosen.trailing_zeros()) as usize];
                if partner != slot as u32 && (single || self.meet(self.bodies[slot], self.bodies[partner as usize])) {
                    own.partners.push(partner);
                }
                chosen &= chosen - 1;
            }
        }
    }
}
