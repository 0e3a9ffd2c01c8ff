//! The infrastructure of the oracle, in double precision.

pub(crate) mod air;
mod contact;
mod damping;
mod euler;
mod host;
mod nested;
mod newton;
mod pairs;
mod points;
mod rest;
mod segments;
mod solid;
mod sweep;
mod tear;

pub use euler::{Euler, EulerError, Scheme};
pub use host::*;
pub use newton::NotConverged;
pub use solid::{Elastic, FiniteElements, Law};
/// The levels over sheets, for the tests of the engine on the CPU.
#[cfg(all(test, feature = "cpu"))]
pub(crate) mod levels {
    pub use super::nested::{corrections, slack};
}
#[cfg(feature = "cpu")]
pub(crate) use tear::Tear;
