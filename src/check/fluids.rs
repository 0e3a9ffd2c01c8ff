//! Predicts how much fluids are compressed at their deepest, without running them. Few sweeps are as a bulk modulus K
//! (`law/fluid.rs`), so at a depth d the compression is ρ g d/K.

use crate::law::fluid::bulk_modulus_of_sweeps;
use crate::math::Vec3;
use crate::model::{Fluid, Model};
use crate::plan::wet::tension;

/// The compression that is tolerated, as a share.
const TOLERATED: f64 = 0.05;

/// Of the fluid that is compressed most, what to say; `None` where all are within what is tolerated.
pub fn compressed(model: &Model) -> Option<String> {
    let worst = model.fluids.iter().map(|fluid| (compression(model, fluid), fluid)).max_by(|a, b| a.0.total_cmp(&b.0));
    let (compression, fluid) = worst.filter(|(compression, _)| *compression > TOLERATED)?;
    let substeps = model.settings.substeps;
    // It falls with the square of the substeps.
    let wanted = (f64::from(substeps) * (compression / TOLERATED).sqrt()).ceil();
    let body = &model.bodies[model.particles.bodies[fluid.particles.start as usize] as usize];
    Some(format!(
        "substeps: {substeps} given; about {wanted} needed for fluids to be compressed by less than {:.0} %: with \
         {substeps}, '{}' will be {:.0} % denser at its bottom, because one sweep carries pressure by one spacing. Use \
         more substeps, or a larger spacing",
        100.0 * TOLERATED,
        body.name,
        100.0 * compression,
    ))
}

/// Of the fluid whose surface tension its substeps can follow the least, what to say.
pub fn tense(model: &Model) -> Option<String> {
    let share = |fluid: &Fluid| tension(model, fluid) / fluid.surface_tension;
    let tense = model.fluids.iter().filter(|fluid| fluid.surface_tension > 0.0);
    let fluid = tense.min_by(|a, b| share(a).total_cmp(&share(b))).filter(|fluid| share(fluid) < 1.0)?;
    let substeps = model.settings.substeps;
    let wanted = (f64::from(substeps) / share(fluid).sqrt()).ceil();
    let body = &model.bodies[model.particles.bodies[fluid.particles.start as usize] as usize];
    Some(format!(
        "substeps: {substeps} given; {wanted} needed for the surface tension of '{}': with {substeps}, it acts as \
         {:.3} N/m. Use more substeps, or a larger spacing",
        body.name,
        tension(model, fluid),
    ))
}

/// ρ g d/K of a fluid as deep as it was placed.
fn compression(model: &Model, fluid: &Fluid) -> f64 {
    let (direction, gravity) = Vec3::from(model.world.gravity).direction_and_length();
    let there = fluid.particles.clone().filter(|&p| model.particles.inverse_masses[p as usize] > 0.0);
    let heights = there.map(|p| direction.dot(model.particles.positions[p as usize].into()));
    let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (x.min(low), x.max(high)));
    let (h, iterations) = (model.settings.substep_seconds(), model.settings.iterations);
    gravity * (high - low).max(0.0) / bulk_modulus_of_sweeps(1.0, fluid.spacing, h, iterations)
}
