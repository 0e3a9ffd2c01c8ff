//! The infrastructure of the oracle, in double precision.

mod euler;
mod newton;
pub mod pass;
pub(crate) mod points;
mod rest;
mod solid;
pub(crate) mod sweep;

pub use euler::{Euler, EulerError, Scheme};
pub use newton::NotConverged;
pub use solid::{Elastic, FiniteElements, Law};
