//! Constraints of all kinds, colour by colour. The oracle's sweep and that of the engine on the CPU are their
//! infrastructure, `reference/sweep.rs` and `cpu/solve.rs`.

#[cfg(feature = "gpu")]
pub(crate) mod gpu;
