//! Liquids.

use std::ops::Range;

use super::{Integrator, Mode, Settings};

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
    /// K, Pa: a pressure p compresses the fluid by p/K. 0 is as stiff as the sweeps make it, which is the most that
    /// there can be.
    pub bulk_modulus: f64,
}

/// Why fluids cannot be solved with these settings.
pub(crate) fn no_fluids(settings: &Settings) -> Option<&'static str> {
    match (settings.mode, settings.integrator) {
        (Mode::Pbd, _) => Some("fluids have no PBD mode: set mode = \"xpbd\""),
        (_, Integrator::Bdf2) => Some("fluids need the integrator \"euler\": choose that"),
        _ => None,
    }
}
