//! Things by where they are: a tree of their boxes, as one list that is walked without a stack.

/// A box along the axes.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub low: [f64; 3],
    pub high: [f64; 3],
}

impl Extent {
    const EMPTY: Self = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    /// Of some points; `None` if one is missing.
    pub fn of<const N: usize>(points: [Option<[f64; 3]>; N]) -> Option<Self> {
        points.into_iter().try_fold(Self::EMPTY, |all, point| Some(all.with(Self { low: point?, high: point? })))
    }

    fn with(self, other: Self) -> Self {
        Self {
            low: std::array::from_fn(|axis| self.low[axis].min(other.low[axis])),
            high: std::array::from_fn(|axis| self.high[axis].max(other.high[axis])),
        }
    }

    fn meets(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }

    fn middle(&self) -> [f64; 3] {
        // Halves first: their sum is finite.
        std::array::from_fn(|axis| 0.5 * self.low[axis] + 0.5 * self.high[axis])
    }
}

/// A list of nodes, each before those within it.
pub(super) struct BoxTree(Vec<Node>);

struct Node {
    extent: Extent,
    /// `INNER` for a node with nodes within.
    item: u32,
    /// The node that comes next where this one is not met.
    skip: u32,
}

const INNER: u32 = u32::MAX;

impl BoxTree {
    /// Of items with their boxes.
    pub fn new(mut members: Vec<(u32, Extent)>) -> Self {
        let mut nodes = Vec::with_capacity(2 * members.len());
        if !members.is_empty() {
            branch(&mut members, &mut nodes);
        }
        Self(nodes)
    }

    /// The items whose boxes meet a box, in the order of the tree.
    pub fn met(&self, extent: Extent) -> impl Iterator<Item = u32> + '_ {
        let mut next = 0;
        std::iter::from_fn(move || {
            loop {
                let node = self.0.get(next)?;
                let met = node.extent.meets(&extent);
                next = if met { next + 1 } else { node.skip as usize };
                if met && node.item != INNER {
                    return Some(node.item);
                }
            }
        })
    }
}

/// Adds the tree of some items: a half of them on either side of the middle one, along the axis along which they are
/// spread most.
fn branch(members: &mut [(u32, Extent)], nodes: &mut Vec<Node>) {
    if let [(item, extent)] = *members {
        return nodes.push(Node { extent, item, skip: nodes.len() as u32 + 1 });
    }
    let node = nodes.len();
    let (all, middles) = members.iter().fold((Extent::EMPTY, Extent::EMPTY), |(all, middles), (_, extent)| {
        let middle = extent.middle();
        (all.with(*extent), middles.with(Extent { low: middle, high: middle }))
    });
    nodes.push(Node { extent: all, item: INNER, skip: 0 });
    let spread = |axis: usize| 0.5 * middles.high[axis] - 0.5 * middles.low[axis];
    let axis = (0..3).max_by(|&a, &b| spread(a).total_cmp(&spread(b))).unwrap_or(0);
    let half = members.len() / 2;
    members.select_nth_unstable_by(half, |(a, one), (b, other)| {
        one.middle()[axis].total_cmp(&other.middle()[axis]).then(a.cmp(b))
    });
    let (lower, upper) = members.split_at_mut(half);
    branch(lower, nodes);
    branch(upper, nodes);
    nodes[node].skip = nodes.len() as u32;
}
