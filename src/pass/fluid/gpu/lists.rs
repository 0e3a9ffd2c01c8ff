//! What fluids keep on a device, and how much of it.

use super::grid::{HEADER, buckets, steps};
use crate::gpu::buffers::Buffers;
use crate::law::fluid::{CORE, Kernel, LEAST_SLOPE, Scale};
use crate::model::Model;
use crate::plan::Plan;
use crate::plan::wet::Wet;
use crate::step::lattice_step;
use crate::step::records::Wet as Record;

/// Buckets that a workgroup sums up: `shaders/fluid/blocks.wgsl`.
pub const BLOCK: usize = 1024;
/// Planes of a particle: `shaders/fluid/planes.wgsl`.
const MOST: usize = 4;
const PLANE: usize = 32;
pub const MIRRORS: usize = 48;
const WAY: usize = 32;

/// The lists of a pass, by their names in WGSL, with the bytes of each; empty ones are of what a model lacks.
pub fn lists(wet: usize, slots: usize, [has_walls, is_viscous, is_tense]: [bool; 3]) -> [(&'static str, u64); 13] {
    let (walls, viscous) = (if has_walls { wet } else { 0 }, if is_viscous { wet } else { 0 });
    let blocks = buckets(wet).div_ceil(BLOCK);
    [
        ("fluid_sorting", 3 * 4 * wet),
        ("fluid_blocks", 4 * blocks),
        ("fluid_pushes", 16 * wet),
        ("fluid_places", 2 * 16 * wet),
        ("fluid_wet", size_of::<Record>() * wet),
        ("fluid_lambdas", 4 * wet),
        ("fluid_planes", PLANE * MOST * walls),
        ("fluid_mirrors", MIRRORS * walls),
        ("fluid_ways", WAY * viscous),
        ("fluid_ways_even", 16 * viscous),
        ("fluid_ways_odd", 16 * viscous),
        ("fluid_pulls", if is_tense { 16 * wet } else { 0 }),
        ("fluid_pressures", 4 * slots),
    ]
    .map(|(name, bytes)| (name, bytes as u64))
}

/// Bytes of all that fluids take, and of the largest list.
pub fn bytes(plan: &Plan) -> [u64; 2] {
    if plan.wet == 0 {
        return [0; 2];
    }
    let wet = plan.wet as usize;
    let kinds = [plan.colliders > 0, plan.viscous_rate > 0.0, plan.tense];
    let lists = lists(wet, plan.slot_of.len(), kinds).map(|(_, bytes)| bytes);
    let traits = if plan.tense { size_of::<[f32; 2]>() * plan.slot_of.len() } else { 0 };
    let shared = [4 * (HEADER + buckets(wet)), size_of::<Record>() * wet, traits].map(|bytes| bytes as u64);
    let all = || lists.iter().chain(&shared).copied();
    [all().sum(), all().fold(0, u64::max)]
}

/// Uploads who takes part, and the cells, if there are fluids.
pub fn upload(device: &wgpu::Device, buffers: &mut Buffers, model: &Model, plan: &Plan) {
    let Some(wet) = Wet::new(model) else { return };
    buffers.upload(device, "wet", &records(model, &wet, &plan.slot_of));
    if wet.is_tense() {
        let mut traits = vec![[0.0_f32; 2]; plan.slot_of.len()];
        for (index, (&particle, &root)) in wet.particles.iter().zip(&wet.roots).enumerate() {
            traits[plan.slot_of[particle as usize] as usize] = [root as f32, wet.cosine(index) as f32];
        }
        buffers.upload(device, "fluid_traits", &traits);
    }
    let middle = wet.particles[wet.fluids / 2] as usize;
    let q = lattice_step(&model.particles.positions);
    let origin = model.particles.positions[middle].map(|value| ((value / q).round() * q) as f32);
    buffers.upload(device, "fluid_cells", &cells(&wet.scale, wet.len(), origin));
}

/// Who takes part, those of fluids first.
fn records(model: &Model, wet: &Wet, slot_of: &[u32]) -> Vec<Record> {
    let record = |index: usize| {
        let body = wet.bodies[index];
        let groups = model.bodies[body as usize].groups;
        Record {
            share: wet.shares[index] as f32,
            viscosity: wet.viscosities[index] as f32,
            compliance: wet.compliances.get(index).map_or(-1.0, |compliance| *compliance as f32),
            body: body << 5 | groups.of.trailing_zeros(),
            meets: groups.with,
            slot: slot_of[wet.particles[index] as usize],
            ..Record::default()
        }
    };
    (0..wet.len()).map(record).collect()
}

/// The header of the cells, and empty buckets.
fn cells(scale: &Scale, count: usize, origin: [f32; 3]) -> Vec<u32> {
    let buckets = buckets(count);
    let [y, z] = steps(buckets);
    let mut words = vec![buckets as u32 - 1, count as u32, y, z];
    let kernel: Kernel<f64> = Kernel::new(scale.support);
    words.extend(origin.map(f32::to_bits));
    let numbers = [
        scale.support,
        kernel.inverse,
        kernel.peak,
        kernel.steep,
        LEAST_SLOPE / (scale.spacing * scale.spacing),
        CORE * scale.support * scale.support,
        scale.pair_viscosity(1.0) / (scale.share * scale.share),
        scale.wall_viscosity(1.0),
    ];
    let numbers = numbers.into_iter().chain(scale.tension::<f64>().numbers()).chain([scale.share]);
    words.extend(numbers.map(|number| (number as f32).to_bits()));
    words.resize(HEADER + buckets, 0);
    words
}
