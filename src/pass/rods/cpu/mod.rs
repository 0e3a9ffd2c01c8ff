//! Rods on the CPU: as many chains side by side as there are lanes. Shorter ones are filled up with links that are not
//! there.

mod chains;

use std::ops::Range;

use bytemuck::cast_slice;

use super::steps;
use crate::cpu::frame::Frame;
use crate::cpu::lanes::{InLanes, Lanes, MOST, Numbers};
use crate::cpu::pass::{Pass, PassView, Setup};
use crate::cpu::shared::Shared;
use crate::cpu::team::Member;
use crate::law::rod::solve;
use crate::math::turn::of_speed;
use crate::model::{BendTwist, Model, Rod, Settings, State};
use crate::step::{Hooks, Turned, drives_of_particles};
use chains::{Chains, ELIMINATED, FIELDS, Field, NONE, UNDRIVEN};

/// Chains side by side.
struct Block {
    /// Their first link, of all blocks.
    first: usize,
    links: usize,
    /// Their joints whose rest changes.
    actuated: Vec<Actuated>,
}

/// A joint whose rest changes.
struct Actuated {
    /// Where the numbers of its rest are, one for each axis.
    places: [usize; 3],
    /// Without its curve.
    rest: [f32; 3],
    length: f32,
    curve: usize,
}

/// All orientations and rods of a model.
pub struct Rods {
    lanes: usize,
    blocks: Vec<Block>,
    numbers: Numbers,
    /// Slots of the particle before each link and behind the last one, for each lane.
    slots: Vec<u32>,
    /// Which drive turns the orientation of each link, for each lane.
    drives: Vec<u32>,
    /// Where each of the model's orientations is: its link of all blocks times the lanes, and its lane.
    places: Vec<usize>,
    /// What elimination keeps, of each thread.
    kept: Numbers,
    kept_each: usize,
    settings: Settings,
    damped: bool,
}

impl Rods {
    /// `None` where there is no rod.
    pub fn new(setup: &Setup) -> Option<Self> {
        let model = setup.model;
        if model.rods.is_empty() {
            return None;
        }
        let lanes = setup.instructions.lanes();
        // Long ones with long ones.
        let mut order: Vec<&Rod> = model.rods.iter().collect();
        order.sort_by_key(|rod| std::cmp::Reverse(rod.orientations.len()));
        let mut rods = Self {
            lanes,
            blocks: Vec::new(),
            numbers: Numbers::default(),
            slots: Vec::new(),
            drives: Vec::new(),
            places: vec![0; model.orientations.len()],
            kept: Numbers::default(),
            kept_each: 0,
            settings: model.settings.clone(),
            damped: model.rods.iter().any(|rod| rod.damping > 0.0),
        };
        let drives = drives_of_particles(model);
        order.chunks(lanes).for_each(|chains| rods.add(model, (setup.slot_of, &drives), chains));
        let most = rods.blocks.iter().map(|block| block.links).max().unwrap_or(0);
        rods.kept_each = (most * ELIMINATED * lanes).next_multiple_of(MOST);
        rods.kept = Numbers::zeros(rods.kept_each * setup.threads);
        rods.place(model);
        Some(rods)
    }

    /// Adds a block of chains.
    fn add(&mut self, model: &Model, (slot_of, drives): (&[u32], &[u32]), chains: &[&Rod]) {
        let (lanes, first) = (self.lanes, self.slots_before());
        let links = chains[0].orientations.len();
        let mut numbers = std::mem::take(&mut self.numbers);
        (0..links * lanes * FIELDS).for_each(|_| numbers.push(0.0));
        self.numbers = numbers;
        let slots = self.slots.len();
        self.slots.resize(slots + (links + 1) * lanes, NONE);
        self.drives.resize(self.drives.len() + links * lanes, UNDRIVEN);
        let mut actuated = Vec::new();
        for (lane, rod) in chains.iter().enumerate() {
            for node in 0..=rod.orientations.len() {
                let slot = rod.node(node).map_or(NONE, |particle| slot_of[particle as usize]);
                self.slots[slots + node * lanes + lane] = slot;
            }
            for (link, orientation) in rod.orientations.clone().enumerate() {
                let place = (first + link) * lanes + lane;
                self.places[orientation as usize] = place;
                let mut set = |field: Field, values: &[f64]| {
                    values
                        .iter()
                        .enumerate()
                        .for_each(|(k, &value)| self.numbers[at(lanes, place, field, k)] = value as f32);
                };
                set(Field::InverseInertia, &[model.orientations.inverse_inertias[orientation as usize]]);
                set(Field::Damping, &[rod.damping]);
                if let Some(segment) = rod.segment_at(link).map(|segment| &rod.segments[segment]) {
                    set(Field::Present, &[1.0]);
                    set(Field::Length, &[segment.length]);
                    set(Field::Compliances, &segment.compliances);
                }
                if let Some(joint) = rod.bends.get(link) {
                    let places = [0, 1, 2].map(|k| at(lanes, place, Field::Rest, k));
                    actuated.extend(Actuated::new(joint, places));
                    self.numbers[at(lanes, place, Field::Present, 1)] = 1.0;
                    for k in 0..3 {
                        self.numbers[at(lanes, place, Field::Rest, k)] = joint.rest[k] as f32;
                        self.numbers[at(lanes, place, Field::Compliances, 3 + k)] = joint.compliances[k] as f32;
                    }
                }
                self.drives[place] = rod.held_at(link).map_or(UNDRIVEN, |particle| drives[particle as usize]);
            }
            // Lanes that hold no link turn as little as they can.
            for link in rod.orientations.len()..links {
                self.numbers[at(lanes, (first + link) * lanes + lane, Field::Reference, 3)] = 1.0;
            }
        }
        for lane in chains.len()..lanes {
            for link in 0..links {
                self.numbers[at(lanes, (first + link) * lanes + lane, Field::Reference, 3)] = 1.0;
            }
        }
        self.blocks.push(Block { first, links, actuated });
    }

    /// How many links all blocks have so far.
    fn slots_before(&self) -> usize {
        self.blocks.last().map_or(0, |block| block.first + block.links)
    }

    /// As at the beginning.
    fn place(&mut self, model: &Model) {
        let h = self.settings.substep_seconds();
        let all = &model.orientations;
        let of = |q: &[f64; 4], speed: &[f64; 3]| {
            let turn = of_speed(*speed, h);
            let reference = q.map(|value| value as f32);
            (reference, [0.0; 3], [turn.x, turn.y, turn.z].map(|value| value as f32))
        };
        let turned: Vec<_> = all.placed.iter().zip(&all.angular_velocities).map(|(q, speed)| of(q, speed)).collect();
        for (orientation, (reference, below, way)) in turned.into_iter().enumerate() {
            self.put(orientation, Field::Reference, &reference);
            self.put(orientation, Field::Below, &below);
            self.put(orientation, Field::Way, &way);
        }
    }

    fn put(&mut self, orientation: usize, field: Field, values: &[f32]) {
        let place = self.places[orientation];
        values.iter().enumerate().for_each(|(k, &value)| self.numbers[at(self.lanes, place, field, k)] = value);
    }

    fn get<const N: usize>(&self, orientation: usize, field: Field) -> [f32; N] {
        let place = self.places[orientation];
        std::array::from_fn(|k| self.numbers[at(self.lanes, place, field, k)])
    }
}

impl Actuated {
    fn new(joint: &BendTwist, places: [usize; 3]) -> Option<Self> {
        let rest = joint.rest.map(|value| value as f32);
        Some(Self { places, rest, length: joint.length as f32, curve: joint.curve? as usize })
    }
}

/// Where a number of a link and lane is.
fn at(lanes: usize, place: usize, field: Field, k: usize) -> usize {
    (place / lanes * FIELDS + field as usize + k) * lanes + place % lanes
}

impl Pass for Rods {
    fn hooks(&self) -> Hooks {
        Hooks { solve: true, ..Hooks::default() }
    }

    unsafe fn view<'a>(&'a mut self, _frame: &Frame<'a>) -> Box<dyn PassView + 'a> {
        let Self { blocks, numbers, slots, drives, kept, kept_each, settings, damped, .. } = self;
        // SAFETY: the caller's. A block and what a thread keeps are worked on by one thread each.
        let [numbers, kept] = [numbers, kept].map(|list| unsafe { Shared::new(list) });
        let (kept_each, damped) = (*kept_each, *damped);
        Box::new(Solving { blocks, numbers, slots, drives, kept, kept_each, steps: steps(settings), damped })
    }

    fn tell(&self, state: &mut State) {
        Turned::tell(&self.turned(), &self.settings, state);
    }

    fn turned(&self) -> Vec<Turned> {
        let one = |orientation| Turned {
            reference: self.get(orientation, Field::Reference),
            below: self.get(orientation, Field::Below),
            way: self.get(orientation, Field::Way),
            sums: self.get(orientation, Field::Sums),
        };
        (0..self.places.len()).map(one).collect()
    }

    fn restore(&mut self, turned: &[Turned]) {
        for (orientation, Turned { reference, below, way, sums }) in turned.iter().enumerate() {
            self.put(orientation, Field::Reference, reference);
            self.put(orientation, Field::Below, below);
            self.put(orientation, Field::Way, way);
            self.put(orientation, Field::Sums, sums);
        }
    }

    fn bytes(&self) -> usize {
        let Self { numbers, slots, drives, places, kept, .. } = self;
        let lists: [&[u8]; 4] = [cast_slice(numbers), cast_slice(kept), cast_slice(slots), cast_slice(drives)];
        lists.iter().map(|list| list.len()).sum::<usize>() + size_of_val(&**places)
    }
}

/// The rods in a frame.
struct Solving<'a> {
    blocks: &'a [Block],
    numbers: Shared<'a, f32>,
    slots: &'a [u32],
    drives: &'a [u32],
    kept: Shared<'a, f32>,
    kept_each: usize,
    steps: u32,
    damped: bool,
}

impl PassView for Solving<'_> {
    fn solve(&self, member: &Member, frame: &Frame, substep: usize, [opening, closing]: [bool; 2]) {
        let blocks = member.share_by(self.blocks.len(), 1);
        if opening {
            self.actuate(&self.blocks[blocks.clone()], frame.records.curves_of(substep));
        }
        frame.instructions.run(Work { rods: self, frame, substep, opening, closing, blocks, thread: member.index });
        member.meet();
    }
}

impl Solving<'_> {
    /// Sets the rest of what is actuated in these blocks, which are this thread's, by the curves of a substep.
    fn actuate(&self, blocks: &[Block], curves: &[[f32; 4]]) {
        for Actuated { places, rest, length, curve } in blocks.iter().flat_map(|block| &block.actuated) {
            for k in 0..3 {
                self.numbers.write(places[k], rest[k] + length * curves[*curve][k]);
            }
        }
    }
}

/// A thread's blocks in a sweep.
struct Work<'a, 'b> {
    rods: &'b Solving<'a>,
    frame: &'b Frame<'a>,
    substep: usize,
    opening: bool,
    closing: bool,
    blocks: Range<usize>,
    thread: usize,
}

impl InLanes for Work<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let substep = self.frame.substep(self.substep);
        let drives = (self.frame.records.drives_of(self.substep), self.frame.records.animated());
        for index in self.blocks.clone() {
            let Block { first, links, .. } = self.rods.blocks[index];
            // SAFETY: so many slots and numbers are there, and a block and a thread's share of what is kept are its
            // own.
            let mut chains = unsafe {
                Chains::<L> {
                    links,
                    numbers: self.rods.numbers.pointer().add(first * FIELDS * L::COUNT),
                    slots: &self.rods.slots[(first + index) * L::COUNT..][..(links + 1) * L::COUNT],
                    kept: self.rods.kept.pointer().add(self.thread * self.rods.kept_each),
                    points: self.frame.points,
                    per_square: L::splat(substep.inverse_seconds_squared),
                    per_second: L::splat(substep.inverse_seconds),
                    damped: self.rods.damped,
                }
            };
            if self.opening {
                let driven = &self.rods.drives[first * L::COUNT..][..links * L::COUNT];
                chains.open(driven, drives, self.substep == 0);
            }
            for _ in 0..self.rods.steps {
                solve(&mut chains);
            }
            if self.closing {
                chains.close();
            }
        }
    }
}
