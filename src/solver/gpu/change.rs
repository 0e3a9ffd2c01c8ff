//! Changing what a simulation runs with. It acts from the next recorded step on; nothing is read back and nothing
//! waits.

use std::sync::Arc;

use crate::gpu::SolverError;
use crate::gpu::kernel::KernelError;
use crate::gpu::parameters::Edit;
use crate::gpu::recorder::Recorder;
use crate::gpu::surface::Surfaces;
use crate::model::{Integrator, Settings};
use crate::pass::Pass;
use crate::pass::shapes::gpu as shapes;
use crate::plan::Plan;
use crate::solver::gpu::carry;
use crate::solver::gpu::carry::Ratios;
use crate::solver::gpu::order;
use crate::solver::gpu::parts::Parts;
use crate::solver::gpu::upload::displacements;
use crate::solver::gpu::{Solver, limits};
use crate::step::change::{self, Over, Running};
use crate::step::{ChangeError, material_record, rest_law};

impl From<KernelError> for ChangeError {
    fn from(error: KernelError) -> Self {
        SolverError::from(error).into()
    }
}

impl Solver {
    /// Makes a pass anew, by its name, after what it is made of has changed.
    pub(crate) fn remake(&mut self, name: &str) -> Result<(), SolverError> {
        let setup = self.setup();
        let Some(index) = self.parts.passes.iter().position(|pass| pass.pass.name() == name) else { return Ok(()) };
        let made = self.parts.passes[index].pass.gpu(&setup)?;
        self.parts.passes[index].made = made;
        Ok(())
    }

    pub(crate) fn running(&self) -> Running<'_> {
        Running { model: &self.model, used: &self.used, levels: &self.levels }
    }

    /// As [`Synchronous::reconfigure`](crate::step::Synchronous::reconfigure), recorded into `encoder`.
    ///
    /// # Errors
    /// The same.
    pub fn reconfigure(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        plan: &Plan,
        settings: Settings,
    ) -> Result<(), ChangeError> {
        self.check_settings(plan, &settings)?;
        let before = self.model.settings.clone();
        let ratios = Ratios {
            substep: settings.substep_seconds() / before.substep_seconds(),
            implicit: settings.implicit_seconds() / before.implicit_seconds(),
            count: f64::from(settings.substeps) / f64::from(before.substeps),
        };
        // Two steps of different lengths are no past.
        let same = ratios.substep == 1.0 && settings.integrator == before.integrator;
        let starting = settings.integrator == Integrator::Bdf2 && (self.starting || !same);
        let model = crate::Model { settings, ..self.model.clone() };
        let mut buffers = self.buffers.clone();
        let integrator = model.settings.integrator;
        if integrator != before.integrator {
            let particles = self.order.slot_of.len();
            buffers.insert("d", displacements(&self.pipelines.device, particles, integrator));
        }
        shapes::follow_plan(&self.pipelines.device, &mut buffers, &model, plan);
        let passes: Vec<&'static dyn Pass> = self.parts.passes.iter().map(|pass| pass.pass).collect();
        let mut parts = Parts::new(&self.pipelines, &mut buffers, &model, &self.used, plan, (&passes, &self.pulled))?;
        let order = order(&model, &self.used, plan);

        let mut recorder = Recorder::new(encoder, "pliant reconfigure", parts.parameters.first_slot());
        let pipelines = &self.pipelines;
        carry::rescale(pipelines, &buffers, self.order.slot_of.len(), &ratios, &mut recorder)?;
        let old = self.parts.constraints.iter().zip(&self.order.groups);
        for (old, new) in old.zip(parts.constraints.iter().zip(&order.groups)) {
            carry::carry(pipelines, &buffers, old, new, &ratios, &mut recorder)?;
        }
        parts.tear.iter().for_each(|tear| tear.point(&mut recorder));
        drop(recorder);

        parts.prepare(&self.pipelines, &buffers)?;
        self.surfaces = Surfaces::new(&self.pipelines, &buffers, plan, model.tearing.is_some())?;
        (self.model, self.buffers, self.parts, self.order) = (model, buffers, parts, Arc::new(order));
        (self.starting, self.levels) = (starting, Over::new(plan));
        self.has_pressures = false;
        self.upload_materials();
        self.upload_pulls();
        // Lists of pairs are those of before, and the parameters that they are read by not yet those of a step.
        if self.parts.passes().any(|(_, pass)| pass.reports_from_shared()) {
            self.forget_contacts();
        }
        Ok(())
    }

    fn check_settings(&self, plan: &Plan, settings: &Settings) -> Result<(), ChangeError> {
        let kinds = self.parts.constraints.iter().map(|constraints| constraints.kind);
        let groups = kinds.zip(self.order.groups.iter().map(|group| group.constraint_of.len()));
        if plan.slot_of != self.order.slot_of || !groups.eq(plan.groups.iter().map(|group| (group.kind, group.len()))) {
            return Err(change::other_plan());
        }
        self.running().check_settings(settings, plan, &self.changed_masses)?;
        let limits = self.pipelines.device.limits();
        limits::check(plan, settings, &limits)?;
        // Carried whole, where a step binds them in ranges.
        let needed = self.parts.constraints.iter().map(|group| group.multipliers.size).max().unwrap_or(0);
        let available = limits.max_storage_buffer_binding_size;
        match needed > available {
            true => Err(SolverError::TooBig { what: "the multipliers of one kind", needed, available }.into()),
            false => Ok(()),
        }
    }

    /// Writes the model's materials with the next step.
    pub(crate) fn upload_materials(&mut self) {
        let settings = &self.model.settings;
        let table: Vec<_> = self.model.materials.iter().map(|material| material_record(material, settings)).collect();
        self.edit("materials", 0, bytemuck::cast_slice(&table));
        let settings = &self.model.settings;
        let laws: Vec<_> = self.model.materials.iter().map(|material| rest_law(material, settings)).collect();
        self.edit("rest_laws", 0, bytemuck::cast_slice(&laws));
    }

    pub(crate) fn upload_pulls(&mut self) {
        let mut passes = std::mem::take(&mut self.parts.passes);
        let setup = self.setup();
        let made = passes.iter_mut().filter_map(|pass| pass.made.as_mut());
        let edits: Vec<Edit> = made.flat_map(|pass| pass.follow_pulls(&setup)).collect();
        self.parts.passes = passes;
        self.edits.extend(edits);
    }

    /// Gives a particle another inverse mass with the next step.
    pub(crate) fn weigh(&mut self, particle: usize, inverse_mass: f32) {
        self.changed_masses.insert(particle as u32);
        let slot = self.order.slot_of[particle] as usize;
        self.edit("x", slot * 16 + 12, bytemuck::bytes_of(&inverse_mass));
    }

    /// Writes to one of the shared buffers with the next step.
    pub(crate) fn edit(&mut self, name: &str, offset: usize, bytes: &[u8]) {
        let buffer = self.shared(name).clone();
        self.edits.push(Edit { buffer, offset: offset as u64, bytes: bytes.to_vec() });
    }
}
