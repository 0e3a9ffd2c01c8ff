//! Contacts of particles with the segments between two others: what `src/law/segment.rs` does, and there is why.
//! The contacts of a particle are solved by the thread that has it; what they do to others is summed by those that have
//! these, in the order of the contacts, by particle and then segment: so bits do not depend on the number of threads.

use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use wide::f32x4;

use crate::cpu::boxes::Bounds;
use crate::cpu::lanes::{InLanes, Lanes};
use crate::cpu::particles::{CROWDED, four, three};
use crate::cpu::shared::Shared;
use crate::cpu::team::Member;
use crate::law::contact::{Touch, split};
use crate::law::segment::{Contact, Relative, Sweep, apart, counted, part};
use crate::math::Vec3;
use crate::model::Model;
use crate::model::touch::{PLACED_APART, SLACK, Segment};
use crate::pass::pairs::cpu as pairs;
use crate::pass::pairs::cpu::hierarchy::Visit;
use crate::pass::pairs::cpu::search::{Extents, Follow, Reach, wider};
use crate::pass::pairs::cpu::{Pressing, SubstepState};

/// Particles and segments that may touch for which there is room: beyond is a crowd in one place.
const CROWD: usize = 1 << 24;

/// A particle and a segment.
type Near = (u32, u32);

/// The segments that particles may touch.
pub struct Segments {
    /// By slots.
    segments: Vec<Segment>,
    /// What a thread found, for each thread that has the particle.
    found: Vec<RwLock<Vec<Vec<Near>>>>,
    /// Those of the particles of each thread.
    contacts: Vec<RwLock<Vec<Contact<f32>>>>,
    /// By how many contacts the mass of each particle is split, and what they move it by.
    counts: Vec<u32>,
    sums: Vec<f32x4>,
}

impl Segments {
    /// `None` where there are none.
    pub fn new(model: &Model, slot_of: &[u32], threads: usize) -> Option<Self> {
        let slots = |segment: Segment| Segment { ends: segment.ends.map(|end| slot_of[end as usize]), ..segment };
        let segments: Vec<Segment> = model.touching_segments().into_iter().map(slots).collect();
        (!segments.is_empty()).then(|| Self {
            segments,
            found: (0..threads).map(|_| RwLock::default()).collect(),
            contacts: (0..threads).map(|_| RwLock::default()).collect(),
            counts: vec![0; slot_of.len()],
            sums: vec![f32x4::ZERO; slot_of.len()],
        })
    }

    /// Forgets what pressed.
    pub fn forget(&mut self) {
        self.contacts.iter().for_each(|contacts| contacts.write().unwrap_or_else(PoisonError::into_inner).clear());
    }

    /// What pressed in the last sweep.
    pub fn pressing(&self) -> Vec<Pressing> {
        self.contacts.iter().flat_map(|contacts| pressing(&read(contacts))).collect()
    }

    /// # Safety
    /// As [`Shared::new`].
    pub unsafe fn view(&mut self) -> View<'_> {
        let Self { segments, found, contacts, counts, sums } = self;
        // SAFETY: the caller's.
        let (counts, sums) = unsafe { (Shared::new(counts), Shared::new(sums)) };
        View { segments, found, contacts, counts, sums }
    }
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn pressing(contacts: &[Contact<f32>]) -> Vec<Pressing> {
    let double = |v: Vec3<f32>| [v.x, v.y, v.z].map(f64::from);
    let pressing = contacts.iter().filter(|contact| contact.active).map(|contact| Pressing {
        slots: [contact.particle, contact.nearest_end()].map(|slot| slot as usize),
        normal: double(contact.normal),
        multipliers: (f64::from(contact.impulse.normal), double(contact.impulse.tangential)),
    });
    pressing.collect()
}

/// The segments in a frame.
pub struct View<'a> {
    segments: &'a [Segment],
    found: &'a [RwLock<Vec<Vec<Near>>>],
    contacts: &'a [RwLock<Vec<Contact<f32>>>],
    /// Each written by the thread that has the particle.
    counts: Shared<'a, u32>,
    sums: Shared<'a, f32x4>,
}

impl View<'_> {
    fn slots(&self, member: &Member) -> Range<usize> {
        member.share(self.counts.len())
    }

    /// Calls for all contacts of all threads, in order.
    fn all(&self, mut each: impl FnMut(&[Contact<f32>])) {
        self.contacts.iter().for_each(|contacts| each(&read(contacts)));
    }

    /// One sweep. Begins with what other threads did to d, and ends with a meeting.
    pub fn solve(&self, pairs: &pairs::View, member: &Member, state: &SubstepState, opening: bool) {
        if opening {
            self.search(pairs, member, state);
        }
        self.go_through(member, state, true);
        member.meet();
        self.count(member);
        member.meet();
        self.go_through(member, state, false);
        member.meet();
        self.sum(member, state, |_| true);
        for slot in self.slots(member) {
            state.points.d.write(slot, state.points.d.read(slot) + self.sums.read(slot));
        }
        member.meet();
    }

    /// Looks which of a thread's contacts push, or solves them.
    fn go_through(&self, member: &Member, state: &SubstepState, looking: bool) {
        let (points, substep) = (&state.points, state.substep);
        let inverse_mass = |slot: u32| points.x.read(slot as usize).to_array()[3];
        let relative = |list: &Shared<f32x4>, contact: &Contact<f32>| {
            let [i, a, b] = [contact.particle, contact.ends[0], contact.ends[1]].map(|slot| list.read(slot as usize));
            [i - a, b - a]
        };
        let ways = |contact: &Contact<f32>| {
            let [x, e] = [&points.x, &points.e].map(|list| relative(list, contact));
            let way = |slot: u32| points.d.read(slot as usize) - points.e.read(slot as usize);
            let first = way(contact.ends[0]);
            Relative {
                start: three(x[0] + e[0]),
                way: three(way(contact.particle) - first),
                edge: three(x[1] + e[1]),
                edge_way: three(way(contact.ends[1]) - first),
            }
        };
        let mut contacts = self.contacts[member.index].write().unwrap_or_else(PoisonError::into_inner);
        let sweep = Sweep {
            ways,
            mass: inverse_mass,
            split: |slot: u32| split(inverse_mass(slot), self.counts.read(slot as usize)),
            speeds: |contact: &Contact<f32>| relative(&state.u, contact).map(three),
            softening: substep.inverse_seconds_squared,
            calm: substep.calm_way(),
            share: substep.share,
        };
        for own in contacts.chunk_by_mut(|a, b| a.particle == b.particle) {
            if looking { sweep.look(own) } else { sweep.solve(own) }
        }
    }

    /// Sums what contacts do to a thread's particles.
    fn sum(&self, member: &Member, state: &SubstepState, of: impl Fn(&Contact<f32>) -> bool) {
        let slots = self.slots(member);
        slots.clone().for_each(|slot| self.sums.write(slot, f32x4::ZERO));
        self.all(|contacts| {
            for contact in contacts.iter().filter(|contact| of(contact)) {
                for (slot, part) in contact.parts().map(|(slot, part)| (slot as usize, part)) {
                    if slots.contains(&slot) {
                        let w = state.points.x.read(slot).to_array()[3];
                        self.sums.write(slot, self.sums.read(slot) + four(contact.push * (w * part)));
                    }
                }
            }
        });
    }

    /// Which particles and segments may touch: those whose ways are near each other as constraints have let them go.
    fn search(&self, pairs: &pairs::View, member: &Member, state: &SubstepState) {
        state.instructions.run(Follow {
            view: pairs,
            nodes: pairs.clusters.nodes(member),
            state,
            reach: Reach::Around,
        });
        member.meet();
        if member.index == 0 {
            pairs.clusters.enclose_all();
        }
        member.meet();
        {
            let mut found = self.found[member.index].write().unwrap_or_else(PoisonError::into_inner);
            found.resize(self.found.len(), Vec::new());
            found.iter_mut().for_each(Vec::clear);
            let segments = member.share_by(self.segments.len(), 1);
            let mut search = Search { view: self, pairs, segments, state, member, found: &mut found };
            state.instructions.run(&mut search);
        }
        member.meet();
        let mut contacts = self.contacts[member.index].write().unwrap_or_else(PoisonError::into_inner);
        contacts.clear();
        let found: Vec<_> = self.found.iter().map(read).collect();
        if found.iter().flat_map(|found| found.iter()).map(Vec::len).sum::<usize>() > CROWD {
            state.signs.flags.fetch_or(CROWDED, Ordering::Relaxed);
            return;
        }
        let mut near: Vec<Near> = found.iter().flat_map(|found| &found[member.index]).copied().collect();
        near.sort_unstable();
        contacts.extend(near.into_iter().map(|(slot, segment)| {
            let Segment { ends, .. } = self.segments[segment as usize];
            let at = self.segments[segment as usize].touched_at(slot, pairs.is_end[slot as usize], ends);
            let [mine, theirs] = [slot, ends[0]].map(|slot| &pairs.touches[pairs.bodies[slot as usize] as usize].2);
            let [sum, placed] = distances(pairs, slot, ends);
            let distance = sum.min(placed / PLACED_APART as f32);
            let touch = Touch::mixed(state.substep.friction_combine(), mine, theirs);
            Contact::new(slot, (segment, ends, at), touch, distance)
        }));
    }

    /// What pressed in the last sweep, reported by a thread.
    pub fn pressing(&self, member: &Member) -> Vec<Pressing> {
        pressing(&read(&self.contacts[member.index]))
    }

    /// Sets the velocities with which what pressed parts. Begins and ends with a meeting.
    pub fn rebound(&self, member: &Member, state: &SubstepState, last: bool) {
        let slots = self.slots(member);
        {
            let mut contacts = self.contacts[member.index].write().unwrap_or_else(PoisonError::into_inner);
            contacts.iter_mut().for_each(|contact| contact.active = contact.presses());
            if last {
                let pressing = contacts.iter().filter(|contact| contact.active).count();
                state.signs.contacts.fetch_add(pressing as u32, Ordering::Relaxed);
            }
        }
        member.meet();
        self.count(member);
        member.meet();
        self.part(member, state);
        member.meet();
        self.sum(member, state, |contact| contact.active);
        for slot in slots.filter(|&slot| self.counts.read(slot) > 0) {
            state.u.write(slot, state.u.read(slot) + self.sums.read(slot));
            if let Some(past) = &state.past {
                past.forget(slot, f32x4::ZERO, true, f32x4::ZERO);
            }
        }
        member.meet();
    }

    /// Counts the contacts that push each of a thread's particles.
    fn count(&self, member: &Member) {
        let slots = self.slots(member);
        slots.clone().for_each(|slot| self.counts.write(slot, 0));
        self.all(|contacts| {
            counted(contacts, |slot| {
                if slots.contains(&(slot as usize)) {
                    self.counts.write(slot as usize, self.counts.read(slot as usize) + 1);
                }
            });
        });
    }

    /// What changes the velocities of a thread's contacts, and what they pressed with in all.
    fn part(&self, member: &Member, state: &SubstepState) {
        let mass = |slot: u32| state.points.x.read(slot as usize).to_array()[3];
        let mut contacts = self.contacts[member.index].write().unwrap_or_else(PoisonError::into_inner);
        for own in contacts.chunk_by_mut(|a, b| a.particle == b.particle) {
            let speed = |slot: u32| three(state.u.read(slot as usize));
            let split = |slot: u32| split(mass(slot), self.counts.read(slot as usize));
            part(own, speed, split, mass(own[0].particle));
        }
    }
}

/// Finds the particles near some segments.
struct Search<'a> {
    view: &'a View<'a>,
    pairs: &'a pairs::View<'a>,
    segments: Range<usize>,
    state: &'a SubstepState<'a>,
    member: &'a Member<'a>,
    found: &'a mut Vec<Vec<Near>>,
}

impl InLanes for &mut Search<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let mut count = 0;
        for segment in self.segments.clone() {
            count += self.near::<L>(segment);
            if count > CROWD {
                return;
            }
        }
    }
}

/// The particles near a segment.
struct Beside<'a, 'b> {
    search: &'a mut Search<'b>,
    segment: usize,
    ends: [u32; 2],
    count: usize,
}

impl Visit for Beside<'_, '_> {
    #[inline(always)]
    fn cluster<L: Lanes>(&mut self, cluster: usize, mine: &Bounds<L>, _: &Bounds<L>) -> bool {
        let Search { pairs: pairs::View { clusters, .. }, state, .. } = *self.search;
        let extents = Extents { clusters, reach: Reach::Around, rounding: L::splat(4.0 * state.lattice) };
        let mut those = mine.reached(&extents, cluster);
        while those != 0 {
            let slot = clusters.slots(cluster)[those.trailing_zeros() as usize];
            those &= those - 1;
            if self.search.may_touch(slot, self.ends) {
                let owner = self.search.member.owner(self.search.pairs.radii.len(), slot as usize);
                self.search.found[owner].push((slot, self.segment as u32));
                self.count += 1;
            }
        }
        self.count <= CROWD
    }
}

impl Search<'_> {
    /// The lowest and the highest place round the way of an end.
    fn reach(&self, slot: u32) -> [f32x4; 2] {
        let (points, slot) = (&self.state.points, slot as usize);
        let way = points.d.read(slot) - points.e.read(slot);
        let middle = points.x.read(slot) + points.e.read(slot) + f32x4::splat(0.5) * way;
        let reach = (1.0 + SLACK as f32) * self.pairs.radii[slot] + 0.5 * three(way).length();
        let reach = f32x4::splat(wider(reach, 4.0 * self.state.lattice));
        [middle - reach, middle + reach]
    }

    /// Finds those near one; returns how many.
    #[inline(always)]
    fn near<L: Lanes>(&mut self, segment: usize) -> usize {
        let clusters = &self.pairs.clusters;
        let Segment { ends, .. } = self.view.segments[segment];
        let [a, b] = ends.map(|end| self.reach(end));
        let (low, high) = (a[0].fast_min(b[0]), a[1].fast_max(b[1]));
        let mut visit = Beside { segment, ends, count: 0, search: self };
        clusters.within::<L>(&Bounds::new(three(low), three(high)), &mut visit);
        visit.count
    }

    fn may_touch(&self, slot: u32, ends: [u32; 2]) -> bool {
        let [i, a, b] = [slot, ends[0], ends[1]].map(|slot| slot as usize);
        let free = [i, a, b].iter().any(|&slot| self.state.points.x.read(slot).to_array()[3] > 0.0);
        if ends.contains(&slot) || !free || !self.pairs.meet(self.pairs.bodies[i], self.pairs.bodies[a]) {
            return false;
        }
        let [sum, placed] = distances(self.pairs, slot, ends);
        let kin = self.pairs.kin[i] == self.pairs.kin[a];
        placed >= PLACED_APART as f32 * sum || !kin && placed > 0.0
    }
}

/// The sum of the radii of a particle and a segment, and how far apart they were placed: they touch at the lesser one
/// (model/touch.rs).
fn distances(pairs: &pairs::View, slot: u32, ends: [u32; 2]) -> [f32; 2] {
    let [i, a, b] = [slot, ends[0], ends[1]].map(|slot| pairs.placed[slot as usize]);
    [i.to_array()[3] + a.to_array()[3], apart(three(i - a), three(b - a))]
}
