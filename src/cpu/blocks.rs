//! The constraints of a group as the engine keeps them: in blocks of as many as there are lanes, structures of arrays.
//! Constraints are cut into blocks in the order of [`super::schedule`]; the lanes beyond the last of a run repeat it
//! and are not written.

use std::array::from_fn;
use std::borrow::Cow;
use std::ops::Range;

use super::alike::Entries;
use super::check::Fixed;
use super::lanes::{Instructions, MOST, Numbers};
use super::schedule::{Colours, Members, NEIGHBOURHOOD, Runs, Stage};
use super::team::Member;
use crate::base::parallel;
use crate::constraint::Kind;
use crate::cpu::multiplier::{Law, LawList};
use crate::model::Group;
use crate::plan::{Gather, PlannedGroup};
use crate::step::Needs;

/// No constraint, in a lane that repeats another.
const NONE: u32 = u32::MAX;

/// No slot: the particles of a block do not lie one behind the other.
pub const APART: u32 = u32::MAX;

/// A group's constraints. Every list has the same number of entries for each block, but for rest values and laws.
pub struct Blocks {
    pub kind: &'static dyn Kind,
    pub instructions: Instructions,
    pub needs: Needs,
    /// Whether constraints of a batch share particles that are fixed: those are not written, since others read them.
    pub sharing: bool,
    pub steps: Vec<Step>,
    /// The first block of each run of blocks that share no particle that moves, and are in rows all or none.
    runs: Vec<u32>,
    /// Of kinds with up to four particles; one entry for each lane of each.
    pub slots: Vec<u32>,
    /// Of each block four entries for each particle of its constraints, where a quarter of the lanes after another has
    /// its particles one behind the other: the slot of the first of each quarter. [`APART`] elsewhere.
    pub rows: Vec<u32>,
    /// Lanes of each block that hold constraints: the first ones.
    pub counts: Vec<u8>,
    pub laws: LawList,
    /// Which of the laws each block has, and which of the rest values.
    pub law_of: Vec<u32>,
    pub rest_of: Vec<u32>,
    /// Of kinds over any number of particles, and of one: where those of each place begin in the plan's order.
    pub firsts: Vec<u32>,
    /// Index into the table of materials of each lane of each law.
    materials: Vec<u32>,
    /// The model's constraint in each lane.
    constraints: Vec<u32>,
    /// How many constraints there are.
    pub len: usize,
}

/// What changes of a group's constraints; every list has the same number of entries for each lane, but for rest values
/// that never change.
pub struct Values {
    /// Rest values in effect: those of a block are at [`Blocks::rest_of`].
    pub rest: Numbers,
    /// Rest values without what curves do; empty if they never change.
    pub bases: Numbers,
    /// Rest values of particles, in the model's order; empty if they never change.
    pub members: Vec<f64>,
    /// λ of the substep and its sum over the frame, one entry for each component.
    pub lambdas: Numbers,
    pub sums: Numbers,
}

impl Values {
    pub fn bytes(&self) -> usize {
        let numbers = [&self.rest, &self.bases, &self.lambdas, &self.sums];
        numbers.iter().map(|list| size_of_val(&***list)).sum::<usize>() + size_of_val(&*self.members)
    }
}

/// What the threads do between two meetings.
pub struct Step {
    pub share: Share,
    /// The first block.
    start: usize,
    /// The plan's first place, where blocks hold places in order: of kinds that are solved one by one, and of those
    /// gathered.
    pub place: u32,
    pub gather: Option<Gather>,
    /// Whether all of it is of the first colour of its phase.
    pub is_first: bool,
    /// Of the plan's sweep.
    pub phase: u32,
}

/// Blocks of a step.
pub enum Share {
    /// Those of each thread.
    Parts(Vec<Vec<Piece>>),
    /// Each thread takes its share of them.
    All(Segment),
}

/// What a thread goes through there and back before it comes to the next: the particles are then in its caches.
pub type Piece = Vec<Segment>;

/// Blocks one after the other.
#[derive(Clone)]
pub struct Segment {
    pub blocks: Range<usize>,
    /// Whether they are of the first colour of their phase, or of others.
    pub first: bool,
}

impl Step {
    /// The pieces of one thread, the same ones always.
    pub fn of(&self, member: &Member) -> Cow<'_, [Piece]> {
        match &self.share {
            Share::Parts(parts) => Cow::Borrowed(&parts[member.index]),
            Share::All(Segment { blocks, first }) => {
                let share = member.share_by(blocks.len(), 1);
                let blocks = blocks.start + share.start..blocks.start + share.end;
                Cow::Owned(vec![vec![Segment { blocks, first: *first }]])
            }
        }
    }

    /// The number of a lane among all of the step.
    #[inline(always)]
    pub fn index(&self, block: usize, lane: usize, lanes: usize) -> usize {
        (block - self.start) * lanes + lane
    }
}

/// The slots of the particles of constraints of a few, place after place: looked up once, by all cores, since they are
/// asked for again and again.
struct Slots {
    list: Vec<u32>,
    each: usize,
}

/// The bit of a slot whose particle constraints of a colour share.
const SHARED: u32 = 1 << 31;

impl Slots {
    fn new(group: &Group, planned: &PlannedGroup, slot_of: &[u32], fixed: Fixed) -> Self {
        let each = group.kind.arity().count().unwrap_or(0);
        let mut list = vec![0; planned.len() * each];
        parallel::fill(&mut list, parallel::LEAST * each.max(1), |begin, list| {
            let places = planned.constraint_of[begin / each..].iter().zip(list.chunks_exact_mut(each));
            for (&constraint, slots) in places {
                for (slot, &particle) in slots.iter_mut().zip(group.particles_of(constraint as usize)) {
                    let shared = if fixed.share(planned, particle) { SHARED } else { 0 };
                    *slot = slot_of[particle as usize] | shared;
                }
            }
        });
        Self { list, each }
    }

    /// Of the constraint at a place.
    #[inline(always)]
    fn of(&self, place: u32) -> impl Iterator<Item = u32> + Clone {
        self.marked(place).iter().map(|slot| slot & !SHARED)
    }

    fn marked(&self, place: u32) -> &[u32] {
        &self.list[place as usize * self.each..][..self.each]
    }
}

impl Members for &Slots {
    fn of(&self, place: u32) -> impl Iterator<Item = u32> + Clone {
        self.marked(place).iter().copied().filter(|slot| slot & SHARED == 0)
    }
}

/// A group being cut into blocks.
struct Cut<'a> {
    group: &'a Group,
    planned: &'a PlannedGroup,
    setup: &'a BlockSetup<'a>,
    slots: &'a Slots,
    blocks: Blocks,
    rest: Numbers,
    materials: Vec<u32>,
    rests: Entries,
    laws: Entries,
}

impl Cut<'_> {
    /// Appends the blocks of a run of places: first, unless they are to stay in order, those of quarters whose
    /// particles lie one behind the other.
    fn run(&mut self, places: &[u32], in_order: bool) {
        let lanes = self.setup.instructions.lanes();
        self.begin();
        if in_order || !self.setup.in_rows {
            places.chunks(lanes).for_each(|places| self.block(places, false));
            return;
        }
        // Side by side are those whose slots all go on by one: of the same distances to the first, which goes on.
        let mut keyed: Vec<([u32; 4], u32)> = places.iter().map(|&place| (self.key(place), place)).collect();
        keyed.sort_unstable();
        let goes_on = |&(a, _): &([u32; 4], u32), &(b, _): &([u32; 4], u32)| a[..3] == b[..3] && a[3] + 1 == b[3];
        let (mut in_row, mut apart) = (Vec::new(), Vec::new());
        for row in keyed.chunk_by(goes_on) {
            let (quarters, rest) = row.split_at(row.len() / (lanes / 4) * (lanes / 4));
            in_row.extend(quarters.iter().map(|&(_, place)| place));
            apart.extend(rest.iter().map(|&(_, place)| place));
        }
        let blocks = in_row.chunks_exact(lanes);
        apart.extend_from_slice(blocks.remainder());
        for block in blocks {
            let place = |lane| block[self.setup.instructions.behind(lane)];
            let places: [u32; MOST] = from_fn(|lane| if lane < lanes { place(lane) } else { 0 });
            self.block(&places[..lanes], true);
        }
        self.begin();
        apart.sort_unstable();
        apart.chunks(lanes).for_each(|places| self.block(places, false));
    }

    /// The distances of a constraint's slots to the first, and that.
    fn key(&self, place: u32) -> [u32; 4] {
        let mut slots = self.slots.of(place);
        let first = slots.next().unwrap_or(0);
        let mut key = [0, 0, 0, first];
        key.iter_mut().zip(slots).for_each(|(distance, slot)| *distance = slot.wrapping_sub(first));
        key
    }

    /// Appends a block.
    fn block(&mut self, places: &[u32], in_row: bool) {
        let (group, planned, setup, blocks) = (self.group, self.planned, self.setup, &mut self.blocks);
        let lanes = setup.instructions.lanes();
        let kind = group.kind;
        let place = |lane: usize| places[lane.min(places.len() - 1)];
        let of_lane = |lane: usize| planned.constraint_of[place(lane) as usize];
        let constraints: [usize; MOST] = from_fn(|lane| of_lane(lane) as usize);
        let constraints = &constraints[..lanes];
        for k in 0..kind.arity().count().unwrap_or(0) {
            let slot = |lane: usize| self.slots.marked(place(lane))[k] & !SHARED;
            blocks.slots.extend((0..lanes).map(slot));
            // The first lanes hold the first constraints of the quarters.
            blocks.rows.extend((0..4).map(|lane| if in_row { slot(lane) } else { APART }));
        }
        let may_share = !setup.rest_changes;
        let rests = (0..kind.rest().len()).flat_map(|k| constraints.iter().map(move |&c| group.rest_of(c)[k] as f32));
        let bits: Vec<u32> = rests.clone().map(f32::to_bits).collect();
        if self.rests.add(bits.chunks_exact(lanes), may_share) {
            rests.for_each(|rest| self.rest.push(rest));
        }
        let own = if kind.own_materials() { kind.components() } else { 1 };
        let material = |component| constraints.iter().map(move |&c| group.material_of(c, component));
        let materials: Vec<u32> = (0..own).flat_map(material).collect();
        if self.laws.add(materials.chunks_exact(lanes), may_share) {
            self.materials.extend(materials);
        }
        blocks.counts.push(places.len() as u8);
        let constraint = |lane| if lane < places.len() { of_lane(lane) } else { NONE };
        blocks.constraints.extend((0..lanes).map(constraint));
    }

    /// Begins a run of blocks.
    fn begin(&mut self) {
        let first = self.blocks.counts.len() as u32;
        if self.blocks.runs.last() != Some(&first) {
            self.blocks.runs.push(first);
        }
    }

    /// The blocks of runs. `first`: the end of the first colour of the phase.
    fn piece(&mut self, runs: &[Vec<u32>], first: u32, in_order: bool) -> Piece {
        let mut piece = Piece::new();
        for run in runs {
            let start = self.blocks.counts.len();
            self.run(run, in_order);
            let (end, first) = (self.blocks.counts.len(), run.iter().all(|&place| place < first));
            match piece.last_mut() {
                Some(segment) if segment.first == first => segment.blocks.end = end,
                _ => piece.push(Segment { blocks: start..end, first }),
            }
        }
        piece
    }

    fn step(&mut self, stage: &Stage, place: u32, phase: u32, gather: Option<Gather>) {
        let start = self.blocks.counts.len();
        let first = self.planned.innermost(phase);
        let share = match stage {
            Stage::Parts(parts) => {
                let mut pieces =
                    |pieces: &Vec<Runs>| pieces.iter().map(|runs| self.piece(runs, first, false)).collect();
                Share::Parts(parts.iter().map(&mut pieces).collect())
            }
            // Corrections are found by the place of their constraint.
            Stage::Run(run) => {
                let piece = self.piece(std::slice::from_ref(run), first, gather.is_some());
                Share::All(piece.into_iter().next().unwrap_or(Segment { blocks: start..start, first: false }))
            }
        };
        let is_first = matches!(share, Share::All(Segment { first: true, .. }));
        self.blocks.steps.push(Step { share, start, place, gather, is_first, phase });
    }
}

/// How a group is solved.
pub struct BlockSetup<'a> {
    pub instructions: Instructions,
    pub threads: usize,
    pub needs: Needs,
    pub laws: &'a [Law<f32>],
    pub rest_changes: bool,
    /// Whether rest shapes of the group change.
    pub reshapes: bool,
    pub slot_of: &'a [u32],
    /// The particle of each slot of the plan, by which it tells whose corrections come together.
    pub particle_of: &'a [u32],
    /// Whether constraints may lie side by side; see [`super::order`].
    pub in_rows: bool,
    /// Of each phase of the plan that lies in clusters the cluster of each of the engine's slots, and how many there
    /// are.
    pub clusters: &'a [(Vec<u32>, usize)],
}

impl Blocks {
    pub fn new(group: &Group, planned: &PlannedGroup, fixed: Fixed, setup: &BlockSetup) -> (Self, Values) {
        let kind = group.kind;
        let sharing = !planned.shared.is_empty();
        let blocks = Self {
            kind,
            instructions: setup.instructions,
            needs: setup.needs,
            sharing,
            steps: Vec::new(),
            runs: Vec::new(),
            slots: Vec::new(),
            rows: Vec::new(),
            counts: Vec::new(),
            laws: LawList::default(),
            law_of: Vec::new(),
            rest_of: Vec::new(),
            firsts: Vec::new(),
            materials: Vec::new(),
            constraints: Vec::new(),
            len: group.len(),
        };
        let (rest, materials, rests, laws) = Default::default();
        let slots = Slots::new(group, planned, setup.slot_of, fixed);
        let mut cut = Cut { group, planned, setup, slots: &slots, blocks, rest, materials, rests, laws };
        let coloured = |batch: &crate::plan::Batch| kind.joins_few() && batch.gather.is_none();
        for batches in planned.batches.chunk_by(|a, b| coloured(a) && coloured(b) && a.phase == b.phase) {
            let phase = batches[0].phase;
            let ranges: Vec<Range<u32>> = batches.iter().map(|batch| batch.range.clone()).collect();
            if coloured(&batches[0]) {
                let (count, neighbourhood) = (setup.slot_of.len() as u32, NEIGHBOURHOOD);
                let colours = Colours { colours: &ranges, members: &slots, slots: count, neighbourhood };
                let clusters = setup.clusters.get(phase as usize).filter(|_| !sharing);
                let in_clusters = |(cluster_of, clusters): &(Vec<u32>, usize)| {
                    let of_slot = |slot: u32| cluster_of[slot as usize];
                    let of_place = |place: u32| slots.of(place).next().map_or(u32::MAX, of_slot);
                    // Not all are where islands hold some.
                    let inside = |place: u32| slots.of(place).all(|slot| of_slot(slot) == of_place(place));
                    let all =
                        ranges.iter().cloned().flatten().all(|place| of_place(place) != u32::MAX && inside(place));
                    all.then(|| vec![colours.in_clusters(setup.threads, *clusters, of_place)])
                };
                let stages = clusters.and_then(in_clusters).unwrap_or_else(|| colours.stages(setup.threads));
                stages.iter().for_each(|stage| cut.step(stage, 0, phase, None));
            } else {
                let run = Stage::Run(ranges[0].clone().collect());
                let slot = |&slot: &u32| setup.slot_of[setup.particle_of[slot as usize] as usize];
                let kept = |gather: &Gather| Gather {
                    particles: gather.particles.iter().map(slot).collect(),
                    ..gather.clone()
                };
                cut.step(&run, ranges[0].start, phase, batches[0].gather.as_ref().map(kept));
            }
        }
        let Cut { mut blocks, rest, materials, rests, laws, .. } = cut;
        (blocks.rest_of, blocks.law_of) = (rests.of_block, laws.of_block);
        blocks.materials = materials;
        blocks.follow_laws(setup.laws, setup.needs);
        let mut bases = Numbers::default();
        if setup.rest_changes {
            bases = rest.clone();
        }
        if !kind.joins_few() {
            let counts = planned.constraint_of.iter().map(|&constraint| group.particles_of(constraint as usize).len());
            blocks.firsts = counts.scan(0, |sum, count| Some(std::mem::replace(sum, *sum + count as u32))).collect();
        }
        let multipliers = || Numbers::zeros(blocks.constraints.len() * kind.components());
        let members = if setup.reshapes { group.member_rest.clone() } else { Vec::new() };
        let values = Values { rest, bases, members, lambdas: multipliers(), sums: multipliers() };
        (blocks, values)
    }

    pub fn lanes(&self) -> usize {
        self.instructions.lanes()
    }

    /// Has its constraints yield by these laws, one for each material.
    pub fn follow_laws(&mut self, laws: &[Law<f32>], needs: Needs) {
        self.laws = LawList::new(laws, &self.materials, &needs);
        self.needs = needs;
    }

    /// The material of a component in a lane.
    pub fn material(&self, block: usize, component: usize, lane: usize) -> usize {
        let (own, component) = if self.kind.own_materials() { (self.kind.components(), component) } else { (1, 0) };
        self.materials[(self.law_of[block] as usize * own + component) * self.lanes() + lane] as usize
    }

    /// What a sweep reads and writes: x and d of the particles, slots, rest values and laws.
    pub fn bytes_per_sweep(&self) -> u64 {
        let particles = self.kind.arity().count().unwrap_or(0) * self.constraints.len();
        let in_rows = self.rows.iter().filter(|&&slot| slot != APART).count();
        let slots = particles - in_rows * self.lanes() / 4 + self.rows.len();
        let moved = particles * size_of::<[f32; 12]>() + slots * size_of::<u32>();
        let entries = self.rest_of.iter().max().map_or(0, |&last| last as usize + 1);
        let rests = entries * self.lanes() * self.kind.rest().len() * size_of::<f32>();
        let which = (self.rest_of.len() + self.law_of.len()) * size_of::<u32>();
        (moved + rests + self.laws.bytes() + which) as u64
    }

    pub fn bytes(&self) -> usize {
        let Self { runs, slots, rows, firsts, materials, constraints, law_of, rest_of, .. } = self;
        let lists = [runs, slots, rows, firsts, materials, constraints, law_of, rest_of];
        lists.iter().map(|list| size_of_val(&***list)).sum::<usize>() + self.counts.len() + self.laws.bytes()
    }

    /// Where runs begin within some blocks, behind the first.
    pub fn runs_of(&self, blocks: &Range<usize>) -> &[u32] {
        let from = self.runs.partition_point(|&first| first as usize <= blocks.start);
        let to = self.runs.partition_point(|&first| (first as usize) < blocks.end);
        &self.runs[from..to.max(from)]
    }

    /// The steps of one phase.
    pub fn phase(&self, phase: u32) -> &[Step] {
        let first = |phase| self.steps.partition_point(|step| step.phase < phase);
        &self.steps[first(phase)..first(phase + 1)]
    }

    /// How many constraints have their particles behind those of others.
    pub fn side_by_side(&self) -> usize {
        let each = self.kind.arity().count().unwrap_or(0).max(1);
        self.rows.iter().filter(|&&slot| slot != APART).count() / (4 * each) * self.lanes()
    }

    /// The constraint in a lane that holds one.
    pub fn constraint(&self, block: usize, lane: usize) -> usize {
        self.constraints[block * self.lanes() + lane] as usize
    }

    /// Corrections of the largest batch that needs a list of them.
    pub fn corrections(&self) -> usize {
        self.steps.iter().flat_map(|step| &step.gather).map(|gather| gather.corrections.len()).max().unwrap_or(0)
    }

    /// What a list holds of so many numbers for each lane, in the model's order of constraints.
    pub fn by_constraint(&self, of_lanes: &[f32], each: usize) -> Vec<f32> {
        self.told(each, 0.0, |index| of_lanes[index])
    }

    /// What `of` makes of the entries of a list of so many numbers for each lane, in the model's order of constraints;
    /// `start` is of no account.
    pub fn told<T: Send + Clone>(&self, each: usize, start: T, of: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let lanes = self.lanes();
        parallel::reordered(self.len, each, start, &self.constraints, |place, k| {
            of((place / lanes * each + k) * lanes + place % lanes)
        })
    }

    /// The opposite of [`Blocks::by_constraint`].
    pub fn put(&self, by_constraint: &[f32], each: usize, of_lanes: &mut [f32]) {
        self.for_each(each, |constraint, index, k| of_lanes[index] = by_constraint[constraint * each + k]);
    }

    /// By constraint, index in a list of so many numbers for each lane, and which of these.
    fn for_each(&self, each: usize, mut act: impl FnMut(usize, usize, usize)) {
        let lanes = self.lanes();
        for (place, &constraint) in self.constraints.iter().enumerate().filter(|(_, c)| **c != NONE) {
            let (block, lane) = (place / lanes, place % lanes);
            (0..each).for_each(|k| act(constraint as usize, (block * each + k) * lanes + lane, k));
        }
    }
}
