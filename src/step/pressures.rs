//! The pressures of fluids, by what a device sums up.

use crate::law::fluid::Scale;
use crate::model::Fluid;

/// What sums of λ/h² over the substeps of a frame say of the particles of fluids, one fluid after another, Pa.
pub(crate) fn pressures(fluids: &[Fluid], substeps: u32, slot_of: &[u32], sums: &[f32]) -> Vec<f64> {
    let Some(first) = fluids.first() else { return Vec::new() };
    let per_sum = Scale::new(first.spacing).pressure_per_lambda() / f64::from(substeps);
    let particles = fluids.iter().flat_map(|fluid| fluid.particles.clone());
    particles.map(|particle| f64::from(sums[slot_of[particle as usize] as usize]) * per_sum).collect()
}
