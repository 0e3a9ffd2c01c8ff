//! Time in the window: steps are kept as they are made, and what was kept is gone back to, in all panes at once.

use super::recording::{Kept, Moment};
use super::shown::Shown;
use super::simulation::SimulationError;

impl Shown {
    /// Frames solved.
    pub fn frame_number(&self) -> u64 {
        self.panes.first().map_or(0, |pane| pane.simulation.frame())
    }

    /// What is kept, once a step was made.
    pub fn kept(&self) -> Option<Kept> {
        self.recording.kept(self.frame_number())
    }

    /// Makes, or records, a step from the moment on show; what came after that is forgotten.
    pub fn step(&mut self, encoder: &mut wgpu::CommandEncoder) {
        self.branch();
        self.keep(encoder);
        self.panes.iter_mut().for_each(|pane| pane.simulation.step(encoder));
        self.keep(encoder);
    }

    /// Forgets what came after the moment on show, if anything did: something is different from now on.
    pub fn branch(&mut self) {
        let frame = self.frame_number();
        if self.recording.goes_beyond(frame) {
            self.recording.forget_after(frame);
            self.panes.iter_mut().for_each(|pane| pane.simulation.forget_the_rest());
        }
    }

    fn keep(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let frame = self.frame_number();
        if self.recording.is_due(frame) {
            let saved = self.panes.iter().map(|pane| pane.simulation.save(encoder)).collect();
            self.recording.keep(Moment { frame, saved, before_tool: false });
        }
    }

    /// Goes to the kept moment nearest to a frame. Whether that is done: not while its state is on its way.
    ///
    /// # Errors
    /// As [`Simulation::return_to`](super::simulation::Simulation::return_to).
    pub fn seek(&mut self, encoder: &mut wgpu::CommandEncoder, frame: u64) -> Result<bool, SimulationError> {
        self.let_go();
        let Some(moment) = self.recording.nearest(frame) else { return Ok(true) };
        let snapshots: Option<Vec<_>> = moment.saved.iter().map(|saved| saved.snapshot()).collect();
        let Some(snapshots) = snapshots else { return Ok(false) };
        for (pane, snapshot) in self.panes.iter_mut().zip(&snapshots) {
            pane.simulation.return_to(encoder, snapshot)?;
        }
        Ok(true)
    }
}
