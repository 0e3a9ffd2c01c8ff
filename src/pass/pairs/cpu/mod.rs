//! Contacts of particles with each other: what `shaders/pairs/` does, and there is why. Which of them are near each
//! other is found anew in each substep ([`clusters`]). A pair is solved once, by the thread that has its particles;
//! where two threads have one each, by both, with the same bits. So sums are made in the order of partners, whatever
//! the number of threads.

pub(crate) mod hierarchy;
mod pass;
pub(crate) mod push;
pub(crate) mod search;
pub(crate) mod segments;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use wide::f32x4;

use crate::cpu::frame::Frame;
use crate::cpu::lanes::Instructions;
use crate::cpu::particles::{CROWDED, Signs};
use crate::cpu::pass::Setup;
use crate::cpu::past::Past;
use crate::cpu::shared::Shared;
use crate::cpu::solve::Points;
use crate::cpu::team::Member;
use crate::law::contact::Skin;
use crate::model::{Groups, Model};
use crate::pass::pairs::cpu::hierarchy as clusters;
use crate::pass::pairs::cpu::hierarchy::Clusters;
use crate::pass::pairs::cpu::push::{Pushing, Rebound, Solve};
use crate::pass::pairs::cpu::search::{Follow, Predict, Reach, Search};
use crate::pass::pairs::cpu::segments::Segments;
use crate::step::records::Substep;

/// The particles that touch each other, in the order of slots.
pub struct Pairs {
    /// m; 0 where it touches nothing.
    radii: Vec<f32>,
    bodies: Vec<u32>,
    /// Which are ends of segments, and touch others as such; empty where there are no segments.
    is_end: Vec<bool>,
    /// Where the scene put each, and its radius.
    placed: Vec<f32x4>,
    /// As [`clusters::Placed::kin`].
    kin: Vec<f32>,
    /// The number of each body's kin.
    kin_of_bodies: Vec<u32>,
    /// Whether some are not of the same kin.
    are_mixed: bool,
    /// Whether the particles of each body touch each other, whom else they touch, and how.
    touches: Vec<(bool, Groups, Skin<f32>)>,
    /// `None` before the first frame, and where radii have changed.
    clusters: Option<Clusters>,
    /// The inverse mass that each of its pairs sees.
    splits: Vec<f32>,
    /// Whether some particle has too many near.
    crowded: AtomicBool,
    found: Vec<RwLock<Found>>,
    own: Vec<Mutex<Own>>,
    segments: Option<Segments>,
}

/// The pairs that a thread found, for each thread that has one of the particles: the slots, the lower first.
pub type Found = Vec<Vec<[u32; 2]>>;

/// The pairs of one thread's particles.
#[derive(Default)]
pub struct Own {
    pub slots: Range<usize>,
    /// By the lower slot, then the higher one.
    pub pairs: Vec<[u32; 2]>,
    /// What of them pushes, in that order.
    pub pushing: Vec<Pushing>,
    /// How many these are.
    pub count: usize,
    /// Of each of its particles, for a while: how many pairs, and sums over them.
    pub counts: Vec<u32>,
    pub sums: Vec<f32x4>,
}

impl Own {
    /// Whether it has a particle, and where in its lists that is.
    #[inline(always)]
    pub fn has(&self, slot: u32) -> Option<usize> {
        let index = (slot as usize).wrapping_sub(self.slots.start);
        (index < self.slots.len()).then_some(index)
    }

    /// What pressed in the last sweep. Of two threads that have a particle each, the one with the lower particle
    /// reports the pair.
    fn pressing(&self) -> Vec<Pressing> {
        let pressing = (0..self.count).filter_map(|index| Pushing::pressing(&self.pushing, index));
        pressing.filter(|pair| self.has(pair.slots[1] as u32).is_some()).collect()
    }

    /// Sums and counts begin at nothing.
    pub fn begin_sums(&mut self) {
        self.counts.clear();
        self.counts.resize(self.slots.len(), 0);
        self.sums.clear();
        self.sums.resize(self.slots.len(), f32x4::ZERO);
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
    pub fn new(setup: &Setup) -> Option<Self> {
        let Setup { model, slot_of, particle_of, threads, .. } = *setup;
        let radii = model.touching_radii()?;
        let slots = || particle_of.iter().map(|&particle| particle as usize);
        let touch = |body: &crate::model::Body| (body.self_collision, body.groups, Skin::of_body(body));
        let all_kin = model.kin();
        let number = |particle| all_kin.of(model, particle).map_or(f32::NAN, |kin| kin as f32);
        let (kin, kin_of_bodies): (Vec<f32>, _) = (slots().map(number).collect(), all_kin.of_body.clone());
        Some(Self {
            radii: slots().map(|particle| radii[particle] as f32).collect(),
            is_end: match model.segment_ends() {
                ends if ends.is_empty() => ends,
                ends => slots().map(|particle| ends[particle]).collect(),
            },
            bodies: slots().map(|particle| model.particles.bodies[particle]).collect(),
            placed: slots().map(|particle| placed(model, particle, radii[particle])).collect(),
            are_mixed: kin.windows(2).any(|two| two[0] != two[1]),
            kin,
            kin_of_bodies,
            touches: model.bodies.iter().map(touch).collect(),
            clusters: None,
            splits: vec![0.0; radii.len()],
            crowded: AtomicBool::new(false),
            found: (0..threads).map(|_| RwLock::default()).collect(),
            own: (0..threads).map(|_| Mutex::default()).collect(),
            segments: Segments::new(model, slot_of, threads),
        })
    }

    /// Takes over a model as torn, with so many of its spare particles in use: these touch others as what they were
    /// split from.
    fn follow(&mut self, model: &Model, slot_of: &[u32], spares: Range<u32>, taken: u32) {
        for (spare, radius) in model.spare_balls(spares, taken) {
            let slot = slot_of[spare] as usize;
            self.radii[slot] = radius as f32;
            self.bodies[slot] = model.particles.bodies[spare];
            self.placed[slot] = placed(model, spare, radius);
            self.kin[slot] = self.kin_of_bodies[model.particles.bodies[spare] as usize] as f32;
        }
        // What pressed on segments is reported for the frame that ends here.
        self.clusters = None;
    }

    /// What pressed in the last sweep, each pair once.
    fn pressing(&self) -> Vec<Pressing> {
        self.own.iter().flat_map(|own| locked(own).pressing()).collect()
    }

    /// What pressed on segments.
    fn pressing_on_segments(&self) -> Vec<Pressing> {
        self.segments.as_ref().map_or(Vec::new(), Segments::pressing)
    }

    /// # Safety
    /// As [`Shared::new`].
    unsafe fn share(&mut self) -> View<'_> {
        let Self {
            radii,
            bodies,
            is_end,
            placed,
            kin,
            are_mixed,
            touches,
            clusters,
            splits,
            crowded,
            found,
            own,
            segments,
            ..
        } = self;
        let alike = touches.windows(2).all(|two| two[0].2 == two[1].2);
        let clusters = clusters.get_or_insert_with(|| Clusters::new(radii, placed, kin));
        // SAFETY: the caller's.
        let (clusters, splits, segments) =
            unsafe { (clusters.view(), Shared::new(splits), segments.as_mut().map(|segments| segments.view())) };
        View {
            radii,
            bodies,
            is_end,
            placed,
            kin,
            are_mixed: *are_mixed,
            touches,
            alike,
            clusters,
            splits,
            crowded,
            found,
            own,
            segments,
        }
    }
}

/// The pairs in a frame.
pub struct View<'a> {
    pub radii: &'a [f32],
    pub bodies: &'a [u32],
    /// Which are ends of segments; empty where there are no segments.
    pub is_end: &'a [bool],
    /// Where the scene put each, and its radius.
    pub placed: &'a [f32x4],
    /// As [`clusters::Placed::kin`].
    pub kin: &'a [f32],
    /// Whether some are not of the same kin.
    pub are_mixed: bool,
    pub touches: &'a [(bool, Groups, Skin<f32>)],
    /// Whether all bodies touch alike.
    pub alike: bool,
    pub clusters: clusters::View<'a>,
    pub splits: Shared<'a, f32>,
    /// Whether some particle has too many near.
    pub crowded: &'a AtomicBool,
    found: &'a [RwLock<Found>],
    own: &'a [Mutex<Own>],
    segments: Option<segments::View<'a>>,
}

/// What a substep reads.
pub struct SubstepState<'a> {
    pub substep: &'a Substep,
    pub points: Points<'a>,
    pub u: Shared<'a, f32x4>,
    pub lattice: f32,
    pub signs: &'a Signs<'a>,
    /// With BDF2.
    pub past: Option<Past<'a>>,
    /// Whether there are several sweeps.
    pub iterated: bool,
    pub instructions: Instructions,
}

impl<'a> SubstepState<'a> {
    fn of(frame: &'a Frame, substep: usize) -> Self {
        Self {
            substep: frame.substep(substep),
            points: frame.points,
            u: frame.u,
            lattice: frame.lattice,
            signs: frame.signs,
            past: frame.past,
            iterated: frame.model.settings.iterations > 1,
            instructions: frame.instructions,
        }
    }
}

/// Where the scene put a particle, from its first one, and the radius at which it touches others.
fn placed(model: &Model, particle: usize, radius: f64) -> f32x4 {
    let (place, first) = (model.particles.positions[particle], model.particles.positions[0]);
    let [x, y, z] = std::array::from_fn(|i| (place[i] - first[i]) as f32);
    f32x4::new([x, y, z, radius as f32])
}

fn locked(own: &Mutex<Own>) -> std::sync::MutexGuard<'_, Own> {
    own.lock().unwrap_or_else(PoisonError::into_inner)
}

impl View<'_> {
    fn slots(&self, member: &Member) -> Range<usize> {
        member.share(self.radii.len())
    }

    /// After predicting: how near others must come to each particle. Ends with a meeting: constraints then move
    /// particles that others look at here.
    fn predict(&self, member: &Member, state: &SubstepState) {
        state.instructions.run(Predict { view: self, nodes: self.clusters.nodes(member), state });
        member.meet();
    }

    /// Which particles may touch: those near each other as they were predicted. With one sweep only those that do as
    /// constraints let them. Begins with what other threads did to d.
    fn search(&self, member: &Member, state: &SubstepState) {
        let nodes = self.clusters.nodes(member);
        state.instructions.run(Follow { view: self, nodes: nodes.clone(), state, reach: Reach::of(state.iterated) });
        member.meet();
        if member.index == 0 {
            self.crowded.store(false, Ordering::Relaxed);
            self.clusters.enclose_all();
        }
        member.meet();
        {
            let mut found = self.found[member.index].write().unwrap_or_else(PoisonError::into_inner);
            found.resize(self.found.len(), Vec::new());
            found.iter_mut().for_each(Vec::clear);
            let clusters = self.clusters.clusters_of(nodes);
            state.instructions.run(Search { view: self, clusters, state, member, found: &mut found });
        }
        member.meet();
        let mut own = locked(&self.own[member.index]);
        own.slots = self.slots(member);
        own.pairs.clear();
        if self.crowded.load(Ordering::Relaxed) {
            state.signs.flags.fetch_or(CROWDED, Ordering::Relaxed);
            return;
        }
        self.sort(member, &mut own);
    }

    /// Sorts the pairs that were found of a thread's particles.
    fn sort(&self, member: &Member, own: &mut Own) {
        let found: Vec<_> =
            self.found.iter().map(|found| found.read().unwrap_or_else(PoisonError::into_inner)).collect();
        let all = || found.iter().flat_map(|found| &found[member.index]);
        // Those of which it has the higher one only come first.
        let key = |slot: u32| own.slots.len().min((slot as usize + 1).saturating_sub(own.slots.start));
        let (counts, pairs) = (&mut own.counts, &mut own.pairs);
        counts.clear();
        counts.resize(own.slots.len() + 1, 0);
        all().for_each(|pair| counts[key(pair[0])] += 1);
        let mut end = 0;
        for count in &mut *counts {
            end += *count;
            *count = end - *count;
        }
        pairs.resize(end as usize, [0; 2]);
        for pair in all() {
            let to = &mut counts[key(pair[0])];
            pairs[*to as usize] = *pair;
            *to += 1;
        }
        pairs[..counts[0] as usize].sort_unstable();
        for run in pairs[counts[0] as usize..].chunk_by_mut(|a, b| a[0] == b[0]) {
            run.sort_unstable();
        }
    }

    /// One sweep over the contacts with segments, and then over all pairs at once. Begins with what other threads did
    /// to d, and ends with a meeting.
    fn push(&self, member: &Member, state: &SubstepState, opening: bool) {
        if let Some(segments) = &self.segments {
            segments.solve(self, member, state, opening);
        }
        if opening {
            self.search(member, state);
        }
        let mut own = locked(&self.own[member.index]);
        for solving in [false, true] {
            state.instructions.run(Solve { view: self, state, opening, solving, own: &mut own });
            member.meet();
        }
    }

    /// What pressed on segments, reported by a thread.
    pub fn pressing_on_segments(&self, member: &Member) -> Vec<Pressing> {
        self.segments.as_ref().map_or(Vec::new(), |segments| segments.pressing(member))
    }

    /// What pressed in the last sweep, reported by a thread.
    pub fn pressing(&self, member: &Member) -> Vec<Pressing> {
        locked(&self.own[member.index]).pressing()
    }

    /// Sets the velocities with which pairs that pressed part. Ends with a meeting.
    fn rebound(&self, member: &Member, state: &SubstepState, last: bool) {
        if let Some(segments) = &self.segments {
            segments.rebound(member, state, last);
        }
        let mut own = locked(&self.own[member.index]);
        state.instructions.run(Rebound { view: self, state, last, own: &mut own });
        member.meet();
        for (slot, (&way, _)) in
            own.slots.clone().zip(own.sums.iter().zip(&own.counts)).filter(|(_, (_, count))| **count > 0)
        {
            state.u.write(slot, way);
        }
        member.meet();
    }

    /// Whether two particles of these bodies may touch.
    pub fn meet(&self, a: u32, b: u32) -> bool {
        let (mine, theirs) = (&self.touches[a as usize], &self.touches[b as usize]);
        if a == b { mine.0 } else { mine.1.meet(theirs.1) }
    }
}
