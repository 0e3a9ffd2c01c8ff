//! Changing a simulation while it runs. Every change acts from the next recorded step on; nothing is read back and
//! nothing waits.

use std::sync::Arc;

use crate::gpu::SolverError;
use crate::gpu::kernel::KernelError;
use crate::gpu::parameters::Edit;
use crate::gpu::recorder::Recorder;
use crate::gpu::surface::Surfaces;
use crate::model::{Collider, Drive, Integrator, Material, Settings, World};
use crate::pass::Pass;
use crate::plan::Plan;
use crate::solver::gpu::carry;
use crate::solver::gpu::carry::Ratios;
use crate::solver::gpu::order;
use crate::solver::gpu::parts::Parts;
use crate::solver::gpu::upload::displacements;
use crate::solver::gpu::{Solver, limits};
use crate::step::change;
use crate::step::change::{Over, Running, frame_times};
use crate::step::records;
use crate::step::{ChangeError, Pull, material_record, rest_law};

impl From<KernelError> for ChangeError {
    fn from(error: KernelError) -> Self {
        SolverError::from(error).into()
    }
}

impl Solver {
    /// Gravity, wind and the speed limit.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.model.world
    }

    /// What acts on particles from outside: the motion of pins and forces. Entry 0 is "nothing" and serves most
    /// particles.
    pub fn drives_mut(&mut self) -> &mut [Drive] {
        &mut self.model.drives
    }

    /// Leads the fixed particles of a drive ([`Model::lead`](crate::model::Model::lead)) in the course of the next
    /// step, straight from where they are: to this displacement from where the model placed each of them, m. There they
    /// stay, whatever motion the model gave them. Called before each step it leads pins by the hand, as a skeleton
    /// does. No snapshot holds it.
    ///
    /// # Errors
    /// If there is no such drive, it is drive 0, which all have that nothing leads, or a number is not finite.
    pub fn move_drive(&mut self, index: usize, displacement: [f64; 3]) -> Result<(), ChangeError> {
        let times = frame_times(self.frame, &self.model.settings);
        self.model.drives[index] = self.running().moved_drive(index, times, displacement)?;
        Ok(())
    }

    /// The colliders as they are now.
    pub fn colliders(&self) -> &[Collider] {
        &self.model.colliders
    }

    /// Moves a collider (index in the model) in the course of the next step: from where it is straight and the shorter
    /// way round to a place, m, with its axes turned as a quaternion x, y, z, w of any length says. There it stays,
    /// whatever motion the model gave it. Called before each step it leads a collider by the hand: its surface has the
    /// velocity of the way, and nothing passes through it however fast it goes. No snapshot holds it.
    ///
    /// # Errors
    /// If there is no such collider, or a number is not finite or the quaternion zero; or if another kernel is needed,
    /// which does not compile.
    pub fn move_collider(&mut self, index: usize, position: [f64; 3], rotation: [f64; 4]) -> Result<(), ChangeError> {
        let times = frame_times(self.frame, &self.model.settings);
        let moved = self.running().moved_collider(index, times, position, rotation)?;
        let before = std::mem::replace(&mut self.model.colliders[index], moved);
        let mut passes = std::mem::take(&mut self.parts.passes);
        let setup = self.setup();
        let mut made = passes.iter_mut().filter_map(|pass| pass.made.as_mut());
        let followed = made.try_for_each(|pass| pass.follow_colliders(&setup));
        self.parts.passes = passes;
        if let Err(error) = followed {
            self.model.colliders[index] = before;
            return Err(error.into());
        }
        Ok(())
    }

    /// The model's materials, as they are now.
    pub fn materials(&self) -> &[Material] {
        &self.model.materials
    }

    /// Changes a material: compliance, damping, stiffness, side, break force, curve or yielding of every constraint
    /// that refers to it.
    ///
    /// # Errors
    /// If there is no such material or curve, one of its numbers is negative, not finite, or a stiffness above 1, or if
    /// it gains a curve or yield point and rest values of its constraints never change; or if it gains one of these or
    /// a break force and there are levels over its constraints, which would hold on.
    pub fn set_material(&mut self, index: usize, material: Material) -> Result<(), ChangeError> {
        let materials = self.running().with_material(index, material)?;
        let needs = self.running().needs(&materials);
        // What fails, fails here, where nothing has changed yet: the second time finds all compiled.
        for (constraints, &needs) in self.parts.constraints.iter().zip(&needs) {
            constraints.compile(&self.pipelines, needs)?;
        }
        self.parts.islands.iter_mut().try_for_each(|islands| islands.fit(&self.pipelines, &needs))?;
        self.parts.clusters.iter_mut().try_for_each(|clusters| clusters.fit(&self.pipelines, &needs))?;
        self.model.materials = materials;
        self.used.iter_mut().for_each(|used| used.follow(index, &material));
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
    /// If there is no such body, the number is negative or not finite, the body can be torn, or the device has no room
    /// for another damped body.
    pub fn set_damping(&mut self, body: usize, rate: f64) -> Result<(), ChangeError> {
        self.running().check_damping(body, rate)?;
        let before = std::mem::replace(&mut self.model.bodies[body].damping, rate);
        if let Err(error) = self.remake("damping") {
            self.model.bodies[body].damping = before;
            return Err(error.into());
        }
        Ok(self.parts.prepare(&self.pipelines, &self.buffers)?)
    }

    /// Makes a pass anew, by its name, after what it is made of has changed.
    fn remake(&mut self, name: &str) -> Result<(), SolverError> {
        let setup = self.setup();
        let Some(index) = self.parts.passes.iter().position(|pass| pass.pass.name() == name) else { return Ok(()) };
        let made = self.parts.passes[index].pass.gpu(&setup)?;
        self.parts.passes[index].made = made;
        Ok(())
    }

    fn running(&self) -> Running<'_> {
        Running { model: &self.model, used: &self.used, levels: &self.levels }
    }

    /// Pulls a particle (index in the model) to a point, moves the point, or with `None` lets the particle go. A fixed
    /// particle does not move.
    ///
    /// # Errors
    /// If there is no such particle, [`MOST_PULLS`](crate::step::MOST_PULLS) others are pulled, or a number is not
    /// finite or negative.
    pub fn pull(&mut self, particle: usize, pull: Option<Pull>) -> Result<(), ChangeError> {
        let slot = change::slot(&self.order.slot_of, particle)?;
        change::check_pull(pull)?;
        if !self.pulled.set(slot, pull) {
            return Err(ChangeError::TooManyPulls);
        }
        self.upload_pulls();
        Ok(self.parts.prepare(&self.pipelines, &self.buffers)?)
    }

    /// Changes a particle's inverse mass, 1/kg: 0 fixes it where it is, or where its drive moves it.
    ///
    /// # Errors
    /// If there is no such particle, the number is negative or not finite, or the plan has the particle shared as a
    /// fixed one ([`PlannedGroup::shared`](crate::plan::PlannedGroup::shared)) and it is to be set free; or if there
    /// are levels over it ([`Settings::nested`]), which have its mass in them.
    pub fn set_inverse_mass(&mut self, particle: usize, inverse_mass: f64) -> Result<(), ChangeError> {
        let slot = change::slot(&self.order.slot_of, particle)?;
        self.running().check_inverse_mass(particle, inverse_mass, &self.order.shared)?;
        self.changed_masses.insert(particle as u32);
        self.edit("x", slot as usize * 16 + 12, bytemuck::bytes_of(&(inverse_mass as f32)));
        Ok(())
    }

    /// Goes on with other settings: substeps, iterations, mode, method, integrator, relaxation, and how stiffness and
    /// forces are taken. Positions, velocities, forces, rest values and what has broken stay as they are. Records into
    /// `encoder`; `plan` must be a plan of the same model with these settings, which is the old one unless the method,
    /// the mode, `nested` or the bound of colours is another.
    ///
    /// # Errors
    /// If the settings make no sense or have another frame rate, by which time is counted; if the plan is that of
    /// another model or does not fit the device. The solver then goes on as before.
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
        self.upload_materials();
        self.upload_pulls();
        // Lists of pairs are those of before, and the parameters that they are read by not yet those of a step.
        self.forget_contacts();
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

    fn upload_pulls(&mut self) {
        let mut passes = std::mem::take(&mut self.parts.passes);
        let setup = self.setup();
        let made = passes.iter_mut().filter_map(|pass| pass.made.as_mut());
        let edits: Vec<Edit> = made.flat_map(|pass| pass.follow_pulls(&setup)).collect();
        self.parts.passes = passes;
        self.edits.extend(edits);
    }

    /// Writes to one of the shared buffers with the next step.
    fn edit(&mut self, name: &str, offset: usize, bytes: &[u8]) {
        let buffer = self.shared(name).clone();
        self.edits.push(Edit { buffer, offset: offset as u64, bytes: bytes.to_vec() });
    }
}
