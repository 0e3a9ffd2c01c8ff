//! Which hooks of a substep a pass has.

/// The hooks that a pass has in a substep. A hook that no pass has costs nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hooks {
    /// Changes velocities by forces that depend on them, before particles are predicted.
    pub accelerate: bool,
    /// Moves particles from where they were predicted.
    pub correct_prediction: bool,
    /// Finds what the substep needs.
    pub detect: bool,
    /// Corrects displacements in each sweep.
    pub solve: bool,
    /// Corrects displacements in each round of contact.
    pub solve_round: bool,
    /// Has the last word on displacements. Where a pass has, each sweep ends with rounds of contact.
    pub guard: bool,
    /// Corrects velocities at the end of a substep.
    pub correct_velocities: bool,
}
