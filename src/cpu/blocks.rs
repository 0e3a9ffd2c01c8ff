//! The constraints of a group as the engine keeps them: in blocks of as many as there are lanes, structures of arrays. Within a batch
//! places are cut into blocks; the lanes beyond the last place repeat it and are not written.

use std::ops::Range;

use super::CpuError;
use super::lanes::{LANES, Lanes};
use crate::constraint::{Arity, Kind};
use crate::model::Group;
use crate::plan::{Gather, Plan, PlannedGroup};
use crate::solver::Needs;

/// A group's constraints. Every list has the same number of entries for each block.
pub struct Blocks {
    pub kind: &'static dyn Kind,
    pub needs: Needs,
    /// Whether constraints of a batch share particles that are fixed: those are not written, since others read them.
    pub sharing: bool,
    pub batches: Vec<Batch>,
    /// Of kinds with up to four particles; one entry for each.
    pub slots: Vec<[u32; LANES]>,
    /// Of kinds over any number of particles, and of one: where those of each place begin in the plan's order.
    pub firsts: Vec<u32>,
    /// Index into the table of materials.
    pub materials: Vec<[u32; LANES]>,
    /// The model's constraint at each place.
    pub constraint_of: Vec<u32>,
}

/// What changes of a group's constraints; every list has the same number of entries for each block.
pub struct Values {
    /// Rest values in effect.
    pub rest: Vec<Lanes>,
    /// Rest values without what curves do; empty if they never change.
    pub bases: Vec<Lanes>,
    /// λ of the substep and its sum over the frame, one entry for each component.
    pub lambdas: Vec<Lanes>,
    pub sums: Vec<Lanes>,
}

/// Constraints that are solved at once.
pub struct Batch {
    pub places: Range<u32>,
    pub blocks: Range<usize>,
    pub gather: Option<Gather>,
}

impl Batch {
    /// Lanes of a block that hold constraints.
    #[inline(always)]
    pub fn lanes(&self, block: usize) -> usize {
        (self.places.len() - (block - self.blocks.start) * LANES).min(LANES)
    }
    /// The place in a lane of a block.
    pub fn place(&self, block: usize, lane: usize) -> usize {
        self.places.start as usize + (block - self.blocks.start) * LANES + lane
    }
}

impl Blocks {
    pub fn new(
        group: &Group,
        planned: &PlannedGroup,
        slot_of: &[u32],
        needs: Needs,
        rest_changes: bool,
    ) -> (Self, Values) {
        let kind = group.kind;
        let mut batches = Vec::new();
        let mut blocks = 0;
        for batch in &planned.batches {
            let end = blocks + batch.range.len().div_ceil(LANES);
            batches.push(Batch { places: batch.range.clone(), blocks: blocks..end, gather: batch.gather.clone() });
            blocks = end;
        }
        let mut made = Self {
            kind,
            needs,
            sharing: !planned.shared.is_empty(),
            slots: Vec::new(),
            firsts: Vec::new(),
            materials: Vec::with_capacity(blocks),
            constraint_of: planned.constraint_of.clone(),
            batches: Vec::new(),
        };
        let mut values = Values {
            rest: Vec::with_capacity(blocks * kind.rest().len()),
            bases: Vec::new(),
            lambdas: vec![Lanes::splat(0.0); blocks * kind.components()],
            sums: vec![Lanes::splat(0.0); blocks * kind.components()],
        };
        for batch in &batches {
            for block in batch.blocks.clone() {
                let places: [usize; LANES] =
                    std::array::from_fn(|lane| batch.place(block, lane).min(batch.places.end as usize - 1));
                let constraints = places.map(|place| planned.constraint_of[place] as usize);
                for k in 0..kind.arity().count().unwrap_or(0) {
                    made.slots.push(constraints.map(|c| slot_of[group.particles_of(c)[k] as usize]));
                }
                for k in 0..kind.rest().len() {
                    values.rest.push(Lanes::new(constraints.map(|c| group.rest_of(c)[k] as f32)));
                }
                made.materials.push(constraints.map(|c| group.materials[c]));
            }
        }
        if rest_changes {
            values.bases = values.rest.clone();
        }
        if kind.arity() == Arity::Many || kind.arity() == Arity::One {
            let counts = planned.constraint_of.iter().map(|&constraint| group.particles_of(constraint as usize).len());
            made.firsts = counts.scan(0, |sum, count| Some(std::mem::replace(sum, *sum + count as u32))).collect();
        }
        made.batches = batches;
        (made, values)
    }

    /// Corrections of the largest batch that needs a list of them.
    pub fn corrections(&self) -> usize {
        self.batches.iter().flat_map(|batch| &batch.gather).map(|gather| gather.corrections.len()).max().unwrap_or(0)
    }

    /// What a list holds of so many numbers for each block, in the model's order of constraints.
    pub fn by_constraint(&self, of_blocks: &[Lanes], each: usize) -> Vec<f32> {
        let mut sorted = vec![0.0; self.constraint_of.len() * each];
        self.for_each(|constraint, block, lane| {
            for k in 0..each {
                sorted[constraint * each + k] = of_blocks[block * each + k].to_array()[lane];
            }
        });
        sorted
    }

    /// The opposite of [`Blocks::by_constraint`].
    pub fn put(&self, by_constraint: &[f32], each: usize, of_blocks: &mut [Lanes]) {
        self.for_each(|constraint, block, lane| {
            for k in 0..each {
                let lanes = &mut of_blocks[block * each + k];
                let mut values = lanes.to_array();
                values[lane] = by_constraint[constraint * each + k];
                *lanes = Lanes::new(values);
            }
        });
    }

    fn for_each(&self, mut act: impl FnMut(usize, usize, usize)) {
        for batch in &self.batches {
            for block in batch.blocks.clone() {
                for lane in 0..batch.lanes(block) {
                    act(self.constraint_of[batch.place(block, lane)] as usize, block, lane);
                }
            }
        }
    }
}

/// What threads rely on: no two constraints of a batch without a gather write to the same slot, and no gather has a slot twice. A
/// plan's lists may be written by whoever holds it, so that this is asked in release builds, too.
pub fn check(groups: &[Group], masses: &[f64], plan: &Plan) -> Result<(), CpuError> {
    let same = |planned: &PlannedGroup, group: &Group| planned.kind == group.kind && planned.len() == group.len();
    if plan.slot_of.len() != masses.len() || plan.particle_of.len() != masses.len() {
        return Err(CpuError::OtherModel);
    }
    if plan.groups.len() != groups.len() || !plan.groups.iter().zip(groups).all(|(planned, group)| same(planned, group))
    {
        return Err(CpuError::OtherModel);
    }
    let mut last = vec![0_u32; masses.len()];
    let mut number = 0;
    for (group, planned) in groups.iter().zip(&plan.groups) {
        let sharing = !planned.shared.is_empty();
        for batch in &planned.batches {
            if let Some(gather) = &batch.gather {
                match gather.particles.is_sorted_by(|a, b| a < b) {
                    true => continue,
                    false => return Err(CpuError::OtherModel),
                }
            }
            number += 1;
            for &constraint in &planned.constraint_of[batch.range.start as usize..batch.range.end as usize] {
                for &particle in group.particles_of(constraint as usize) {
                    let written = !sharing || masses[particle as usize] != 0.0;
                    let slot = plan.slot_of[particle as usize] as usize;
                    if written && std::mem::replace(&mut last[slot], number) == number {
                        return Err(CpuError::OtherModel);
                    }
                }
            }
        }
    }
    Ok(())
}
