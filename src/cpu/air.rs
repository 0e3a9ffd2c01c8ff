//! The air: what `shaders/step/air.wgsl` does, and there is why.

use std::f32::consts::PI;

use wide::f32x4;

use super::particles::{four, three};
use super::shared::Shared;
use crate::constraint::Vec3;
use crate::engine::records::{Foil, Properties, Substep};
use crate::engine::{air_is_felt, fans, foils};
use crate::model::Model;

/// What the air acts on.
pub struct Air {
    /// How each body meets it.
    pub foils: Vec<Foil>,
    /// Corners as slots.
    pub triangles: Vec<[u32; 3]>,
    /// For each slot where its triangles begin in this very list, and where they end; then these triangles.
    pub fans: Vec<u32>,
    /// What it did in the substep at hand, m.
    pub ways: Vec<f32x4>,
}

impl Air {
    /// `None` where it acts on nothing.
    pub fn new(model: &Model, slot_of: &[u32]) -> Option<Self> {
        if !air_is_felt(model) {
            return None;
        }
        let slots = |triangle: [u32; 3]| triangle.map(|particle| slot_of[particle as usize]);
        // Of what can be torn, too: no air gets inside a solid.
        let triangles: Vec<[u32; 3]> =
            model.bodies.iter().flat_map(|body| &body.triangles).map(|&corners| slots(corners)).collect();
        let fans = fans(&triangles, model.particles.len());
        Some(Self { foils: foils(model), triangles, fans, ways: vec![f32x4::ZERO; model.particles.len()] })
    }
}

/// What the air goes by in a substep.
pub struct Wind<'a> {
    pub foils: &'a [Foil],
    pub triangles: &'a [[u32; 3]],
    pub fans: &'a [u32],
    pub properties: &'a [Properties],
    pub x: Shared<'a, f32x4>,
    pub u: Shared<'a, f32x4>,
}

impl Wind<'_> {
    /// What the air changes the way of a particle by, m.
    pub fn way(&self, substep: &Substep, slot: usize) -> f32x4 {
        let foil = &self.foils[self.properties[slot].body as usize];
        let (from, to) = (self.fans[2 * slot] as usize, self.fans[2 * slot + 1] as usize);
        let (inverse, wind) = (substep.inverse_seconds, Vec3::new(substep.wind[0], substep.wind[1], substep.wind[2]));
        let (mut force, mut resistance) = (Vec3::zero(), 0.0);
        for &triangle in &self.fans[from..to] {
            let [a, b, c] = self.triangles[triangle as usize].map(|slot| slot as usize);
            let way = |slot: usize| three(self.u.read(slot));
            let place = |slot: usize| three(self.x.read(slot));
            let v = (way(a) + way(b) + way(c)) * (inverse / 3.0) - wind;
            let twice_area = (place(b) - place(a)).cross(place(c) - place(a));
            let (f, r) = plate(substep.air_density, v, twice_area, foil);
            force += f * (1.0 / 3.0);
            resistance += r / 3.0;
        }
        if from == to {
            let v = three(self.u.read(slot)) * inverse - wind;
            resistance = 0.5 * substep.air_density * PI * foil.radius * foil.radius * foil.drag * v.length();
            force = v * -resistance;
        }
        // Explicit steps overshoot where the air stops a particle within a substep: no further than to its own speed.
        let w = self.x.read(slot).to_array()[3];
        let rate = w * resistance * substep.implicit_seconds;
        let share = if rate > 1.0 { 1.0 / rate } else { 1.0 };
        four(force * (share * w * substep.implicit_seconds * substep.implicit_seconds))
    }
}

/// Force on a triangle, N, and a bound on how fast it brings a mass of 1 kg to the air's speed, 1/s.
fn plate(density: f32, v: Vec3<f32>, twice_area: Vec3<f32>, foil: &Foil) -> (Vec3<f32>, f32) {
    let (doubled, speed) = (twice_area.length(), v.length());
    if doubled == 0.0 || speed == 0.0 {
        return (Vec3::zero(), 0.0);
    }
    let facing = v.dot(twice_area) / doubled;
    let side = if facing == 0.0 { 0.0 } else { facing.signum() };
    let n = twice_area * (side / doubled);
    let across = n - v * (facing.abs() / speed / speed);
    let pressure = 0.25 * density * doubled;
    let force = (v * foil.drag + across * (foil.lift * speed)) * (-pressure * facing.abs());
    (force, pressure * speed * (foil.drag + foil.lift))
}
