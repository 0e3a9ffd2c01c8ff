//! Files out: whole or absent, never half-written.

pub mod atomic;
pub mod csv;
pub mod picture;
