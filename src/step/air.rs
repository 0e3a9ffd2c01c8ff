//! How bodies meet the air.

use crate::model::{Body, Model};
use crate::step::records::Foil;

/// How each body meets the air.
pub fn foils(model: &Model) -> Vec<Foil> {
    // What has triangles meets the air by these alone: none gets to the particles inside a solid.
    let radius = |body: &Body| if body.triangles.is_empty() { body.radius as f32 } else { 0.0 };
    let foil = |body: &Body| Foil { drag: body.drag as f32, lift: body.lift as f32, radius: radius(body) };
    model.bodies.iter().map(foil).collect()
}
