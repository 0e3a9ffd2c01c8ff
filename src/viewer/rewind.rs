//! Time in the window: steps are kept as they are made, and what was kept is gone back to, in all panes at once.

use std::borrow::Cow;
use std::sync::Arc;

use super::recording::{Kept, Moment};
use super::shown::Shown;
use super::simulation::{Simulation, SimulationError};
use super::tools::{Changes, fitted};
use crate::step::Snapshot;

impl Shown {
    /// Frames solved.
    pub fn frame_number(&self) -> u64 {
        self.panes.first().map_or(0, |pane| pane.simulation.frame())
    }

    /// What is kept, once a step was made.
    pub fn kept(&self) -> Option<Kept> {
        self.recording.kept(self.frame_number())
    }

    pub fn simulations(&mut self) -> impl Iterator<Item = &mut Simulation> {
        self.panes.iter_mut().map(|pane| &mut pane.simulation)
    }

    /// Makes, or records, a step from the moment on show; what came after that is forgotten.
    ///
    /// # Errors
    /// If the ball cannot be moved.
    pub fn step(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), SimulationError> {
        self.branch();
        self.keep(encoder);
        self.move_ball()?;
        let wind = self.tools.wind();
        self.simulations().for_each(|simulation| simulation.blow(wind));
        self.simulations().for_each(|simulation| simulation.step(encoder));
        self.keep(encoder);
        Ok(())
    }

    /// Forgets what came after the moment on show, if anything did: something is different from now on.
    pub fn branch(&mut self) {
        let frame = self.frame_number();
        if self.recording.goes_beyond(frame) {
            self.recording.forget_after(frame);
        }
        self.simulations().for_each(Simulation::forget_the_rest);
    }

    fn keep(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if self.recording.is_due(self.frame_number()) {
            let moment = self.moment(encoder, false);
            self.recording.keep(moment);
        }
    }

    /// Keeps the moment on show as that before a tool is used, and forgets what came after.
    pub fn keep_before_tool(&mut self, encoder: &mut wgpu::CommandEncoder) {
        self.branch();
        let moment = self.moment(encoder, true);
        self.recording.keep(moment);
    }

    fn moment(&self, encoder: &mut wgpu::CommandEncoder, before_tool: bool) -> Moment {
        Moment {
            frame: self.frame_number(),
            saved: self.panes.iter().map(|pane| pane.simulation.save(encoder)).collect(),
            changes: self.tools.changes.clone(),
            loaded: self.loaded.clone(),
            before_tool,
        }
    }

    /// Goes to the kept moment nearest to a frame. Whether that is done: not while its state is on its way.
    ///
    /// # Errors
    /// As [`Simulation::return_to`], or if what was pinned then cannot be held now.
    pub fn seek(&mut self, encoder: &mut wgpu::CommandEncoder, frame: u64) -> Result<bool, SimulationError> {
        self.let_go();
        let Some(moment) = self.recording.nearest(frame) else { return Ok(true) };
        let Some(snapshots) = self.states_of(moment) else { return Ok(false) };
        let changes = moment.changes.clone();
        self.follow(changes)?;
        let ball = self.tools.changes.ball.map(|ball| ball.position);
        for (simulation, snapshot) in self.simulations().zip(&snapshots) {
            simulation.return_to(encoder, snapshot, ball)?;
        }
        if !self.recording.goes_beyond(self.frame_number()) {
            self.simulations().for_each(Simulation::forget_the_rest);
        }
        Ok(true)
    }

    /// The states of a moment, as those of the present model; `None` while they are on their way.
    pub fn states_of(&self, moment: &Moment) -> Option<Vec<Snapshot>> {
        let is_other = !Arc::ptr_eq(&moment.loaded, &self.loaded) && moment.loaded.cuttable != self.loaded.cuttable;
        let state = |snapshot: Cow<Snapshot>| match is_other {
            true => fitted(&snapshot, &moment.loaded.model, &self.loaded.model),
            false => snapshot.into_owned(),
        };
        moment.saved.iter().map(|saved| saved.snapshot().map(state)).collect()
    }

    /// Takes over what tools had changed at another moment. Masses are in its states.
    ///
    /// # Errors
    /// If what was pinned then cannot be held now.
    pub fn follow(&mut self, changes: Changes) -> Result<(), SimulationError> {
        let before = std::mem::replace(&mut self.tools.changes, changes.clone());
        for (&particle, pin) in &before.pins {
            pin.follow(self.simulations(), particle, false)?;
        }
        changes.pins.iter().try_for_each(|(&particle, pin)| pin.follow(self.simulations(), particle, true))
    }
}
