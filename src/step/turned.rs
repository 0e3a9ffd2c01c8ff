//! Orientations as engines hold them.

use crate::math::Vec3;
use crate::math::turn::{Orientation, Quaternion, speed_of};
use crate::model::{Load, Settings, State};
#[cfg(feature = "gpu")]
use crate::step::records::RodTurned;

/// An orientation and how it turns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize, serde::Deserialize))]
pub struct Turned {
    /// A unit quaternion x, y, z, w near the orientation.
    pub reference: [f32; 4],
    /// The turn from there: the vector part of a unit quaternion.
    pub below: [f32; 3],
    /// The turn of a substep, by which the angular velocity is stored.
    pub way: [f32; 3],
    /// Sums over the frame of λ of the segment and the joint of a rod.
    pub sums: [f32; 6],
}

#[cfg(feature = "gpu")]
impl From<&RodTurned> for Turned {
    fn from(&RodTurned { reference, below, way, force_sum, moment_sum, .. }: &RodTurned) -> Self {
        let ([a, b, c], [d, e, f]) = (force_sum, moment_sum);
        Self { reference, below, way, sums: [a, b, c, d, e, f] }
    }
}

impl Turned {
    /// Those of a model, one for each, into a state of it.
    pub(crate) fn tell(turned: &[Self], settings: &Settings, state: &mut State) {
        let h = settings.substep_seconds();
        state.orientations = turned.iter().map(Self::orientation).collect();
        state.angular_velocities = turned.iter().map(|one| speed_of(double(one.way), h)).collect();
        state.loads = turned.iter().map(|one| one.load(settings)).collect();
    }

    fn orientation(&self) -> [f64; 4] {
        let reference = Quaternion::from(self.reference.map(f64::from));
        Orientation { reference, turn: double(self.below) }.quaternion().normalised().into()
    }

    fn load(&self, settings: &Settings) -> Load {
        let [a, b, c, d, e, f] = self.sums.map(f64::from);
        Load::mean([[a, b, c], [d, e, f]], settings)
    }
}

fn double([x, y, z]: [f32; 3]) -> Vec3<f64> {
    Vec3 { x: f64::from(x), y: f64::from(y), z: f64::from(z) }
}
