//! What a kind over any number of particles says of them.

/// How a constraint lists its particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// Each once, one after the other: pictures draw the constraint as the line through them.
    InOrder,
    /// Each once, in any order.
    InAnyOrder,
    /// As the corners of a closed surface's triangles, three each, wound counter-clockwise seen from outside. The kind
    /// is measured and evaluated at the corners: its lists named `x` and `gradient` have an entry for each, and the
    /// gradients at a particle's corners are summed.
    Triangles,
}

/// A constraint over any number of particles, as it stands in the list of members.
#[derive(Clone, Copy, Debug)]
pub struct Members<'a> {
    /// Of its particles, each once, in the plan's order.
    pub slots: &'a [u32],
    /// Of [`Listed::Triangles`] their corners, three each, as indices into `slots`; of other kinds none.
    pub corners: &'a [u32],
    /// [`Constraint::MEMBER_REST`](super::Constraint::MEMBER_REST) of each particle.
    pub rest: &'a [f64],
    /// Index in the list of members of what the kind appends first.
    pub begin: u32,
}

/// What the kernel of a kind over any number of particles does with all particles of a constraint at once, beside what
/// the kind's WGSL function says of each.
#[derive(Clone, Copy, Debug)]
pub struct Whole {
    /// Where the text comes from, for error messages: a path below `shaders/`.
    pub path: &'static str,
    /// WGSL: the names that `shaders/solve/whole.wgsl` defines.
    pub wgsl: &'static str,
    /// Bytes that it reads and writes for each particle, for profiles.
    pub bytes: u64,
}

impl Whole {
    /// C and the weight are sums over the particles.
    pub const SUM: Self =
        Self { path: "solve/whole.wgsl", wgsl: include_str!("../../shaders/solve/whole.wgsl"), bytes: 0 };
}
