//! Going back in time, and on from there.

use super::{Simulation, SimulationError};
use crate::step::Snapshot;
use crate::viewer::saved::Saved;
use crate::viewer::tools::parked;

impl Simulation {
    /// Frames solved, or recorded on a device.
    pub fn frame(&self) -> u64 {
        self.stepper.frame()
    }

    /// The state as it is now, to go back to.
    pub(in crate::viewer) fn save(&self, encoder: &mut wgpu::CommandEncoder) -> Saved {
        self.stepper.snapshot(encoder)
    }

    /// Goes to a state that was saved, with the present tuning, and the ball there, m, or out of sight. What was
    /// measured stays.
    ///
    /// # Errors
    /// If it is one of another model.
    pub(in crate::viewer) fn return_to(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        snapshot: &Snapshot,
        ball: Option<[f64; 3]>,
    ) -> Result<(), SimulationError> {
        if self.loaded.ball.is_some() {
            self.place_ball(encoder, snapshot, ball.unwrap_or_else(|| parked(&self.loaded.model)))?;
        }
        self.stepper.restore(encoder, snapshot)?;
        // What is on its way belongs to the run that was left.
        self.run += 1;
        self.from_nowhere = self.from_nowhere.filter(|&frame| frame <= snapshot.frame);
        Ok(())
    }

    /// Forgets what was measured after the present moment.
    pub(in crate::viewer) fn forget_the_rest(&mut self) {
        self.history.cut(self.stepper.seconds());
    }
}
