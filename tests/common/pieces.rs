//! What a tear leaves in one piece.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::collections::HashMap;

use pliant::model::{Model, State};

/// The particles of each part of a torn surface that triangles hold together; without what is left of dropped triangles.
pub fn pieces(model: &Model, state: &State) -> Vec<Vec<usize>> {
    let triangles = model.torn(state).bodies.iter().flat_map(|body| body.triangles.clone()).collect::<Vec<_>>();
    joined_by(state.positions.len(), triangles.iter().map(|triangle| &triangle[..]))
}

/// Particles, of so many, that these lists of some that hold together join: those of each piece with more than one.
pub fn joined_by<'a>(particles: usize, together: impl Iterator<Item = &'a [u32]>) -> Vec<Vec<usize>> {
    let mut root: Vec<usize> = (0..particles).collect();
    fn find(root: &[usize], mut i: usize) -> usize {
        while root[i] != i {
            i = root[i];
        }
        i
    }
    for corners in together {
        for corner in &corners[1..] {
            let [a, b] = [corners[0], *corner].map(|p| find(&root, p as usize));
            root[a.max(b)] = a.min(b);
        }
    }
    let mut pieces: HashMap<usize, Vec<usize>> = HashMap::new();
    (0..root.len()).for_each(|i| pieces.entry(find(&root, i)).or_default().push(i));
    let mut pieces: Vec<_> = pieces.into_values().filter(|piece| piece.len() > 1).collect();
    pieces.sort();
    pieces
}

/// Whether triangles hold two vertices of a torn surface together.
pub fn joined(pieces: &[Vec<usize>], a: usize, b: usize) -> bool {
    pieces.iter().any(|piece| piece.contains(&a) && piece.contains(&b))
}
