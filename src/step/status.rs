//! What an engine reports about its run.

/// The flags and counts of a run, up to and including a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Frames done when this was read.
    pub frame: u64,
    /// A position or velocity is not a number, or infinite.
    pub not_finite: bool,
    /// A particle moved faster than 1,000,000 m/s.
    pub runaway: bool,
    /// Slot (in the plan's order) of the first particle that raised a flag; `None` if none did, or only a crowd.
    pub slot: Option<u32>,
    /// Some thousand particles are in one place, or (on the CPU engine with several iterations) a heap moves more than
    /// some twenty of its radii in a substep. While this lasts no particles touch each other.
    pub crowded: bool,
    /// Contacts that pressed in the frame's last substep.
    pub contacts: u32,
    /// The most entries that the lists of pairs needed, two for each pair that may touch. If there was room for fewer,
    /// the frame was slower; its result is the same, except with several sweeps in a substep.
    pub pairs_wanted: u32,
    /// The most shared slots that contacts of particles with more than four of many colliders needed in one substep.
    /// The solver makes room for three times as many before a later frame.
    pub shared_contacts_wanted: u32,
    /// The most contacts of particles with segments that might have pressed in one substep. The solver makes room for
    /// three times as many before a later frame.
    pub segment_contacts_wanted: u32,
    /// The most pairs of features of surfaces that came near in one substep. The solver makes room for twice as many
    /// before a later frame. The CPU engine has room for all, and says 0.
    pub surface_pairs_wanted: u32,
    /// How many contacts of the three kinds above had no room, at most in one substep, and with several sweeps how many
    /// entries of the lists of pairs. Then particles near more than four colliders touched only the four that they
    /// would have entered deepest, some particles missed a segment, some pairs were solved in each sweep as if it were
    /// the first, and all surfaces stayed where they were in that substep.
    pub contacts_missing: u32,
    /// Vertices of surfaces that were held back on their ways in this frame, so that no surfaces cross, once for each
    /// substep.
    pub surfaces_held: u32,
    /// Pairs of features in this frame of which no vertex could yield, once for each substep: what is pinned or driven
    /// pushes surfaces through each other.
    pub surfaces_forced: u32,
    /// Spare particles that tears need.
    pub spares_needed: u32,
    /// How many of them the model lacks: that many vertices could not split, and the body stays joined there.
    pub spares_missing: u32,
}

impl Status {
    /// Whether the simulation is still sound.
    pub fn is_good(&self) -> bool {
        !self.not_finite && !self.runaway && !self.crowded
    }
}
