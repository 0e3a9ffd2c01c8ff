//! Springs from particles to points, set and moved while a simulation runs, as by dragging with a mouse.

use crate::model::Material;

/// Particles that may be pulled at once.
pub const MOST_PULLS: usize = 16;

/// A spring from a particle to a point, solved with the constraints of each iteration, whatever the mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// Where the particle is pulled to, m.
    pub target: [f64; 3],
    /// Inverse stiffness, m/N. 0 puts the particle there.
    pub compliance: f64,
    /// Damping along each axis, N s/m.
    pub damping: f64,
}

impl Pull {
    /// The spring's force on a particle at `position`, N, without what its damping adds; zero for a rigid pull, whose
    /// force is not known by the position.
    pub fn force(&self, position: [f64; 3]) -> [f64; 3] {
        match self.compliance > 0.0 {
            true => std::array::from_fn(|i| (self.target[i] - position[i]) / self.compliance),
            false => [0.0; 3],
        }
    }

    pub(crate) fn material(&self) -> Material {
        Material { compliance: self.compliance, damping: self.damping, ..Material::default() }
    }
}

/// What is pulled.
#[derive(Clone, Debug, Default)]
pub struct Active(Vec<(u32, Pull)>);

impl Active {
    /// Begins, changes or ends the pull of what is at a slot. Whether there was room.
    #[must_use]
    pub fn set(&mut self, slot: u32, pull: Option<Pull>) -> bool {
        let place = self.0.iter().position(|&(pulled, _)| pulled == slot);
        match (place, pull) {
            (Some(place), Some(pull)) => self.0[place].1 = pull,
            (Some(place), None) => _ = self.0.remove(place),
            (None, Some(_)) if self.0.len() == MOST_PULLS => return false,
            (None, Some(pull)) => self.0.push((slot, pull)),
            (None, None) => {}
        }
        true
    }

    /// Slot and pull of each, in the order in which they began.
    pub fn all(&self) -> &[(u32, Pull)] {
        &self.0
    }
}
