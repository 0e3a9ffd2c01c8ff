//! How tools are used: what the pointer does becomes what happens to the simulations.

use std::sync::Arc;

use super::balloon::{LEAST, MOST};
use super::cut::Cut;
use super::variant::Preparation;
use super::{Ball, Pending, Pin, Stroke, Tool, carried, fitted};
use crate::render;
use crate::step::Snapshot;
use crate::viewer::loading::Loaded;
use crate::viewer::orbit::View;
use crate::viewer::pane::Pointer;
use crate::viewer::shown::Shown;
use crate::viewer::simulation::SimulationError;
use crate::viewer::tuning::Tuning;

/// Speed of the wind that is blown, m/s: a fresh breeze.
const WIND: f64 = 10.0;
/// Steps of its volume by which a balloon is inflated, 1/s: by a third in a second.
const PUFFS: f64 = 30.0;

/// What comes of using a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Whether the scene is to play, so that it is seen.
    pub plays: bool,
    /// Whether one step is enough for that.
    pub steps: bool,
    /// Why nothing happens.
    pub note: Option<String>,
}

impl Outcome {
    fn plays() -> Self {
        Self { plays: true, ..Self::default() }
    }

    fn note(text: impl Into<String>) -> Self {
        Self { note: Some(text.into()), ..Self::default() }
    }
}

impl Shown {
    /// Takes up a tool, and puts down the one before. Which one was taken up: one that does nothing here is not.
    ///
    /// # Errors
    /// If the system gives no thread to prepare it.
    pub fn take_up(&mut self, tool: Tool) -> Result<Tool, SimulationError> {
        let tool = if tool.refusal(&self.loaded).is_some() { Tool::Drag } else { tool };
        if tool != self.tools.in_hand {
            self.tools.in_hand = tool;
            self.tools.stop();
            self.let_go();
            if tool == Tool::Cut {
                self.prepare_cuts()?;
            }
        }
        Ok(tool)
    }

    /// Uses the tool in hand by what the pointer does in a pane, `seconds` after the last time.
    ///
    /// # Errors
    /// If a simulation refuses it.
    pub fn use_tool(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        index: usize,
        pointer: &Pointer,
        seconds: f64,
    ) -> Result<Outcome, SimulationError> {
        let view = View::new(&self.orbit, self.panes[index].size);
        match (self.tools.in_hand, pointer.clicked) {
            (Tool::Pin, Some(at)) => self.pin(encoder, index, &view, at),
            (Tool::Throw, Some(at)) => Ok(self.throw(encoder, &view, at)),
            (Tool::Cut, _) => self.draw_stroke(encoder, index, &view, pointer),
            (Tool::Blow, _) => Ok(self.blow(encoder, index, &view, pointer.held)),
            (Tool::Inflate, _) => Ok(self.inflate(encoder, index, pointer, seconds)),
            _ => Ok(Outcome::default()),
        }
    }

    fn pin(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        index: usize,
        view: &View,
        at: [f64; 2],
    ) -> Result<Outcome, SimulationError> {
        let Some(particle) = self.pick(index, view, at, |_| true) else { return Ok(Outcome::default()) };
        self.keep_before_tool(encoder);
        if let Some(pin) = self.tools.changes.pins.remove(&particle) {
            pin.release(self.simulations(), particle)?;
            return Ok(Outcome::default());
        }
        match Pin::new(self.simulations(), particle)? {
            Some(pin) => {
                self.tools.changes.pins.insert(particle, pin);
                Ok(Outcome::default())
            }
            None => Ok(Outcome::note("The scene itself holds this particle: the tool pins and releases free ones.")),
        }
    }

    fn throw(&mut self, encoder: &mut wgpu::CommandEncoder, view: &View, at: [f64; 2]) -> Outcome {
        let Some(bounds) = render::bounds(&self.loaded.model) else { return Outcome::default() };
        self.keep_before_tool(encoder);
        self.tools.pending = Some(Pending::Throw(Ball::thrown(view, at, bounds)));
        Outcome::plays()
    }

    fn draw_stroke(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        index: usize,
        view: &View,
        pointer: &Pointer,
    ) -> Result<Outcome, SimulationError> {
        if let Some(at) = pointer.grabbed {
            self.tools.stroke = Some(Stroke { pane: index, points: vec![at] });
        }
        let of_pane = |stroke: &&mut Stroke| stroke.pane == index;
        if let (Some(stroke), Some(at)) = (self.tools.stroke.as_mut().filter(of_pane), pointer.dragged) {
            stroke.reach(at);
        }
        if !pointer.released {
            return Ok(Outcome::default());
        }
        let Some(Stroke { points, .. }) = self.tools.stroke.take_if(|stroke| stroke.pane == index) else {
            return Ok(Outcome::default());
        };
        self.keep_before_tool(encoder);
        self.tools.pending = Some(Pending::Cut(Cut { view: *view, points }));
        self.prepare_cuts()?;
        Ok(Outcome::default())
    }

    /// Begins to make the model that can be cut, if the one on show cannot.
    fn prepare_cuts(&mut self) -> Result<(), SimulationError> {
        if !self.loaded.cuttable && self.loaded.can_be_cut && self.tools.preparation.is_none() {
            self.tools.preparation = Some(Preparation::begin(self.loaded.clone())?);
        }
        Ok(())
    }

    fn blow(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        index: usize,
        view: &View,
        held: Option<[f64; 2]>,
    ) -> Outcome {
        let of_pane = self.tools.wind.is_some_and(|(pane, _)| pane == index);
        let Some(at) = held else {
            if of_pane {
                self.tools.wind = None;
            }
            return Outcome::default();
        };
        if self.tools.wind.is_none() {
            self.keep_before_tool(encoder);
            if !self.loaded.is_airy() {
                self.tools.pending = Some(Pending::Air);
            }
        }
        let (_, direction) = view.ray(at);
        self.tools.wind = Some((index, (direction * WIND).into()));
        Outcome::plays()
    }

    fn inflate(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        index: usize,
        pointer: &Pointer,
        seconds: f64,
    ) -> Outcome {
        let Some(at) = pointer.held else {
            self.tools.puff.take_if(|(pane, ..)| *pane == index);
            return Outcome::default();
        };
        if self.tools.puff.is_none() {
            let view = View::new(&self.orbit, self.panes[index].size);
            let bodies = &self.loaded.model.particles.bodies;
            let balloon_of = |particle: usize| {
                let body = *bodies.get(particle)? as usize;
                self.loaded.balloons.iter().position(|balloon| balloon.body == body)
            };
            let picked = self.pick(index, &view, at, |particle| balloon_of(particle).is_some());
            let Some(balloon) = picked.and_then(balloon_of) else { return Outcome::default() };
            self.keep_before_tool(encoder);
            self.tools.puff = Some((index, balloon, 0.0));
        }
        if let Some((_, balloon, due)) = self.tools.puff.as_mut().filter(|(pane, ..)| *pane == index) {
            *due += if pointer.shift { -PUFFS * seconds } else { PUFFS * seconds };
            let steps = due.trunc();
            *due -= steps;
            let level = self.tools.changes.inflation.entry(*balloon).or_default();
            *level = (*level + steps as i32).clamp(LEAST, MOST);
        }
        Outcome::plays()
    }

    /// Sets balloons in a tuning as far as they are inflated.
    pub fn inflate_balloons(&self, tuning: &mut Tuning) {
        for (index, balloon) in self.loaded.balloons.iter().enumerate() {
            balloon.inflate(tuning, self.tools.changes.inflation.get(&index).copied().unwrap_or_default());
        }
    }

    /// Moves the ball by a step, if one was thrown.
    ///
    /// # Errors
    /// If a device needs another kernel, which does not compile.
    pub fn move_ball(&mut self) -> Result<(), SimulationError> {
        let (Some(mut ball), Some(index)) = (self.tools.changes.ball, self.loaded.ball) else { return Ok(()) };
        let simulation = &self.panes[0].simulation;
        let (seconds, gravity) = (1.0 / self.loaded.model.settings.frame_rate, simulation.tuning().gravity);
        let moment = (simulation.frame() + 1) as f64 * seconds;
        ball.fly(seconds, gravity, &simulation.colliders()[..index], moment);
        self.tools.changes.ball = Some(ball);
        self.simulations().try_for_each(|simulation| simulation.move_ball(ball.position))
    }

    /// Does what waits, once the states and the model that it takes are here. `tunings` are what the user has set.
    ///
    /// # Errors
    /// If a simulation refuses it; it is then not tried again.
    pub fn settle(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        tunings: &mut [Tuning; 2],
    ) -> Result<Outcome, SimulationError> {
        let Some(pending) = self.tools.pending.take() else { return Ok(Outcome::default()) };
        let prepares = matches!(pending, Pending::Cut(_)) && !self.loaded.cuttable;
        let is_prepared = !prepares || self.tools.preparation.as_mut().is_none_or(Preparation::is_done);
        let states = self.recording.last().filter(|_| is_prepared).and_then(|moment| self.states_of(moment));
        let Some(mut states) = states else {
            self.tools.pending = Some(pending);
            return Ok(Outcome::default());
        };
        if prepares {
            match self.tools.preparation.as_mut().and_then(Preparation::take) {
                Some(Ok(loaded)) => states = self.rebuild(encoder, self.with_extras(loaded), states, tunings)?,
                Some(Err(reason)) => return Ok(Outcome::note(format!("This scene cannot be cut: {reason}"))),
                None => return Ok(Outcome::note("This scene cannot be cut.")),
            }
        }
        match pending {
            Pending::Throw(ball) => {
                if self.loaded.ball.is_none() {
                    let loaded = self.loaded.with_ball();
                    states = self.rebuild(encoder, loaded, states, tunings)?;
                }
                self.tools.changes.ball = Some(ball);
                self.return_all_to(encoder, &states)?;
                Ok(Outcome::default())
            }
            Pending::Air => {
                let loaded = self.loaded.with_air();
                self.rebuild(encoder, loaded, states, tunings)?;
                Ok(Outcome::default())
            }
            Pending::Cut(cut) => {
                let count: usize = states.iter_mut().map(|state| cut.apply(&self.loaded.model, state)).sum();
                self.return_all_to(encoder, &states)?;
                Ok(match count {
                    0 => Outcome::note("The stroke crosses nothing that can be cut: draw it across a body."),
                    // What is cut comes apart with the next step.
                    _ => Outcome { steps: true, ..Outcome::default() },
                })
            }
        }
    }

    /// A model with what tools have added to the one on show.
    fn with_extras(&self, loaded: Loaded) -> Loaded {
        let loaded = if self.loaded.still_air { loaded.with_air() } else { loaded };
        if self.loaded.ball.is_some() { loaded.with_ball() } else { loaded }
    }

    fn return_all_to(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        states: &[Snapshot],
    ) -> Result<(), SimulationError> {
        let ball = self.tools.changes.ball.map(|ball| ball.position);
        let mut all = self.simulations().zip(states);
        all.try_for_each(|(simulation, state)| simulation.return_to(encoder, state, ball))
    }

    /// Goes on with another model of the scene in all panes, from states of the one on show; returns them as states of
    /// the new one.
    fn rebuild(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        loaded: Loaded,
        mut states: Vec<Snapshot>,
        tunings: &mut [Tuning; 2],
    ) -> Result<Vec<Snapshot>, SimulationError> {
        let (before, loaded) = (self.loaded.clone(), Arc::new(loaded));
        if before.cuttable != loaded.cuttable {
            states.iter_mut().for_each(|state| *state = fitted(state, &before.model, &loaded.model));
            tunings.iter_mut().for_each(|tuning| *tuning = carried(tuning, &before.model, &loaded.model));
            // Its constraints have other places.
            self.picked = None;
        }
        for ((simulation, state), tuning) in self.simulations().zip(&states).zip(tunings) {
            simulation.rebuild(encoder, loaded.clone(), state, tuning)?;
        }
        self.loaded = loaded;
        self.return_all_to(encoder, &states)?;
        Ok(states)
    }
}
