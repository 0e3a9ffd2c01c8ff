//! The kernels of islands.

use crate::constraint::Kind;
use crate::gpu::joined_kernel::{kernel, sizes};
use crate::gpu::kernel::Kernel;
use crate::gpu::sweep_text::{Reading, Sweep};
use crate::gpu::unpack::fields;
use crate::gpu::visit::KernelLeg;
use crate::plan::CLUSTER_PARTICLES;
use crate::shader_piece;

/// Threads of a workgroup: with more, most would have nothing to do in most stages, which on software devices takes as
/// long as if they had.
pub const THREADS: u32 = 64;
/// Words before the clusters: the number of iterations.
pub const HEAD: usize = 1;

/// All kernels for these kinds, without those that a workgroup solves one by one: for tests that need no device.
pub fn kernels(kinds: &[&dyn Kind]) -> Vec<Kernel> {
    let kinds: Vec<&dyn Kind> = kinds.iter().copied().filter(|kind| !kind.joins_many()).collect();
    let legs = KernelLeg::either_way(kinds.len());
    legs.iter().flat_map(|legs| [solve_kernel(&kinds, legs), frame_kernel(&kinds, legs)]).flatten().collect()
}

/// Solves islands where they lie. `None` if a kind's records hold what is not a number or a vector of numbers.
pub fn solve_kernel(kinds: &[&dyn Kind], legs: &[KernelLeg]) -> Option<Kernel> {
    let particles = vec![
        shader_piece!("lib/particle.wgsl"),
        shader_piece!("lib/displacement.wgsl"),
        shader_piece!("lib/position.wgsl"),
    ];
    let last = vec![sizes(HEAD, CLUSTER_PARTICLES as u32), shader_piece!("cluster/island.wgsl")];
    kernel("island solve", Sweep::Turns { threads: THREADS }, (kinds, legs), whole, particles, last)
}

/// Solves all substeps of a frame in workgroup memory.
pub fn frame_kernel(kinds: &[&dyn Kind], legs: &[KernelLeg]) -> Option<Kernel> {
    let particles = vec![
        shader_piece!("lib/status.wgsl"),
        sizes(HEAD, CLUSTER_PARTICLES as u32),
        shader_piece!("cluster/local.wgsl"),
        shader_piece!("cluster/below.wgsl"),
    ];
    let steps = vec![
        shader_piece!("step/fall.wgsl"),
        shader_piece!("step/settle.wgsl"),
        shader_piece!("cluster/island_frame.wgsl"),
    ];
    kernel("island frame", Sweep::Turns { threads: THREADS }, (kinds, legs), whole, particles, steps)
}

/// Of whole records, with particles counted from the cluster's first slot.
fn whole(_: usize, kind: &dyn Kind) -> Option<Reading> {
    let (name, record) = (kind.name(), kind.record_name());
    let fields = fields(kind, |k| format!("words[at + {k}u]"), " - origin")?;
    let text = format!(
        "fn fetch_{name}(at: u32) -> {record} {{\n    return {record}(\n{fields}    );\n}}\n\n\
         fn unpack_{name}(record: {record}) -> {record} {{\n    return record;\n}}\n"
    );
    Some(Reading { text, fetched: record.to_string(), words: kind.record_size() / 4 })
}
