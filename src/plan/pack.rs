//! Constraints in the order in which they are solved, as records, cut into batches.

use std::ops::Range;

use super::clusters::Home;
use super::colour::Colouring;
use super::gather::gather;
use super::sort::{resorted, sorted};
use super::{Batch, PlannedGroup, RANGE_ALIGNMENT};
use crate::base::parallel;
use crate::constraint::{Kind, Members};
use crate::model::Group;

/// Bytes of one component's multiplier: λ and its sum over a frame.
const MULTIPLIER_BYTES: usize = 8;

/// Bytes of one particle's correction by one constraint of a Jacobi batch: a vector of four.
const CORRECTION_BYTES: usize = 16;

/// The sizes to which batches of a kind are cut, for bindings of a given size.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    /// Largest window; a multiple of [`RANGE_ALIGNMENT`].
    pub places: u32,
    /// Most corrections of a Jacobi batch.
    pub corrections: usize,
}

impl Cut {
    pub fn new(kind: &dyn Kind, binding_bytes: usize) -> Self {
        let bytes_per_place = kind.record_size().max(kind.components() * MULTIPLIER_BYTES).max(1);
        let blocks = binding_bytes / bytes_per_place / RANGE_ALIGNMENT as usize;
        let most = (u32::MAX / RANGE_ALIGNMENT) as usize;
        Self { places: blocks.clamp(1, most) as u32 * RANGE_ALIGNMENT, corrections: binding_bytes / CORRECTION_BYTES }
    }
}

/// How the constraints of all kinds are planned.
#[derive(Clone, Copy)]
pub(super) struct PackOptions<'a> {
    pub inverse_masses: &'a [f64],
    pub slot_of: &'a [u32],
    pub binding_bytes: usize,
    pub phases: u32,
}

/// Sorts, cuts and packs the constraints of one kind; `homes` is empty where there is one phase.
pub(super) fn plan_group(group: &Group, homes: &[Home], colouring: Colouring, options: PackOptions) -> PlannedGroup {
    let PackOptions { inverse_masses, slot_of, binding_bytes, phases: phase_count } = options;
    let Colouring { colour_of, colours, phases, sharing } = colouring;
    let constraint_of = in_order(group, slot_of, homes, &colour_of, colours);
    let (members, records) = match group.kind.joins_many() {
        true => listed(group, slot_of, &constraint_of),
        false => (Vec::new(), records(group, slot_of, &constraint_of)),
    };

    let cut = Cut::new(group.kind, binding_bytes);
    let mut batches = Vec::new();
    let mut start = 0;
    for colour in 0..=colours {
        let length = constraint_of[start as usize..].partition_point(|&c| u32::from(colour_of[c as usize]) <= colour);
        let range = start..start + length as u32;
        start = range.end;
        if colour < colours {
            let phase = phases.partition_point(|&first| first <= colour) as u32 - 1;
            cut_colour(range, (phase, colour), group.len() as u32, cut, &mut batches);
        } else {
            let slots = slots_in_order(group, slot_of, &constraint_of[range.start as usize..]);
            cut_remainder(range, phase_count - 1, slots, slot_of.len(), cut, &mut batches);
        }
    }
    let shared = if sharing { shared(group, inverse_masses) } else { Vec::new() };
    PlannedGroup { kind: group.kind, constraint_of, records, members, batches, colours, shared }
}

/// The fixed particles of the constraints, ascending.
fn shared(group: &Group, inverse_masses: &[f64]) -> Vec<u32> {
    let mut fixed: Vec<u32> = group.particles.iter().copied().filter(|&p| inverse_masses[p as usize] == 0.0).collect();
    fixed.sort_unstable();
    fixed.dedup();
    fixed
}

/// The constraints by colour, in a colour by cluster and by their smallest slot, so that neighbours in a batch read the
/// same memory.
fn in_order(group: &Group, slot_of: &[u32], homes: &[Home], colour_of: &[u16], colours: u32) -> Vec<u32> {
    let smallest = |c: u32| group.particles_of(c as usize).iter().map(|&p| slot_of[p as usize]).min().unwrap_or(0);
    let (mut by_slot, _) = sorted(group.len(), slot_of.len(), smallest);
    if let Some(last) = homes.iter().map(|home| home.cluster).max() {
        (by_slot, _) = resorted(&by_slot, last as usize + 1, |c| homes[c as usize].cluster);
    }
    resorted(&by_slot, colours as usize + 1, |c| u32::from(colour_of[c as usize])).0
}

/// The slots of all constraints in order, and where each constraint's begin.
fn slots_in_order(group: &Group, slot_of: &[u32], constraint_of: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut slots = Vec::with_capacity(group.particles.len());
    let mut offsets = Vec::with_capacity(group.len() + 1);
    offsets.push(0);
    for &constraint in constraint_of {
        slots.extend(group.particles_of(constraint as usize).iter().map(|&p| slot_of[p as usize]));
        offsets.push(slots.len() as u32);
    }
    (slots, offsets)
}

/// What stands behind the slots in the list of members, and where each constraint's part of that begins; for kinds of
/// few particles nothing.
pub(super) fn behind_slots(
    group: &Group,
    constraint_of: &[u32],
    slots: &[u32],
    offsets: &[u32],
) -> (Vec<u32>, Vec<u32>) {
    let (mut list, mut begins) = (Vec::new(), Vec::new());
    for (&constraint, bounds) in constraint_of.iter().zip(offsets.windows(2)).filter(|_| group.kind.joins_many()) {
        let members = Members {
            slots: &slots[bounds[0] as usize..bounds[1] as usize],
            corners: group.corners_of(constraint as usize),
            rest: group.member_rest_of(constraint as usize),
            begin: (slots.len() + list.len()) as u32,
        };
        begins.push(members.begin);
        group.kind.push_data(&members, &mut list);
    }
    (list, begins)
}

/// The members of constraints over any number of particles, and the records that point to them.
fn listed(group: &Group, slot_of: &[u32], constraint_of: &[u32]) -> (Vec<u32>, Vec<u8>) {
    let (slots, offsets) = slots_in_order(group, slot_of, constraint_of);
    let (behind, begins) = behind_slots(group, constraint_of, &slots, &offsets);
    let mut records = Vec::with_capacity(group.len() * group.kind.record_size());
    let mut rest = Vec::with_capacity(group.kind.rest().len());
    for ((&constraint, bounds), &data) in constraint_of.iter().zip(offsets.windows(2)).zip(&begins) {
        pack(group, constraint as usize, &slots, (bounds[0]..bounds[1], data), &mut rest, &mut records);
    }
    ([slots, behind].concat(), records)
}

/// Constraints whose particles are looked up before their records are made: so the processor waits for many at once.
const AT_ONCE: usize = 64;

/// The records of constraints of a few particles.
fn records(group: &Group, slot_of: &[u32], constraint_of: &[u32]) -> Vec<u8> {
    let (size, count) = (group.kind.record_size(), group.kind.arity().count().unwrap_or(0));
    let mut records = vec![0; constraint_of.len() * size];
    parallel::fill(&mut records, AT_ONCE * size, |first, records| {
        let (mut slots, mut rest, mut record) = (Vec::new(), Vec::new(), Vec::new());
        let constraints = constraint_of[first / size..].chunks(AT_ONCE);
        for (records, constraints) in records.chunks_mut(AT_ONCE * size).zip(constraints) {
            slots.clear();
            for &constraint in constraints {
                let particles = &group.particles[constraint as usize * count..][..count];
                slots.extend(particles.iter().map(|&particle| slot_of[particle as usize]));
            }
            record.clear();
            for (&constraint, index) in constraints.iter().zip(0..) {
                let members = (index * count as u32..(index + 1) * count as u32, 0);
                pack(group, constraint as usize, &slots, members, &mut rest, &mut record);
            }
            records.copy_from_slice(&record);
        }
    });
    records
}

/// Appends the record of one constraint, whose slots are `slots[members]`; `data` is where in the list of members there
/// is more of one over any number of particles ([`behind_slots`]). `rest` is scratch.
pub(super) fn pack(
    group: &Group,
    constraint: usize,
    slots: &[u32],
    (members, data): (Range<u32>, u32),
    rest: &mut Vec<f32>,
    records: &mut Vec<u8>,
) {
    rest.clear();
    rest.extend(group.rest_of(constraint).iter().map(|&value| value as f32));
    let listed = [members.start, members.end - members.start, data];
    let particles = match group.kind.joins_many() {
        true => &listed[..],
        false => &slots[members.start as usize..members.end as usize],
    };
    group.kind.pack(particles, rest, group.materials[constraint], records);
}

/// Cuts a colour at the borders of windows that all colours share.
fn cut_colour(range: Range<u32>, (phase, colour): (u32, u32), places: u32, cut: Cut, batches: &mut Vec<Batch>) {
    let mut start = range.start;
    while start < range.end {
        let window_start = start / cut.places * cut.places;
        let window = window_start..window_start.saturating_add(cut.places).min(places);
        let end = range.end.min(window.end);
        batches.push(Batch { range: start..end, window, gather: None, phase, colour });
        start = end;
    }
}

/// Cuts the remainder, whose slots these are, into Jacobi batches, each as long as its bindings allow.
fn cut_remainder(
    range: Range<u32>,
    phase: u32,
    (slots, offsets): (Vec<u32>, Vec<u32>),
    particles: usize,
    cut: Cut,
    batches: &mut Vec<Batch>,
) {
    let at = |place: u32| (place - range.start) as usize;
    let mut start = range.start;
    while start < range.end {
        let window_start = start / RANGE_ALIGNMENT * RANGE_ALIGNMENT;
        let longest = range.end.min(window_start.saturating_add(cut.places));
        let first = offsets[at(start)] as usize;
        let fitting =
            offsets[at(start) + 1..=at(longest)].partition_point(|&end| end as usize - first <= cut.corrections);
        // A constraint that alone is too long cannot be cut: it goes alone.
        let end = start + (fitting as u32).max(1);
        let batch_slots = &slots[first..offsets[at(end)] as usize];
        let gather = gather(batch_slots, particles);
        let colour = batches.last().map_or(0, |batch| batch.colour + 1);
        batches.push(Batch { range: start..end, window: window_start..end, gather: Some(gather), phase, colour });
        start = end;
    }
}
