//! The data of shapes without a formula: distances on grids and heights, in one buffer for all colliders, those of a
//! shape once however many colliders have it. The kernel that reads them reads the surfaces of bodies from there, too,
//! and where there are many colliders their tree: it has eight buffers without a ninth.

use crate::model::Model;
use crate::pass::colliders::gpu::{ContactLayout, Shapes};
use crate::step::contact::{SURFACE_WORDS, surfaces, tree_words};

/// Room for the tree of a model's colliders, which each frame writes, its surfaces and all samples, as words. Nothing
/// where no kernel reads it.
pub fn samples(model: &Model) -> Option<Vec<u32>> {
    if Shapes::of(model) == Shapes::Plain && ContactLayout::of(model.colliders.len()) == ContactLayout::Every {
        return None;
    }
    let mut words = vec![0; tree_words(model)];
    words.extend_from_slice(bytemuck::cast_slice(&surfaces(model)));
    distinct(model).for_each(|samples| words.extend(samples.iter().map(|sample| sample.to_bits())));
    Some(words)
}

/// What they take.
pub fn sample_bytes(model: &Model) -> u64 {
    let samples: usize = distinct(model).map(<[f32]>::len).sum();
    let words = match samples + tree_words(model) {
        0 => 0,
        words => words + SURFACE_WORDS * model.bodies.len(),
    };
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
