//! What engines know of emitters and drains.

use crate::model::{Drain, Emitter, Fluid, Model};
use crate::step::records::{DrainBox, Flowing, Pour};

/// Of a particle that no emitter pours.
pub const NO_EMITTER: u32 = u32::MAX;

/// All particles of fluids, where any come and go, by the slots in which an engine keeps them.
pub fn flowing(model: &Model, slot_of: &[u32]) -> Vec<Flowing> {
    let filled = |fluid: &Fluid| {
        let of_emitter = |particle: u32| model.emitters.iter().any(|emitter| emitter.particles.contains(&particle));
        fluid.particles.clone().filter(move |&particle| !of_emitter(particle)).collect::<Vec<_>>()
    };
    let slot = |particle: u32| slot_of[particle as usize];
    let filled = model.fluids.iter().filter(|_| model.flows()).flat_map(filled);
    let filled = filled.map(|particle| Flowing { slot: slot(particle), emitter: NO_EMITTER, ..Flowing::default() });
    let spare = |(number, emitter): (u32, &Emitter)| {
        let one = |(index, (particle, place)): (u32, (u32, &[f64; 3]))| {
            let layer = index / emitter.each;
            let position = place.map(|value| value as f32);
            let rest = std::array::from_fn(|k| (place[k] - f64::from(position[k])) as f32);
            Flowing { position, slot: slot(particle), rest, emitter: number, layer, ..Flowing::default() }
        };
        (0..).zip(emitter.particles.clone().zip(&emitter.places)).map(one).collect::<Vec<_>>()
    };
    filled.chain((0..).zip(&model.emitters).flat_map(spare)).collect()
}

/// All drains.
pub fn drain_boxes(model: &Model) -> Vec<DrainBox> {
    let single = |corner: [f64; 3]| corner.map(|value| value as f32);
    let drain = |drain: &Drain| DrainBox { min: single(drain.min), max: single(drain.max), ..DrainBox::default() };
    model.drains.iter().map(drain).collect()
}

/// What an emitter pours in a substep of h, from when it begins until it ends, s.
pub fn pour(emitter: &Emitter, times: [f64; 2]) -> Pour {
    let (back, [moved, moves]) = (emitter.back(), emitter.moved(times));
    let poured: Vec<_> = emitter.poured(times).collect();
    let Some(first) = poured.first() else { return Pour::default() };
    Pour {
        way: std::array::from_fn(|k| (emitter.velocity[k] * (times[1] - times[0]) + moves[k]) as f32),
        first: first.turn,
        back: back.map(|value| value as f32),
        count: poured.len() as u32,
        behind: std::array::from_fn(|k| (moved[k] + back[k] * first.behind / emitter.spacing) as f32),
        layers: emitter.layers(),
        weight: (1.0 / emitter.mass) as f32,
        ..Pour::default()
    }
}

#[cfg(feature = "cpu")]
impl Pour {
    /// By how many layers one is behind the first that is poured, if it is.
    pub fn turn(&self, layer: u32) -> Option<u32> {
        let turn = if layer < self.first { layer + self.layers - self.first } else { layer - self.first };
        (turn < self.count).then_some(turn)
    }
}
