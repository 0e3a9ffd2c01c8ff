//! How dense fluids are.

use crate::base::parallel;
use crate::law::fluid::{Kernel, bulk_modulus_of_sweeps};
use crate::law::walls::{planes, pressed_by};
use crate::math::Vec3;
use crate::model::pose::Pose;
use crate::model::{Fluid, Model, State};
use crate::plan::wet::{Cells, Wet};

/// A fluid in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Filling {
    /// The index of its body.
    pub body: usize,
    /// Mean over its particles of what they are denser than at rest, as a share; free surfaces, which are thinner,
    /// count as at rest.
    pub density_error_mean: f64,
    /// The largest.
    pub density_error_max: f64,
    /// Of all its particles as dense as they are, m³.
    pub volume: f64,
}

/// The fluids of a state, in the order of the model.
pub fn fillings(model: &Model, state: &State) -> Vec<Filling> {
    let (Some(wet), compressions) = (Wet::new(model), compressions(model, state)) else { return Vec::new() };
    let mut first = 0;
    let of = |fluid: &Fluid| {
        let own = &compressions[first..first + fluid.particles.len()];
        first += own.len();
        Filling {
            body: model.particles.bodies[fluid.particles.start as usize] as usize,
            density_error_mean: own.iter().sum::<f64>() / own.len() as f64,
            density_error_max: own.iter().copied().fold(0.0, f64::max),
            volume: own.iter().map(|error| wet.scale.volume / (1.0 + error)).sum(),
        }
    };
    model.fluids.iter().map(of).collect()
}

/// What compressed fluids turn into motion at most, J: Σ K V C²/2 with the stiffness of the sweeps or their own.
pub fn recoverable_energy(model: &Model, state: &State) -> f64 {
    let compressions = compressions(model, state);
    let (h, iterations) = (model.settings.substep_seconds(), model.settings.iterations);
    let mut first = 0;
    let of = |fluid: &Fluid| {
        let own = &compressions[first..first + fluid.particles.len()];
        first += own.len();
        let volume = fluid.spacing.powi(3);
        let weight = model.particles.inverse_masses[fluid.particles.start as usize];
        let density = if weight > 0.0 { 1.0 / (weight * volume) } else { 0.0 };
        let sweeps = bulk_modulus_of_sweeps(density, fluid.spacing, h, iterations);
        let modulus = if fluid.bulk_modulus > 0.0 { sweeps.min(fluid.bulk_modulus) } else { sweeps };
        0.5 * modulus * volume * own.iter().map(|error| error * error).sum::<f64>()
    };
    model.fluids.iter().map(of).sum()
}

/// C of each particle of all fluids, one after another, where it is above 0.
fn compressions(model: &Model, state: &State) -> Vec<f64> {
    let Some(wet) = Wet::new(model) else { return Vec::new() };
    let places: Vec<Vec3<f64>> =
        wet.particles.iter().map(|&particle| state.positions[particle as usize].into()).collect();
    let (support, kernel) = (wet.scale.support, Kernel::<f64>::new(wet.scale.support));
    let cells = Cells::new(&places, support);
    let colliders = model.colliders.iter().filter(|collider| !collider.trigger);
    let poses: Vec<_> = colliders
        .map(|collider| {
            let place = Vec3::from(collider.position_at(state.seconds));
            (collider, place, Pose::new(collider, state.seconds, state.seconds))
        })
        .collect();
    let compression = |i: usize| {
        let mut sum = 0.0;
        cells.near(places[i], |j| {
            let way = places[i] - places[j];
            if i == j || wet.meet(wet.bodies[i], wet.bodies[j]) {
                sum += wet.shares[j] * kernel.at(way.dot(way)).0;
            }
        });
        let (mut walls, groups) = (Vec::new(), model.bodies[wet.bodies[i] as usize].groups);
        for (collider, place, pose) in poses.iter().filter(|(collider, ..)| collider.groups.meet(groups)) {
            planes(pose, places[i] - *place, (collider.thickness, support), |plane| walls.push(plane));
        }
        let (of_walls, _) = pressed_by(&walls, Vec3::zero(), 1.0 / support);
        (sum + of_walls - 1.0).max(0.0)
    };
    let of_piece = |piece: std::ops::Range<usize>| piece.map(compression).collect::<Vec<_>>();
    parallel::map(wet.fluids, parallel::LEAST, of_piece).concat()
}
