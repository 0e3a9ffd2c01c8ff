//! The air: what it does to velocities in a substep. `shaders/air/accelerate.wgsl` has the reasons of its formulas.

use crate::law::air::{acts, forces};
use crate::math::Vec3;
use crate::model::Model;
use crate::reference::pass::{Pass, Substep};
use crate::reference::points::Points;

/// The air as a pass.
pub struct Air;

impl Pass for Air {
    fn accelerate(&self, substep: &Substep) -> Vec<Vec3<f64>> {
        accelerate(substep.model, substep.points, substep.implicit)
    }
}

/// Changes of velocity over a substep of `h` s, one per particle, m/s; empty if the air acts on nothing.
fn accelerate(model: &Model, points: &Points, h: f64) -> Vec<Vec3<f64>> {
    if !acts(model) {
        return Vec::new();
    }
    let change = |((force, resistance), &w): ((Vec3<f64>, f64), &f64)| force * (w * h / (w * resistance * h).max(1.0));
    let forces = forces(model, &points.positions, &points.velocities_without_forces());
    forces.into_iter().zip(&points.inverse_masses).map(change).collect()
}
