//! How far any number of particles are off the nearest image of their rest shape by
//! polynomials of the first degree, which stretches and shears it: the formulas are in `modes.rs`.

use super::modes::{LINEAR, matching};
use super::{Arity, Constraint, Listed, Members, Real, RestValue, ShapeMatching, Symmetry, Vec3, Weight, Whole};

matching!(LinearMatching, "linear_matching", LINEAR);
