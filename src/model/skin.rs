//! Which vertices and triangles of the skins of all bodies are where.

use std::ops::Range;

use super::{Body, Model};
use crate::mesh::Skin;

impl Model {
    /// Vertices of all skins. On a device they follow the particles, one body after another.
    pub fn skin_vertices(&self) -> usize {
        self.skins().map(|(_, skin)| skin.len()).sum()
    }

    /// The skins, each with how many vertices those before it have.
    pub fn skins(&self) -> impl Iterator<Item = (u32, &Skin)> {
        let mut next = 0;
        self.bodies.iter().filter_map(|body| body.skin.as_ref()).map(move |skin| {
            let first = next;
            next += skin.len() as u32;
            (first, skin)
        })
    }

    /// For each body, the run of `Solver::indices` that shows it: its skin, or where it has none its triangles; empty
    /// where there is no surface.
    pub fn shown_indices(&self) -> Vec<Range<u32>> {
        let mut own = 0;
        let mut skins = 3 * self.triangles().count() as u32;
        let run = |next: &mut u32, triangles: usize| {
            let first = *next;
            *next += 3 * triangles as u32;
            first..*next
        };
        let shown = |body: &Body| {
            let own = run(&mut own, body.triangles.len());
            body.skin.as_ref().map_or(own, |skin| run(&mut skins, skin.triangles.len()))
        };
        self.bodies.iter().map(shown).collect()
    }
}
