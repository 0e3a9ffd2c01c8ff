//! The standard cloth that touches itself (W4): that of W1 let go upright, 2 cm above the ground and slightly wavy, so
//! that it folds up into a pile. Its particles touch each other at nine tenths of their spacing, and go by a fifth of
//! that in a substep at most.

use std::f64::consts::TAU;

use super::w1;
use crate::Model;
use crate::model::{Collider, Shape, World};

/// Distance at which particles touch, over their spacing.
const THICKNESS: f64 = 0.9;

/// For n ≥ 2 particles along each side.
pub fn model(n: u32) -> Model {
    let mut model = w1::model(n);
    let n = n.max(2);
    let thickness = THICKNESS / f64::from(n - 1);
    model.name = format!("W4, {n} x {n}");
    for [x, y, z] in &mut model.particles.positions {
        *y += 1.02;
        *z = 5e-3 * (2.0 * TAU * *y).sin() + 1e-3 * (3.0 * TAU * (*x + 0.5)).sin();
    }
    let mass = f64::from(n * n).recip();
    model.particles.inverse_masses.fill(mass.recip());
    model.world = World { max_speed: Some(0.2 * thickness / model.settings.substep_seconds()), ..World::default() };
    let body = &mut model.bodies[0];
    (body.radius, body.self_collision) = (0.5 * thickness, true);
    (body.friction, body.dynamic_friction) = (0.3, 0.3);
    let ground = Collider { friction: 1.7, dynamic_friction: 1.7, ..Collider::new(Shape::Plane) };
    model.colliders.push(ground);
    model
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It has the constraints of W1, hangs by nothing, and stands 2 cm above the ground; neighbours do not touch.
    #[test]
    fn stands_free() {
        let model = model(64);
        assert_eq!(model.groups[0].len(), 23_938);
        assert!(model.particles.inverse_masses.iter().all(|&w| w == 64.0 * 64.0));
        let lowest = model.particles.positions.iter().map(|place| place[1]).fold(f64::INFINITY, f64::min);
        assert!((lowest - 0.02).abs() < 1e-12, "{lowest} m");
        let spacing = 1.0 / 63.0;
        assert!((2.0 * model.bodies[0].radius / spacing - THICKNESS).abs() < 1e-12);
        assert_eq!(model.colliders.len(), 1);
    }
}
