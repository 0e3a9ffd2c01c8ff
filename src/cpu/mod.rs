//! The infrastructure of the engine on the CPU: threads, lanes, blocks of constraints and how they are solved.

mod advance;
mod air;
mod alike;
mod beside;
mod blocks;
mod bounds;
mod change;
mod check;
mod clusters;
mod contact;
mod cover;
mod damping;
mod detect;
mod error;
mod frame;
mod group;
mod host;
mod lanes;
mod law;
mod lists;
mod nested;
mod nets;
mod order;
mod pairs;
mod particles;
mod past;
mod pressed;
mod pulls;
mod pushing;
mod readout;
mod rest;
mod schedule;
mod search;
mod segments;
mod shared;
mod single;
mod snapshot;
mod solve;
mod staged;
mod team;
mod tear;
mod ties;
mod tiles;
mod touch;

pub use error::CpuError;
pub(crate) use group::Group;
pub use host::*;
pub use lanes::Instructions;
#[doc(hidden)]
pub use solve::{Task, evaluate, solve};
#[doc(hidden)]
pub use team::Team;
