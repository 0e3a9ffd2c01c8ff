//! Which particles may touch each other. What all engines ask, asked in one place.

use super::{Body, Groups, Model, Tearing};

/// Particles that were placed closer than this many contact distances never touch: neighbours along a thread as thick as it is finely
/// divided must not hang on the last digit of single precision.
pub(crate) const PLACED_APART: f64 = 1.0001;

/// Slack of the search in each substep, in radii: pairs that constraints push together by more within a substep, from farther apart
/// than this, touch in the next.
pub(crate) const SLACK: f64 = 0.1;

impl Model {
    /// The radius at which each particle touches others, m. It is 0 for those that never do: of bodies without a radius, and of bodies
    /// that tear, whose particles change while it runs. `None` if no two particles of the model can touch.
    pub(crate) fn touching_radii(&self) -> Option<Vec<f64>> {
        let torn = self.tearing.as_ref().map_or(Vec::new(), Tearing::vertices);
        let tears = |body: &Body| torn.iter().any(|vertex| body.particles.contains(vertex));
        let radius = |body: &Body| if body.radius > 0.0 && !tears(body) { body.radius } else { 0.0 };
        let of_body: Vec<f64> = self.bodies.iter().map(radius).collect();
        let touching = || self.bodies.iter().zip(&of_body).filter(|(_, radius)| **radius > 0.0).map(|(body, _)| body);
        let itself = |body: &Body| body.self_collision && body.particles.len() > 1;
        let another = || {
            let mut groups: Vec<Groups> = Vec::new();
            touching().filter(|body| !body.particles.is_empty()).any(|body| {
                let meets = groups.iter().any(|&other| body.groups.meet(other));
                if !groups.contains(&body.groups) {
                    groups.push(body.groups);
                }
                meets
            })
        };
        if !touching().any(itself) && !another() {
            return None;
        }
        let mut radii: Vec<f64> = self.particles.bodies.iter().map(|&body| of_body[body as usize]).collect();
        radii[self.placed_particles()..].fill(0.0);
        Some(radii)
    }
}

impl Body {
    /// Whether its particles may touch those of another body of the model, or with `same` its own.
    pub(crate) fn meets(&self, other: &Body, same: bool) -> bool {
        if same { self.self_collision } else { self.groups.meet(other.groups) }
    }
}
