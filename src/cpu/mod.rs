//! The infrastructure of the engine on the CPU: threads, lanes, blocks of constraints and how they are solved.

pub(crate) mod advance;
pub(crate) mod alike;
pub(crate) mod blocks;
pub(crate) mod boxes;
pub(crate) mod check;
mod error;
pub(crate) mod frame;
mod group;
pub(crate) mod lanes;
pub(crate) mod lists;
pub(crate) mod multiplier;
pub(crate) mod order;
pub(crate) mod particles;
pub mod pass;
pub(crate) mod past;
pub(crate) mod schedule;
pub(crate) mod shared;
pub(crate) mod single;
pub(crate) mod solve;
pub(crate) mod staged;
pub(crate) mod sweep;
pub(crate) mod team;

pub use error::CpuError;
pub(crate) use group::Group;
pub use lanes::Instructions;
#[doc(hidden)]
pub use solve::{Loops, Task, evaluate};
#[doc(hidden)]
pub use team::Team;
