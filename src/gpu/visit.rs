//! Visits to constraints: how the legs of a sweep ([`Plan::sweep`](crate::Plan::sweep)) become dispatches, or stages of
//! a kernel that does many.

use crate::constraint::Kind;
use crate::model::Settings;
use crate::plan::{Leg, Way};

/// Bits of `Batch::visit` in `shaders/lib/batch.wgsl`.
const OPENS: u32 = 1;
const CLOSES: u32 = 2;
const BACK: u32 = 4;
/// How many values these have.
pub const VISITS: u32 = 8;
/// The dispatch does all sweeps of a substep.
pub const ALL_SWEEPS: u32 = 8;

/// A visit to some constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The first one in a substep.
    pub opens: bool,
    /// The last one.
    pub closes: bool,
    /// Constraints and their components come in the opposite order.
    pub back: bool,
}

impl Visit {
    /// The only one.
    pub const ONLY: Self = Self { opens: true, closes: true, back: false };

    pub fn bits(self) -> u32 {
        let Self { opens, closes, back } = self;
        [(opens, OPENS), (closes, CLOSES), (back, BACK)].iter().map(|&(is, bit)| if is { bit } else { 0 }).sum()
    }

    /// Within one of several sweeps.
    pub fn within(self, sweep: Self) -> Self {
        Self { opens: self.opens && sweep.opens, closes: self.closes && sweep.closes, ..self }
    }
}

/// Whether a second visit right after the first leaves a constraint as it is: then the innermost of a sweep there and
/// back need only one.
pub fn is_done_at_once(settings: &Settings, kind: &dyn Kind) -> bool {
    kind.components() == 1 && !settings.leaves_error()
}

/// The visits of a leg, one after the other: what it does to items that it comes to in order, and whether each is of
/// the first batch. `once`: [`is_done_at_once`].
pub fn visits<T: Copy>(leg: &Leg, items: &[(T, bool)], once: bool) -> Vec<Vec<(T, Visit)>> {
    let way = |back| Visit { opens: leg.opens, closes: leg.closes, back };
    match leg.way {
        Way::Forth => vec![items.iter().map(|&(item, _)| (item, way(false))).collect()],
        Way::Back => vec![items.iter().rev().map(|&(item, _)| (item, way(true))).collect()],
        Way::BackAndForth => {
            let (there, here) = (Visit { closes: false, ..way(true) }, Visit { opens: false, ..way(false) });
            let first = |is_first: bool| once && is_first;
            let visit = |&(item, is_first): &(T, bool)| (item, if first(is_first) { way(true) } else { there });
            let again = items.iter().filter(|(_, is_first)| !first(*is_first));
            vec![items.iter().rev().map(visit).collect(), again.map(|&(item, _)| (item, here)).collect()]
        }
    }
}

/// A kind of a kernel that does many visits, in one order or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KernelLeg {
    /// Index among those of the kernel.
    pub kind: usize,
    pub back: bool,
}

impl KernelLeg {
    /// Those of some legs of a plan: what goes back and forth is two. `groups`: those of the kernel's kinds; others are
    /// left out.
    pub fn of(legs: &[Leg], groups: &[usize]) -> Vec<Self> {
        let kind = |leg: &Leg| groups.iter().position(|group| *group == leg.group);
        let ways = |leg: &Leg| match leg.way {
            Way::Forth => vec![false],
            Way::Back => vec![true],
            Way::BackAndForth => vec![true, false],
        };
        let of_leg = |leg: &Leg| Some((kind(leg)?, ways(leg)));
        let legs = legs.iter().filter_map(of_leg);
        legs.flat_map(|(kind, ways)| ways.into_iter().map(move |back| Self { kind, back })).collect()
    }

    /// The same kinds there and back, and one way: for tests that need no device.
    pub fn either_way(kinds: usize) -> [Vec<Self>; 2] {
        let forth = (0..kinds).map(|kind| Self { kind, back: false });
        let back = (0..kinds).rev().map(|kind| Self { kind, back: true });
        [back.chain(forth.clone()).collect(), forth.collect()]
    }
}
