//! Files out.

pub mod picture;
