//! Where records and multipliers of the constraints are kept.

use crate::gpu::buffers::{Slice, upload, zeroed};
use crate::gpu::constraints::MULTIPLIER_BYTES;
use crate::plan::{Plan, PlannedGroup};

/// Groups begin at multiples of this many bytes, as every binding must.
const ALIGNMENT: u64 = 256;

/// Records and multipliers of each group.
pub struct Stores {
    pub records: Vec<Slice>,
    pub multipliers: Vec<Slice>,
}

impl Stores {
    /// A buffer for each, or `together` one for the multipliers of all.
    pub fn new(device: &wgpu::Device, plan: &Plan, together: bool) -> Self {
        let records = |group: &PlannedGroup| upload(device, &format!("{} records", group.kind.name()), &group.records);
        let multipliers = |group: &PlannedGroup| {
            zeroed(device, &format!("{} multipliers", group.kind.name()), multiplier_bytes(group))
        };
        Self {
            records: plan.groups.iter().map(|group| Slice::all(records(group))).collect(),
            multipliers: match together {
                true => joined_multipliers(device, plan, &Offsets::new(plan, 0)).1,
                false => plan.groups.iter().map(|group| Slice::all(multipliers(group))).collect(),
            },
        }
    }

    /// One buffer for all records, behind these words, and one for all multipliers.
    pub fn joined(
        device: &wgpu::Device,
        plan: &Plan,
        offsets: &Offsets,
        words: &[u32],
    ) -> (wgpu::Buffer, wgpu::Buffer, Self) {
        let mut bytes = bytemuck::cast_slice(words).to_vec();
        for (group, &offset) in plan.groups.iter().zip(&offsets.records) {
            bytes.resize(offset as usize, 0);
            bytes.extend_from_slice(&group.records);
        }
        let words = upload(device, "islands and records", &bytes);
        let records = slices(plan, &offsets.records, &words, |group| group.records.len() as u64);
        let (joined, multipliers) = joined_multipliers(device, plan, offsets);
        (words, joined, Self { records, multipliers })
    }
}

/// One buffer for the multipliers of all groups.
fn joined_multipliers(device: &wgpu::Device, plan: &Plan, offsets: &Offsets) -> (wgpu::Buffer, Vec<Slice>) {
    let buffer = zeroed(device, "multipliers", offsets.multipliers_end);
    let slices = slices(plan, &offsets.multipliers, &buffer, multiplier_bytes);
    (buffer, slices)
}

/// The part of each group, from these offsets on. Buffers that nothing reads must exist all the same.
fn slices(plan: &Plan, offsets: &[u64], buffer: &wgpu::Buffer, size: fn(&PlannedGroup) -> u64) -> Vec<Slice> {
    let slice =
        |(group, &offset): (&PlannedGroup, &u64)| Slice { buffer: buffer.clone(), offset, size: size(group).max(16) };
    plan.groups.iter().zip(offsets).map(slice).collect()
}

pub fn multiplier_bytes(group: &PlannedGroup) -> u64 {
    group.len() as u64 * group.kind.components() as u64 * MULTIPLIER_BYTES
}

/// Where in the two buffers each group begins, bytes.
pub struct Offsets {
    pub records: Vec<u64>,
    pub multipliers: Vec<u64>,
    records_end: u64,
    multipliers_end: u64,
}

impl Offsets {
    /// With so many words before the records.
    pub fn new(plan: &Plan, words: usize) -> Self {
        let place = |mut end: u64, size: fn(&PlannedGroup) -> u64| {
            let begin = |group: &PlannedGroup| {
                let begin = end.next_multiple_of(ALIGNMENT);
                end = begin + size(group).max(16);
                begin
            };
            let begins: Vec<u64> = plan.groups.iter().map(begin).collect();
            (begins, end)
        };
        let (records, records_end) = place(words as u64 * 4, |group| group.records.len() as u64);
        let (multipliers, multipliers_end) = place(0, multiplier_bytes);
        Self { records, multipliers, records_end, multipliers_end }
    }

    /// The larger buffer, bytes.
    pub fn largest(&self) -> u64 {
        self.records_end.max(self.multipliers_end)
    }
}
