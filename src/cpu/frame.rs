//! A frame as the threads of a team go through it together.

use std::sync::atomic::Ordering;

use wide::f32x4;

use super::air::Wind;
use super::contact::{Contact, Contacts};
use super::damping::{Damping, Motion, Sums};
use super::law::Law;
use super::nested;
use super::pairs;
use super::particles::{Fall, Finish, Signs};
use super::rest::Rest;
use super::shared::Shared;
use super::single;
use super::solve::{Moment, Points, Task, View};
use super::team::Member;
use crate::constraint::Arity;
use crate::contact::pose::Pose;
use crate::model::Model;
use crate::plan::levels::Sheet;
use crate::reference::levels::slack;
use crate::solver::FrameRecords;
use crate::solver::records::{Properties, RestLaw, Substep, Surface};

/// What a frame reads and writes.
pub struct Frame<'a> {
    pub model: &'a Model,
    pub slot_of: &'a [u32],
    pub sheets: &'a [Sheet],
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
    pub groups: Vec<View<'a>>,
    pub corrections: Shared<'a, f32x4>,
    pub contacts: Shared<'a, Contact>,
    pub pairs: Option<pairs::View<'a>>,
    /// And what the air writes.
    pub air: Option<(Wind<'a>, Shared<'a, f32x4>)>,
    pub damping: &'a Damping,
    pub sums: Shared<'a, Sums>,
    pub motions: Shared<'a, (Motion, f32x4)>,
    pub signs: &'a Signs,
}

impl Frame<'_> {
    /// All substeps, by one of the threads.
    pub fn run(&self, member: &Member) {
        let substeps = self.model.settings.substeps as usize;
        // Each member has the same sheets in all substeps, and so what their edges pulled by.
        let mut pulled: Vec<Vec<Vec<f64>>> = self.sheets_of(member).map(|sheet| slack(&self.sheets[sheet])).collect();
        self.predict(member, 0);
        for substep in 0..substeps {
            self.correct_levels(member, &mut pulled);
            self.change_rest(member, substep);
            self.detect(member, substep);
            if let Some(pairs) = &self.pairs {
                pairs.detect(member, &self.moment(substep));
            }
            for iteration in 0..self.model.settings.iterations {
                self.solve(member, substep, iteration == 0);
                if let Some(pairs) = &self.pairs {
                    pairs.solve(member, &self.moment(substep), iteration == 0);
                }
                self.solve_contacts(member, substep);
            }
            let next = (substep + 1 < substeps).then_some(substep + 1);
            self.finish(member, substep, next);
        }
    }

    fn slots(&self, member: &Member) -> std::ops::Range<usize> {
        member.share(self.points.x.len())
    }

    fn moment(&self, substep: usize) -> pairs::Moment<'_> {
        pairs::Moment {
            substep: &self.records.substeps[substep],
            points: self.points,
            u: self.u,
            lattice: self.lattice,
            signs: self.signs,
            iterated: self.model.settings.iterations > 1,
        }
    }

    fn fall(&self, substep: usize) -> Fall<'_> {
        Fall::new(&self.records.substeps[substep], self.records.drives_of(substep))
    }

    /// Begins a substep. Ends with a meeting.
    fn predict(&self, member: &Member, substep: usize) {
        let fall = self.fall(substep);
        if let Some((wind, ways)) = &self.air {
            for slot in self.slots(member) {
                ways.write(slot, wind.way(&self.records.substeps[substep], slot));
            }
        }
        for slot in self.slots(member) {
            let push = self.air.as_ref().map_or(f32x4::ZERO, |(_, ways)| ways.read(slot));
            let w = self.points.x.read(slot).to_array()[3];
            let way = fall.predicted(&self.properties[slot], w, self.u.read(slot) + push);
            self.points.d.write(slot, self.points.e.read(slot) + way);
        }
        member.meet();
    }

    fn sheets_of(&self, member: &Member) -> std::ops::Range<usize> {
        member.share_by(self.sheets.len(), 1)
    }

    fn correct_levels(&self, member: &Member, pulled: &mut [Vec<Vec<f64>>]) {
        if self.sheets.is_empty() {
            return;
        }
        let h = self.model.settings.substep_seconds();
        for (sheet, pulled) in self.sheets_of(member).zip(pulled) {
            nested::correct(&self.sheets[sheet], pulled, &self.model.materials, &self.points, self.slot_of, h);
        }
        member.meet();
    }

    /// Of blocks that this thread also solves.
    fn change_rest(&self, member: &Member, substep: usize) {
        let curves = self.records.curves_of(substep);
        let rest = Rest { laws: self.rest_laws, curves, substep: &self.records.substeps[substep] };
        for group in self.groups.iter().filter(|group| group.bases.len() > 0) {
            for batch in &group.blocks.batches {
                let share = member.share_by(batch.blocks.len(), 1);
                (share.start..share.end).for_each(|block| rest.change(group, batch.blocks.start + block));
            }
        }
    }

    fn contacts(&self, substep: usize) -> Contacts<'_> {
        let record = &self.records.substeps[substep];
        let [x, y, z] = record.gravity;
        let count = self.model.colliders.len();
        Contacts {
            colliders: self.records.colliders_of(substep),
            poses: &self.poses[substep * count..][..count],
            surfaces: self.surfaces,
            properties: self.properties,
            points: self.points,
            u: self.u,
            contacts: self.contacts,
            seconds_squared: record.seconds * record.seconds,
            calm: 2.0 * (x * x + y * y + z * z).sqrt() * record.seconds * record.seconds,
        }
    }

    /// Reads and writes what is of the thread's own particles; d must not change meanwhile.
    fn detect(&self, member: &Member, substep: usize) {
        if !self.model.colliders.is_empty() {
            let contacts = self.contacts(substep);
            self.slots(member).for_each(|slot| contacts.detect(slot));
            member.meet();
        }
    }

    /// One sweep over all constraints. Each batch ends with a meeting.
    fn solve(&self, member: &Member, substep: usize, opening: bool) {
        let substeps = self.model.settings.substeps as usize;
        let (first, last) = (substep == 0, substep + 1 == substeps);
        let moment = Moment { opening, first, last, share: 1.0 / substeps as f32 };
        for (group, modelled) in self.groups.iter().zip(&self.model.groups) {
            for batch in &group.blocks.batches {
                let share = member.share_by(batch.blocks.len(), 1);
                let blocks = batch.blocks.start + share.start..batch.blocks.start + share.end;
                let (points, laws, corrections) = (self.points, self.laws, self.corrections);
                let task = Task { batch, blocks, group: *group, points, corrections, laws, moment };
                match group.blocks.kind.arity() {
                    Arity::One | Arity::Many => single::solve(&task, modelled, self.slot_of),
                    _ => group.blocks.kind.solve_on_cpu(&task),
                }
                member.meet();
                if let Some(gather) = &batch.gather {
                    for index in member.share(gather.particles.len()) {
                        let slot = gather.particles[index] as usize;
                        let mine = gather.offsets[index] as usize..gather.offsets[index + 1] as usize;
                        let corrections = gather.corrections[mine].iter();
                        let sum = corrections.fold(f32x4::ZERO, |sum, &at| sum + self.corrections.read(at as usize));
                        self.points.d.write(slot, self.points.d.read(slot) + sum);
                    }
                    member.meet();
                }
            }
        }
    }

    fn solve_contacts(&self, member: &Member, substep: usize) {
        if !self.model.colliders.is_empty() {
            let contacts = self.contacts(substep);
            self.slots(member).for_each(|slot| contacts.solve(slot));
            member.meet();
        }
    }

    /// Ends a substep, and begins the next, if there is one in this frame.
    fn finish(&self, member: &Member, substep: usize, next: Option<usize>) {
        let finish = Finish::new(&self.records.substeps[substep], self.lattice, self.signs);
        let Points { x, d, e } = &self.points;
        let corrected = !self.damping.bodies.is_empty()
            || !self.model.colliders.is_empty()
            || self.air.is_some()
            || self.pairs.is_some();
        let following = next.filter(|_| !corrected).map(|next| self.fall(next));
        for slot in self.slots(member) {
            let (rest, way) = finish.finish(slot, x, d.read(slot), e.read(slot));
            e.write(slot, rest);
            self.u.write(slot, way);
            if let Some(fall) = &following {
                let w = x.read(slot).to_array()[3];
                d.write(slot, rest + fall.predicted(&self.properties[slot], w, way));
            }
        }
        if corrected {
            self.damp(member);
            if let Some(pairs) = &self.pairs {
                pairs.rebound(member, &self.moment(substep), next.is_none());
            }
            self.rebound(member, substep, next.is_none());
            if self.air.is_some() {
                member.meet();
            }
            if let Some(next) = next {
                self.predict(member, next);
            }
        } else {
            member.meet();
        }
    }

    fn damp(&self, member: &Member) {
        let damping = self.damping;
        if damping.bodies.is_empty() {
            return;
        }
        member.meet();
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

    fn rebound(&self, member: &Member, substep: usize, last: bool) {
        if self.model.colliders.is_empty() {
            return;
        }
        let contacts = self.contacts(substep);
        let pressing: u32 = self.slots(member).map(|slot| contacts.rebound(slot)).sum();
        if last {
            self.signs.contacts.fetch_add(pressing, Ordering::Relaxed);
        }
    }
}

/// The parameters of a substep, by what the threads hold.
pub fn laws(model: &Model, substep: &Substep) -> Vec<Law<f32>> {
    model.materials.iter().map(|m| Law::new(&crate::solver::material_record(m, &model.settings), substep)).collect()
}
