//! The solver on the CPU: against double precision and against theory, by the tests of the solver on a GPU where these ask for no more
//! than states; and what is its own: lanes, threads, snapshots.

#[path = "../common/billiards.rs"]
mod billiards;
#[path = "../common/blob.rs"]
mod blob;
#[path = "../common/beam.rs"]
mod clamped;
#[path = "../common/draped.rs"]
mod draped;
#[path = "../common/inside.rs"]
mod inside;
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
#[path = "../engines/beam.rs"]
mod beam;
#[path = "../engines/begins_inside.rs"]
mod begins_inside;
#[path = "../engines/bend.rs"]
mod bend;
#[path = "../engines/bodies.rs"]
mod bodies;
#[path = "../engines/collider_scenes.rs"]
mod collider_scenes;
#[path = "../engines/damping.rs"]
mod damping;
#[path = "../engines/driven.rs"]
mod driven;
#[path = "../engines/driven_surfaces.rs"]
mod driven_surfaces;
#[path = "../engines/dynamics.rs"]
mod dynamics;
#[path = "../engines/flows.rs"]
mod engine_flows;
#[path = "../engines/fields.rs"]
mod fields;
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
#[path = "../engines/motions/mod.rs"]
mod motions;
#[path = "../engines/nested_bodies.rs"]
mod nested_bodies;
#[path = "../engines/nested_motion.rs"]
mod nested_motion;
#[path = "../engines/nested_scenes.rs"]
mod nested_scenes;
#[path = "../engines/pairs.rs"]
mod pairs;
#[path = "../engines/physics.rs"]
mod physics;
#[path = "../engines/piles.rs"]
mod piles;
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
#[path = "../engines/rest_scenes.rs"]
mod rest_scenes;
#[path = "../engines/rods.rs"]
mod rods;
#[path = "../engines/segments.rs"]
mod segments;
#[path = "../engines/shapes.rs"]
mod shapes;
#[path = "../engines/solid.rs"]
mod solid;
#[path = "../engines/stable.rs"]
mod stable;
#[path = "../engines/strain.rs"]
mod strain;
#[path = "../engines/surface_motion.rs"]
mod surface_motion;
#[path = "../engines/surfaces.rs"]
mod surfaces;
#[path = "../engines/tangled.rs"]
mod tangled;
#[path = "../engines/tear.rs"]
mod tear;
#[path = "../engines/tear_scenes.rs"]
mod tear_scenes;
#[path = "../engines/tear_solid.rs"]
mod tear_solid;
#[path = "../engines/tear_touching.rs"]
mod tear_touching;
#[path = "../engines/touching.rs"]
mod touching;
#[path = "../engines/tunnel.rs"]
mod tunnel;

mod buckling;
mod changes;
mod dancer;
mod device;
mod drops;
mod flow_scenes;
mod flows;
mod fluids;
mod folds;
mod framing;
mod gallery;
mod gallery_motion;
mod guarded;
mod heaps;
mod joint_scenes;
mod lanes;
mod on_a_blob;
mod plectoneme;
mod precision;
mod pulled;
mod robots;
mod rod_scenes;
mod shape_scenes;
mod stillness;
mod surface_proofs;
mod surface_scenes;
mod swings;
mod threads;
