//! A sweep over the constraints of a frame.

use wide::f32x4;

use super::blocks::{Segment, Step};
use super::frame::Frame;
use super::multiplier::Law;
use super::single;
use super::solve::{SweepState, Task, View};
use super::team::Member;
use crate::model::{Group, Sweep};
use crate::plan::{Gather, Leg, Way};

/// A group whose turn it is.
pub struct Turn<'a> {
    pub member: &'a Member<'a>,
    pub group: &'a View<'a>,
    pub model: &'a Group,
    pub laws: &'a [Law<f32>],
    /// Whether a second visit right after the first leaves a constraint as it is.
    pub once: bool,
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
    state: SweepState,
    firsts: Firsts,
    /// Whether the sweep is the last of its substep.
    closes: bool,
}

impl Visit {
    fn comes_to(&self, first: bool) -> bool {
        !first || self.firsts != Firsts::Skip
    }

    fn of(&self, first: bool) -> SweepState {
        match first && self.firsts == Firsts::Close {
            true => SweepState { closing: self.closes, ..self.state },
            false => self.state,
        }
    }
}

impl Frame<'_> {
    /// One sweep over all constraints; whether it is the first of its substep, and the last. What joins it stands about
    /// its last half. Each step ends with a meeting.
    pub fn sweep(&self, member: &Member, substep: usize, [opening, closing]: [bool; 2], join: impl Fn(SweepState)) {
        let substeps = self.model.settings.substeps as usize;
        let record = &self.records.substeps[substep];
        let state = SweepState {
            opening,
            closing,
            first: substep == 0,
            last: substep + 1 == substeps,
            share: 1.0 / substeps as f32,
            scale: record.inverse_seconds_squared / record.force_scale,
            back: false,
        };
        let one_way = self.model.settings.sweep == Sweep::OneWay;
        for (index, half) in self.halves.iter().enumerate() {
            let last = index + 1 == self.halves.len();
            if last && !one_way {
                join(SweepState { closing: false, ..state });
            }
            for Leg { group, phase, way, opens, closes, .. } in half {
                let (view, model) = (&self.groups[*group], &self.model.groups[*group]);
                let once = view.blocks.kind.components() == 1 && !self.model.settings.leaves_error();
                let turn = Turn { member, group: view, model, laws: self.laws, once };
                let state = SweepState { opening: opening && *opens, closing: closing && *closes, ..state };
                self.solve_steps(&turn, *phase, *way, state);
            }
            if last {
                join(SweepState { opening: opening && one_way, ..state });
            }
        }
    }

    /// What a group has in a phase. Each step ends with a meeting.
    pub fn solve_steps(&self, turn: &Turn, phase: u32, way: Way, state: SweepState) {
        let steps = turn.group.blocks.phase(phase);
        let visit = |back, firsts| Visit { state: SweepState { back, ..state }, firsts, closes: state.closing };
        match way {
            Way::Forth => steps.iter().for_each(|step| self.solve_step(turn, step, &[visit(false, Firsts::Alike)])),
            Way::Back => steps.iter().rev().for_each(|step| self.solve_step(turn, step, &[visit(true, Firsts::Alike)])),
            Way::BackAndForth => {
                let [there, here] = if turn.once { [Firsts::Close, Firsts::Skip] } else { [Firsts::Alike; 2] };
                let (mut back, mut forth) = (visit(true, there), visit(false, here));
                (back.state.closing, forth.state.opening) = (false, false);
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
            let Segment { blocks, first } = &piece[if visit.state.back { piece.len() - 1 - index } else { index }];
            if visit.comes_to(*first) {
                let (group, blocks, state) = (*turn.group, blocks.clone(), visit.of(*first));
                let (points, corrections, laws) = (self.points, self.corrections, turn.laws);
                let task = Task { step, blocks, group, points, corrections, laws, state };
                match group.blocks.kind.joins_few() {
                    true => group.blocks.kind.solve_on_cpu(&task),
                    false => single::solve(&task, turn.model, self.slot_of),
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
}
