//! What a collider's shape takes from samples at the nodes of a lattice, over f64 for the reference and over one f32 or
//! several side by side for the CPU engine. So all of it is inlined always, with selects in place of branches and
//! without closures: see `src/cpu/lanes`.

use crate::math::{Dual, Real};

/// A number that picks a node.
pub(crate) trait Number: Real {
    /// Of each lane.
    type Node: Copy;

    /// Whether it is set in any lane.
    fn any(mask: Self::Mask) -> bool;

    /// The first of two neighbouring nodes around a place, 0 to the last node, and the share of the way between them.
    fn between(place: Self, nodes: u32) -> (Self::Node, Self);

    /// The node so many rows of so many nodes further.
    fn further(node: Self::Node, rows: Self::Node, row: u32) -> Self::Node;

    /// The number at so many nodes behind one.
    fn sample(samples: &[f32], node: Self::Node, behind: u32) -> Self;
}

macro_rules! number {
    ($number:ty) => {
        impl Number for $number {
            type Node = u32;
            #[inline(always)]
            fn any(mask: bool) -> bool {
                mask
            }
            #[inline(always)]
            fn between(place: Self, nodes: u32) -> (u32, Self) {
                let first = (f64::from(place) as u32).min(nodes - 2);
                (first, place - Self::from_f64(first.into()))
            }
            #[inline(always)]
            fn further(node: u32, rows: u32, row: u32) -> u32 {
                node + rows * row
            }
            #[inline(always)]
            fn sample(samples: &[f32], node: u32, behind: u32) -> Self {
                Self::from_f64(samples[(node + behind) as usize].into())
            }
        }
    };
}

number!(f64);
number!(f32);
number!(Dual);

/// Samples at the nodes of a lattice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a, R> {
    /// m; x runs fastest, then y or, of heights, z.
    pub samples: &'a [f32],
    /// Along x, y and z; of heights along x and z.
    pub nodes: [u32; 3],
    /// Width of a cell of a grid, m; of heights the share of the distance that is surely free, 1/√(1 + s²) with the
    /// steepest slope s.
    pub cell: R,
}

impl<R: Real> Field<'_, R> {
    /// Of a shape that goes by none.
    pub fn none() -> Self {
        Self { samples: &[], nodes: [0; 3], cell: R::from_f64(0.0) }
    }
}
