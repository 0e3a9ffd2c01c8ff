//! Particles and bodies that begin inside a collider.

use std::ops::Range;

use super::{Collider, Model};
use crate::base::parallel;
use crate::math::Vec3;
use crate::model::tree::{self, Bound, Span};

/// The free particles that begin inside a collider, ascending.
pub(crate) fn particles_inside(model: &Model) -> Vec<u32> {
    if model.colliders.is_empty() {
        return Vec::new();
    }
    let near = Near::new(model);
    let inside = |particle: &usize| {
        let body = &model.bodies[model.particles.bodies[*particle] as usize];
        let (place, radius) = (model.particles.positions[*particle], model.collider_radius(body));
        let is_in = |collider: &Collider| {
            let pushes = !collider.trigger && collider.groups.meet(body.groups);
            // Up to a tolerance they touch it.
            pushes && collider.thickness + radius - collider.distance(0.0, place).1 > 1e-6 + 1e-3 * radius
        };
        model.particles.inverse_masses[*particle] > 0.0 && near.any(place, radius, is_in)
    };
    let of_piece = |piece: Range<usize>| piece.filter(inside).map(|particle| particle as u32).collect::<Vec<_>>();
    parallel::map(model.placed_particles(), parallel::LEAST, of_piece).concat()
}

/// For each body whether any of its free particles begins inside a collider.
pub(crate) fn bodies_inside(model: &Model) -> Vec<bool> {
    let mut inside = vec![false; model.bodies.len()];
    for particle in particles_inside(model) {
        inside[model.particles.bodies[particle as usize] as usize] = true;
    }
    inside
}

/// Finds the colliders near a place, by their tree if there are many.
struct Near<'a> {
    colliders: &'a [Collider],
    tree: Vec<Bound>,
    seconds: f64,
}

impl<'a> Near<'a> {
    fn new(model: &'a Model) -> Self {
        let seconds = model.settings.substep_seconds();
        Self { colliders: &model.colliders, tree: tree::bounds(&model.colliders, &[0.0, seconds]), seconds }
    }

    fn any(&self, place: [f64; 3], radius: f64, is: impl Fn(&Collider) -> bool) -> bool {
        if self.tree.is_empty() {
            return self.colliders.iter().any(is);
        }
        let [x, y, z] = place.map(|coordinate| coordinate as f32);
        let at = Vec3 { x, y, z };
        let mut found = false;
        let span = Span::new(at, at, radius as f32, self.seconds as f32);
        tree::reached(&self.tree, &span, |index| found |= is(&self.colliders[index as usize]));
        found
    }
}
