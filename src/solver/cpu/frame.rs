//! A frame as the threads of a team go through it together.

use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

use wide::f32x4;

use crate::constraint::Arity;
use crate::cpu::advance::Advance;
use crate::cpu::blocks::{Segment, Step};
use crate::cpu::lanes::Instructions;
use crate::cpu::multiplier::Law;
use crate::cpu::particles::{Fall, Finish, Signs, four};
use crate::cpu::past::Past;
use crate::cpu::shared::Shared;
use crate::cpu::single;
use crate::cpu::solve::{Moment, Points, Task, View};
use crate::cpu::team::Member;
use crate::model::pose::Pose;
use crate::model::{Group, Model, Press, Sweep};
use crate::pass::air::cpu::Wind;
use crate::pass::colliders::cpu::{Contacts, Lists, locked};
use crate::pass::damping::cpu::{Damping, Motion, Sums};
use crate::pass::levels::cpu as nested;
use crate::pass::levels::cpu::Nested;
use crate::pass::levels::cpu::sixteens::Scratch;
use crate::pass::pairs::cpu as pairs;
use crate::pass::pulls::cpu::Pulling;
use crate::pass::rest::cpu::Rest;
use crate::plan::levels::Sheet;
use crate::plan::{Gather, Leg, Way};
use crate::solver::cpu::readout::Notes;
use crate::step::records::{Properties, RestLaw, Surface};
use crate::step::{FrameRecords, material_record};

/// What a frame reads and writes.
pub struct Frame<'a> {
    pub model: &'a Model,
    pub slot_of: &'a [u32],
    pub sheets: &'a [Sheet],
    /// Of a sweep.
    pub halves: &'a [Vec<Leg>],
    pub levels: nested::View<'a>,
    pub records: &'a FrameRecords,
    /// Of the colliders, all of substep 0, all of substep 1, ...
    pub poses: &'a [Pose<'a, f32>],
    pub laws: &'a [Law<f32>],
    pub rest_laws: &'a [RestLaw],
    pub surfaces: &'a [Surface],
    pub properties: &'a [Properties],
    pub lattice: f32,
    pub points: Points<'a>,
    pub u: Shared<'a, f32x4>,
    pub past: Option<Past<'a>>,
    pub groups: Vec<View<'a>>,
    pub pulls: Option<Pulling<'a>>,
    pub corrections: Shared<'a, f32x4>,
    /// See [`crate::cpu::order::Order`].
    pub pieces: &'a [Range<usize>],
    /// The contacts of each piece.
    pub contacts: &'a [Mutex<Lists>],
    /// See [`Contacts`].
    pub contact_order: Option<&'a [u32]>,
    pub pairs: Option<pairs::View<'a>>,
    pub particle_of: &'a [u32],
    /// Of each thread, if contacts of the whole frame are to be told.
    pub presses: Option<&'a [Mutex<Vec<Press>>]>,
    pub air: Option<Wind<'a>>,
    pub damping: &'a Damping,
    pub sums: Shared<'a, Sums>,
    pub motions: Shared<'a, (Motion, f32x4)>,
    pub signs: &'a Signs<'a>,
    pub instructions: Instructions,
}

/// A group whose turn it is.
struct Turn<'a> {
    member: &'a Member<'a>,
    group: &'a View<'a>,
    model: &'a Group,
    laws: &'a [Law<f32>],
    /// Whether a second visit right after the first leaves a constraint as it is.
    once: bool,
}

/// What becomes of the first batch of a phase, the innermost of a sweep there and back.
#[derive(Clone, Copy, PartialEq)]
enum Firsts {
    /// It is solved as all others.
    Alike,
    /// It is solved for the last time.
    Close,
    /// It has been solved.
    Skip,
}

/// One way through a step.
#[derive(Clone, Copy)]
struct Visit {
    moment: Moment,
    firsts: Firsts,
    /// Whether the sweep is the last of its substep.
    closes: bool,
}

impl Visit {
    fn comes_to(&self, first: bool) -> bool {
        !first || self.firsts != Firsts::Skip
    }

    fn of(&self, first: bool) -> Moment {
        match first && self.firsts == Firsts::Close {
            true => Moment { closing: self.closes, ..self.moment },
            false => self.moment,
        }
    }
}

impl Frame<'_> {
    /// All substeps, by one of the threads.
    pub fn run(&self, member: &Member) {
        let substeps = self.model.settings.substeps as usize;
        let mut scratch = Scratch::default();
        self.predict(member, 0);
        let settings = &self.model.settings;
        for substep in 0..substeps {
            self.correct_levels(member, substep, &mut scratch);
            self.change_rest(member, substep);
            if substep == 0 || !self.detects_at_once() {
                self.detect(member, substep);
            }
            if let Some(pairs) = &self.pairs {
                pairs.detect(member, &self.moment(substep));
            }
            for sweep in 0..settings.iterations {
                self.solve(member, substep, [sweep == 0, sweep + 1 == settings.iterations]);
                if let Some(pairs) = &self.pairs {
                    pairs.solve(member, &self.moment(substep), sweep == 0);
                }
                // What is last each particle does where it ends.
                if sweep + 1 < settings.iterations {
                    self.solve_contacts(member, substep);
                }
            }
            let next = (substep + 1 < substeps).then_some(substep + 1);
            self.finish(member, substep, next);
            self.note_pairs(member, substep);
        }
    }

    /// Whether nothing but a particle itself tells how it ends a substep and begins the next.
    fn particles_go_alone(&self) -> bool {
        let bounces_back = !self.model.colliders.is_empty() && self.past.is_some();
        self.damping.bodies.is_empty() && self.air.is_none() && self.pairs.is_none() && !bounces_back
    }

    /// Whether contacts are found where a particle begins a substep: nothing moves it in between.
    fn detects_at_once(&self) -> bool {
        self.particles_go_alone() && self.sheets.is_empty()
    }

    fn notes(&self, substep: usize) -> Notes<'_> {
        let per_square = f64::from(self.records.substeps[substep].inverse_seconds_squared);
        Notes { particle_of: self.particle_of, substep: substep as u32, per_square }
    }

    /// Adds which of a thread's own particles pressed on each other in a substep.
    fn note_pairs(&self, member: &Member, substep: usize) {
        if let (Some(pairs), Some(presses)) = (&self.pairs, self.presses) {
            let notes = self.notes(substep);
            let mut presses = presses[member.index].lock().unwrap_or_else(PoisonError::into_inner);
            notes.of_pairs(&pairs.pressing(member), &mut presses);
            notes.of_segments(&pairs.pressing_on_segments(member), &mut presses);
        }
    }

    fn slots(&self, member: &Member) -> Range<usize> {
        member.share(self.points.x.len())
    }

    /// A thread's pieces of all slots, each with its contacts, if anything can be touched.
    fn pieces(&self, member: &Member) -> impl Iterator<Item = (Range<usize>, Option<MutexGuard<'_, Lists>>)> {
        let touches = !self.model.colliders.is_empty();
        member
            .share_by(self.pieces.len(), 1)
            .map(move |i| (self.pieces[i].clone(), touches.then(|| locked(&self.contacts[i]))))
    }

    fn moment(&self, substep: usize) -> pairs::Moment<'_> {
        pairs::Moment {
            substep: &self.records.substeps[substep],
            points: self.points,
            u: self.u,
            lattice: self.lattice,
            signs: self.signs,
            past: self.past,
            iterated: self.model.settings.iterations > 1,
            instructions: self.instructions,
        }
    }

    fn fall(&self, substep: usize) -> Fall<'_> {
        Fall::new(&self.records.substeps[substep], self.records.drives_of(substep))
    }

    /// Begins a substep. Ends with a meeting.
    fn predict(&self, member: &Member, substep: usize) {
        let fall = self.fall(substep);
        let record = &self.records.substeps[substep];
        if let (Some(past), Some(_)) = (&self.past, &self.air) {
            self.slots(member).for_each(|slot| past.free.write(slot, past.free_way(record, slot, self.u.read(slot))));
            member.meet();
        }
        if let Some(wind) = &self.air {
            wind.blow(record, member.share_by(wind.blocks(), 1), self.instructions);
            member.meet();
        }
        for slot in self.slots(member) {
            let push = self.air.as_ref().map_or(f32x4::ZERO, |wind| wind.way(record, slot));
            let (way, properties) = (self.u.read(slot), &self.properties[slot]);
            if let Some(past) = &self.past {
                past.begin(slot, record, (&fall, properties), &self.points, way, push);
                continue;
            }
            let w = self.points.x.read(slot).to_array()[3];
            self.points.d.write(slot, self.points.e.read(slot) + fall.predicted(properties, w, way + push));
        }
        member.meet();
    }

    fn correct_levels(&self, member: &Member, substep: usize, scratch: &mut Scratch) {
        if self.sheets.is_empty() {
            return;
        }
        let record = &self.records.substeps[substep];
        let h = f64::from(record.inverse_seconds_squared).sqrt().recip();
        let force_share = record.inverse_seconds_squared / record.force_scale;
        let (sheets, materials, lists) = (self.sheets, &self.model.materials, &self.levels);
        let (points, instructions, opening) = (self.points, self.instructions, substep == 0);
        Nested { sheets, materials, lists, points, instructions, h, force_share, opening }.correct(member, scratch);
    }

    /// Of blocks that this thread also solves.
    fn change_rest(&self, member: &Member, substep: usize) {
        let curves = self.records.curves_of(substep);
        let rest = Rest { laws: self.rest_laws, curves, substep: &self.records.substeps[substep] };
        for group in self.groups.iter().filter(|group| group.bases.len() > 0) {
            for step in &group.blocks.steps {
                let segments = step.of(member).iter().flatten().cloned().collect::<Vec<_>>();
                segments.into_iter().flat_map(|segment| segment.blocks).for_each(|block| rest.change(group, block));
            }
        }
    }

    fn contacts(&self, substep: usize) -> Contacts<'_> {
        let record = &self.records.substeps[substep];
        let count = self.model.colliders.len();
        Contacts {
            colliders: self.records.colliders_of(substep),
            poses: &self.poses[substep * count..][..count],
            surfaces: self.surfaces,
            properties: self.properties,
            points: self.points,
            u: self.u,
            past: self.past,
            instructions: self.instructions,
            order: self.contact_order,
            tree: &self.records.bounds,
            seconds: record.seconds,
            share: record.share,
            seconds_squared: record.implicit_seconds * record.implicit_seconds,
            calm: record.calm_way(),
            friction_combine: record.friction_combine(),
        }
    }

    fn detect(&self, member: &Member, substep: usize) {
        if !self.model.colliders.is_empty() {
            let contacts = self.contacts(substep);
            for (piece, lists) in self.pieces(member) {
                lists.into_iter().for_each(|mut lists| contacts.detect(piece.clone(), &mut lists));
            }
            member.meet();
        }
    }

    /// One sweep over all constraints; whether it is the first of its substep, and the last. Each step ends with a
    /// meeting.
    fn solve(&self, member: &Member, substep: usize, [opening, closing]: [bool; 2]) {
        let substeps = self.model.settings.substeps as usize;
        let record = &self.records.substeps[substep];
        let moment = Moment {
            opening,
            closing,
            first: substep == 0,
            last: substep + 1 == substeps,
            share: 1.0 / substeps as f32,
            scale: record.inverse_seconds_squared / record.force_scale,
            back: false,
        };
        let one_way = self.model.settings.sweep == Sweep::OneWay;
        let pull = |moment: Moment| {
            if let Some(pulls) = &self.pulls {
                let turn = Turn { member, group: &pulls.group, model: pulls.model, laws: pulls.laws, once: false };
                self.solve_steps(&turn, 0, Way::Forth, moment);
            }
        };
        for (index, half) in self.halves.iter().enumerate() {
            // What pulls stands about the last half.
            let last = index + 1 == self.halves.len();
            if last && !one_way {
                pull(Moment { closing: false, ..moment });
            }
            for Leg { group, phase, way, opens, closes, .. } in half {
                let (view, model) = (&self.groups[*group], &self.model.groups[*group]);
                let once = view.blocks.kind.components() == 1 && !self.model.settings.leaves_error();
                let turn = Turn { member, group: view, model, laws: self.laws, once };
                let moment = Moment { opening: opening && *opens, closing: closing && *closes, ..moment };
                self.solve_steps(&turn, *phase, *way, moment);
            }
            if last {
                pull(Moment { opening: opening && one_way, ..moment });
            }
        }
    }

    /// What a group has in a phase. Each step ends with a meeting.
    fn solve_steps(&self, turn: &Turn, phase: u32, way: Way, moment: Moment) {
        let steps = turn.group.blocks.phase(phase);
        let visit = |back, firsts| Visit { moment: Moment { back, ..moment }, firsts, closes: moment.closing };
        match way {
            Way::Forth => steps.iter().for_each(|step| self.solve_step(turn, step, &[visit(false, Firsts::Alike)])),
            Way::Back => steps.iter().rev().for_each(|step| self.solve_step(turn, step, &[visit(true, Firsts::Alike)])),
            Way::BackAndForth => {
                let [there, here] = if turn.once { [Firsts::Close, Firsts::Skip] } else { [Firsts::Alike; 2] };
                let (mut back, mut forth) = (visit(true, there), visit(false, here));
                (back.moment.closing, forth.moment.opening) = (false, false);
                let Some((innermost, others)) = steps.split_first() else { return };
                others.iter().rev().for_each(|step| self.solve_step(turn, step, &[back]));
                self.solve_step(turn, innermost, &[back, forth]);
                others.iter().for_each(|step| self.solve_step(turn, step, &[forth]));
            }
        }
    }

    /// A step, once or there and back. Ends with a meeting.
    fn solve_step(&self, turn: &Turn, step: &Step, visits: &[Visit]) {
        let pieces = step.of(turn.member);
        if let Some(gather) = &step.gather {
            for visit in visits.iter().filter(|visit| visit.comes_to(step.is_first)) {
                pieces.iter().for_each(|piece| self.solve_piece(turn, step, piece, visit));
                turn.member.meet();
                self.gather(turn.member, gather);
                turn.member.meet();
            }
            return;
        }
        for piece in &*pieces {
            visits.iter().for_each(|visit| self.solve_piece(turn, step, piece, visit));
        }
        turn.member.meet();
    }

    fn solve_piece(&self, turn: &Turn, step: &Step, piece: &[Segment], visit: &Visit) {
        for index in 0..piece.len() {
            let Segment { blocks, first } = &piece[if visit.moment.back { piece.len() - 1 - index } else { index }];
            if visit.comes_to(*first) {
                let (group, blocks, moment) = (*turn.group, blocks.clone(), visit.of(*first));
                let (points, corrections, laws) = (self.points, self.corrections, turn.laws);
                let task = Task { step, blocks, group, points, corrections, laws, moment };
                match group.blocks.kind.arity() {
                    Arity::One | Arity::Many => single::solve(&task, turn.model, self.slot_of),
                    _ => group.blocks.kind.solve_on_cpu(&task),
                }
            }
        }
    }

    /// Adds up the corrections of a Jacobi batch.
    fn gather(&self, member: &Member, gather: &Gather) {
        for index in member.share(gather.particles.len()) {
            let slot = gather.particles[index] as usize;
            let mine = gather.offsets[index] as usize..gather.offsets[index + 1] as usize;
            let corrections = gather.corrections[mine].iter();
            let sum = corrections.fold(f32x4::ZERO, |sum, &at| sum + self.corrections.read(at as usize));
            self.points.d.write(slot, self.points.d.read(slot) + sum);
        }
    }

    fn solve_contacts(&self, member: &Member, substep: usize) {
        if !self.model.colliders.is_empty() {
            let contacts = self.contacts(substep);
            for (piece, lists) in self.pieces(member) {
                lists.into_iter().for_each(|mut lists| contacts.solve(piece.len(), &mut lists));
            }
            member.meet();
        }
    }

    /// Ends a substep, and begins the next, if there is one in this frame. A piece of the particles after another, so
    /// that one pass through memory does for all that each does by itself: its contacts, its end, its rebound, its
    /// beginning, and the contacts of that.
    fn finish(&self, member: &Member, substep: usize, next: Option<usize>) {
        let alone = self.particles_go_alone();
        let contacts = self.contacts(substep);
        let following = next.filter(|_| self.detects_at_once()).map(|next| self.contacts(next));
        for (piece, mut lists) in self.pieces(member) {
            lists.iter_mut().for_each(|lists| contacts.solve(piece.len(), lists));
            self.end(piece.clone(), substep, next.filter(|_| alone));
            if let (true, Some(lists)) = (alone, &mut lists) {
                self.leave(member, lists, substep, next);
                following.iter().for_each(|contacts| contacts.detect(piece.clone(), lists));
            }
        }
        member.meet();
        if alone {
            return;
        }
        self.damp(member);
        if let Some(pairs) = &self.pairs {
            pairs.rebound(member, &self.moment(substep), next.is_none());
        }
        self.pieces(member)
            .filter_map(|(_, lists)| lists)
            .for_each(|mut lists| self.leave(member, &mut lists, substep, None));
        member.meet();
        if let Some(next) = next {
            self.predict(member, next);
        }
    }

    /// Ends a substep for some particles, and begins the next.
    fn end(&self, slots: Range<usize>, substep: usize, next: Option<usize>) {
        let finish = Finish::new(&self.records.substeps[substep], self.lattice, self.signs);
        let Points { x, d, e } = &self.points;
        let next = next.map(|next| (self.fall(next), &self.records.substeps[next]));
        if self.past.is_none() && next.is_none_or(|(fall, _)| fall.is_plain()) {
            let tells_ways = !self.model.colliders.is_empty();
            let next = next.map(|(fall, _)| fall);
            Advance { finish, next, tells_ways, points: self.points, u: self.u }.all(slots, self.instructions);
            return;
        }
        for slot in slots {
            let (rest, mut way) = finish.finish(slot, x, d.read(slot), e.read(slot));
            if let Some(past) = &self.past {
                way = past.end(slot, &self.records.substeps[substep], self.u.read(slot), way);
            }
            finish.check(slot, way, x.read(slot));
            e.write(slot, rest);
            self.u.write(slot, way);
            if let Some((fall, record)) = &next {
                let properties = &self.properties[slot];
                match &self.past {
                    Some(past) => past.begin(slot, record, (fall, properties), &self.points, way, f32x4::ZERO),
                    None => d.write(slot, rest + fall.predicted(properties, x.read(slot).to_array()[3], way)),
                }
            }
        }
    }

    fn damp(&self, member: &Member) {
        let damping = self.damping;
        if damping.bodies.is_empty() {
            return;
        }
        for chunk in member.share_by(damping.chunks.len(), 1) {
            self.sums.write(chunk, damping.sums(chunk, &self.points, &self.u));
        }
        member.meet();
        for body in member.share_by(damping.bodies.len(), 1) {
            let base = self.u.read(damping.reference(body));
            self.motions.write(body, (damping.motion(body, &self.sums), base));
        }
        member.meet();
        for chunk in member.share_by(damping.chunks.len(), 1) {
            damping.apply(chunk, &self.points, &self.u, &self.motions);
        }
        member.meet();
    }

    /// Lets a piece's particles that press on colliders leave them, into the next substep if that has begun, and notes
    /// what pressed.
    fn leave(&self, member: &Member, lists: &mut Lists, substep: usize, next: Option<usize>) {
        let Points { x, d, e } = &self.points;
        let fall = next.map(|next| self.fall(next));
        let gravity = four(self.records.substeps[substep].fall());
        let forget = |slot, normal, impact| {
            if let Some(past) = &self.past {
                past.forget(slot, normal, impact, gravity);
            }
        };
        let leave = |slot: usize, way| {
            self.u.write(slot, way);
            if let Some(fall) = &fall {
                let way = fall.predicted(&self.properties[slot], x.read(slot).to_array()[3], way);
                d.write(slot, e.read(slot) + way);
            }
        };
        let pressing = self.contacts(substep).rebound(lists, forget, leave);
        if substep + 1 == self.records.substeps.len() {
            self.signs.contacts.fetch_add(pressing, Ordering::Relaxed);
        }
        if let Some(presses) = self.presses {
            let mut presses = presses[member.index].lock().unwrap_or_else(PoisonError::into_inner);
            self.notes(substep).of_colliders(lists, &mut presses);
        }
    }
}

/// How constraints of each material yield.
pub fn laws(model: &Model) -> Vec<Law<f32>> {
    let substep = FrameRecords::usual_substep(model);
    model.materials.iter().map(|m| Law::new(&material_record(m, &model.settings), &substep)).collect()
}
