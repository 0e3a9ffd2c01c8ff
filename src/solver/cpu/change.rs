//! Changing a simulation while it runs. Every change acts from the next step on.

use crate::cpu::frame::laws;
use crate::cpu::particles::LATTICE_STEPS;
use crate::model::{Collider, Drive, Material, Model, Settings, World};
use crate::pass::Pass;
use crate::plan::Plan;
use crate::solver::cpu::CpuSolver;
use crate::step::change;
use crate::step::change::{Running, frame_times};
use crate::step::{ChangeError, Placement, Pull, Used, placed, rest_law};
use wide::f32x4;

impl CpuSolver {
    /// Gravity, wind and speed limit. The numbers are taken as they are.
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
    /// If there is no such collider, or a number is not finite or the quaternion zero.
    pub fn move_collider(&mut self, index: usize, position: [f64; 3], rotation: [f64; 4]) -> Result<(), ChangeError> {
        let times = frame_times(self.frame, &self.model.settings);
        let moved = self.running().moved_collider(index, times, position, rotation)?;
        self.models().for_each(|model| model.colliders[index] = moved.clone());
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
        self.models().for_each(|model| model.materials = materials.clone());
        self.active_passes().for_each(|pass| pass.follow_materials());
        self.used.iter_mut().for_each(|used| used.follow(index, &material));
        self.laws = laws(&self.model);
        self.rest_laws[index] = rest_law(&material, &self.model.settings);
        let refers = |used: &Used| used.materials.contains(&(index as u32));
        let groups = self.groups.iter_mut().zip(needs).zip(&self.used);
        for ((group, needs), _) in groups.filter(|(_, used)| refers(used)) {
            group.blocks.follow_laws(&self.laws, needs);
        }
        Ok(())
    }

    /// Changes a body's damping, 1/s: the rate at which motion dies away that is not its translation and rotation
    /// ([`Body::damping`](crate::model::Body::damping)). 0 ends it, and what it costs.
    ///
    /// # Errors
    /// If there is no such body, the number is negative or not finite, or the body can be torn.
    pub fn set_damping(&mut self, body: usize, rate: f64) -> Result<(), ChangeError> {
        self.running().check_damping(body, rate)?;
        self.models().for_each(|model| model.bodies[body].damping = rate);
        self.remake("damping");
        Ok(())
    }

    /// Pulls a particle (index in the model) to a point, moves the point, or with `None` lets the particle go. A fixed
    /// particle does not move.
    ///
    /// # Errors
    /// If there is no such particle, [`MOST_PULLS`](crate::step::MOST_PULLS) others are pulled, or a number is not
    /// finite or negative.
    pub fn pull(&mut self, particle: usize, pull: Option<Pull>) -> Result<(), ChangeError> {
        change::slot(&self.slot_of, particle)?;
        change::check_pull(pull)?;
        if !self.pulled.set(particle as u32, pull) {
            return Err(ChangeError::TooManyPulls);
        }
        self.remake("pulls");
        Ok(())
    }

    /// Puts particles elsewhere, with other velocities; of two placements of one particle the last holds. No contact is
    /// asked on the way there, constraints take what they find, and with BDF2 their past is a free fall.
    /// Particles that the model has in one place never touch each other: those that wait to be thrown need places of
    /// their own.
    ///
    /// # Errors
    /// If there is no such particle or a number is not finite: then none of them is put anywhere.
    pub fn place(&mut self, placements: &[Placement]) -> Result<(), ChangeError> {
        let slots = placed(&self.slot_of, placements)?;
        let h = self.model.settings.substep_seconds();
        for (slot, one) in slots.into_iter().zip(placements) {
            let ways = [one.velocity.map(|speed| speed * h), self.model.world.gravity.map(|g| g * h * h)];
            let extent = self.particles.place(slot as usize, one.position, ways);
            if extent >= self.particles.lattice * LATTICE_STEPS {
                self.status.extent = self.status.extent.max(extent.to_bits());
            }
        }
        Ok(())
    }

    /// Changes a particle's inverse mass, 1/kg: 0 fixes it where it is, or where its drive moves it.
    ///
    /// # Errors
    /// If there is no such particle, the number is negative or not finite, or the plan has the particle shared as a
    /// fixed one ([`PlannedGroup::shared`](crate::plan::PlannedGroup::shared)) and it is to be set free; or if there
    /// are levels over it ([`Settings::nested`]), which have its mass in them.
    pub fn set_inverse_mass(&mut self, particle: usize, inverse_mass: f64) -> Result<(), ChangeError> {
        let slot = change::slot(&self.slot_of, particle)? as usize;
        self.running().check_inverse_mass(particle, inverse_mass, &self.shared)?;
        let inverse_mass = inverse_mass as f32;
        let [x, y, z, _] = self.particles.x[slot].to_array();
        self.particles.x[slot] = f32x4::new([x, y, z, inverse_mass]);
        self.changed_masses.insert(particle as u32);
        let torn = self.tearable.iter_mut().flat_map(|tearable| tearable.tear.torn.inverse_masses.get_mut(particle));
        torn.for_each(|mass| *mass = f64::from(inverse_mass));
        Ok(())
    }

    /// Goes on with other settings: substeps, iterations, mode, method, integrator, relaxation, and how stiffness and
    /// forces are taken. Positions, velocities, forces, rest values and what has broken stay as they are; contacts are
    /// told again from the next step on. `plan` must be a plan of the same model with these settings, which is the old
    /// one unless the method, the mode, `nested` or the bound of colours is another.
    ///
    /// # Errors
    /// If the settings make no sense or have another frame rate, by which time is counted; if the plan is that of
    /// another model, or has a particle shared as a fixed one that has been set free. The solver then goes on as
    /// before.
    pub fn reconfigure(&mut self, plan: &Plan, settings: Settings) -> Result<(), ChangeError> {
        let same = plan.groups.iter().map(|group| (group.kind, group.len()));
        if plan.slot_of != self.planned || !same.eq(self.model.groups.iter().map(|group| (group.kind, group.len()))) {
            return Err(change::other_plan());
        }
        self.running().check_settings(&settings, plan, &self.changed_masses)?;
        let snapshot = self.snapshot();
        let beginning = self.tearable.as_ref().map_or(&self.model, |tearable| &tearable.beginning);
        let (world, drives) = (self.model.world.clone(), self.model.drives.clone());
        let model = Model { settings, world, drives, ..beginning.clone() };
        let passes: Vec<&'static dyn Pass> = self.passes.iter().map(|pass| pass.pass).collect();
        let mut other = Self::using(&model, plan, self.threads(), self.instructions, &self.used, &passes)
            .map_err(|_| change::other_plan())?;
        other.restore(&snapshot).map_err(|error| ChangeError::Settings(error.to_string()))?;
        other.pulled = self.pulled.clone();
        other.remake("pulls");
        other.averages_contacts = self.averages_contacts;
        other.changed_masses = std::mem::take(&mut self.changed_masses);
        *self = other;
        Ok(())
    }

    fn running(&self) -> Running<'_> {
        Running { model: &self.model, used: &self.used, levels: &self.levels_over }
    }

    /// The model, and that from which what is torn is made.
    fn models(&mut self) -> impl Iterator<Item = &mut Model> {
        let beginning = self.tearable.iter_mut().map(|tearable| &mut tearable.beginning);
        beginning.chain([&mut self.model])
    }
}
