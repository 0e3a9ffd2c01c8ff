//! Pins that let go.

use std::borrow::Cow;

use super::{Model, Settings};

/// Particles that are held until a time: fixed before, free from the first frame on that begins then or later, with the
/// velocity that they were led by.
#[derive(Clone, Debug, PartialEq)]
pub struct Release {
    /// s
    pub seconds: f64,
    /// Ascending; fixed in [`Model::particles`].
    pub particles: Vec<u32>,
    /// Their inverse masses from then on, 1/kg, above 0.
    pub inverse_masses: Vec<f64>,
}

impl Release {
    /// The number of the frame with which it begins.
    pub(crate) fn frame(&self, settings: &Settings) -> u64 {
        // A time that is a whole number of frames is that, whatever rounding says.
        (self.seconds * settings.frame_rate - 1e-6).ceil().max(0.0) as u64
    }

    /// Each particle with its inverse mass.
    pub(crate) fn weights(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.particles.iter().zip(&self.inverse_masses).map(|(&particle, &weight)| (particle as usize, weight))
    }
}

impl Model {
    /// The particles that are let go with the frame of this number, and their inverse masses.
    pub(crate) fn released(&self, frame: u64) -> Vec<(usize, f64)> {
        let due = self.releases.iter().filter(|release| release.frame(&self.settings) == frame);
        due.flat_map(Release::weights).collect()
    }

    /// Inverse masses by which a plan is made: what is let go once is never taken for fixed.
    pub(crate) fn planned_masses(&self) -> Cow<'_, [f64]> {
        let mut masses = Cow::Borrowed(&*self.particles.inverse_masses);
        for (particle, weight) in self.releases.iter().flat_map(Release::weights) {
            masses.to_mut()[particle] = weight;
        }
        masses
    }

    /// The particles that were let go before the frame of this number, and their inverse masses.
    pub(crate) fn released_before(&self, frame: u64) -> Vec<(usize, f64)> {
        let past = self.releases.iter().filter(|release| release.frame(&self.settings) < frame);
        past.flat_map(Release::weights).collect()
    }
}
