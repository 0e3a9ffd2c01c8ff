//! More surfaces in one place than most.

use crate::surfaces::lying;

/// Small sheets in a stack, of which each would touch a dozen neighbours, were they not placed so, above a fixed one.
pub fn crowded_stack() -> String {
    let mut text = lying(2, 0.3, [0.0; 3], "pin = [{ box = [[-9, -9, -9], [9, 9, 9]] }]");
    for k in 1..48 {
        text += &lying(2, 0.03, [0.003 * f64::from(k), 0.1 * f64::from(k), 0.0], "velocity = [0, -1, 0]");
    }
    text.replace("radius = 0.001", "radius = 0.02")
}
