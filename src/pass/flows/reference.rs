//! Emitters and drains in the reference.

use crate::math::Vec3;
use crate::model::{Drain, Emitter, Model};
use crate::reference::pass::{Pass, Points, Substep};

/// All emitters and drains of a model.
pub(crate) struct Flows;

impl Pass for Flows {
    fn correct_prediction(&mut self, substep: &mut Substep) {
        drain(substep.model, substep.points);
        for emitter in &substep.model.emitters {
            pour(emitter, substep.points, substep.times, substep.h);
        }
    }
}

/// Fixes what is in a drain as the substep begins.
fn drain(model: &Model, points: &mut Points) {
    for particle in model.fluids.iter().flat_map(|fluid| fluid.particles.clone()) {
        let (i, holds) = (particle as usize, |drain: &Drain, place: Vec3<f64>| drain.holds(place.into()));
        if points.inverse_masses[i] > 0.0 && model.drains.iter().any(|drain| holds(drain, points.starts[i])) {
            points.inverse_masses[i] = 0.0;
            points.positions[i] = points.starts[i];
        }
    }
}

fn pour(emitter: &Emitter, points: &mut Points, times: [f64; 2], h: f64) {
    let (velocity, back) = (Vec3::from(emitter.velocity), Vec3::from(emitter.back()));
    let [moved, moves] = emitter.moved(times).map(Vec3::from);
    for layer in emitter.poured(times) {
        let behind = back * (layer.behind / emitter.spacing);
        let first = (layer.turn * emitter.each) as usize;
        let places = &emitter.places[first..first + emitter.each as usize];
        for (i, &place) in (emitter.particles.start as usize + first..).zip(places) {
            points.inverse_masses[i] = 1.0 / emitter.mass;
            points.starts[i] = Vec3::from(place) + moved + behind;
            points.positions[i] = points.starts[i] + velocity * h + moves;
        }
    }
}
