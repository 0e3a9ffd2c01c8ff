//! What a model takes of a device's memory.

use crate::model::Model;
use crate::pass::colliders::gpu::{contact_bytes, sample_bytes};
use crate::pass::flows::gpu as flows;
use crate::pass::fluid::gpu as fluid;
use crate::pass::joints::gpu as joints;
use crate::pass::rods::gpu as rods;
use crate::pass::shapes::gpu as shapes;
use crate::plan::Plan;
use crate::solver::gpu::level_bytes;

/// Bytes of device memory that [`Solver`](crate::solver::Solver) takes for a model, to some 64 KiB, without a device to
/// ask.
pub fn memory_bytes(model: &Model, plan: &Plan) -> u64 {
    // x, d, e, v and the normal; body and drive; where its triangles begin and end.
    let particles = model.particles.len() * (5 * 16 + 8 + 8);
    // Three slots, and as many entries in the lists by particle as there are corners, or ends.
    let triangles = plan.triangles as usize * 24 + plan.cylinders as usize * 20;
    let groups = plan.groups.iter().zip(&model.groups).map(|(group, modelled)| {
        let gathers = group.batches.iter().filter_map(|batch| batch.gather.as_ref());
        // Where each correction goes, and the correction itself beside its valence.
        let lists = gathers.map(|gather| gather.corrections.len() * (4 + 16) + gather.particles.len() * 8);
        let multipliers = group.constraint_of.len() * group.kind.components() * 8;
        let rests = if modelled.rest_changes(&model.materials) { modelled.rest.len() * 8 } else { 0 };
        group.records.len() + group.members.len() * 4 + multipliers + rests + lists.sum::<usize>()
    });
    let contacts = contact_bytes(model.particles.len(), model.colliders.len()) + sample_bytes(model);
    // Of corners: what lies beyond, what they belong to, and the list by vertex. Of spares where they come from. Of
    // vertices their state and where their corners begin; of edges place, vertices and state, of inner faces places,
    // strength and vertices as well; of constraints their corners.
    let tearing = model.tearing.as_ref().map_or(0, |tearing| {
        plan.triangles as usize * 3 * (16 + 24 + 8)
            + tearing.spares.len() * 4
            + model.placed_particles() * 16
            + tearing.edges.len() * 20
            + tearing.facets.len() * 36
            + tearing.seams.len() * 32
    });
    let fluids = fluid::bytes(plan)[0] + flows::bytes(model);
    let passes =
        contacts + level_bytes(plan) + shapes::bytes(model) + rods::bytes(model) + joints::bytes(model) + fluids;
    (particles + triangles + groups.sum::<usize>() + tearing) as u64 + passes
}
