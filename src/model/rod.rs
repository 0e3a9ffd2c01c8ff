//! Orientations, and the rods that are made of them.

use std::ops::Range;

use super::{Animation, Curve, Integrator, Mode, Settings};

/// What turns: one entry each. Rods have one for each segment, and one for each end that is clamped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Orientations {
    /// At the beginning, as unit quaternions x, y, z, w.
    pub placed: Vec<[f64; 4]>,
    /// At the beginning, rad/s, in axes of the world.
    pub angular_velocities: Vec<[f64; 3]>,
    /// The same about all axes, 1/(kg m²); 0 for one that is held.
    pub inverse_inertias: Vec<f64>,
    /// Index into [`Model::bodies`](super::Model::bodies), one for each.
    pub bodies: Vec<u32>,
}

impl Orientations {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.placed.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.placed.is_empty()
    }
}

/// A chain of segments that stretch, shear, bend and twist. Between two particles that follow one another is a segment
/// with an orientation, whose third axis is along it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rod {
    /// Its particles, one after the other: at least two.
    pub particles: Range<u32>,
    /// Its orientations: of each segment, and before and behind them those of clamps.
    pub orientations: Range<u32>,
    /// Whether its first and its last end are clamped: held in their direction by an orientation that is no segment's.
    pub clamped: [bool; 2],
    /// One between each two particles.
    pub segments: Vec<Segment>,
    /// One between each two orientations.
    pub bends: Vec<BendTwist>,
    /// β: a force -β dC/dt is added for each force C/α as -β/α dC/dt, s. 0 damps nothing.
    pub damping: f64,
}

/// What resists stretch and shear.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Segment {
    /// At rest, m, above 0.
    pub length: f64,
    /// Of shear along its first two axes and of stretch, m/N, above 0: l/κGA, l/κGA, l/EA.
    pub compliances: [f64; 3],
}

/// What resists bending and twist.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BendTwist {
    /// The rotation at rest from one orientation to the next, in the axes of either, rad: about the first two bending,
    /// about the third twist.
    pub rest: [f64; 3],
    /// 1/(N m), above 0: l/EI₁, l/EI₂, l/GJ.
    pub compliances: [f64; 3],
    /// Of the rod, between the middles of its segments, m: what a curve's curvature is multiplied by.
    pub length: f64,
    /// Index into [`Model::curves`](super::Model::curves): curvatures about the first two axes and twist, rad/m, that
    /// are added to the rest over time.
    pub curve: Option<u32>,
}

/// What a place of a rod bears, the mean of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize, serde::Deserialize))]
pub struct Load {
    /// In the segment, along its axes, N: shear along the first two, and what it pulls by.
    pub force: [f64; 3],
    /// In the joint to the next orientation, about the axes, N m: bending about the first two, and torque.
    pub moment: [f64; 3],
}

/// Why rods cannot be solved with these settings.
pub(crate) fn no_rods(settings: &Settings) -> Option<&'static str> {
    match (settings.mode, settings.integrator) {
        (Mode::Pbd, _) => Some("rods have no PBD mode: set mode = \"xpbd\""),
        (_, Integrator::Bdf2) => Some("rods need the integrator \"euler\": choose that"),
        _ => None,
    }
}

impl BendTwist {
    /// ψ₀ at a time in s, rad.
    pub(crate) fn rest_at(&self, curves: &[Curve], seconds: f64) -> [f64; 3] {
        let added = self.curve.map_or([0.0; 3], |curve| curves[curve as usize].at(seconds));
        std::array::from_fn(|k| self.rest[k] + self.length * added[k])
    }
}

impl Load {
    /// The mean of a frame, by the sums of the multipliers of a segment and a joint: -λ/H².
    pub(crate) fn mean(sums: [[f64; 3]; 2], settings: &Settings) -> Self {
        let per_sum = -1.0 / (settings.implicit_seconds().powi(2) * f64::from(settings.substeps));
        let [force, moment] = sums.map(|sum| sum.map(|lambda| lambda * per_sum));
        Self { force, moment }
    }
}

impl Rod {
    /// The index of the segment at an orientation of the rod, counted from its first.
    pub fn segment_at(&self, place: usize) -> Option<usize> {
        place.checked_sub(usize::from(self.clamped[0])).filter(|&segment| segment < self.segments.len())
    }

    /// Whether its rest changes over time.
    pub(crate) fn is_actuated(&self) -> bool {
        self.bends.iter().any(|joint| joint.curve.is_some())
    }

    /// Whether something turns one of its ends.
    pub(crate) fn is_turned(&self, model: &super::Model) -> bool {
        let ends = [0, self.orientations.len().saturating_sub(1)];
        ends.into_iter().filter_map(|place| self.held_at(place)).any(|particle| {
            let drive = &model.drives[model.particles.drives[particle as usize] as usize];
            let turns = |animation: &Animation| !animation.turns.is_empty() && animation.particles.contains(&particle);
            drive.spin.is_some() || drive.turn.is_some() || model.animations.iter().any(turns)
        })
    }

    /// The particle before the segment at a place, or behind the last one; none on the far side of a clamp.
    pub(crate) fn node(&self, place: usize) -> Option<u32> {
        let index = place.checked_sub(usize::from(self.clamped[0]))?;
        let particle = self.particles.start + index as u32;
        self.particles.contains(&particle).then_some(particle)
    }

    /// The particle whose drive, or whose animation, turns its orientation at a place: at a clamp the one it holds.
    pub(crate) fn held_at(&self, place: usize) -> Option<u32> {
        match (place, self.clamped) {
            (0, [true, _]) => Some(self.particles.start),
            (place, [_, true]) if place + 1 == self.orientations.len() => Some(self.particles.end - 1),
            _ => None,
        }
    }
}
