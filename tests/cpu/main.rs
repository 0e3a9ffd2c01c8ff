//! The solver on the CPU: against double precision and against theory, by the tests of the solver on a GPU where these ask for no more
//! than states; and what is its own: lanes, threads, snapshots.

#[path = "../common/billiards.rs"]
mod billiards;
#[path = "../common/breaking.rs"]
mod breaking;
#[path = "../common/inside.rs"]
mod inside;
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

#[path = "../gpu/air.rs"]
mod air;
#[path = "../gpu/bdf2.rs"]
mod bdf2;
#[path = "../gpu/bdf2_motion.rs"]
mod bdf2_motion;
#[path = "../gpu/bodies.rs"]
mod bodies;
#[path = "../gpu/damping.rs"]
mod damping;
#[path = "../gpu/dynamics.rs"]
mod dynamics;
#[path = "../gpu/fields.rs"]
mod fields;
#[path = "../gpu/hostile.rs"]
mod hostile;
#[path = "../gpu/impacts.rs"]
mod impacts;
#[path = "../gpu/kernels.rs"]
mod kernels;
#[path = "../gpu/led.rs"]
mod led;
#[path = "../gpu/levers.rs"]
mod levers;
#[path = "../gpu/live.rs"]
mod live;
#[path = "../gpu/many_colliders.rs"]
mod many_colliders;
#[path = "../gpu/matching.rs"]
mod matching;
#[path = "../gpu/nested_bodies.rs"]
mod nested_bodies;
#[path = "../gpu/nested_break.rs"]
mod nested_break;
#[path = "../gpu/pairs.rs"]
mod pairs;
#[path = "../gpu/physics.rs"]
mod physics;
#[path = "../gpu/piles.rs"]
mod piles;
#[path = "../gpu/placed.rs"]
mod placed;
#[path = "../gpu/proofs.rs"]
mod proofs;
#[path = "../gpu/real_contact.rs"]
mod real_contact;
#[path = "../gpu/rest.rs"]
mod rest;
#[path = "../gpu/rest_scenes.rs"]
mod rest_scenes;
#[path = "../gpu/segments.rs"]
mod segments;
#[path = "../gpu/shapes.rs"]
mod shapes;
#[path = "../gpu/stable.rs"]
mod stable;
#[path = "../gpu/tear.rs"]
mod tear;
#[path = "../gpu/tear_solid.rs"]
mod tear_solid;
#[path = "../gpu/tear_touching.rs"]
mod tear_touching;
#[path = "../gpu/touching.rs"]
mod touching;
#[path = "../gpu/tunnel.rs"]
mod tunnel;

mod changes;
mod device;
mod draped;
mod folds;
mod gallery;
mod heaps;
mod lanes;
mod precision;
mod pulled;
mod swings;
mod threads;
