//! What flows into a scene and out of it.

use std::borrow::Cow;
use std::ops::Range;

use super::{Keyframes, Model, State};

/// A nozzle that pours a fluid: one flat layer of particles after another, each a spacing behind the one before, with
/// the same velocity. Its particles are spare ones, which are not there until they are poured: fixed, and without
/// effect. Where all have been poured, those that were first are poured again.
#[derive(Clone, Debug, PartialEq)]
pub struct Emitter {
    /// The spare particles: the last of a fluid, layer after layer.
    pub particles: Range<u32>,
    /// Where each of them is poured, m.
    pub places: Vec<[f64; 3]>,
    /// Particles of a layer, at least 1.
    pub each: u32,
    /// m/s, not zero.
    pub velocity: [f64; 3],
    /// Between layers, m.
    pub spacing: f64,
    /// Of each particle, kg, above 0.
    pub mass: f64,
    /// When it stops, s; `None` for never.
    pub until: Option<f64>,
    /// How far it has moved over time, m; what it pours goes on with its velocity. `None` where it stands still.
    pub motion: Option<Keyframes>,
}

/// A box that takes fluids away: what of them is in it as a substep begins is no longer there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drain {
    /// The least coordinates, m.
    pub min: [f64; 3],
    /// The largest, m.
    pub max: [f64; 3],
}

/// A layer that is poured in a substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layer {
    /// Its number among those that the spare particles make up.
    pub turn: u32,
    /// How far it is behind the nozzle as the substep begins, m.
    pub behind: f64,
}

impl Emitter {
    fn speed(&self) -> f64 {
        self.velocity.iter().map(|v| v * v).sum::<f64>().sqrt()
    }

    /// How many layers its spare particles make up.
    pub fn layers(&self) -> u32 {
        self.particles.len() as u32 / self.each.max(1)
    }

    /// Time between layers, s.
    pub fn interval(&self) -> f64 {
        self.spacing / self.speed()
    }

    /// The way from a layer to the one behind it, m.
    pub(crate) fn back(&self) -> [f64; 3] {
        self.velocity.map(|v| -v * self.interval())
    }

    /// How far it has moved as a substep begins, and moves in it, m.
    pub(crate) fn moved(&self, [begin, end]: [f64; 2]) -> [[f64; 3]; 2] {
        let Some(motion) = &self.motion else { return [[0.0; 3]; 2] };
        let (from, to) = (motion.at(begin), motion.at(end));
        [from, std::array::from_fn(|k| to[k] - from[k])]
    }

    /// The layers that are poured in a substep, by when it begins and ends, s. The first one is poured at 0.
    pub(crate) fn poured(&self, [begin, end]: [f64; 2]) -> impl Iterator<Item = Layer> {
        let (interval, speed, layers) = (self.interval(), self.speed(), u64::from(self.layers()));
        let end = self.until.map_or(end, |until| end.min(until));
        let [first, last] = [begin, end].map(|time| (time / interval).ceil().max(0.0) as u64);
        // More than there are in a substep would fall on one another.
        (first..last.max(first).min(first + layers)).map(move |number| Layer {
            turn: (number % layers) as u32,
            behind: (number as f64 * interval - begin) * speed,
        })
    }
}

impl Drain {
    /// Whether it takes away what is there.
    pub fn holds(&self, place: [f64; 3]) -> bool {
        (0..3).all(|axis| (self.min[axis]..=self.max[axis]).contains(&place[axis]))
    }
}

impl Model {
    /// Whether particles of fluids come and go.
    pub fn flows(&self) -> bool {
        !self.emitters.is_empty() || !self.drains.is_empty()
    }

    /// The model as a state has it: torn, with the masses of what was poured, drained and let go since, and with the
    /// rest shapes in effect. Itself where nothing of that has happened.
    pub fn as_in(&self, state: &State) -> Cow<'_, Self> {
        let mut model = self.torn(state);
        for (particle, weight) in self.released_before(state.frame) {
            model.to_mut().particles.inverse_masses[particle] = weight;
        }
        if self.flows() && !state.positions.is_empty() {
            let model = model.to_mut();
            for emitter in &self.emitters {
                let own = emitter.particles.start as usize..emitter.particles.end as usize;
                model.particles.inverse_masses[own].fill(1.0 / emitter.mass);
            }
            for &absent in &state.absent {
                model.particles.inverse_masses[absent as usize] = 0.0;
            }
        }
        if !self.rest_shapes.is_empty() {
            model.to_mut().reshape(state);
        }
        model
    }

    /// The particles of fluids that are not there, by whether a particle has no inverse mass.
    pub(crate) fn absent(&self, is_fixed: impl Fn(u32) -> bool) -> Vec<u32> {
        let fluids = self.fluids.iter().filter(|_| self.flows());
        fluids.flat_map(|fluid| fluid.particles.clone()).filter(|&particle| is_fixed(particle)).collect()
    }

    /// The inverse mass of a fluid's particles, 1/kg; 0 where all are fixed and none is poured.
    pub(crate) fn weight_of_fluid(&self, particles: &Range<u32>) -> f64 {
        let masses = self.planned_masses();
        let own = &masses[particles.start as usize..particles.end as usize];
        let poured = self.emitters.iter().filter(|emitter| particles.contains(&emitter.particles.start));
        let mut weights = own.iter().copied().chain(poured.map(|emitter| 1.0 / emitter.mass));
        weights.find(|weight| *weight > 0.0).unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn emitter(speed: f64) -> Emitter {
        Emitter {
            particles: 4..20,
            places: vec![[0.0; 3]; 16],
            each: 4,
            velocity: [0.0, -speed, 0.0],
            spacing: 0.1,
            mass: 1.0,
            until: Some(3.0),
            motion: None,
        }
    }

    /// Whatever the substeps, each layer is poured once, and as a substep begins it is behind the nozzle by less than
    /// the substep's way.
    #[test]
    fn layers_follow_one_another() {
        for (substep, speed) in [(0.01, 1.0), (0.03, 1.0), (0.25, 1.3), (1.0 / 720.0, 5.0)] {
            let emitter = emitter(speed);
            let mut all = Vec::new();
            let count = (4.0 / substep) as u32;
            for index in 0..count {
                let times = [f64::from(index) * substep, f64::from(index + 1) * substep];
                for layer in emitter.poured(times) {
                    assert!((-1e-12..speed * substep + 1e-12).contains(&layer.behind), "{layer:?}");
                    let poured = (times[0] + layer.behind / speed) / emitter.interval();
                    assert!((poured - all.len() as f64).abs() < 1e-9, "{poured}");
                    all.push(layer.turn);
                }
            }
            assert_eq!(all.len(), (3.0 * speed / 0.1).ceil() as usize, "{substep} {speed}");
            assert!(all.iter().zip((0..4).cycle()).all(|(turn, expected)| *turn == expected));
        }
    }
}
