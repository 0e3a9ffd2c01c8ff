//! Changing what a simulation runs with and where its particles are.

use crate::cpu::particles::LATTICE_STEPS;
use crate::model::{Model, Settings};
use crate::pass::Pass;
use crate::plan::Plan;
use crate::solver::cpu::CpuSolver;
use crate::step::change::{self, Running};
use crate::step::{ChangeError, Placement, placed};

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

    pub(crate) fn running(&self) -> Running<'_> {
        Running { model: &self.model, used: &self.used, levels: &self.levels_over }
    }

    /// The model, and that from which what is torn is made.
    pub(crate) fn models(&mut self) -> impl Iterator<Item = &mut Model> {
        let beginning = self.tearable.iter_mut().map(|tearable| &mut tearable.beginning);
        beginning.chain([&mut self.model])
    }
}
