//! Numbers, vectors, rotations and nearest points, generic over the number where engines share them. Imports nothing.

pub(crate) mod closest;
pub(crate) mod mask;
pub(crate) mod polar;
pub(crate) mod real;
pub(crate) mod rotation;

pub(crate) use real::each;
pub use real::{Dual, Real, Vec3};
pub use rotation::{Rotations, Turning};
