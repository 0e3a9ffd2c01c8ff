//! The plan: a model made ready for a device. Particles lie along a space-filling curve, constraints are coloured into
//! batches of which no two members share a particle, packed into records and sorted; nothing here knows a device.

use std::ops::Range;

use crate::constraint::Kind;

/// The largest range of a buffer that a kernel sees at once: WebGPU's default, and lavapipe's limit. Batches are cut so
/// that the records, multipliers and corrections of one fit, on every device alike, so that the result does not depend
/// on the device's limits.
pub const MAX_BINDING_BYTES: usize = 128 << 20;

/// Ranges begin at multiples of this many records, whatever their size: buffer offsets are then multiples of 256 bytes.
pub const RANGE_ALIGNMENT: u32 = 256;

/// A model made ready for a device.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The model's particle at each slot.
    pub particle_of: Vec<u32>,
    /// The slot of each particle of the model.
    pub slot_of: Vec<u32>,
    /// Colliders of the model: each may touch every particle.
    pub colliders: u32,
    /// As the model's groups.
    pub groups: Vec<PlannedGroup>,
}

/// The constraints of one kind in the order in which they are solved; a "place" is an index into that order.
#[derive(Clone, Debug)]
pub struct PlannedGroup {
    pub kind: &'static dyn Kind,
    /// The constraint of the model's group at each place.
    pub constraint_of: Vec<u32>,
    /// The records, `kind.record_size()` bytes each, with particles as slots.
    pub records: Vec<u8>,
    /// For [`Arity::Many`](crate::constraint::Arity::Many): slots of the members of all constraints, to which a record's
    /// `first` and `count` point. Empty for others.
    pub members: Vec<u32>,
    /// What is solved, one after the other; together every place once.
    pub batches: Vec<Batch>,
    /// How many colours the coloured batches have (a colour may be cut into several batches by [`MAX_BINDING_BYTES`]).
    pub colours: u32,
}

/// Constraints that are solved at once, by one dispatch.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Places of the constraints.
    pub range: Range<u32>,
    /// First place of the buffer range to bind: a multiple of [`RANGE_ALIGNMENT`] at or before `range.start`. Batches that
    /// share it can share a bind group.
    pub window: Range<u32>,
    /// `None` if no two constraints share a particle. Else they are solved with split masses and gathered.
    pub gather: Option<Gather>,
}

/// How the corrections of a Jacobi batch come together at the particles, in fixed order. A correction's index is
/// `(place - range.start) * arity + k` for the k-th particle of the constraint at `place`; for many particles it is the
/// index into [`PlannedGroup::members`] less that of the batch's first member.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gather {
    /// For each correction, how many constraints of this batch its particle has.
    pub valences: Vec<f32>,
    /// Slots of the particles that the batch touches, ascending.
    pub particles: Vec<u32>,
    /// Where the corrections of each of these begin in `corrections`, and the end.
    pub offsets: Vec<u32>,
    /// Indices of corrections, ascending for each particle.
    pub corrections: Vec<u32>,
}
