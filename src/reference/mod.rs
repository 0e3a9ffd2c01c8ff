//! The slow, obvious, double-precision solver over the same constraints: the oracle.
