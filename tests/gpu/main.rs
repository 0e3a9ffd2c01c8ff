//! The solver on a GPU, a software one included: against its double-precision twins, and against theory. A machine without any
//! adapter fails these tests; `make setup` installs one.

#[path = "../common/billiards.rs"]
mod billiards;
#[path = "../common/breaking.rs"]
mod breaking;
#[path = "../common/beam.rs"]
mod clamped;
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

mod air;
mod angle;
mod balloon;
mod bdf2;
mod bdf2_motion;
mod beam;
mod bend;
mod bodies;
mod clusters;
mod collider_scenes;
mod costs;
mod crowd;
mod damping;
mod device;
mod dynamics;
mod fields;
mod heat;
mod hostile;
mod impacts;
mod islands;
mod kernels;
mod led;
mod levers;
mod live;
mod many_colliders;
mod matching;
mod nested;
mod nested_bodies;
mod nested_break;
mod nested_motion;
mod nested_scenes;
mod nested_shells;
mod pairs;
mod physics;
mod piles;
mod placed;
mod precision;
mod proofs;
mod real_contact;
mod real_solids;
mod rest;
mod rest_scenes;
mod robust;
mod room;
mod segments;
mod shapes;
mod skin;
mod solid;
mod stable;
mod strain;
mod strange_kinds;
mod symmetry;
mod tear;
mod tear_device;
mod tear_solid;
mod tear_touching;
mod texels;
mod touching;
mod tunnel;
mod vocabulary;
