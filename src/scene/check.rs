//! Which numbers make sense where. The solver works in single precision: bounds keep squares and products of what
//! passes here well inside its range of 3e38.

use super::error::{Path, SceneError};
#[cfg(feature = "mesh-colliders")]
use crate::mesh::distance::{LEAST_CELLS, MOST_CELLS};

/// The numbers that a key takes.
pub(super) struct Range {
    min: f64,
    max: f64,
    /// Whether `min` itself is out.
    above: bool,
    /// Unit, with a space before it.
    unit: &'static str,
    /// What to do, with `; ` before it.
    remedy: &'static str,
}

const fn range(min: f64, max: f64, unit: &'static str, remedy: &'static str) -> Range {
    Range { min, max, above: false, unit, remedy }
}
const fn above(min: f64, max: f64, unit: &'static str, remedy: &'static str) -> Range {
    Range { min, max, above: true, unit, remedy }
}

pub(super) const COORDINATE: Range = range(-1e9, 1e9, " m", "; bring the scene nearer to the origin or scale it down");
pub(super) const LENGTH: Range = above(0.0, 1e9, " m", "; give a length above 0");
pub(super) const RADIUS: Range = range(0.0, 1e9, " m", "; 0 touches at the particle itself");
pub(super) const SCALE: Range = above(0.0, 1e9, "", "; 1 leaves the size as it is");
pub(super) const VELOCITY: Range = range(-1e6, 1e6, " m/s", "; speeds are below 1e6 m/s");
pub(super) const ANGULAR_VELOCITY: Range = range(-1e6, 1e6, " rad/s", "; a turn a second is 6.28 rad/s");
pub(super) const WIND: Range = range(-1e4, 1e4, " m/s", "; a storm has 30 m/s");
pub(super) const AIR_DENSITY: Range = range(0.0, 1e5, " kg/m³", "; air has 1.2, water 1000");
pub(super) const AIR: Range = range(0.0, 1e4, "", "; 0 is none, a plate has a drag of 1.1");
pub(super) const SPEED_LIMIT: Range = above(0.0, 1e6, " m/s", "; leave it out for no limit");
pub(super) const PUSH_OUT_SPEED: Range = above(0.0, 1e6, " m/s", "; 1 is usual, and 1e6 pushes out at once");
pub(super) const GRAVITY: Range = range(-1e6, 1e6, " m/s²", "; the Earth's is [0.0, -9.81, 0.0]");
pub(super) const MASS: Range = range(0.0, 1e15, " kg", "; 0 fixes a particle where it is");
/// The least mass of a particle that moves: its inverse must stay in single precision.
pub(super) const LEAST_MASS: f64 = 1e-20;
/// Of each entry, also those below 0.
pub(super) const INERTIA: Range = range(-1e15, 1e15, " kg m²", "; a solid of 1 kg and 1 m has about 0.1");
pub(super) const SOLID_DENSITY: Range = range(0.0, 1e15, " kg/m³", "; water has 1000 kg/m³");
pub(super) const SPACING: Range = range(1e-6, 1e6, " m", "; 0.02 is usual for a tub");
pub(super) const VISCOSITY: Range = range(0.0, 1e9, " Pa s", "; water has 0.001, honey 10");
pub(super) const SURFACE_TENSION: Range = range(0.0, 1e6, " N/m", "; water has 0.072");
pub(super) const CONTACT_ANGLE: Range = range(0.0, std::f64::consts::PI, " rad", "; a right angle is 1.5708");
pub(super) const BULK_MODULUS: Range =
    range(0.0, 1e15, " Pa", "; leave it out for a fluid that is as stiff as the sweeps make it");
pub(super) const YOUNG_MODULUS: Range = above(0.0, 1e15, " Pa", "; rubber has 1e6, fat 1e3");
/// At 0.5 the volume would be rigid.
pub(super) const POISSON_RATIO: Range = range(0.0, 0.49, "", "; 0.3 is usual, 0.45 to 0.49 is rubber");
pub(super) const DENSITY: Range = range(0.0, 1e15, " kg/m²", "; cotton has 0.15 kg/m²");
pub(super) const FRICTION: Range = range(0.0, 1e6, "", "; 0 slides freely, 1 holds on a slope of 45°");
pub(super) const SHARE: Range = range(0.0, 1.0, "", "; 0 is none, 1 is all");
/// With the shortest substep, 1e-10 s, α/h² is at most 1e32 and αβ/h at most 1e34.
pub(super) const COMPLIANCE: Range = range(0.0, 1e12, "", "; 0 is rigid, larger is softer");
pub(super) const DAMPING_RATE: Range = range(0.0, 1e6, " 1/s", "; 0 is none, 10 calms within half a second");
pub(super) const DAMPING: Range = range(0.0, 1e12, "", "; 0 is no damping");
pub(super) const FORCE: Range = range(-1e15, 1e15, " N", "; it acts on each of its particles");
pub(super) const ADHESION: Range = range(0.0, 1e15, " N", "; 0 holds nothing");
pub(super) const GROUP: Range = range(0.0, 31.0, "", "; there are 32 groups");
pub(super) const BREAK_FORCE: Range = above(0.0, 1e15, " N", "; leave it out for a constraint that never breaks");
pub(super) const BREAK_MOMENT: Range = above(0.0, 1e15, " N m", "; leave it out for a joint that never breaks by it");
pub(super) const TEAR_STRESS: Range = above(0.0, 1e15, " Pa", "; leave it out for a solid that never tears");
pub(super) const YIELD: Range = range(0.0, 1e6, "", "; leave it out for a constraint that never yields");
pub(super) const CREEP: Range = above(0.0, 1e12, " 1/s", "; leave it out to flow at once");
pub(super) const FACTOR: Range = range(0.0, 1e6, "", "; it multiplies the rest value, and 1 leaves it as built");
pub(super) const BLEND: Range = range(-10.0, 10.0, "", "; 0 is nothing of it, 1 is all");
pub(super) const OFFSET: Range = range(-1e9, 1e9, "", "; it is added to the rest value, and 0 leaves it as built");
#[cfg(feature = "scene-files")]
pub(super) const POSE: Range = range(-1e9, 1e9, "", "; rad or m, and leave it out for 0");
pub(super) const PERIOD: Range = above(0.0, 1e9, " s", "; leave it out for keyframes that do not repeat");
#[cfg(feature = "mesh-colliders")]
pub(super) const DISTANCE_CELLS: Range = range(LEAST_CELLS as f64, MOST_CELLS as f64, "", "; 64 shows most shapes");
/// A volume of the largest extent, 1e9 m.
pub(super) const REST: Range = range(0.0, 1e27, "", "; leave it out for the value as placed");
pub(super) const SIGNED_REST: Range = range(-1e27, 1e27, "", "; leave it out for the value as placed");
pub(super) const REST_LENGTH: Range = range(0.0, 1e9, " m", "; leave it out for the value as placed");
pub(super) const REST_COORDINATE: Range = range(-1e9, 1e9, " m", "; leave it out for the value as placed");
/// A turn either way.
pub(super) const REST_ANGLE: Range = range(-std::f64::consts::TAU, std::f64::consts::TAU, " rad", "; 90° is 1.5708");
/// Shares, weights and components of directions.
pub(super) const REST_NUMBER: Range = range(-1e6, 1e6, "", "; leave it out for the value as placed");
/// Of elements of the least size that there may be, 1e-10 m.
pub(super) const REST_INVERSE: Range = range(-1e10, 1e10, " 1/m", "; leave it out for the value as placed");
pub(super) const PLAYBACK: Range = range(1e-3, 1e3, "", "; 1 is as fast as recorded, 2 twice as fast");
pub(super) const START: Range = range(0.0, 1e9, " s", "; the simulation begins at 0 s");
pub(super) const SLACK: Range = range(1.0, 1e6, "", "; 1 is the way along the mesh, 1.05 allows 5 % more");
pub(super) const NEAREST: Range = range(1.0, 8.0, "", "; 1 ties each particle to the pin that is nearest");
pub(super) const DURATION: Range = range(0.0, 1e9, " s", "; leave it out to go on for ever");
pub(super) const TIME: Range = range(-1e9, 1e9, " s", "; the simulation begins at 0 s");
pub(super) const FRAME_RATE: Range = range(0.01, 1e5, " Hz", "; 60 is usual");
pub(super) const SWEEPS: Range = range(1.0, 1e5, "", "; 1 to 50 is usual");
pub(super) const COLOURS: Range = range(1.0, 64.0, "", "; 64 is usual");
pub(super) const SPARES: Range = range(1.0, 4e9, "", "; leave it out for as many as the mesh has vertices");
pub(super) const RELAXATION: Range = above(0.0, 1.999, "", "; 1 is plain, and at 2 it no longer converges");
pub(super) const FIELD_OF_VIEW: Range = range(1.0, 170.0, "°", "; 40 is usual");
const COMPONENT: Range = range(-1e9, 1e9, "", "; give a direction of any length but 0");

/// Refuses what is not finite or out of range.
pub(super) fn number(at: &Path, value: f64, range: &Range) -> Result<f64, SceneError> {
    let (min, max) = (range.min, range.max);
    if value >= min && value <= max && !(range.above && value == min) {
        return Ok(value);
    }
    let from = if range.above { "above" } else { "from" };
    let message = format!(
        "must be a finite number {from} {} to {}{}, found {}{}",
        display(min),
        display(max),
        range.unit,
        display(value),
        range.remedy
    );
    Err(SceneError::new(at, message))
}

pub(super) fn vector<const N: usize>(at: &Path, value: [f64; N], range: &Range) -> Result<[f64; N], SceneError> {
    for (i, component) in value.into_iter().enumerate() {
        number(&at.index(i), component, range)?;
    }
    Ok(value)
}

/// A direction or a quaternion, brought to length 1.
pub(super) fn unit<const N: usize>(at: &Path, value: [f64; N]) -> Result<[f64; N], SceneError> {
    for (i, component) in value.into_iter().enumerate() {
        number(&at.index(i), component, &COMPONENT)?;
    }
    let length = value.iter().map(|c| c * c).sum::<f64>().sqrt();
    // Shorter ones are rounding errors of what was meant to be zero.
    if length < 1e-9 {
        return Err(SceneError::new(at, "must not be zero; give a direction of any length but 0"));
    }
    Ok(value.map(|c| c / length))
}

/// Refuses a list that is not as long as another.
pub(super) fn length(at: &Path, found: usize, expected: usize, of: &str) -> Result<(), SceneError> {
    if found == expected {
        return Ok(());
    }
    Err(SceneError::new(at, format!("has {found} entries for {expected} {of}; give one for each")))
}

/// As people write it: 0.1, 1000000, 1e9, 1e-7.
pub(super) fn display(value: f64) -> String {
    if value == 0.0 || (1e-4..1e7).contains(&value.abs()) { format!("{value}") } else { format!("{value:e}") }
}
