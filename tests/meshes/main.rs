//! The main jobs on real meshes, on the CPU engine and by the command. They read the folder that `PLIANT_MESHES` names, with the bunny, the torus
//! and the armadillo, and are run by `PLIANT_MESHES=... cargo test --test meshes` alone: what all clones can do is in the other tests.

#[path = "../common/closed.rs"]
mod closed;
#[path = "../cpu/device.rs"]
#[allow(dead_code, unused_imports, reason = "the tests of the CPU engine use more of it")]
mod device;
#[path = "../common/draped.rs"]
mod draped;
#[path = "../common/inside.rs"]
mod inside;
#[path = "../common/pieces.rs"]
mod pieces;
#[path = "../common/proof.rs"]
mod proof;
#[path = "../common/sheets.rs"]
mod sheets;
#[path = "../common/skins.rs"]
mod skins;
#[path = "../model/mesh/files/write.rs"]
mod write;

mod contact;
mod files;
mod report;
mod shells;
mod solids;
