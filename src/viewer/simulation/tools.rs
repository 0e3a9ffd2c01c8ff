//! What tools do to a simulation: hold particles, blow, move a ball, and go on with another model of the scene.

use std::sync::Arc;

use super::{FORMAT, Observer, Saved, Simulation, SimulationError};
use crate::math::rotation::IDENTITY;
use crate::model::{Collider, State};
use crate::render::Renderer;
use crate::step::{Engine as _, Snapshot};
use crate::viewer::loading::Loaded;
use crate::viewer::stepper::stepper;
use crate::viewer::tools::fitted;
use crate::viewer::tuning::Tuning;

impl Simulation {
    /// Changes a particle's inverse mass, 1/kg; 0 fixes it.
    ///
    /// # Errors
    /// As [`Engine::set_inverse_mass`](crate::step::Engine::set_inverse_mass).
    pub(in crate::viewer) fn set_inverse_mass(
        &mut self,
        particle: usize,
        inverse_mass: f64,
    ) -> Result<(), SimulationError> {
        Ok(self.stepper.set_inverse_mass(particle, inverse_mass)?)
    }

    /// Adds a wind to that of the scene, m/s, from the next step on; or no more.
    pub(in crate::viewer) fn blow(&mut self, wind: Option<[f64; 3]>) {
        let of_scene = &self.loaded.model.world;
        let density = if self.loaded.still_air && wind.is_none() { 0.0 } else { of_scene.air_density };
        let added = wind.unwrap_or_default();
        let world = self.stepper.world_mut();
        world.air_density = density;
        world.wind = std::array::from_fn(|i| self.tuning.wind[i] + added[i]);
        self.was_pulled |= wind.is_some();
    }

    /// Where colliders are, and how they move.
    pub(in crate::viewer) fn colliders(&self) -> &[Collider] {
        self.stepper.colliders()
    }

    /// Moves the ball during the next step, if there is one.
    ///
    /// # Errors
    /// As [`Engine::move_collider`](crate::step::Engine::move_collider).
    pub(in crate::viewer) fn move_ball(&mut self, position: [f64; 3]) -> Result<(), SimulationError> {
        let Some(ball) = self.loaded.ball else { return Ok(()) };
        self.stepper.move_collider(ball, position, IDENTITY)?;
        self.renderer.set_colliders(self.stepper.colliders());
        Ok(())
    }

    /// Goes to a state with the ball at another place, where it did not come from anywhere. An engine moves colliders
    /// by what they do in the next step: so it is told that the next step is over.
    pub(super) fn place_ball(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        snapshot: &Snapshot,
        position: [f64; 3],
    ) -> Result<(), SimulationError> {
        self.move_ball(position)?;
        let later = Snapshot { frame: self.stepper.frame() + 1, ..snapshot.clone() };
        self.stepper.restore(encoder, &later)?;
        // From where it is to where it is: it is there at all times.
        self.move_ball(position)
    }

    /// Goes on with another model of the same scene, from a state of it, with a tuning for it.
    ///
    /// # Errors
    /// If the device cannot hold it.
    pub(in crate::viewer) fn rebuild(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        loaded: Arc<Loaded>,
        snapshot: &Snapshot,
        tuning: &Tuning,
    ) -> Result<(), SimulationError> {
        let stepper = stepper(&self.gpu, &loaded)?;
        self.renderer = Renderer::new(&self.gpu.device, &loaded.model, &loaded.plan, FORMAT)?;
        self.observer = Observer::new(loaded.model.clone())?;
        if let (true, Some(beginning)) = (loaded.cuttable && !self.loaded.cuttable, self.beginning.snapshot()) {
            self.beginning = Saved::Here(Box::new(fitted(&beginning, &self.loaded.model, &loaded.model)));
        }
        (self.stepper, self.renderer_is_stale) = (stepper, false);
        (self.plan, self.tuning) = (Arc::new(loaded.plan.clone()), Tuning::of(&loaded.model));
        (self.download, self.profile) = (None, None);
        self.loaded = loaded;
        self.tune(encoder, tuning)?;
        for (particle, pull) in self.pulls.clone() {
            self.stepper.pull(particle, Some(pull))?;
        }
        self.return_to(encoder, snapshot, None)?;
        self.renderer.follow(&self.gpu.device, &self.loaded.model, &self.plan, &State::default());
        Ok(())
    }
}
