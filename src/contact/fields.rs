//! What shapes go by that have no formula: distances on grids and heights, in one buffer for all colliders, those of a shape once however
//! many colliders have it.

use std::collections::HashMap;

use super::Shapes;
use crate::model::{Collider, Model};

/// All samples of a model, m.
pub fn samples(model: &Model) -> Vec<f32> {
    distinct(&model.colliders).flat_map(|collider| collider.shape.samples()).copied().collect()
}

/// What they take.
pub fn sample_bytes(model: &Model) -> u64 {
    distinct(&model.colliders).map(|collider| size_of_val(collider.shape.samples()) as u64).sum()
}

/// Where the samples of each collider begin among them.
pub fn firsts(colliders: &[Collider]) -> Vec<u32> {
    let mut known = HashMap::new();
    let mut next = 0;
    let first = |collider: &Collider| {
        *known.entry(collider.shape.samples().as_ptr()).or_insert_with(|| {
            let first = next;
            next += collider.shape.samples().len() as u32;
            first
        })
    };
    colliders.iter().map(first).collect()
}

impl Shapes {
    /// Those of a model.
    pub fn of(model: &Model) -> Self {
        if model.colliders.iter().all(|collider| collider.shape.samples().is_empty()) { Self::Plain } else { Self::Fields }
    }
}

fn distinct(colliders: &[Collider]) -> impl Iterator<Item = &Collider> {
    let firsts = firsts(colliders);
    let mut next = 0;
    colliders.iter().zip(firsts).filter(move |(collider, first)| {
        let is_new = *first == next && !collider.shape.samples().is_empty();
        next += if is_new { collider.shape.samples().len() as u32 } else { 0 };
        is_new
    }).map(|(collider, _)| collider)
}
