//! What a collider's shape takes from samples at the nodes of a lattice, over f64 for the reference and over f32 for the CPU engine.

use crate::constraint::Real;

/// A number that picks a node.
pub(crate) trait Number: Real<Mask = bool> + Into<f64> {}

impl<R: Real<Mask = bool> + Into<f64>> Number for R {}

/// Samples at the nodes of a lattice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a, R> {
    /// m; x runs fastest, then y or, of heights, z.
    pub samples: &'a [f32],
    /// Along x, y and z; of heights along x and z.
    pub nodes: [u32; 3],
    /// Width of a cell of a grid, m; of heights the share of the distance that is surely free, 1/√(1 + s²) with the steepest slope s.
    pub cell: R,
}

impl<R: Real> Field<'_, R> {
    /// Of a shape that goes by none.
    pub fn none() -> Self {
        Self { samples: &[], nodes: [0; 3], cell: R::from_f64(0.0) }
    }

    /// The number at a node.
    pub fn at(&self, node: usize) -> R {
        R::from_f64(self.samples[node].into())
    }
}

pub(crate) fn zero<R: Real>() -> R {
    R::from_f64(0.0)
}

pub(crate) fn clamp<R: Number>(value: R, low: R, high: R) -> R {
    let raised = if value.greater(low) { value } else { low };
    if raised.greater(high) { high } else { raised }
}

/// `a` at a share of 0, `b` at 1.
pub(crate) fn mix<R: Real>(a: R, b: R, share: R) -> R {
    a + (b - a) * share
}

/// The first of two neighbouring nodes around a place, 0 to the last node, and the share of the way between them.
pub(crate) fn between<R: Number>(place: R, nodes: u32) -> (usize, R) {
    let first = (place.into() as u32).min(nodes - 2);
    (first as usize, place - R::from_f64(first.into()))
}
