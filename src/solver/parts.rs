//! What a solver runs: made of a plan and settings over the buffers that hold the state, and made again when they change.

use super::SolverError;
use super::air::{self, Air};
use super::buffers::Buffers;
use super::constraints::Constraints;
use super::damping::Damping;
use super::nested::Nested;
use super::parameters::Parameters;
use super::particles::ParticleKernels;
use super::pass::Pass;
use super::pipelines::Pipelines;
use super::pulls::Pulls;
use super::recorder::Recorder;
use super::tear::Tear;
use super::upload::{self, Tears, Used};
use crate::contact::Contacts;
use crate::model::{Model, Settings};
use crate::plan::Plan;

pub struct Parts {
    pub parameters: Parameters,
    particles: ParticleKernels,
    /// One for each group of the model.
    pub constraints: Vec<Constraints>,
    pub pulls: Pulls,
    pub damping: Option<Damping>,
    pub nested: Option<Nested>,
    contacts: Option<Contacts>,
    air: Option<Air>,
    pub tear: Option<Tear>,
}

impl Parts {
    /// `used`: what each group refers to.
    pub fn new(
        pipelines: &mut Pipelines,
        buffers: &mut Buffers,
        model: &Model,
        used: &[Used],
        plan: &Plan,
    ) -> Result<Self, SolverError> {
        let particles = plan.particle_of.len();
        let parameters = Parameters::new(&pipelines.device, buffers, model, particles as u32);
        let mut constraints = Vec::new();
        for (index, (planned, used)) in plan.groups.iter().zip(used).enumerate() {
            let needs = upload::needs(&model.settings, &model.materials, used, Tears::of(model, index));
            let curves = used.rest_changes.then_some(model.curves.len());
            constraints.push(Constraints::new(pipelines, buffers, planned, needs, curves)?);
        }
        let contacts = match model.colliders.len() {
            0 => None,
            colliders => Some(Contacts::new(pipelines, buffers, particles, colliders)?),
        };
        let air = air::is_felt(model)
            .then(|| Air::new(pipelines, buffers, particles, model.tearing.is_some()))
            .transpose()?;
        let nested = Nested::new(pipelines, buffers, plan, &constraints)?;
        let tearing = model.tearing.as_ref();
        let tear = tearing.map(|tearing| Tear::new(pipelines, buffers, tearing, plan, &constraints)).transpose()?;
        Ok(Self {
            parameters,
            particles: ParticleKernels::new(pipelines, buffers, particles as u32, air.is_some())?,
            constraints,
            pulls: Pulls::new(pipelines, buffers, model.materials.len() as u32, &model.settings)?,
            damping: Damping::new(pipelines, buffers, &model.bodies, &plan.slot_of, model.settings.substep_seconds())?,
            nested,
            contacts,
            air,
            tear,
        })
    }

    /// In the order in which an iteration solves them and in which they correct velocities: contacts have the last word. A
    /// particle that presses leaves as its restitution says, whatever its body does.
    pub fn passes(&self) -> impl Iterator<Item = &dyn Pass> {
        let constraints = self.constraints.iter().map(|pass| pass as &dyn Pass);
        let contacts = self.contacts.iter().map(|pass| pass as &dyn Pass);
        let air = self.air.iter().map(|pass| pass as &dyn Pass);
        let damping = self.damping.iter().map(|pass| pass as &dyn Pass);
        // First, so that contacts are detected where the levels leave particles.
        let nested = self.nested.iter().map(|pass| pass as &dyn Pass);
        nested.chain(air).chain(constraints).chain([&self.pulls as &dyn Pass]).chain(damping).chain(contacts)
    }

    /// The buffers that hold the state of constraints: the multipliers of each group, then the rest values of each whose
    /// rest values may change.
    pub fn constraint_state(&self) -> impl Iterator<Item = &wgpu::Buffer> {
        let multipliers = self.constraints.iter().map(|group| &group.multipliers);
        multipliers.chain(self.constraints.iter().filter_map(|group| Some(&group.rest.as_ref()?.values)))
    }

    /// Records all substeps of a frame.
    pub fn frame(&self, recorder: &mut Recorder, settings: &Settings) {
        self.nested.iter().for_each(|nested| nested.begin_frame(recorder));
        self.particles.fit_lattice(recorder);
        self.predict(recorder);
        for substep in 0..settings.substeps {
            recorder.begin_substep(substep);
            self.substep(recorder, settings.iterations, substep + 1 == settings.substeps);
        }
        self.nested.iter().for_each(|nested| nested.end_frame(recorder));
        self.tear.iter().for_each(|tear| tear.frame(recorder));
    }

    /// From predicted particles to those of the next substep, if there is one in this frame.
    fn substep(&self, recorder: &mut Recorder, iterations: u32, last: bool) {
        for pass in self.passes() {
            pass.detect(recorder.section(pass.name()));
        }
        for iteration in 0..iterations {
            recorder.begin_sweep(iteration == 0);
            for pass in self.passes() {
                pass.solve(recorder.section(pass.name()));
            }
        }
        if !last && !self.passes().any(|pass| pass.corrects_velocities() || pass.accelerates()) {
            return self.particles.finish_and_predict(recorder);
        }
        self.particles.finish(recorder);
        for pass in self.passes() {
            pass.correct_velocities(recorder.section(pass.name()));
        }
        if !last {
            recorder.begin_substep(recorder.substep() + 1);
            self.predict(recorder);
        }
    }

    fn predict(&self, recorder: &mut Recorder) {
        for pass in self.passes() {
            pass.accelerate(recorder.section(pass.name()));
        }
        self.particles.predict(recorder);
    }
}
