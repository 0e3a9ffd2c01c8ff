//! How rest shapes have flowed, as engines hold it.

use crate::constraint::reshape::Flow;
use crate::math::Vec3;
use crate::model::State;

/// The columns of F of [`State::rest_shapes`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize, serde::Deserialize))]
pub struct Reshaped(pub [[f32; 3]; 3]);

/// What has not flowed.
pub(crate) const UNSHAPED: Reshaped = Reshaped([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);

#[cfg(feature = "gpu")]
impl Reshaped {
    /// By what a device keeps.
    pub(crate) fn of_kept(kept: &[[f32; 4]; 3]) -> Self {
        Self(kept.map(|[x, y, z, _]| [x, y, z]))
    }

    /// What a device keeps.
    pub(crate) fn to_kept(self) -> [[f32; 4]; 3] {
        self.0.map(|[x, y, z]| [x, y, z, 0.0])
    }
}

impl Reshaped {
    #[cfg(feature = "cpu")]
    pub(crate) fn of(flow: Flow) -> Self {
        Self(flow.map(|column| <[f64; 3]>::from(column).map(|value| value as f32)))
    }

    pub(crate) fn columns(self) -> Flow {
        self.0.map(|column| Vec3::from(column.map(f64::from)))
    }

    /// Those of a model into a state of it.
    pub(crate) fn tell(flows: &[Self], state: &mut State) {
        state.rest_shapes = flows.iter().map(|flow| flow.columns().map(<[f64; 3]>::from)).collect();
    }
}
