//! What acts on particles from outside: solids, motions of pins, forces.

use super::Keyframes;

/// A solid that particles collide with, as the scene placed it.
#[derive(Clone, Debug, PartialEq)]
pub struct Collider {
    /// Where it is and what of it is solid.
    pub shape: Shape,
    /// Added to the shape's place over time, m.
    pub motion: Option<Keyframes>,
    /// Coefficient of static friction, at least 0; that of a pair is the mean of the two.
    pub friction: f64,
    /// Coefficient of dynamic friction, at least 0; that of a pair is the mean of the two.
    pub dynamic_friction: f64,
    /// Speed kept in a rebound, 0 to 1; that of a pair is the mean of the two.
    pub restitution: f64,
}

/// Which part of space a collider fills.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// The half-space below the plane through `point` with unit `normal` is solid.
    Plane {
        /// Any point of the plane, m.
        point: [f64; 3],
        /// Towards the free side, of length 1.
        normal: [f64; 3],
    },
    /// Solid inside, or with `inside` a container: solid outside.
    Sphere {
        /// m
        centre: [f64; 3],
        /// m, above 0.
        radius: f64,
        /// Whether it is a container.
        inside: bool,
    },
}

/// What acts on a particle from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drive {
    /// Displacement of a fixed particle from where the scene placed it, m.
    pub motion: Option<Keyframes>,
    /// Forces on a free particle, N, which add up.
    pub forces: Vec<Keyframes>,
}

impl Drive {
    /// The sum of the forces at a time, N.
    pub fn force(&self, seconds: f64) -> [f64; 3] {
        self.forces.iter().fold([0.0; 3], |sum, force| {
            let f = force.at(seconds);
            std::array::from_fn(|i| sum[i] + f[i])
        })
    }
}
