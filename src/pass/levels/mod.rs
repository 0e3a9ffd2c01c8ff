//! Levels over stiff sheets and ropes: coarse nets that carry their load ([`crate::plan::levels`]).

#[cfg(feature = "cpu")]
pub(crate) mod cpu;
#[cfg(feature = "gpu")]
pub(crate) mod gpu;
pub(crate) mod reference;
