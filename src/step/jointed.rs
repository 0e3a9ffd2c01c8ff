//! Joints as engines hold them.

use crate::law::joint::ROWS;
use crate::model::{JointState, Settings, State};

/// What the next frame needs to know of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize, serde::Deserialize))]
pub struct Jointed {
    /// Sums over the frame of λ of its equations.
    pub sums: [f32; ROWS],
    /// Whether it holds nothing any more.
    pub broken: bool,
}

/// Numbers that a device keeps of a joint: `shaders/joints/state.wgsl`.
#[cfg(feature = "gpu")]
pub(crate) const KEPT_NUMBERS: usize = 16;

#[cfg(feature = "gpu")]
impl Jointed {
    /// By what a device keeps.
    pub(crate) fn of_kept(kept: &[f32; KEPT_NUMBERS]) -> Self {
        Self { sums: std::array::from_fn(|row| kept[ROWS + row]), broken: kept[2 * ROWS] != 0.0 }
    }

    /// What a device keeps.
    pub(crate) fn to_kept(self) -> [f32; KEPT_NUMBERS] {
        let mut kept = [0.0; KEPT_NUMBERS];
        kept[ROWS..2 * ROWS].copy_from_slice(&self.sums);
        kept[2 * ROWS] = if self.broken { 1.0 } else { 0.0 };
        kept
    }
}

impl Jointed {
    /// Those of a model, one for each joint, into a state of it.
    pub(crate) fn tell(jointed: &[Self], settings: &Settings, state: &mut State) {
        let of = |one: &Self| JointState::of(&one.sums.map(f64::from), one.broken, settings);
        state.joints = jointed.iter().map(of).collect();
    }
}
