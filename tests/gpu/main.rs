//! The solver on a GPU, a software one included: against its double-precision twins, and against theory. A machine without any
//! adapter fails these tests; `make setup` installs one.

#[path = "../common/billiards.rs"]
mod billiards;
#[path = "../common/blob.rs"]
mod blob;
#[path = "../common/beam.rs"]
mod clamped;
#[path = "../common/kinds.rs"]
mod kinds;
#[path = "../common/models.rs"]
mod models;
#[path = "../common/outlines.rs"]
mod outlines;
#[path = "../common/pieces.rs"]
mod pieces;
#[path = "../common/proof.rs"]
mod proof;
#[path = "../common/random.rs"]
mod random;
#[path = "../common/sheets.rs"]
mod sheets;
#[path = "../common/skins.rs"]
mod skins;
#[path = "../common/stack.rs"]
mod stack;

#[path = "../engines/air.rs"]
mod air;
#[path = "../engines/balloon.rs"]
mod balloon;
#[path = "../engines/bdf2.rs"]
mod bdf2;
#[path = "../engines/bdf2_motion.rs"]
mod bdf2_motion;
#[path = "../engines/begins_inside.rs"]
mod begins_inside;
#[path = "../engines/bend.rs"]
mod bend;
#[path = "../engines/damping.rs"]
mod damping;
#[path = "../engines/driven.rs"]
mod driven;
#[path = "../engines/fields.rs"]
mod fields;
#[path = "../engines/flows.rs"]
mod flows;
#[path = "../engines/fluid.rs"]
mod fluid;
#[path = "../engines/friction.rs"]
mod friction;
#[path = "../engines/hostile.rs"]
mod hostile;
#[path = "../engines/impacts.rs"]
mod impacts;
#[path = "../engines/jacobi.rs"]
mod jacobi;
#[path = "../engines/joints.rs"]
mod joints;
#[path = "../engines/kernels.rs"]
mod kernels;
#[path = "../engines/led.rs"]
mod led;
#[path = "../engines/levers.rs"]
mod levers;
#[path = "../engines/live.rs"]
mod live;
#[path = "../engines/many_colliders.rs"]
mod many_colliders;
#[path = "../engines/matching.rs"]
mod matching;
#[path = "../engines/nested_bodies.rs"]
mod nested_bodies;
#[path = "../engines/pairs.rs"]
mod pairs;
#[path = "../engines/physics.rs"]
mod physics;
#[path = "../engines/placed.rs"]
mod placed;
#[path = "../engines/proofs.rs"]
mod proofs;
#[path = "../engines/releases.rs"]
mod releases;
#[path = "../engines/reshaping.rs"]
mod reshaping;
#[path = "../engines/rest.rs"]
mod rest;
#[path = "../engines/rods.rs"]
mod rods;
#[path = "../engines/segments.rs"]
mod segments;
#[path = "../engines/shapes.rs"]
mod shapes;
#[path = "../engines/strain.rs"]
mod strain;
#[path = "../engines/surfaces.rs"]
mod surfaces;
#[path = "../engines/tear.rs"]
mod tear;
#[path = "../engines/tear_solid.rs"]
mod tear_solid;
#[path = "../engines/tear_touching.rs"]
mod tear_touching;
#[path = "../engines/touching.rs"]
mod touching;
#[path = "../engines/tunnel.rs"]
mod tunnel;

mod adapters;
mod angle;
mod clusters;
mod costs;
mod crowd;
mod device;
mod fluids;
mod heat;
mod islands;
mod laws;
mod nested;
mod nested_shells;
mod precision;
mod robust;
mod room;
mod skin;
mod strange_kinds;
mod symmetry;
mod tear_device;
mod vocabulary;
