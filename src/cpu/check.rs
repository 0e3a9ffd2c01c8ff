//! What threads rely on: that nothing is written by two of them at once. A plan's lists are public and may have been
//! changed, so release builds check this too.

use std::ops::Range;

use super::CpuError;
use crate::model::{Group, Model, Tearing};
use crate::plan::{Gather, Plan, PlannedGroup};

/// Which particles constraints of a batch may share, since none moves them as long as the solver runs.
#[derive(Clone, Copy)]
pub struct Fixed<'a> {
    pub inverse_masses: &'a [f64],
    /// The first particle that a tear may split off: what it splits off one that is shared is shared as well.
    pub spares: u32,
}

impl<'a> Fixed<'a> {
    /// No particle is shared.
    pub const NONE: Fixed<'static> = Fixed { inverse_masses: &[], spares: u32::MAX };

    /// `tearing`: how the model can tear, which a torn model no longer holds.
    pub fn new(model: &'a Model, tearing: Option<&Tearing>) -> Self {
        let spares = tearing.map_or(u32::MAX, |tearing| tearing.spares.start);
        Self { inverse_masses: &model.particles.inverse_masses, spares }
    }

    /// Whether constraints of a batch may share a particle.
    pub fn share(&self, PlannedGroup { shared, .. }: &PlannedGroup, particle: u32) -> bool {
        let may_be = || particle >= self.spares || shared.binary_search(&particle).is_ok();
        !shared.is_empty() && self.inverse_masses[particle as usize] == 0.0 && may_be()
    }
}

/// Whether every slot is one of the particles and every constraint is solved once, no two constraints of a batch
/// without a gather write to the same slot, and gathers bring each correction once, to no slot twice.
pub fn plan(groups: &[Group], fixed: Fixed, plan: &Plan, slot_of: &[u32]) -> Result<(), CpuError> {
    let count = fixed.inverse_masses.len();
    let same = |(planned, group): (&PlannedGroup, &Group)| planned.kind == group.kind && planned.len() == group.len();
    let same_groups = plan.groups.len() == groups.len() && plan.groups.iter().zip(groups).all(same);
    let orders = [&plan.slot_of, &plan.particle_of, slot_of];
    let ordered = orders.into_iter().all(|order| order.len() == count && each_once(order, count));
    // Threads share levels sheet by sheet.
    let under_levels: Vec<u32> = plan.sheets.iter().flat_map(|sheet| sheet.particles.clone()).collect();
    if !same_groups || !ordered || !each_once(&under_levels, count) {
        return Err(CpuError::OtherModel);
    }
    let mut last = Last { batch: vec![0; count], number: 0 };
    for (group, planned) in groups.iter().zip(&plan.groups) {
        if !is_cut(group, planned) {
            return Err(CpuError::OtherModel);
        }
        for batch in &planned.batches {
            last.number += 1;
            let constraints = &planned.constraint_of[batch.range.start as usize..batch.range.end as usize];
            if let Some(gather) = &batch.gather {
                let moved = |&slot: &u32| Some(slot_of[*plan.particle_of.get(slot as usize)? as usize]);
                let new = |slot| moved(slot).is_some_and(|slot| last.is_first(slot));
                if !is_sound(gather, group, constraints) || !gather.particles.iter().all(new) {
                    return Err(CpuError::OtherModel);
                }
                continue;
            }
            for &constraint in constraints {
                let particles = group.particles_of(constraint as usize);
                let mut written = particles.iter().filter(|&&particle| !fixed.share(planned, particle));
                if !written.all(|&particle| last.is_first(slot_of[particle as usize])) {
                    let twice = (1..particles.len()).any(|k| particles[..k].contains(&particles[k]));
                    let kind = group.kind.name();
                    return Err(if twice { CpuError::Twice { kind, constraint } } else { CpuError::OtherModel });
                }
            }
        }
    }
    Ok(())
}

/// Which slots a batch has written.
struct Last {
    batch: Vec<u32>,
    number: u32,
}

impl Last {
    /// Whether nothing of this batch has written to it before.
    fn is_first(&mut self, slot: u32) -> bool {
        std::mem::replace(&mut self.batch[slot as usize], self.number) != self.number
    }
}

/// Whether a list has indices below a count, none of them twice.
fn each_once(list: &[u32], count: usize) -> bool {
    let mut seen = vec![false; count];
    list.iter().all(|&index| seen.get_mut(index as usize).is_some_and(|seen| !std::mem::replace(seen, true)))
}

/// Whether batches hold each constraint once, phase by phase, and all have as many particles as their kind wants.
fn is_cut(group: &Group, planned: &PlannedGroup) -> bool {
    let mut end = 0;
    let follows =
        |range: &Range<u32>| range.start == std::mem::replace(&mut end, range.end) && range.end >= range.start;
    let in_turn = planned.batches.iter().map(|batch| &batch.range).all(follows) && end as usize == group.len();
    let arity = group.kind.arity().count();
    let whole = |count| (0..group.len()).all(|constraint| group.particles_of(constraint).len() == count);
    in_turn
        && planned.batches.is_sorted_by_key(|batch| batch.phase)
        && each_once(&planned.constraint_of, group.len())
        && arity.is_none_or(whole)
}

/// Whether a gather has room for each correction of these constraints and takes each once.
fn is_sound(gather: &Gather, group: &Group, constraints: &[u32]) -> bool {
    let count = constraints.iter().map(|&constraint| group.particles_of(constraint as usize).len()).sum();
    let Gather { valences, particles, offsets, corrections } = gather;
    offsets.len() == particles.len() + 1
        && offsets[0] == 0
        && offsets.is_sorted()
        && offsets.last().is_some_and(|&end| end as usize == corrections.len())
        && valences.len() == count
        && each_once(corrections, count)
}
