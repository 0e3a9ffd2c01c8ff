//! What shapes go by that have no formula: distances on grids and heights, in one buffer for all colliders, those of a shape once however
//! many colliders have it. The kernel that reads them reads the surfaces of bodies from there, too, and where there are many colliders their
//! tree: it has eight buffers without a ninth.

use std::collections::HashMap;

use super::tree::nodes;
use super::{Lists, Shapes, surfaces};
use crate::model::{Collider, Model};
use crate::solver::records::{Bound, Surface};

/// Words of each surface, which come first.
const SURFACE_WORDS: usize = size_of::<Surface>() / size_of::<u32>();

/// Room for the tree of a model's colliders, which each frame writes, its surfaces and all samples, as words. Nothing where no kernel reads it.
pub fn samples(model: &Model) -> Option<Vec<u32>> {
    if Shapes::of(model) == Shapes::Plain && Lists::of(model.colliders.len()) == Lists::Every {
        return None;
    }
    let mut words = vec![0; tree_words(model)];
    words.extend_from_slice(bytemuck::cast_slice(&surfaces(model)));
    distinct(model).for_each(|samples| words.extend(samples.iter().map(|sample| sample.to_bits())));
    Some(words)
}

fn tree_words(model: &Model) -> usize {
    nodes(model.colliders.len()) * size_of::<Bound>() / size_of::<u32>()
}

/// What they take.
#[cfg(feature = "cli")]
pub fn sample_bytes(model: &Model) -> u64 {
    let samples: usize = distinct(model).map(<[f32]>::len).sum();
    let words = match samples + tree_words(model) {
        0 => 0,
        words => words + SURFACE_WORDS * model.bodies.len(),
    };
    (words * size_of::<u32>()) as u64
}

/// Where the samples of each collider begin among them.
pub fn firsts(model: &Model) -> Vec<u32> {
    let mut known = HashMap::new();
    let mut next = tree_words(model) + SURFACE_WORDS * model.bodies.len();
    let first = |collider: &Collider| {
        let samples = collider.shape.samples();
        *known.entry(samples.as_ptr()).or_insert_with(|| {
            next += samples.len();
            (next - samples.len()) as u32
        })
    };
    model.colliders.iter().map(first).collect()
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
