//! Numbers, vectors, rotations and nearest points, generic over the number where engines share them. Imports nothing.

#[doc(hidden)]
pub mod closest;
pub(crate) mod mask;
#[doc(hidden)]
pub mod polar;
pub(crate) mod random;
pub(crate) mod real;
pub(crate) mod rotation;
pub(crate) mod symmetric;
#[doc(hidden)]
pub mod turn;

pub(crate) use real::each;
pub use real::{Dual, Real, Vec3};
pub use rotation::{Rotations, Turning};
