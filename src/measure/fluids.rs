//! How dense fluids are.

use std::ops::Range;

use crate::base::parallel;
use crate::law::fluid::{Kernel, bulk_modulus_of_sweeps, held_root, tension_between};
use crate::math::Vec3;
use crate::model::{Fluid, Model, State};
use crate::plan::wet::{Near, Wet};

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
    let of = |(fluid, own): (&Fluid, Vec<f64>)| Filling {
        body: model.particles.bodies[fluid.particles.start as usize] as usize,
        density_error_mean: own.iter().sum::<f64>() / own.len().max(1) as f64,
        density_error_max: own.iter().copied().fold(0.0, f64::max),
        volume: own.iter().map(|error| fluid.spacing.powi(3) / (1.0 + error)).sum(),
    };
    model.fluids.iter().zip(compressions(model, state)).map(of).collect()
}

/// What compressed fluids turn into motion at most, J: Σ K V C²/2 with the stiffness of the sweeps or their own.
pub fn recoverable_energy(model: &Model, state: &State) -> f64 {
    let (h, iterations) = (model.settings.substep_seconds(), model.settings.iterations);
    let of = |(fluid, own): (&Fluid, Vec<f64>)| {
        let volume = fluid.spacing.powi(3);
        let weight = model.weight_of_fluid(&fluid.particles);
        let density = if weight > 0.0 { 1.0 / (weight * volume) } else { 0.0 };
        let sweeps = bulk_modulus_of_sweeps(density, fluid.spacing, h, iterations);
        let modulus = if fluid.bulk_modulus > 0.0 { sweeps.min(fluid.bulk_modulus) } else { sweeps };
        0.5 * modulus * volume * own.iter().map(|error| error * error).sum::<f64>()
    };
    let of_compression: f64 = model.fluids.iter().zip(compressions(model, state)).map(of).sum();
    of_compression + surface_energy(model, state)
}

/// That of surface tension over that of as much fluid without a surface, J: about σ times the area, less σ cos θ times
/// that of wetted walls.
fn surface_energy(model: &Model, state: &State) -> f64 {
    let Some(wet) = Wet::new(model).filter(Wet::is_tense) else { return 0.0 };
    let places = places(&wet, state);
    let (kernel, tension) = (Kernel::<f64>::new(wet.scale.support), wet.scale.tension::<f64>());
    let near = Near::new(&wet, model, places.clone(), [state.seconds; 2]);
    let bulk = wet.scale.cohesion_of_bulk();
    let squared = model.settings.substep_seconds().powi(2);
    let root = |i: usize| held_root(wet.roots[i], model.particles.inverse_masses[wet.particles[i] as usize], squared);
    let roots: Vec<f64> = (0..wet.len()).map(root).collect();
    let of = |i: usize| {
        let root = roots[i];
        let (mut n, mut energy) = (Vec3::zero(), 0.0);
        for neighbour in near.of(i) {
            let (j, (way, squared)) = (neighbour.index, near.way(&places, i, neighbour));
            n += way * (-wet.shares[j] * kernel.at(squared).1);
            let sigma = tension_between(root, roots[j]) * wet.cohering(i, j);
            energy += 0.5 * tension.of_pair(sigma, squared.sqrt());
        }
        let (sigma, is_there) = (root.max(0.0).powi(2), places[i].x.is_finite());
        let wetted = sigma * wet.cosine(i);
        let of_walls: f64 = near.walls(i, places[i]).map(|(_, gap)| tension.of_wall(wetted, gap)).sum();
        energy + if is_there { tension.of_area(sigma, n) - sigma * bulk + of_walls } else { 0.0 }
    };
    let of_piece = |piece: Range<usize>| piece.map(of).collect::<Vec<_>>();
    parallel::map(wet.len(), parallel::LEAST, of_piece).concat().iter().sum()
}

/// Where all are that take part.
fn places(wet: &Wet, state: &State) -> Vec<Vec3<f64>> {
    let place = |&particle: &u32| match state.absent.binary_search(&particle) {
        Ok(_) => Near::NOWHERE,
        Err(_) => state.positions[particle as usize].into(),
    };
    wet.particles.iter().map(place).collect()
}

/// Of each fluid C of each particle that is there, where it is above 0.
fn compressions(model: &Model, state: &State) -> Vec<Vec<f64>> {
    let Some(wet) = Wet::new(model) else { return Vec::new() };
    let places = places(&wet, state);
    let kernel = Kernel::<f64>::new(wet.scale.support);
    let near = Near::new(&wet, model, places.clone(), [state.seconds; 2]);
    let compression = |i: usize| near.value(&wet, &kernel, &places, i).max(0.0);
    let of_piece = |piece: Range<usize>| piece.map(compression).collect::<Vec<_>>();
    let all = parallel::map(wet.fluids, parallel::LEAST, of_piece).concat();
    let mut each = all.into_iter().zip(&wet.particles);
    let of_fluid = |fluid: &Fluid| {
        let own = each.by_ref().take(fluid.particles.len());
        own.filter(|(_, particle)| state.absent.binary_search(particle).is_err()).map(|(error, _)| error).collect()
    };
    model.fluids.iter().map(of_fluid).collect()
}
