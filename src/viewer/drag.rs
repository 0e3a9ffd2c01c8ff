//! Dragging a particle with the mouse, by a spring.

use super::orbit::View;
use crate::model::Model;
use crate::step::Pull;

/// How far the spring is stretched, as a share of the scene's size, when it bears [`LOADS`] times its body's weight.
const STRETCH: f64 = 0.25;
const LOADS: f64 = 4.0;
/// What is taken for gravity where there is none, m/s²: a spring must have some strength.
const GRAVITY: f64 = 9.81;
/// Damping over stiffness of the spring, s: it comes to rest in a few hundredths of a second.
const DAMPING_SECONDS: f64 = 0.02;

/// A particle that is being dragged.
#[derive(Clone, Debug, PartialEq)]
pub struct Drag {
    /// Index in the scene.
    pub particle: usize,
    /// Distance from the eye along the view in which the pointer moves, m.
    depth: f64,
    /// From the point under the pointer to where the particle is pulled, m.
    offset: [f64; 3],
    pub pull: Pull,
}

impl Drag {
    /// Takes hold of a particle at `position` with the pointer at a point of the picture; at first the spring is slack.
    /// `None` if the particle is behind the eye.
    pub fn begin(view: &View, at: [f64; 2], particle: usize, position: [f64; 3], compliance: f64) -> Option<Self> {
        let depth = view.project(position)?.depth;
        let pointer = view.point_at(at, depth);
        let pull = Pull { target: position, compliance, damping: DAMPING_SECONDS / compliance };
        Some(Self { particle, depth, offset: std::array::from_fn(|i| position[i] - pointer[i]), pull })
    }

    /// Moves the end of the spring with the pointer.
    pub fn move_to(&mut self, view: &View, at: [f64; 2]) {
        let pointer = view.point_at(at, self.depth);
        self.pull.target = std::array::from_fn(|i| pointer[i] + self.offset[i]);
    }

    /// Size of the spring's force on a particle at `position`, N.
    pub fn force(&self, position: [f64; 3]) -> f64 {
        self.pull.force(position).iter().map(|f| f * f).sum::<f64>().sqrt()
    }
}

/// The compliance, m/N, of a spring that suits the body of a particle; `strength` times as stiff.
pub fn compliance(model: &Model, particle: usize, strength: f64) -> f64 {
    let Some(&body) = model.particles.bodies.get(particle) else { return 1.0 };
    let particles = model.bodies[body as usize].particles.clone();
    let masses = particles.map(|p| model.particles.inverse_masses[p as usize]).filter(|&w| w > 0.0).map(|w| 1.0 / w);
    let gravity = model.world.gravity.iter().map(|g| g * g).sum::<f64>().sqrt();
    let weight = masses.sum::<f64>() * if gravity > 0.0 { gravity } else { GRAVITY };
    let size = crate::render::bounds(model)
        .map_or(1.0, |(min, max)| (0..3).map(|i| (max[i] - min[i]).powi(2)).sum::<f64>().sqrt());
    let compliance = STRETCH * size / (LOADS * weight * strength);
    if compliance.is_finite() && compliance > 0.0 { compliance } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Camera;
    use crate::scene::Scene;
    use crate::viewer::orbit::Orbit;

    fn view() -> View {
        let (eye, target, up) = ([0.0, 0.0, 2.0], [0.0; 3], [0.0, 1.0, 0.0]);
        View::new(&Orbit::new(&Camera { eye, target, up, vertical_field_of_view_degrees: 40.0 }), [800.0, 600.0])
    }

    /// The spring is slack where it is taken hold of, and pulls by how far the pointer goes over the compliance.
    #[test]
    fn force_follows_the_pointer() {
        let position = [0.1, 0.05, 0.3];
        let at = view().project(position).unwrap().at;
        // Beside the particle by a few points, as a hand takes hold of it.
        let mut drag = Drag::begin(&view(), [at[0] + 5.0, at[1] - 3.0], 7, position, 0.01).unwrap();
        assert_eq!(drag.force(position), 0.0);
        drag.move_to(&view(), [at[0] + 105.0, at[1] - 3.0]);
        let moved = 100.0 * (2.0 - 0.3) / view().points_at_one_metre();
        assert!((drag.force(position) - moved / 0.01).abs() < 1e-9 * moved / 0.01, "{}", drag.force(position));
    }

    /// Pulling over a quarter of the scene lifts every body of the gallery: the force is a few times its weight.
    #[test]
    fn strength_suits_the_body() {
        for name in ["hanging_cloth", "chain", "bouncing_balls"] {
            let model = Scene::gallery(name).unwrap().unwrap().build().unwrap().model;
            let particle = model.particles.inverse_masses.iter().position(|&w| w > 0.0).unwrap();
            let soft = compliance(&model, particle, 1.0);
            assert!(soft > 0.0 && (soft / compliance(&model, particle, 10.0) - 10.0).abs() < 1e-9, "{name}");
        }
    }
}
