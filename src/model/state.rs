//! The state at the end of a frame, in the scene's order and in double precision.

use super::{JointState, Load, Model, Torn};

/// Positions, velocities, multipliers and rest values, read from a solver.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize, serde::Deserialize))]
pub struct State {
    /// Simulated time, s.
    pub seconds: f64,
    /// Frames done since the beginning.
    pub frame: u64,
    /// m, one per particle of the model; of the spare ones only those that tears have taken.
    pub positions: Vec<[f64; 3]>,
    /// m/s, one per particle, as the positions.
    pub velocities: Vec<[f64; 3]>,
    /// How each of [`Model::rest_shapes`] has flowed: the columns of a deformation that keeps volumes, by which its
    /// rest places about their mean are multiplied.
    pub rest_shapes: Vec<[[f64; 3]; 3]>,
    /// Unit quaternions x, y, z, w, one for each of [`Model::orientations`].
    pub orientations: Vec<[f64; 4]>,
    /// rad/s, in axes of the world, as the orientations.
    pub angular_velocities: Vec<[f64; 3]>,
    /// What rods bear at each orientation, the mean over the last frame.
    pub loads: Vec<Load>,
    /// What joints bear, one for each of [`Model::joints`].
    pub joints: Vec<JointState>,
    /// Pressure of each particle of the model's fluids, one fluid after another, Pa: the mean over the last frame.
    /// Empty before the first frame, and without fluids.
    pub pressures: Vec<f64>,
    /// The particles of fluids that are not there, ascending: not yet poured, or drained. Empty without emitters and
    /// drains ([`Model::as_in`]).
    pub absent: Vec<u32>,
    /// One list per group of the model; `kind.components()` entries per constraint.
    pub multipliers: Vec<Vec<Multiplier>>,
    /// The force of levels ([`Settings::nested`](super::Settings::nested)) on each particle, N, the mean over the last
    /// frame; empty without levels, or without [`Settings::mean_forces`](super::Settings::mean_forces). Under levels a
    /// multiplier holds only the share of the force that levels leave; [`balanced`](crate::measure::balanced) has the
    /// whole force.
    pub level_forces: Vec<[f64; 3]>,
    /// Rest values in effect in the last substep: one list per group of the model, `kind.rest().len()` entries per
    /// constraint; empty for groups whose rest values never change.
    pub rest: Vec<Vec<f64>>,
    /// As `rest` without the effect of curves: rest values as built, with plastic flow.
    pub rest_bases: Vec<Vec<f64>>,
    /// Position, m, and velocity, m/s, of each particle a substep earlier, for BDF2. Reference solver only; empty
    /// where its next substep has no past, and with other integrators.
    pub past: Vec<[[f64; 3]; 2]>,
    /// Contacts that pressed in the last substep, with colliders and of particles with each other, each pair once.
    pub contacts: u64,
    /// How the bodies are connected after a tear; `None` while they are as in the model.
    pub torn: Option<Torn>,
    /// Spare particles that tears need. If they are more than the model has
    /// ([`Tearing::spares`](super::Tearing::spares)), some vertices cannot split.
    pub spares_needed: u64,
}

impl State {
    /// Rest values in effect of a constraint of a group of the model, in the order and units of `kind.rest()`.
    ///
    /// # Panics
    /// If there is no such group or constraint.
    pub fn rest_of<'a>(&'a self, model: &'a Model, group: usize, constraint: usize) -> &'a [f64] {
        let n = model.groups[group].kind.rest().len();
        match self.rest.get(group) {
            Some(changed) if !changed.is_empty() => &changed[constraint * n..(constraint + 1) * n],
            _ => model.groups[group].rest_of(constraint),
        }
    }

    /// Whether a constraint of a group of the model has not broken; the empty state is that of the beginning.
    pub fn is_whole(&self, model: &Model, group: usize, constraint: usize) -> bool {
        let first = constraint * model.groups[group].kind.components();
        self.multipliers.get(group).and_then(|all| all.get(first)).is_none_or(|multiplier| !multiplier.broken)
    }
}

/// The Lagrange multiplier of one component of a constraint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize, serde::Deserialize))]
pub struct Multiplier {
    /// λ at the end of the last substep, in units of C / (w |∇C|²).
    pub last: f64,
    /// Mean of λ over the substeps of the last frame. The mean force on a particle is `mean * ∇C / H²` with H that of
    /// [`Settings::implicit_seconds`](super::Settings::implicit_seconds). It equals `last` without
    /// [`Settings::mean_forces`](super::Settings::mean_forces).
    pub mean: f64,
    /// Whether the constraint is broken and no longer acts.
    pub broken: bool,
}
