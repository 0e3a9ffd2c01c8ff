//! What a plan asks of a device.

use crate::gpu::SolverError;
use crate::gpu::stores::multiplier_bytes;
use crate::gpu::surface::{skin_bytes, surface_bytes};
use crate::model::{Integrator, Model, Settings};
use crate::pass::colliders::gpu::{contact_bytes, sample_bytes};
use crate::pass::fluid::gpu as fluid;
use crate::pass::joints::gpu as joints;
use crate::pass::levels::gpu::list_bytes;
use crate::pass::pairs::gpu::pair_bytes;
use crate::pass::rods::gpu as rods;
use crate::pass::shapes::gpu as shapes;
use crate::pass::tear::gpu::largest_binding;
use crate::plan::Plan;
use crate::solver::gpu::upload::displacement_bytes;
use crate::step::records::{Collider, Drive};

/// The largest buffer that a kernel sees as a whole, and the largest of all.
fn needed(plan: &Plan, (integrator, substeps): (Integrator, u32)) -> [(&'static str, u64); 2] {
    let particles = plan.particle_of.len();
    let vertices = particles + plan.skin_vertices as usize;
    let mut binding = (vertices as u64 * 16).max(contact_bytes(particles, plan.colliders as usize));
    binding =
        binding.max(surface_bytes(vertices, (plan.triangles + plan.skin_triangles) as usize, plan.cylinders as usize));
    binding = binding.max(skin_bytes(plan.skin_vertices)).max(displacement_bytes(particles, integrator));
    let of_substep = [(plan.colliders, size_of::<Collider>()), (plan.curves, size_of::<[f32; 4]>())];
    let each = of_substep.into_iter().map(|(count, bytes)| u64::from(count) * bytes as u64).fold(0, u64::max);
    binding = binding.max(u64::from(substeps) * each);
    let drives = u64::from(substeps) * u64::from(plan.drives) + u64::from(plan.animated);
    binding = binding.max(drives * size_of::<Drive>() as u64);
    binding = list_bytes(&plan.sheets).into_iter().fold(binding, u64::max);
    if plan.touches {
        binding = binding.max(pair_bytes(particles));
    }
    let [_, largest_of_fluids] = fluid::bytes(plan);
    binding = binding.max(largest_of_fluids);
    if plan.tears {
        binding = binding.max(largest_binding(plan));
    }
    let mut buffer = binding;
    for group in &plan.groups {
        binding = binding.max(group.members.len() as u64 * 4);
        for gather in group.batches.iter().filter_map(|batch| batch.gather.as_ref()) {
            let lists = gather.particles.len() + gather.offsets.len() + gather.corrections.len();
            binding = binding.max(lists as u64 * 4).max(gather.valences.len() as u64 * 16);
        }
        let multipliers =
            (group.constraint_of.len() * group.kind.components()) as u64 * crate::gpu::constraints::MULTIPLIER_BYTES;
        buffer = buffer.max(binding).max(group.records.len() as u64).max(multipliers);
    }
    [("one binding", binding), ("one buffer", buffer)]
}

pub fn required(plan: &Plan) -> wgpu::Limits {
    let [(_, mut binding), (_, mut buffer)] = needed(plan, (plan.integrator, plan.substeps));
    if !plan.phases.is_empty() {
        // Clusters bind the multipliers of all kinds as a whole. A device that allows less solves the phases by
        // colours.
        let multipliers: u64 = plan.groups.iter().map(|group| multiplier_bytes(group) + 256).sum();
        (binding, buffer) = (binding.max(multipliers), buffer.max(multipliers));
    }
    let limits = wgpu::Limits::default();
    wgpu::Limits {
        max_storage_buffer_binding_size: limits.max_storage_buffer_binding_size.max(binding.next_multiple_of(4)),
        max_buffer_size: limits.max_buffer_size.max(buffer),
        ..limits
    }
}

pub fn check(plan: &Plan, settings: &Settings, limits: &wgpu::Limits) -> Result<(), SolverError> {
    let available = [limits.max_storage_buffer_binding_size, limits.max_buffer_size];
    for ((what, needed), available) in needed(plan, (settings.integrator, settings.substeps)).into_iter().zip(available)
    {
        if needed > available {
            return Err(SolverError::TooBig { what, needed, available });
        }
    }
    let needed = [
        ("max_storage_buffers_per_shader_stage", STORAGE_BUFFERS, limits.max_storage_buffers_per_shader_stage),
        ("max_bindings_per_bind_group", BINDINGS, limits.max_bindings_per_bind_group),
        ("max_compute_workgroup_size_x", THREADS, limits.max_compute_workgroup_size_x),
        ("max_compute_invocations_per_workgroup", THREADS, limits.max_compute_invocations_per_workgroup),
        ("max_compute_workgroup_storage_size", WORKGROUP_BYTES, limits.max_compute_workgroup_storage_size),
    ];
    match needed.into_iter().find(|(_, needed, available)| available < needed) {
        Some((limit, needed, available)) => Err(SolverError::Limit { limit, needed, available }),
        None => Ok(()),
    }
}

/// What kernels take of a device that lets them no more than WebGPU asks for.
const STORAGE_BUFFERS: u32 = 8;
/// Of the largest number of a binding and those before it.
const BINDINGS: u32 = 16;
const THREADS: u32 = 256;
const WORKGROUP_BYTES: u32 = 16 << 10;

/// Whether the samples of all colliders together fit.
pub fn check_samples(model: &Model, limits: &wgpu::Limits) -> Result<(), SolverError> {
    let (needed, available) = (sample_bytes(model), limits.max_storage_buffer_binding_size);
    match needed > available {
        true => Err(SolverError::TooBig { what: "the samples of all colliders' meshes", needed, available }),
        false => Ok(()),
    }
}

/// What the solver makes use of in workgroups where a device lets it: levels of few nodes, twelve bytes each, are done
/// by one, and clusters of narrow bodies take up to 32 KiB. No card lets much more.
const USEFUL_WORKGROUP_BYTES: u32 = 48 << 10;
const USEFUL_THREADS: u32 = 512;

/// Whether the lists of all rods fit.
pub fn check_rods(model: &Model, limits: &wgpu::Limits) -> Result<(), SolverError> {
    let (needed, available) = (rods::largest_binding(model), limits.max_storage_buffer_binding_size);
    match needed > available {
        true => Err(SolverError::TooBig { what: "the segments of all rods", needed, available }),
        false => Ok(()),
    }
}

/// Whether the lists of all joints fit.
pub fn check_joints(model: &Model, limits: &wgpu::Limits) -> Result<(), SolverError> {
    let (needed, available) = (joints::largest_binding(model), limits.max_storage_buffer_binding_size);
    match needed > available {
        true => Err(SolverError::TooBig { what: "the equations of all joints", needed, available }),
        false => Ok(()),
    }
}

/// Whether the list of rest shapes that change fits.
pub fn check_shapes(model: &Model, limits: &wgpu::Limits) -> Result<(), SolverError> {
    let (needed, available) = (shapes::largest_binding(model), limits.max_storage_buffer_binding_size);
    match needed > available {
        true => Err(SolverError::TooBig { what: "the blend shapes of all bodies", needed, available }),
        false => Ok(()),
    }
}

/// The limits, raised to what is useful and the adapter has.
pub fn useful(limits: wgpu::Limits, available: &wgpu::Limits) -> wgpu::Limits {
    let raised = |limit: u32, available: u32, useful: u32| limit.max(available.min(useful));
    wgpu::Limits {
        max_compute_workgroup_storage_size: raised(
            limits.max_compute_workgroup_storage_size,
            available.max_compute_workgroup_storage_size,
            USEFUL_WORKGROUP_BYTES,
        ),
        max_compute_invocations_per_workgroup: raised(
            limits.max_compute_invocations_per_workgroup,
            available.max_compute_invocations_per_workgroup,
            USEFUL_THREADS,
        ),
        max_compute_workgroup_size_x: raised(
            limits.max_compute_workgroup_size_x,
            available.max_compute_workgroup_size_x,
            USEFUL_THREADS,
        ),
        ..limits
    }
}
