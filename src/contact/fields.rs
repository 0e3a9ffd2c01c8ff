//! What shapes go by that have no formula: distances on grids and heights, in one buffer for all colliders, those of a shape once however
//! many colliders have it. The kernel that reads them reads the surfaces of bodies from there, too: it has eight buffers without a ninth.

use super::Shapes;
#[cfg(feature = "cli")]
use crate::engine::contact::SURFACE_WORDS;
use crate::engine::contact::surfaces;
use crate::model::Model;

/// The surfaces and all samples of a model, as words.
pub fn samples(model: &Model) -> Vec<u32> {
    let mut words: Vec<u32> = bytemuck::cast_slice(&surfaces(model)).to_vec();
    distinct(model).for_each(|samples| words.extend(samples.iter().map(|sample| sample.to_bits())));
    words
}

/// What they take.
#[cfg(feature = "cli")]
pub fn sample_bytes(model: &Model) -> u64 {
    let samples: usize = distinct(model).map(<[f32]>::len).sum();
    let words = if samples == 0 { 0 } else { samples + SURFACE_WORDS * model.bodies.len() };
    (words * size_of::<u32>()) as u64
}

/// The samples of each shape, in the order of their first colliders.
fn distinct(model: &Model) -> impl Iterator<Item = &[f32]> {
    let mut seen = std::collections::HashSet::new();
    let samples = model.colliders.iter().map(|collider| collider.shape.samples());
    samples.filter(move |samples| !samples.is_empty() && seen.insert(samples.as_ptr()))
}

impl Shapes {
    /// Those of a model.
    pub fn of(model: &Model) -> Self {
        let plain = model.colliders.iter().all(|collider| collider.shape.samples().is_empty());
        if plain { Self::Plain } else { Self::Fields }
    }
}
