//! Particles that a tool holds where they are.

use crate::step::Pull;
use crate::viewer::simulation::{Simulation, SimulationError};

/// How a particle is held in each pane.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    holds: Vec<Hold>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Hold {
    /// Fixed; before, it had this inverse mass, 1/kg.
    Fixed(f64),
    /// Pulled here by a rigid spring, m: its mass is in the levels over it.
    Pulled([f64; 3]),
}

impl Pin {
    /// Holds a particle in all simulations where it was last seen. `None` where the scene holds it itself, or where
    /// nothing was seen yet.
    ///
    /// # Errors
    /// If so many are pulled already that no other can be.
    pub fn new<'a>(
        simulations: impl Iterator<Item = &'a mut Simulation>,
        particle: usize,
    ) -> Result<Option<Self>, SimulationError> {
        let mut holds = Vec::new();
        for simulation in simulations {
            let seen = simulation.observation().and_then(|seen| seen.state.positions.get(particle).copied());
            let mass = simulation.model().particles.inverse_masses.get(particle).copied().filter(|&w| w > 0.0);
            let (Some(position), Some(inverse_mass)) = (seen, mass) else { return Ok(None) };
            holds.push(match simulation.set_inverse_mass(particle, 0.0) {
                Ok(()) => Hold::Fixed(inverse_mass),
                Err(_) => {
                    simulation.pull(particle, Some(rigid(position)))?;
                    Hold::Pulled(position)
                }
            });
        }
        Ok(Some(Self { holds }))
    }

    /// Lets the particle go.
    ///
    /// # Errors
    /// If its mass cannot be changed any more, since levels are over it now.
    pub fn release<'a>(
        &self,
        simulations: impl Iterator<Item = &'a mut Simulation>,
        particle: usize,
    ) -> Result<(), SimulationError> {
        self.holds.iter().zip(simulations).try_for_each(|(hold, simulation)| match *hold {
            Hold::Fixed(inverse_mass) => simulation.set_inverse_mass(particle, inverse_mass),
            Hold::Pulled(_) => simulation.pull(particle, None),
        })
    }

    /// Begins or ends the springs of a pin, in simulations that have gone to another moment: states hold masses, and no
    /// springs.
    ///
    /// # Errors
    /// As [`Pin::new`].
    pub fn follow<'a>(
        &self,
        simulations: impl Iterator<Item = &'a mut Simulation>,
        particle: usize,
        is_held: bool,
    ) -> Result<(), SimulationError> {
        self.holds.iter().zip(simulations).try_for_each(|(hold, simulation)| match *hold {
            Hold::Fixed(_) => Ok(()),
            Hold::Pulled(position) => simulation.pull(particle, is_held.then(|| rigid(position))),
        })
    }
}

fn rigid(target: [f64; 3]) -> Pull {
    Pull { target, compliance: 0.0, damping: 0.0 }
}
