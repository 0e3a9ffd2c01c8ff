//! Where the grains of a body are.

use super::super::error::{Path, SceneError};
use super::super::{Body, Grains, check};
use super::MAX_PARTICLES;
use super::balloon::check_closed;
use super::body::contact_radius;
use super::reading::Reading;
use super::shape::surface_mesh;
use crate::mesh::lattice::Lattice;

/// The lattice's spacing over the radius, if a scene does not say.
const SPACING: f64 = 2.2;

/// The places of all, before the body's transform, after which they are as far from each other as they should.
pub(super) fn places(
    at: &Path,
    body: &Body,
    grains: &Grains,
    reading: &mut Reading,
) -> Result<Vec<[f64; 3]>, SceneError> {
    let radius = contact_radius(at, body)?;
    if radius == 0.0 {
        return Err(SceneError::new(&at.key("radius"), "is what grains are large by; give the body a radius above 0"));
    }
    let at_spacing = at.key("spacing");
    let spacing = match grains.spacing {
        Some(spacing) => check::number(&at_spacing, spacing, &check::LENGTH)?,
        None => SPACING * radius,
    };
    if spacing < 2.0 * radius {
        let least = check::display(2.0 * radius);
        let message = format!("would place grains in each other; raise it to {least} m, twice the radius, or more");
        return Err(SceneError::new(&at_spacing, message));
    }
    let at_mesh = at.key("mesh");
    let mut surface = surface_mesh(&at_mesh, &grains.mesh, reading)?;
    // Grains are no vertices.
    reading.renumbered.numbers.clear();
    check_closed(&at_mesh, &surface.triangles, &surface.positions).map_err(|error| reading.explain(error))?;
    let scale = check::vector(&at.key("scale"), body.scale, &check::SCALE)?;
    surface.positions.iter_mut().for_each(|x| *x = std::array::from_fn(|axis| x[axis] * scale[axis]));

    // So far each may go along each axis without that two meet, or one the surface.
    let free = spacing / 2.0 - radius;
    let margin = radius + 3_f64.sqrt() * free;
    let lattice = Lattice::within(&surface, spacing, margin);
    let points = lattice.counts.iter().fold(1_u128, |points, &count| points.saturating_mul(count as u128));
    if points > MAX_PARTICLES.into() {
        let message = format!(
            "has {points} places for grains around it, and {MAX_PARTICLES} can be looked at; make grains larger"
        );
        return Err(SceneError::new(&at_mesh, message));
    }
    let places = if points > 0 { lattice.inside(&surface, margin) } else { Vec::new() };
    if places.is_empty() {
        let message = format!("has no room for a grain of {} m; make it larger", check::display(radius));
        return Err(SceneError::new(&at_mesh, message));
    }
    let mut random = Random(1);
    let placed = |x: [f64; 3]| std::array::from_fn(|axis| (x[axis] + free * random.number()) / scale[axis]);
    Ok(places.into_iter().map(placed).collect())
}

/// The same numbers each time: SplitMix64 (Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    /// Between -1 and 1.
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        (bits >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}
