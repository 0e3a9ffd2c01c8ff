//! What every engine must do, on a graphics card: motions that take a software device many minutes. `cargo test --release --test card` runs
//! them; the CPU engine's tests have the same ones.

#[path = "../engines/balloon.rs"]
mod balloon;
#[path = "../engines/bdf2_motion.rs"]
mod bdf2_motion;
#[path = "../engines/beam.rs"]
mod beam;
#[path = "../common/billiards.rs"]
mod billiards;
#[path = "../engines/bodies.rs"]
mod bodies;
#[path = "../common/beam.rs"]
mod clamped;
#[path = "../engines/collider_scenes.rs"]
mod collider_scenes;
#[path = "../engines/damping.rs"]
mod damping;
#[path = "../gpu/device.rs"]
#[allow(dead_code, reason = "the other tests of the solver on a GPU use more of it")]
mod device;
#[path = "../engines/dynamics.rs"]
mod dynamics;
#[path = "../engines/fields.rs"]
mod fields;
#[path = "../engines/joints.rs"]
mod joints;
#[path = "../engines/kernels.rs"]
mod kernels;
#[path = "../common/kinds.rs"]
mod kinds;
#[path = "../engines/matching.rs"]
mod matching;
#[path = "../common/models.rs"]
mod models;
#[path = "../engines/motions/mod.rs"]
mod motions;
#[path = "../engines/nested_motion.rs"]
mod nested_motion;
#[path = "../engines/nested_scenes.rs"]
mod nested_scenes;
#[path = "../common/pieces.rs"]
mod pieces;
#[path = "../engines/piles.rs"]
mod piles;
#[path = "../common/proof.rs"]
mod proof;
#[path = "../common/random.rs"]
mod random;
#[path = "../engines/reshaping.rs"]
mod reshaping;
#[path = "../engines/rest_scenes.rs"]
mod rest_scenes;
#[path = "../common/sheets.rs"]
mod sheets;
#[path = "../engines/solid.rs"]
mod solid;
#[path = "../engines/stable.rs"]
mod stable;
#[path = "../engines/surface_motion.rs"]
mod surface_motion;
#[path = "../engines/surfaces.rs"]
mod surfaces;
#[path = "../engines/tear.rs"]
mod tear;
#[path = "../engines/tear_scenes.rs"]
mod tear_scenes;
#[path = "../engines/tear_solid.rs"]
mod tear_solid;
