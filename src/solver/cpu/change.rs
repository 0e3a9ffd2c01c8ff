//! Changing what a simulation runs with and where its particles are.

use crate::cpu::blocks::Manner;
use crate::cpu::particles::LATTICE_STEPS;
use crate::model::{Model, Settings};
use crate::pass::pulls::cpu::Pulls;
use crate::plan::Plan;
use crate::solver::cpu::CpuSolver;
use crate::step::change::{self, Running};
use crate::step::{Active, ChangeError, Needs, Placement, placed};

impl CpuSolver {
    /// As [`Synchronous::place`](crate::step::Synchronous::place).
    ///
    /// # Errors
    /// The same, without those of a device.
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

    /// As [`Synchronous::reconfigure`](crate::step::Synchronous::reconfigure).
    ///
    /// # Errors
    /// The same, without those of a device.
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
        let mut other = Self::using(&model, plan, self.threads(), self.instructions, &self.used)
            .map_err(|_| change::other_plan())?;
        other.restore(&snapshot).map_err(|error| ChangeError::Settings(error.to_string()))?;
        other.pull_all(self.pulled());
        other.averages_contacts = self.averages_contacts;
        other.changed_masses = std::mem::take(&mut self.changed_masses);
        *self = other;
        Ok(())
    }

    pub(crate) fn running(&self) -> Running<'_> {
        Running { model: &self.model, used: &self.used, levels: &self.levels_over }
    }

    /// The model, and that from which what is torn is made.
    pub(crate) fn models(&mut self) -> impl Iterator<Item = &mut Model> {
        let beginning = self.tearable.iter_mut().map(|tearable| &mut tearable.beginning);
        beginning.chain([&mut self.model])
    }

    /// By particle.
    pub(crate) fn pulled(&self) -> Active {
        self.pulls.as_ref().map_or(Active::default(), |pulls| pulls.active.clone())
    }

    pub(crate) fn pull_all(&mut self, active: Active) {
        let manner = Manner {
            instructions: self.instructions,
            threads: self.team.threads(),
            needs: Needs::default(),
            laws: &[],
            rest_changes: false,
            slot_of: &self.slot_of,
            particle_of: &self.particle_of,
            in_rows: false,
            clusters: &[],
        };
        self.pulls = Pulls::new(active, &self.model, &manner);
    }
}
