//! Closed surfaces filled with particles on a lattice.

use crate::mesh::TriangleMesh;
use crate::mesh::lattice::Lattice;
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::MAX_PARTICLES;

/// The points of a lattice inside a closed surface, no nearer to that than `margin`; both m. `finer`: what to do where
/// there are too many.
pub(super) fn places(
    at: &Path,
    surface: &TriangleMesh,
    (spacing, margin): (f64, f64),
    finer: &str,
) -> Result<Vec<[f64; 3]>, SceneError> {
    let lattice = Lattice::within(surface, spacing, margin);
    let points = lattice.counts.iter().fold(1_u128, |points, &count| points.saturating_mul(count as u128));
    if points > MAX_PARTICLES.into() {
        let message = format!("needs a lattice of {points} points, and at most {MAX_PARTICLES} are allowed; {finer}");
        return Err(SceneError::new(at, message));
    }
    Ok(if points > 0 { lattice.inside(surface, margin) } else { Vec::new() })
}
