//! A beam along x, 1 m by 0.1 m by 0.1 m, clamped at its low end, with its weight on it, as finite elements and as a scene.

#![allow(dead_code, reason = "each test file uses its own part")]

use pliant::mesh::TetrahedronMesh;
use pliant::mesh::generate::Cuboid;
use pliant::model::Model;
use pliant::reference::{Elastic, FiniteElements, Law};
use pliant::scene::{Body, Scene, Select, Soft};

/// kg/m³
const DENSITY: f64 = 1000.0;
/// m
const HEIGHT: f64 = 0.1;

pub struct Beam {
    /// Cells of its height and width; of its length ten times as many.
    pub across: u32,
    /// Pa
    pub young_modulus: f64,
    pub poisson_ratio: f64,
    /// m/s², downwards.
    pub gravity: f64,
}

impl Beam {
    fn cuboid(&self) -> Cuboid {
        Cuboid { cells: [10 * self.across, self.across, self.across], size: [1.0, HEIGHT, HEIGHT] }
    }

    pub fn solid(&self) -> TetrahedronMesh {
        self.cuboid().solid()
    }

    pub fn elements(&self, law: Law) -> FiniteElements {
        let Self { young_modulus, poisson_ratio, .. } = *self;
        let mut elements = FiniteElements::new(&self.solid(), Elastic { law, young_modulus, poisson_ratio }, DENSITY);
        elements.fix(|x| x[0] < -0.5 + 1e-9);
        elements.gravity = [0.0, -self.gravity, 0.0];
        elements
    }

    /// Of neo-Hookean constraints; `damping` in 1/s.
    pub fn model(&self, damping: f64) -> Model {
        let soft = Soft::new(self.cuboid()).young_modulus(self.young_modulus).poisson_ratio(self.poisson_ratio);
        let (min, max) = ([-0.5 - 1e-6, -1.0, -1.0], [-0.5 + 1e-6, 1.0, 1.0]);
        let body = Body::soft(soft).density(DENSITY).damping(damping).pin(Select::Box { min, max });
        let mut scene = Scene::new("beam").with(body);
        scene.world.gravity = [0.0, -self.gravity, 0.0];
        scene.build().unwrap_or_else(|error| panic!("{error}")).model
    }

    /// N
    pub fn weight(&self) -> f64 {
        DENSITY * HEIGHT * HEIGHT * self.gravity
    }

    /// E I, N m², and κ A G, N, with κ = 10 (1 + ν)/(12 + 11ν) of a rectangle (Cowper, The Shear Coefficient in Timoshenko's Beam
    /// Theory, 1966).
    fn stiffness(&self) -> (f64, f64) {
        let Self { young_modulus, poisson_ratio, .. } = *self;
        let shape = 10.0 * (1.0 + poisson_ratio) / (12.0 + 11.0 * poisson_ratio);
        let shear_modulus = young_modulus / (2.0 * (1.0 + poisson_ratio));
        (young_modulus * HEIGHT.powi(4) / 12.0, shape * HEIGHT * HEIGHT * shear_modulus)
    }

    /// Deflection of the tip of a beam of 1 m under its own weight, m.
    pub fn timoshenko(&self) -> f64 {
        let (bending, shear) = self.stiffness();
        self.weight() * (1.0 / (8.0 * bending) + 1.0 / (2.0 * shear))
    }

    /// Where `force`, N, pulls at its tip and nothing else, m.
    pub fn timoshenko_tip(&self, force: f64) -> f64 {
        let (bending, shear) = self.stiffness();
        force * (1.0 / (3.0 * bending) + 1.0 / shear)
    }

    /// A third of the area of the end face's triangles at each vertex, m².
    pub fn tip_weights(&self) -> Vec<f64> {
        let mut face = self.solid().surface();
        let positions = face.positions.clone();
        face.triangles.retain(|corners| corners.iter().all(|&p| (positions[p as usize][0] - 0.5).abs() < 1e-9));
        face.vertex_areas()
    }

    /// The mean over the end face of what each vertex has.
    pub fn mean_at_tip(&self, each: impl Iterator<Item = f64>) -> f64 {
        let weights = self.tip_weights();
        each.zip(&weights).map(|(value, weight)| value * weight).sum::<f64>() / weights.iter().sum::<f64>()
    }

    /// By how much the mean of the end face is below where it is at rest, m.
    pub fn deflection(&self, positions: &[[f64; 3]]) -> f64 {
        self.mean_at_tip(self.solid().positions.iter().zip(positions).map(|(rest, x)| rest[1] - x[1]))
    }
}
