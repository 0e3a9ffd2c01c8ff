//! One configuration of a scene: model, plan, what steps it and what draws it, and what was last seen of it.

mod time;
mod tools;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::history::History;
use super::loading::Loaded;
use super::observer::{Job, Observation, Observer};
use super::panels::{Facts, Inspection, Line};
use super::saved::Saved;
use super::stepper::{Stepper, Way, stepper};
use super::tools::parked;
use super::tuning::Tuning;
use super::units;
use crate::Plan;
use crate::cli::clusters::planned;
use crate::cpu::CpuError;
use crate::device::Gpu;
use crate::gpu::{Profile, SolverError};
use crate::measure::largest_force;
use crate::model::{Model, State};
use crate::render::{self, Colour, Constraints, Look, Renderer, Shot};
use crate::step::{ChangeError, Engine, Pull, SnapshotError};

/// The format that pictures are drawn in: what egui asks of textures that it shows.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// How often a running simulation is looked at.
const OBSERVE: Duration = Duration::from_millis(66);
/// How often the passes of a step are timed.
const PROFILE: Duration = Duration::from_millis(700);

#[derive(Debug, Error)]
pub enum SimulationError {
    #[error(transparent)]
    Solver(#[from] SolverError),
    #[error(transparent)]
    Cpu(#[from] CpuError),
    #[error(transparent)]
    Render(#[from] render::RenderError),
    #[error(transparent)]
    Change(#[from] ChangeError),
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    #[error("the system refused to start a thread for measurements: {0}")]
    Thread(#[from] std::io::Error),
}

/// A simulation and what is known of it.
pub struct Simulation {
    loaded: Arc<Loaded>,
    gpu: Gpu,
    plan: Arc<Plan>,
    stepper: Box<dyn Stepper>,
    renderer: Renderer,
    /// Whether the renderer was made for a plan with other batches.
    renderer_is_stale: bool,
    /// What it runs with.
    tuning: Tuning,
    /// The state before the first step.
    beginning: Saved,
    /// How often it was reset: what was on its way then belongs to an earlier run.
    run: u64,
    /// What is being pulled, and whether anything was since the last look.
    pulls: Vec<(usize, Pull)>,
    was_pulled: bool,
    /// The first frame seen with energy from nowhere.
    from_nowhere: Option<u64>,
    observer: Observer,
    download: Option<Job>,
    observed: Instant,
    /// Whether what was last seen is not what is.
    is_behind: bool,
    observation: Option<Arc<Observation>>,
    history: History,
    profile: Option<Profile>,
    profiled: Instant,
    passes: Vec<(&'static str, f64)>,
    /// Centre of mass at the beginning, m.
    first_centroid: Option<[f64; 3]>,
}

impl Simulation {
    /// Uploads a scene, to run with `tuning`.
    ///
    /// # Errors
    /// If the device cannot hold it.
    pub fn new(
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        loaded: Arc<Loaded>,
        tuning: &Tuning,
    ) -> Result<Self, SimulationError> {
        let plan = Arc::new(loaded.plan.clone());
        let stepper = stepper(gpu, &loaded)?;
        let beginning = stepper.snapshot(encoder);
        let now = Instant::now();
        let mut simulation = Self {
            renderer: Renderer::new(&gpu.device, &loaded.model, &plan, FORMAT)?,
            renderer_is_stale: false,
            tuning: Tuning::of(&loaded.model),
            observer: Observer::new(loaded.model.clone())?,
            loaded,
            gpu: gpu.clone(),
            plan,
            stepper,
            beginning,
            run: 0,
            pulls: Vec::new(),
            was_pulled: false,
            from_nowhere: None,
            download: None,
            observed: now,
            is_behind: true,
            observation: None,
            history: History::default(),
            profile: None,
            profiled: now,
            passes: Vec::new(),
            first_centroid: None,
        };
        simulation.tune(encoder, tuning)?;
        Ok(simulation)
    }

    /// What it runs with.
    pub fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    /// What was last seen of it.
    pub fn observation(&self) -> Option<&Arc<Observation>> {
        self.observation.as_ref()
    }

    /// The model, torn as it was last seen.
    pub fn model(&self) -> &Model {
        self.observation.as_ref().and_then(|seen| seen.torn.as_deref()).unwrap_or(&self.loaded.model)
    }

    /// Whether a step was made since the beginning.
    pub fn has_begun(&self) -> bool {
        self.frame() > 0
    }

    /// What was measured over time.
    pub(super) fn history(&self) -> &History {
        &self.history
    }

    /// Goes on with another tuning.
    ///
    /// # Errors
    /// If a number makes no sense, or the device cannot hold what the method asks for; it then goes on as before.
    pub fn tune(&mut self, encoder: &mut wgpu::CommandEncoder, tuning: &Tuning) -> Result<(), SimulationError> {
        for (index, material) in tuning.materials.iter().enumerate() {
            if self.tuning.materials.get(index) != Some(material) {
                self.stepper.set_material(index, *material)?;
                self.tuning.materials[index] = *material;
            }
        }
        for (body, &damping) in tuning.damping.iter().enumerate() {
            if self.tuning.damping.get(body) != Some(&damping) {
                self.stepper.set_damping(body, damping)?;
                self.tuning.damping[body] = damping;
            }
        }
        let world = self.stepper.world_mut();
        (world.gravity, world.wind) = (tuning.gravity, tuning.wind);
        (self.tuning.gravity, self.tuning.wind) = (tuning.gravity, tuning.wind);
        if self.tuning.settings != tuning.settings {
            let replanned = self.tuning.settings.method != tuning.settings.method
                || self.tuning.settings.nested != tuning.settings.nested
                || self.tuning.settings.mode != tuning.settings.mode && tuning.settings.nested == Some(true)
                || self.tuning.settings.max_colours != tuning.settings.max_colours;
            let plan = replanned.then(|| {
                let model = Model { settings: tuning.settings.clone(), ..self.loaded.model.clone() };
                planned(&model, self.loaded.way == Way::Clusters)
            });
            self.stepper.reconfigure(encoder, plan.as_ref().unwrap_or(&*self.plan), tuning.settings.clone())?;
            self.tuning.settings = tuning.settings.clone();
            if let Some(plan) = plan {
                self.plan = Arc::new(plan);
                self.renderer_is_stale = true;
            }
        }
        self.renderer.set_materials(&self.gpu.device, self.tuning.settings.mode, &self.tuning.materials);
        Ok(())
    }

    /// Records a step, now and then one whose passes are timed.
    pub fn step(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if self.profile.is_none() && self.profiled.elapsed() > PROFILE {
            self.profiled = Instant::now();
            self.profile = self.stepper.profile_step(encoder);
            if self.profile.is_some() {
                return;
            }
        }
        self.stepper.step(encoder);
    }

    /// Goes back to the beginning with the present tuning.
    ///
    /// # Errors
    /// As [`Simulation::tune`].
    pub fn reset(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), SimulationError> {
        let beginning = self.beginning.snapshot().filter(|_| self.loaded.ball.is_some()).map(Cow::into_owned);
        if let Some(beginning) = beginning {
            self.place_ball(encoder, &beginning, parked(&self.loaded.model))?;
        }
        if let Saved::Here(snapshot) = &self.beginning {
            let settings = self.tuning.settings.clone();
            let first = crate::model::Settings { substeps: snapshot.substeps, ..settings.clone() };
            let others = first != settings;
            if others {
                self.stepper.reconfigure(encoder, &self.plan, first)?;
            }
            self.stepper.restore(encoder, snapshot)?;
            if others {
                self.stepper.reconfigure(encoder, &self.plan, settings)?;
            }
        } else if self.has_begun() {
            // Not back yet: the device is slow. A new solver begins there too.
            let tuning = self.tuning.clone();
            self.stepper = stepper(&self.gpu, &self.loaded)?;
            (self.plan, self.tuning) = (Arc::new(self.loaded.plan.clone()), Tuning::of(&self.loaded.model));
            self.tune(encoder, &tuning)?;
        }
        self.run += 1;
        self.from_nowhere = None;
        self.history.clear();
        self.observation = None;
        self.renderer.follow(&self.gpu.device, &self.loaded.model, &self.plan, &State::default());
        Ok(())
    }

    /// Pulls a particle, or lets it go.
    ///
    /// # Errors
    /// If there is no such particle, or too many are pulled.
    pub fn pull(&mut self, particle: usize, pull: Option<Pull>) -> Result<(), SimulationError> {
        self.stepper.pull(particle, pull)?;
        self.pulls.retain(|&(pulled, _)| pulled != particle);
        if let Some(pull) = pull {
            self.pulls.push((particle, pull));
            self.was_pulled = true;
        }
        Ok(())
    }

    /// Records a look at the state, and at what presses with `contacts`, if the last one was taken in and there is
    /// something new. With `forces` it tells what constraints under levels bear.
    pub fn observe(&mut self, encoder: &mut wgpu::CommandEncoder, contacts: bool, forces: bool) {
        self.stepper.average_contacts(contacts);
        let new = |seen: &Observation| {
            let lacks = contacts && seen.contacts.is_none() || forces && !seen.balanced;
            seen.state.frame != self.stepper.frame() || seen.run != self.run || lacks
        };
        let seen = self.observation.as_ref().is_some_and(|seen| !new(seen));
        let due = self.observation.is_none() || self.observed.elapsed() > OBSERVE;
        self.is_behind = !seen;
        if self.download.is_none() && self.observer.is_idle() && !seen && due {
            self.observed = Instant::now();
            self.download = Some(Job {
                arrival: self.stepper.look(encoder, contacts),
                balanced: forces.then(|| self.plan.clone()),
                tuning: self.tuning.clone(),
                run: self.run,
                left_alone: !self.was_pulled,
            });
            self.was_pulled = !self.pulls.is_empty();
        }
    }

    /// Takes in what has arrived from the device.
    pub fn collect(&mut self, nanoseconds_per_tick: f32) {
        if let Saved::Arriving(download) = &self.beginning
            && let Some(snapshot) = download.snapshot()
        {
            self.beginning = Saved::Here(Box::new(snapshot));
        }
        if let Some(job) = self.download.take_if(|job| job.is_ready()) {
            self.observer.measure(job);
        }
        self.download.take_if(|job| job.has_failed());
        if let Some(observation) = self.observer.result().filter(|observation| observation.run == self.run) {
            self.see(observation);
        }
        if let Some(sections) = self.profile.as_ref().and_then(|profile| profile.sections(nanoseconds_per_tick)) {
            self.passes = sections.iter().map(|section| (section.name, section.milliseconds)).collect();
            self.profile = None;
        }
    }

    fn see(&mut self, observation: Arc<Observation>) {
        self.first_centroid.get_or_insert(observation.measurement.centroid);
        self.history.push(&observation);
        if observation.from_nowhere {
            self.from_nowhere.get_or_insert(observation.state.frame);
        }
        self.renderer.follow(&self.gpu.device, &self.loaded.model, &self.plan, &observation.state);
        self.observation = Some(observation);
    }

    /// Whether something is on its way for which the window must be drawn again.
    pub fn is_waiting(&self) -> bool {
        self.is_behind || self.download.is_some() || !self.observer.is_idle() || self.profile.is_some()
    }

    /// Records a picture.
    ///
    /// # Errors
    /// If the device has no room for what the look needs.
    pub fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        size: [u32; 2],
        camera: render::Camera,
        look: Look,
    ) -> Result<(), SimulationError> {
        // Only the lines of batches show the plan; for those a new renderer is worth its time.
        if self.renderer_is_stale && look.constraints == Constraints::Batches {
            self.renderer = Renderer::new(&self.gpu.device, &self.loaded.model, &self.plan, FORMAT)?;
            self.renderer.set_materials(&self.gpu.device, self.tuning.settings.mode, &self.tuning.materials);
            if let Some(seen) = &self.observation {
                self.renderer.follow(&self.gpu.device, &self.loaded.model, &self.plan, &seen.state);
            }
            self.renderer_is_stale = false;
        }
        let substep_seconds = self.tuning.settings.substep_seconds();
        let seconds = self.stepper.seconds();
        let shot = Shot { target, size, camera, seconds, look, substep_seconds, transparent: false };
        let surface = self.stepper.surface(encoder);
        self.renderer.draw(&self.gpu.device, encoder, surface, &shot);
        Ok(())
    }

    /// What the end of a colour's scale stands for; `None` where the scene has nothing to show.
    pub fn full(&self, colour: Colour) -> Option<f64> {
        self.renderer.full(colour)
    }

    /// How far the centre of mass has come down since the beginning, m.
    pub fn sag(&self) -> Option<f64> {
        let (first, now) = (self.first_centroid?, self.observation.as_ref()?.measurement.centroid);
        let up = render::up(&self.loaded.model.world);
        Some((0..3).map(|i| (first[i] - now[i]) * up[i]).sum())
    }

    /// What the panel of numbers shows, under a name.
    pub fn facts(&mut self, name: &'static str) -> Facts {
        let status = self.stepper.status();
        let groups = self.loaded.model.groups.iter().zip(&self.plan.groups);
        let constraints = groups.map(|(group, planned)| (group.kind.name(), group.len(), planned.colours));
        Facts {
            name,
            particles: self
                .observation
                .as_ref()
                .map_or(self.loaded.model.placed_particles(), |seen| seen.state.positions.len()),
            constraints: constraints.collect(),
            dispatches: self.stepper.dispatches(),
            memory_bytes: self.stepper.memory_bytes() + self.stepper.drawing_bytes(),
            seconds: self.stepper.seconds(),
            frame: self.stepper.frame(),
            stretch: self.observation.as_ref().map(|seen| seen.measurement.max_stretch),
            energy_j: self.history.total.last().map(|[_, joules]| *joules),
            contacts: status.map_or(0, |status| status.contacts),
            spares_missing: status.map_or(0, |status| status.spares_missing),
            blown_up: status.is_some_and(|status| !status.is_good()),
            from_nowhere: self.from_nowhere,
            passes: self.passes.clone(),
        }
    }

    /// What the inspector shows of a particle.
    pub fn inspect(&self, particle: usize, constraints: &[(usize, usize)]) -> Option<Inspection> {
        let (model, observation) = (self.model(), self.observation.as_ref()?);
        let state = &observation.state;
        let line = |&(group, constraint): &(usize, usize)| {
            let kind = model.groups[group].kind;
            let multipliers =
                state.multipliers.get(group)?.get(constraint * kind.components()..)?.get(..kind.components())?;
            let particles = model.groups[group].particles_of(constraint);
            if !particles.contains(&(particle as u32)) {
                // A tear has taken it to another particle.
                return None;
            }
            let rest = state.rest_of(model, group, constraint);
            let mut gradient = Vec::new();
            Some(Line {
                kind: kind.name(),
                unit: units::of_value(kind),
                others: particles.iter().copied().filter(|&other| other as usize != particle).collect(),
                value: model.groups[group].evaluate(constraint, 0, rest, &state.positions, &mut gradient),
                force: largest_force(
                    &model.groups[group],
                    constraint,
                    rest,
                    multipliers,
                    &state.positions,
                    observation.implicit_seconds,
                ),
                broken: multipliers.first().is_some_and(|multiplier| multiplier.broken),
            })
        };
        let inverse_mass = *model.particles.inverse_masses.get(particle)?;
        Some(Inspection {
            particle,
            body: model.bodies[model.particles.bodies[particle] as usize].name.clone(),
            mass: (inverse_mass > 0.0).then(|| 1.0 / inverse_mass),
            position: *state.positions.get(particle)?,
            velocity: *state.velocities.get(particle)?,
            constraints: constraints.iter().filter_map(line).collect(),
        })
    }
}

/// The constraints that a particle takes part in: group and index in it.
pub fn constraints_of(model: &Model, particle: usize) -> Vec<(usize, usize)> {
    let of_group = |(index, group): (usize, &crate::model::Group)| {
        let holds = |constraint: &usize| group.particles_of(*constraint).contains(&(particle as u32));
        (0..group.len()).filter(holds).map(|constraint| (index, constraint)).collect::<Vec<_>>()
    };
    model.groups.iter().enumerate().flat_map(of_group).collect()
}
