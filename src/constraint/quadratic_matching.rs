//! How far any number of particles are off the nearest image of their rest shape by
//! polynomials of the second degree, which stretches, shears, bends and twists it: the formulas are in `modes.rs`.

use super::modes::{QUADRATIC, matching};
use super::{Arity, Constraint, Listed, Members, Real, RestValue, ShapeMatching, Symmetry, Vec3, Weight, Whole};

matching!(QuadraticMatching, "quadratic_matching", QUADRATIC);
