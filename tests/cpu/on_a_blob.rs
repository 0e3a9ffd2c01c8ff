//! Cloth falls on an irregular closed mesh and comes to rest, outside of it.

use crate::blob::blob;
use crate::device::Running;
use crate::draped::{assert_lands, assert_outside, draped, mean_speed, solid};
use crate::proof;

/// After nine seconds it lies still, although the normals of a grid of distances jump from cell to cell.
#[test]
fn cloth_comes_to_rest_on_an_irregular_mesh() {
    let (collider, inside) = solid(blob(40), 1.0, 0.0);
    let model = draped(collider, 1.4, 1.1);
    assert_lands("a cloth on a blob", &model, &inside);
    let state = Running::new(&model).run(540);
    assert_outside("a cloth on a blob", &state, &inside);
    // It fell for a fifth of a second at least, to 2 m/s; what swings is damped by e^(-2 t).
    proof::row("a cloth on a blob: mean speed after 9 s", "0", 1e3 * mean_speed(&state), 1.0, "mm/s");
}
