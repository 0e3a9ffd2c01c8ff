//! The order of a sweep. Linearised about rest a substep is x' = P (2x - x₋₁), P what the sweep does to a displacement:
//! a product of projections, one for each constraint. For an eigenvalue m of P the scheme has l² = m (2l - 1): for real
//! m in 0..=1 |l| = √m, which is stable whatever the substep; a complex m near 1 makes slow modes grow, by the substep.
//! A product of projections that is gone through there and back is self-adjoint in the metric of the masses, and so its
//! m are real. A product of two operators that are so has real m, too; of three it has not.

use std::ops::Range;

use super::Plan;
use crate::model::Sweep;

/// The batches of a group that lie in one phase, as a sweep goes through them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leg {
    /// Of the plan.
    pub group: usize,
    /// Of the batches.
    pub phase: u32,
    /// Indices of the group's batches.
    pub batches: Range<usize>,
    /// In which order they are solved.
    pub way: Way,
    /// Whether the sweep comes to them for the first time.
    pub opens: bool,
    /// Whether it does for the last time.
    pub closes: bool,
}

/// In which order batches are solved. On a way back the components of a constraint come in the opposite order, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From the first to the last.
    Forth,
    /// From the last to the first.
    Back,
    /// From the last to the first, and to the last again.
    BackAndForth,
}

/// The halves of a sweep over a plan, each as its legs: each is a palindrome, or all goes one way. There is one half,
/// but where nothing except constraints acts on the particles: there each cluster of the first phase is gone through
/// there and back while it is in memory, and then all other phases are, the largest of which is the innermost.
/// Contacts, which act after a sweep, and levels, which act before, would be a third operator.
pub(super) fn halves(plan: &Plan, sweep: Sweep) -> Vec<Vec<Leg>> {
    let of_phase = |phase| {
        let leg = move |(group, planned): (usize, &super::PlannedGroup)| {
            let batches = planned.phase(phase);
            Leg { group, phase, batches, way: Way::Forth, opens: true, closes: true }
        };
        plan.groups.iter().enumerate().map(leg).filter(|leg| !leg.batches.is_empty())
    };
    let all: Vec<Leg> = (0..plan.phase_count()).flat_map(of_phase).collect();
    if sweep == Sweep::OneWay || all.is_empty() {
        return vec![all];
    }
    let acts_besides = plan.colliders > 0 || plan.touches || !plan.sheets.is_empty();
    let first = if acts_besides { 0 } else { all.iter().take_while(|leg| leg.phase == 0).count() };
    let (first, rest) = all.split_at(first);
    [first, rest].into_iter().filter(|legs| !legs.is_empty()).map(palindrome).collect()
}

/// From the last to the first, and back.
fn palindrome(legs: &[Leg]) -> Vec<Leg> {
    let Some((innermost, others)) = legs.split_first() else { return Vec::new() };
    let back = others.iter().rev().map(|leg| Leg { way: Way::Back, closes: false, ..leg.clone() });
    let innermost = Leg { way: Way::BackAndForth, ..innermost.clone() };
    let forth = others.iter().map(|leg| Leg { opens: false, ..leg.clone() });
    back.chain([innermost]).chain(forth).collect()
}
