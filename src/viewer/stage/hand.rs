//! The tool in hand.

use super::Stage;
use crate::viewer::pane::Pointer;
use crate::viewer::tools::{Outcome, Tool};

impl Stage {
    /// The particles that the pin tool holds, by index in the scene.
    pub fn pinned(&self) -> impl Iterator<Item = usize> {
        self.shown.iter().flat_map(|shown| shown.tools.changes.pins.keys().copied())
    }

    /// Where the ball is that was thrown last, m.
    pub fn ball(&self) -> Option<[f64; 3]> {
        self.shown.as_ref()?.tools.changes.ball.map(|ball| ball.position)
    }

    /// Does what the pointer does with the tool in hand, and what waited for that.
    pub(super) fn point(&mut self, encoder: &mut wgpu::CommandEncoder, pointers: &[Pointer], seconds: f64) {
        let Some(shown) = &mut self.shown else { return };
        let strength = 10_f64.powf(self.desk.pull_strength);
        let mut outcomes = Vec::new();
        match shown.take_up(self.desk.tool) {
            Ok(tool) => self.desk.tool = tool,
            Err(error) => outcomes.push(Err(error)),
        }
        for (index, pointer) in pointers.iter().enumerate().take(shown.panes.len()) {
            outcomes.push(match self.desk.tool {
                Tool::Drag => shown.point(encoder, index, pointer, strength).map(|taken| {
                    self.desk.has_dragged |= taken;
                    // Who pulls wants to see something move.
                    Outcome { plays: taken, ..Outcome::default() }
                }),
                _ => shown.use_tool(encoder, index, pointer, seconds),
            });
        }
        outcomes.push(shown.settle(encoder, &mut self.desk.tunings));
        self.desk.tunings.iter_mut().for_each(|tuning| shown.inflate_balloons(tuning));
        for outcome in outcomes {
            match outcome {
                Ok(outcome) => self.take(outcome),
                Err(error) => self.report("The mouse", &error),
            }
        }
    }

    fn take(&mut self, Outcome { plays, steps, note }: Outcome) {
        self.desk.playing |= plays;
        self.single_steps += u32::from(steps && !self.desk.playing);
        if let Some(note) = note.filter(|note| !self.desk.notes.contains(note)) {
            self.desk.notes.push(note);
        }
    }
}
