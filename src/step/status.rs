//! What an engine reports about its run.

/// What the kernels noticed, up to and including a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Frames done when this was read.
    pub frame: u64,
    /// A position or velocity is not a number, or infinite.
    pub not_finite: bool,
    /// A particle moved faster than 1,000,000 m/s.
    pub runaway: bool,
    /// Slot (in the plan's order) of the first particle that raised a flag; `None` where none did but a crowd.
    pub slot: Option<u32>,
    /// Some thousand particles that touch others are in one place, as if there were no room in the world, or a heap
    /// goes more than some twenty of its radii in a substep (on the CPU engine with several iterations only): while it
    /// is so no particles touch each other.
    pub crowded: bool,
    /// Contacts that pressed in the frame's last substep.
    pub contacts: u32,
    /// Entries that the lists of pairs would have taken at most, two for each pair that may touch. Where there was room
    /// for fewer the frame was slower and the same, but with several sweeps in a substep.
    pub pairs_wanted: u32,
    /// Slots that contacts of particles with more than four of many colliders would have taken at most, in one substep,
    /// of those that all particles share. There is room for three times as many before a later frame.
    pub shared_contacts_wanted: u32,
    /// Contacts of particles with segments that might have pressed, at most in one substep. There is room for three
    /// times as many before a later frame.
    pub segment_contacts_wanted: u32,
    /// How many of these and of those had no room, at most in one substep, and with several sweeps how many entries of
    /// the lists of pairs. Then particles that may touch more than four colliders at once were held by the four into
    /// which they would have come deepest, some particles by no segment that was near, and some pairs were solved in
    /// each sweep as if it were the first.
    pub contacts_missing: u32,
    /// Spare particles that tears have asked for.
    pub spares_needed: u32,
    /// How many of them the model does not have: so many splits wait, and what is torn there hangs together at a point.
    pub spares_missing: u32,
}

impl Status {
    /// Whether the simulation is still sound.
    pub fn is_good(&self) -> bool {
        !self.not_finite && !self.runaway && !self.crowded
    }
}
