//! The air: drag and lift of triangles, drag of cylinders along strands and of balls, in a wind.

#[cfg(feature = "cpu")]
pub(crate) mod cpu;
#[cfg(feature = "gpu")]
pub(crate) mod gpu;
pub(crate) mod reference;
