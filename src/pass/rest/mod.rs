//! Rest values that change, along curves and by yielding.

#[cfg(feature = "cpu")]
pub(crate) mod cpu;
#[cfg(feature = "gpu")]
pub(crate) mod gpu;
