//! Changing a simulation while it runs. Every change acts from the next recorded step on; nothing is read back and nothing waits.

use std::sync::Arc;

use thiserror::Error;

use super::carry::{self, Ratios};
use super::damping::Damping;
use super::kernel::KernelError;
use super::nested::Nested;
use super::parameters::Edit;
use super::parts::Parts;
use super::pulls::{MOST_PULLS, Pull};
use super::recorder::Recorder;
use super::surface::Surfaces;
use super::upload::displacements;
use super::{Solver, SolverError, limits, order};
use crate::engine::records;
use crate::engine::{Needs, Tears, Used, material_record, needs, rest_law};
use crate::model::{Drive, Integrator, Material, Mode, Settings, Tearing, World};
use crate::plan::Plan;

/// Why a change was refused. The solver goes on as it was.
#[derive(Debug, Error)]
pub enum ChangeError {
    /// A number that no simulation can have.
    #[error("{what} is {value}: {remedy}")]
    Value {
        /// What the number is for, with its article: `a compliance`.
        what: &'static str,
        /// The number as it was given.
        value: f64,
        /// Which numbers are allowed.
        remedy: &'static str,
    },
    /// What is to be changed is not there.
    #[error("there is no {what} {index}: there are {count}")]
    Missing {
        /// `material`, `body`, `particle` or `curve`.
        what: &'static str,
        /// What was asked for.
        index: usize,
        /// How many there are; indices are below it.
        count: usize,
    },
    /// Constraints that are solved at the same time share the particle, and none of them may move it.
    #[error("particle {particle} is fixed in the plan: make a model in which it is free, and a new solver")]
    Shared {
        /// Index in the model.
        particle: usize,
    },
    /// [`MOST_PULLS`] other particles are pulled. Let one of them go by `pull(particle, None)`.
    #[error("{MOST_PULLS} particles are pulled already: end one of the pulls first")]
    TooManyPulls,
    /// A material that a curve drives or that yields, for constraints whose rest values never change. Only a solver of a model
    /// in which some material of the kind does so from the beginning keeps what that takes.
    #[error(
        "material {index} belongs to constraints whose rest values never change: give it its curve or yield point in the \
         model, and make a new solver"
    )]
    FixedRest {
        /// The material that was to be changed.
        index: usize,
    },
    /// Settings that a running simulation cannot take.
    #[error("{0}")]
    Settings(String),
    /// The change needs more of the device than it has, or another kernel, which does not compile.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

impl From<KernelError> for ChangeError {
    fn from(error: KernelError) -> Self {
        ChangeError::Solver(error.into())
    }
}

impl Solver {
    /// Gravity, wind and the speed limit.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.model.world
    }

    /// What acts on particles from outside: the motion of pins and forces. Entry 0 is "nothing" and serves most particles.
    pub fn drives_mut(&mut self) -> &mut [Drive] {
        &mut self.model.drives
    }

    /// The model's materials, as they are now.
    pub fn materials(&self) -> &[Material] {
        &self.model.materials
    }

    /// Changes a material: compliance, damping, stiffness, side, break force, curve or yielding of every constraint that refers
    /// to it.
    ///
    /// # Errors
    /// If there is no such material or curve, one of its numbers is negative, not finite, or a stiffness above 1, or if it gains
    /// a curve or yield point and rest values of its constraints never change; or if it gains one of these or a break force and there
    /// are levels over its constraints, which would hold on.
    pub fn set_material(&mut self, index: usize, material: Material) -> Result<(), ChangeError> {
        check(&material)?;
        self.check_rest(index, &material)?;
        self.check_levels(index, &material)?;
        let mut materials = self.model.materials.clone();
        let count = materials.len();
        let missing = ChangeError::Missing { what: "material", index, count };
        *materials.get_mut(index).ok_or(missing)? = material;
        let needs = |(group, used): (usize, &Used)| {
            needs(&self.model.settings, &materials, used, Tears::of(&self.model, group))
        };
        let needs: Vec<Needs> = self.used.iter().enumerate().map(needs).collect();
        // What fails, fails here, where nothing has changed yet: the second time finds all compiled.
        for (constraints, &needs) in self.parts.constraints.iter().zip(&needs) {
            constraints.compile(&self.pipelines, needs)?;
        }
        self.parts.tiles.iter_mut().try_for_each(|tiles| tiles.fit(&self.pipelines, &needs))?;
        self.parts.clusters.iter_mut().try_for_each(|clusters| clusters.fit(&self.pipelines, &needs))?;
        self.model.materials = materials;
        for (constraints, &needs) in self.parts.constraints.iter_mut().zip(&needs) {
            constraints.fit(&self.pipelines, needs)?;
        }
        for (group, needs) in Arc::make_mut(&mut self.order).groups.iter_mut().zip(&needs) {
            group.summed = needs.summing;
        }
        let record = material_record(&material, &self.model.settings);
        let offset = index * size_of::<records::Material>();
        self.edit("materials", offset, bytemuck::bytes_of(&record));
        let law = rest_law(&material, &self.model.settings);
        self.edit("rest_laws", index * size_of::<records::RestLaw>(), bytemuck::bytes_of(&law));
        Ok(())
    }

    /// Changes a body's damping, 1/s: the rate at which motion dies away that is not its translation and rotation
    /// ([`Body::damping`](crate::model::Body::damping)). 0 ends it, and what it costs.
    ///
    /// # Errors
    /// If there is no such body, the number is negative or not finite, the body can be torn, or the device has no room for another
    /// damped body.
    pub fn set_damping(&mut self, body: usize, rate: f64) -> Result<(), ChangeError> {
        not_negative("a damping", rate)?;
        let (model, order) = (&mut self.model, &self.order);
        let count = model.bodies.len();
        let missing = ChangeError::Missing { what: "body", index: body, count };
        let changed = model.bodies.get_mut(body).ok_or(missing)?;
        let mut vertices = model.tearing.iter().flat_map(Tearing::vertices);
        if rate > 0.0 && vertices.any(|vertex| changed.particles.contains(&vertex)) {
            let message = "what a tear splits off would not be damped: make a model without a break_force or tear_stress, \
                           and a new solver";
            return Err(ChangeError::Settings(message.into()));
        }
        let before = std::mem::replace(&mut changed.damping, rate);
        let h = model.settings.substep_seconds();
        match Damping::new(&self.pipelines, &self.buffers, &model.bodies, &order.slot_of, h) {
            Ok(damping) => self.parts.damping = damping,
            Err(error) => {
                model.bodies[body].damping = before;
                return Err(error.into());
            }
        }
        Ok(self.parts.prepare(&self.pipelines, &self.buffers)?)
    }

    fn check_rest(&self, index: usize, material: &Material) -> Result<(), ChangeError> {
        if let Some(curve) =
            material.curve.map(|curve| curve as usize).filter(|&curve| curve >= self.model.curves.len())
        {
            return Err(ChangeError::Missing { what: "curve", index: curve, count: self.model.curves.len() });
        }
        let gains =
            self.model.materials.get(index).is_some_and(|before| !before.changes_rest()) && material.changes_rest();
        let refers = |used: &Used| used.materials.contains(&(index as u32));
        match gains && self.used.iter().any(|used| refers(used) && !used.rest_changes) {
            true => Err(ChangeError::FixedRest { index }),
            false => Ok(()),
        }
    }

    /// Levels hold what they were made for.
    fn check_levels(&self, index: usize, material: &Material) -> Result<(), ChangeError> {
        let Some(before) = self.model.materials.get(index) else { return Ok(()) };
        let breaks = before.break_force.is_none() && material.break_force.is_some();
        let flows = !before.changes_rest() && material.changes_rest();
        let held = |nested: &Nested| nested.materials.binary_search(&(index as u32)).is_ok() && (breaks || flows);
        match self.parts.nested.as_ref().is_some_and(held) {
            true => {
                let message = "there are levels over what is of this material, and they would hold it on: give it its break force, curve or \
                               yield point in the model, or set nested to false there, and make a new solver";
                Err(ChangeError::Settings(message.into()))
            }
            false => Ok(()),
        }
    }

    /// Pulls a particle (index in the model) to a point, moves the point, or with `None` lets the particle go. A fixed
    /// particle does not move.
    ///
    /// # Errors
    /// If there is no such particle, [`MOST_PULLS`] others are pulled, or a number is not finite or negative.
    pub fn pull(&mut self, particle: usize, pull: Option<Pull>) -> Result<(), ChangeError> {
        let slot = self.slot(particle)?;
        if let Some(Pull { target, compliance, damping }) = pull {
            finite("a pull's target", &target)?;
            not_negative("a pull's compliance", compliance)?;
            not_negative("a pull's damping", damping)?;
        }
        if !self.parts.pulls.set(slot, pull) {
            return Err(ChangeError::TooManyPulls);
        }
        self.upload_pulls();
        Ok(self.parts.prepare(&self.pipelines, &self.buffers)?)
    }

    /// Changes a particle's inverse mass, 1/kg: 0 fixes it where it is, or where its drive moves it.
    ///
    /// # Errors
    /// If there is no such particle, the number is negative or not finite, or the plan has the particle shared as a fixed one
    /// ([`PlannedGroup::shared`](crate::plan::PlannedGroup::shared)) and it is to be set free; or if there are levels over it
    /// ([`Settings::nested`]), which have its mass in them.
    pub fn set_inverse_mass(&mut self, particle: usize, inverse_mass: f64) -> Result<(), ChangeError> {
        let slot = self.slot(particle)?;
        not_negative("an inverse mass", inverse_mass)?;
        // What a tear splits off a fixed particle may be shared as that one is.
        let split = particle >= self.order.placed && !self.order.shared.is_empty();
        if inverse_mass > 0.0 && (split || self.order.shared.contains(&(particle as u32))) {
            return Err(ChangeError::Shared { particle });
        }
        let under = |nested: &Nested| nested.particles.iter().any(|range| range.contains(&(particle as u32)));
        if self.parts.nested.as_ref().is_some_and(under) {
            let message = "there are levels over the particle, which have its mass in them: change it in the model and make a new solver, or go \
                           on by `reconfigure` without nested";
            return Err(ChangeError::Settings(message.into()));
        }
        self.changed_masses.insert(particle as u32);
        self.edit("x", slot as usize * 16 + 12, bytemuck::bytes_of(&(inverse_mass as f32)));
        Ok(())
    }

    /// Goes on with other settings: substeps, iterations, mode, method, integrator, relaxation, and how stiffness and forces are taken.
    /// Positions, velocities, forces, rest values and what has broken stay as they are. Records into `encoder`; `plan` must be a plan of the
    /// same model with these settings, which is the old one unless the method, the mode, `nested` or the bound of
    /// colours is another.
    ///
    /// # Errors
    /// If the settings make no sense or have another frame rate, by which time is counted; if the plan is that of another
    /// model or does not fit the device. The solver then goes on as before.
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
        let mut parts = Parts::new(&self.pipelines, &mut buffers, &model, &self.used, plan)?;
        let order = order(&model, &self.used, plan);

        let mut recorder = Recorder::new(encoder, "pliant reconfigure");
        let pipelines = &self.pipelines;
        carry::rescale(pipelines, &buffers, self.order.slot_of.len(), &ratios, &mut recorder)?;
        let old = self.parts.constraints.iter().zip(&self.order.groups);
        for (old, new) in old.zip(parts.constraints.iter().zip(&order.groups)) {
            carry::carry(pipelines, &buffers, old, new, &ratios, &mut recorder)?;
        }
        parts.tear.iter().for_each(|tear| tear.point(&mut recorder));
        drop(recorder);

        for &(slot, pull) in self.parts.pulls.active() {
            // There is room: there was before.
            _ = parts.pulls.set(slot, Some(pull));
        }
        parts.prepare(&self.pipelines, &buffers)?;
        self.surfaces = Surfaces::new(&self.pipelines, &buffers, plan, model.tearing.is_some())?;
        (self.model, self.buffers, self.parts, self.order) = (model, buffers, parts, Arc::new(order));
        self.starting = starting;
        self.upload_materials();
        self.upload_pulls();
        // Lists of pairs are those of before, and the parameters that they are read by not yet those of a step.
        if self.parts.pairs.is_some() {
            self.forget_contacts();
        }
        Ok(())
    }

    fn check_settings(&self, plan: &Plan, settings: &Settings) -> Result<(), ChangeError> {
        let before = &self.model.settings;
        if settings.frame_rate != before.frame_rate {
            return Err(ChangeError::Settings(format!(
                "a running simulation keeps its frame rate of {} Hz, by which it counts time; use substeps, or a new solver",
                before.frame_rate
            )));
        }
        if settings.substeps == 0 || settings.iterations == 0 {
            return Err(ChangeError::Settings("a step needs one substep and one iteration at least".into()));
        }
        if !(settings.relaxation > 0.0 && settings.relaxation < 2.0) {
            let remedy = "it must lie between 0 and 2";
            return Err(ChangeError::Value { what: "the relaxation", value: settings.relaxation, remedy });
        }
        let same_groups = plan.groups.len() == self.order.groups.len()
            && plan.groups.iter().zip(&self.order.groups).all(|(a, b)| a.len() == b.constraint_of.len());
        if plan.slot_of != self.order.slot_of || !same_groups {
            return Err(ChangeError::Settings("the plan is not one of the model that the solver was made for".into()));
        }
        if !plan.sheets.is_empty() && (settings.nested == Some(false) || settings.mode == Mode::Pbd) {
            let message = "the plan has levels, and with these settings there are none: make a plan of the model with these settings";
            return Err(ChangeError::Settings(message.into()));
        }
        let over = |particle: &u32| plan.sheets.iter().any(|sheet| sheet.particles.contains(particle));
        if let Some(particle) = self.changed_masses.iter().find(|particle| over(particle)) {
            return Err(ChangeError::Settings(format!(
                "the plan has levels over particle {particle}, whose mass was changed since: they have the old one in them; make a solver of the \
                 model with its mass, or go on without nested"
            )));
        }
        plan.check_tearing(self.model.tearing.as_ref()).map_err(SolverError::from)?;
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
    pub(super) fn upload_materials(&mut self) {
        let settings = &self.model.settings;
        let table: Vec<_> = self.model.materials.iter().map(|material| material_record(material, settings)).collect();
        self.edit("materials", 0, bytemuck::cast_slice(&table));
        let settings = &self.model.settings;
        let laws: Vec<_> = self.model.materials.iter().map(|material| rest_law(material, settings)).collect();
        self.edit("rest_laws", 0, bytemuck::cast_slice(&laws));
    }

    fn upload_pulls(&mut self) {
        let (records, materials) = self.parts.pulls.records();
        let offset = self.model.materials.len() * size_of::<records::Material>();
        self.edit("materials", offset, bytemuck::cast_slice(&materials));
        let buffer = self.parts.pulls.records.clone();
        self.edits.push(Edit { buffer, offset: 0, bytes: bytemuck::cast_slice(&records).to_vec() });
    }

    /// Writes to one of the shared buffers with the next step.
    fn edit(&mut self, name: &str, offset: usize, bytes: &[u8]) {
        let buffer = self.shared(name).clone();
        self.edits.push(Edit { buffer, offset: offset as u64, bytes: bytes.to_vec() });
    }

    fn slot(&self, particle: usize) -> Result<u32, ChangeError> {
        let slots = &self.order.slot_of;
        let missing = ChangeError::Missing { what: "particle", index: particle, count: slots.len() };
        slots.get(particle).copied().ok_or(missing)
    }
}

fn check(material: &Material) -> Result<(), ChangeError> {
    not_negative("a compliance", material.compliance)?;
    not_negative("a damping", material.damping)?;
    not_negative("a stiffness", material.stiffness)?;
    if material.stiffness > 1.0 {
        let remedy = "a stiffness of PBD is at most 1";
        return Err(ChangeError::Value { what: "a stiffness", value: material.stiffness, remedy });
    }
    for (what, value) in [
        ("a break force", material.break_force),
        ("a yield point", material.yield_point),
        ("a rate of creep", material.creep),
    ] {
        value.map_or(Ok(()), |value| not_negative(what, value))?;
    }
    Ok(())
}

fn not_negative(what: &'static str, value: f64) -> Result<(), ChangeError> {
    match value >= 0.0 && value.is_finite() {
        true => Ok(()),
        false => Err(ChangeError::Value { what, value, remedy: "it must be a finite number of at least 0" }),
    }
}

fn finite(what: &'static str, values: &[f64]) -> Result<(), ChangeError> {
    match values.iter().find(|value| !value.is_finite()) {
        Some(&value) => Err(ChangeError::Value { what, value, remedy: "it must be finite" }),
        None => Ok(()),
    }
}
