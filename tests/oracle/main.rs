//! The oracle against theory, all in double precision: the reference solver, the Euler schemes and finite elements, and what is told of a
//! model before and after it moves: levels, predictions, the numbers of a report. No device.

#[path = "../common/beam.rs"]
mod beam;
#[path = "../common/billiards.rs"]
mod billiards;
#[path = "../common/kinds.rs"]
mod kinds;
#[path = "../common/models.rs"]
mod models;
#[path = "../common/outlines.rs"]
mod outlines;
#[path = "../common/proof.rs"]
mod proof;
#[path = "../common/random.rs"]
mod random;
#[path = "../common/sheets.rs"]
mod sheets;

// Of the tests of every engine those that ask of colliders: every shape, and that nothing passes.
#[path = "../engines/shapes.rs"]
mod shapes;
#[path = "../engines/tunnel.rs"]
mod tunnel;
// Those that animations drive.
#[path = "../engines/driven.rs"]
mod driven;
// Fluids.
#[path = "../engines/flows.rs"]
mod flows;
#[path = "../engines/fluid.rs"]
mod fluid;
// Rods.
#[path = "../engines/joints.rs"]
mod joints;
#[path = "../engines/releases.rs"]
mod releases;
#[path = "../engines/reshaping.rs"]
mod reshaping;
#[path = "../engines/rods.rs"]
mod rods;
// And those of surfaces that touch.
#[path = "../engines/driven_surfaces.rs"]
mod driven_surfaces;
#[path = "../engines/surfaces.rs"]
mod surfaces;
#[path = "../engines/tangled.rs"]
mod tangled;

mod bdf2;
mod contacts;
mod device;
mod elements;
mod euler;
mod levels;
mod measure;
mod pairs;
mod segments;
mod solid;
mod stable;
mod statics;
mod xpbd;

use pliant::constraint::Vec3;

/// Where nothing but rounding should be left: velocities are differences of positions over h, so each substep rounds them by
/// 1e-16 m / h, and errors grow with the square of some thousand substeps.
const ROUNDING: f64 = 1e-9;

#[track_caller]
fn assert_close(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual} is not {expected} to {tolerance}");
}

/// The largest distance of a particle between two states, m.
fn apart(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    proof::largest(a.iter().zip(b).map(|(&a, &b)| (Vec3::from(a) - Vec3::from(b)).length()))
}
