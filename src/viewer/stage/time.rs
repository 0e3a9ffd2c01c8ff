//! Going through time.

use super::Stage;
use crate::viewer::panels::Action;
use crate::viewer::recording::Kept;
use crate::viewer::shown::Shown;

impl Stage {
    /// What is kept of the last seconds; `None` before the first step.
    pub fn kept(&self) -> Option<Kept> {
        self.shown.as_ref().and_then(Shown::kept)
    }

    /// Pauses and goes to another moment, or makes a step where none is kept.
    pub(super) fn look_for(&mut self, action: &Action) {
        let Some(shown) = &mut self.shown else { return };
        self.desk.playing = false;
        let now = self.sought.unwrap_or_else(|| shown.frame_number());
        let recording = &mut shown.recording;
        let sought = match action {
            Action::Back => recording.before(now),
            Action::Oldest => recording.span().map(|[first, _]| first),
            Action::Seek(frame) => Some(*frame),
            Action::Undo => recording.undo(now),
            _ => recording.after(now),
        };
        match sought {
            Some(frame) => self.sought = Some(frame),
            None if *action == Action::Step => self.single_steps += 1,
            None => {}
        }
    }

    /// Goes to the moment that is sought, once its state is here.
    pub(super) fn seek(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let (Some(frame), Some(shown)) = (self.sought, &mut self.shown) else { return };
        let done = shown.seek(encoder, frame).and_then(|done| {
            // Not as a change by the user, which would begin a new branch.
            self.desk.tunings.iter_mut().for_each(|tuning| shown.inflate_balloons(tuning));
            let mut all = shown.simulations().zip(&self.desk.tunings);
            all.try_for_each(|(simulation, tuning)| simulation.tune(encoder, tuning)).map(|()| done)
        });
        self.sought = self.sought.filter(|_| matches!(done, Ok(false)));
        if let Err(error) = done {
            self.report("The timeline", &error);
        }
    }
}
