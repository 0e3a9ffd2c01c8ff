//! What threads rely on: that nothing is written by two of them at once. A plan's lists may be written by whoever holds it, so that this is asked
//! in release builds, too.

use super::CpuError;
use crate::model::{Group, Model, Tearing};
use crate::plan::{Plan, PlannedGroup};

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

    /// `tearing`: how it can be torn, which a model that has been torn does not tell any more.
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

/// Whether every slot is one of the particles, no two constraints of a batch without a gather write to the same slot, and no gather has a slot twice.
pub fn plan(groups: &[Group], fixed: Fixed, plan: &Plan, slot_of: &[u32]) -> Result<(), CpuError> {
    let masses = fixed.inverse_masses;
    let same = |planned: &PlannedGroup, group: &Group| planned.kind == group.kind && planned.len() == group.len();
    if plan.slot_of.len() != masses.len() || plan.particle_of.len() != masses.len() {
        return Err(CpuError::OtherModel);
    }
    if plan.groups.len() != groups.len() || !plan.groups.iter().zip(groups).all(|(planned, group)| same(planned, group))
    {
        return Err(CpuError::OtherModel);
    }
    let each_once = |slots: &[u32]| {
        let mut seen = vec![false; masses.len()];
        let new = |&slot: &u32| seen.get_mut(slot as usize).is_some_and(|seen| !std::mem::replace(seen, true));
        slots.iter().all(new)
    };
    if !each_once(&plan.slot_of) || !each_once(slot_of) || slot_of.len() != masses.len() {
        return Err(CpuError::OtherModel);
    }
    // Threads share levels sheet by sheet.
    let under_levels: Vec<u32> = plan.sheets.iter().flat_map(|sheet| sheet.particles.clone()).collect();
    if !each_once(&under_levels) {
        return Err(CpuError::OtherModel);
    }
    let mut last = vec![0_u32; masses.len()];
    let mut number = 0;
    for (group, planned) in groups.iter().zip(&plan.groups) {
        if !planned.batches.is_sorted_by_key(|batch| batch.phase) {
            return Err(CpuError::OtherModel);
        }
        // One batch goes on where the one before ends.
        let ends = planned.batches.iter().map(|batch| batch.range.end);
        let begins = planned.batches.iter().map(|batch| batch.range.start);
        if !begins.eq(std::iter::once(0).chain(ends).take(planned.batches.len())) {
            return Err(CpuError::OtherModel);
        }
        let arity = group.kind.arity().count();
        if arity.is_some_and(|count| (0..group.len()).any(|constraint| group.particles_of(constraint).len() != count)) {
            return Err(CpuError::OtherModel);
        }
        for batch in &planned.batches {
            number += 1;
            if let Some(gather) = &batch.gather {
                let moved = |&slot: &u32| slot_of.get(*plan.particle_of.get(slot as usize)? as usize);
                for slot in gather.particles.iter().map(moved) {
                    let slot = *slot.ok_or(CpuError::OtherModel)? as usize;
                    if std::mem::replace(&mut last[slot], number) == number {
                        return Err(CpuError::OtherModel);
                    }
                }
                continue;
            }
            for &constraint in &planned.constraint_of[batch.range.start as usize..batch.range.end as usize] {
                for &particle in group.particles_of(constraint as usize) {
                    let written = !fixed.share(planned, particle);
                    let slot = slot_of[particle as usize] as usize;
                    if written && std::mem::replace(&mut last[slot], number) == number {
                        return Err(CpuError::OtherModel);
                    }
                }
            }
        }
    }
    Ok(())
}
