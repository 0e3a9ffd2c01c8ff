//! Putting particles elsewhere while a simulation runs.

use crate::step::ChangeError;
use crate::step::change::{finite, slot};

/// A particle that is put elsewhere, with another velocity: thrown, brought back, set to where a program has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Index in the model.
    pub particle: usize,
    /// m
    pub position: [f64; 3],
    /// m/s. A fixed particle keeps the velocity of its drive.
    pub velocity: [f64; 3],
}

/// The slots of some placements.
pub(crate) fn placed(slots: &[u32], placements: &[Placement]) -> Result<Vec<u32>, ChangeError> {
    let of = |placement: &Placement| {
        finite("a particle's place", &placement.position)?;
        finite("a particle's velocity", &placement.velocity)?;
        slot(slots, placement.particle)
    };
    placements.iter().map(of).collect()
}
