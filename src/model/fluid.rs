//! Liquids.

use std::ops::Range;

use super::{Body, Integrator, Mode, Model, Settings};

/// A liquid: particles of one volume each that resist being compressed, and are free at their surface. Their density is
/// that of their masses.
#[derive(Clone, Debug, PartialEq)]
pub struct Fluid {
    /// Its particles.
    pub particles: Range<u32>,
    /// Of particles at rest, m, above 0: each has the cube of it as its volume. The same for all fluids of a model.
    pub spacing: f64,
    /// Pa s, at least 0. Raising it makes flow slower and smoother.
    pub viscosity: f64,
    /// σ, N/m, at least 0. Raising it makes drops rounder, and jets and sheets break into them sooner.
    pub surface_tension: f64,
    /// θ, between the surface and a collider's, inside the fluid, rad, 0 to π: π/2 is a right angle, less wets, more
    /// beads.
    pub contact_angle: f64,
    /// K, Pa: a pressure p compresses the fluid by p/K. 0 is as stiff as the sweeps make it, which is the most that
    /// there can be.
    pub bulk_modulus: f64,
}

/// At which particles of fluids touch colliders, in spacings. Walls hold fluids off by half a spacing; contact only
/// keeps what is alone from their surface, on which a particle and its mirror image would be one.
const CONTACT: f64 = 0.25;

/// A cosine that is none: that of a right angle, as it is written.
const RIGHT: f64 = 1e-6;

impl Fluid {
    /// cos θ: the energy that a wetted wall has less than a dry one, over σ an area.
    pub(crate) fn wetting(&self) -> f64 {
        let cosine = self.contact_angle.cos();
        if cosine.abs() > RIGHT { cosine } else { 0.0 }
    }
}

impl Model {
    /// How near to a collider the middle of a body's particles comes, m: their radius.
    pub(crate) fn collider_radius(&self, body: &Body) -> f64 {
        let fluid = self.fluids.iter().find(|fluid| fluid.particles == body.particles);
        fluid.map_or(body.radius, |fluid| CONTACT * fluid.spacing)
    }
}

/// Why fluids cannot be solved with these settings.
pub(crate) fn no_fluids(settings: &Settings) -> Option<&'static str> {
    match (settings.mode, settings.integrator) {
        (Mode::Pbd, _) => Some("fluids have no PBD mode: set mode = \"xpbd\""),
        (_, Integrator::Bdf2) => Some("fluids need the integrator \"euler\": choose that"),
        _ => None,
    }
}
