//! What hosts do to this engine, as to any other.

use std::sync::Arc;

use crate::model::{Collider, Drive, Material, Settings, World};
use crate::solver::gpu::Solver;
use crate::solver::gpu::notes::Notes;
use crate::step::change::{self, frame_times};
use crate::step::{ChangeError, Engine, Pull, Status, material_record, records, rest_law};

impl Engine for Solver {
    fn settings(&self) -> &Settings {
        &self.model.settings
    }

    fn frame(&self) -> u64 {
        self.frame
    }

    fn status(&mut self) -> Option<Status> {
        let spares = self.model.tearing.as_ref().map_or(0, |tearing| tearing.spares.len() as u32);
        self.status
            .latest()
            .map(|status| Status { spares_missing: status.spares_needed.saturating_sub(spares), ..status })
    }

    fn memory_bytes(&self) -> u64 {
        let passes: u64 = self.parts.passes().map(|(_, pass)| pass.memory_bytes()).sum();
        let constraints: u64 = self.parts.constraints.iter().map(|group| group.memory_bytes()).sum();
        let tear = self.parts.tear.as_ref().map_or(0, |tear| tear.memory_bytes());
        let islands = self.parts.islands.as_ref().map_or(0, |islands| islands.memory);
        let clusters = self.parts.clusters.as_ref().map_or(0, |clusters| clusters.memory);
        let notes = self.parts.notes.as_ref().map_or(0, Notes::memory_bytes);
        self.buffers.bytes() + constraints + passes + tear + islands + clusters + notes
    }

    fn bytes_per_frame(&self) -> u64 {
        self.load.bytes
    }

    fn world_mut(&mut self) -> &mut World {
        &mut self.model.world
    }

    fn drives_mut(&mut self) -> &mut [Drive] {
        &mut self.model.drives
    }

    fn move_drive(&mut self, index: usize, displacement: [f64; 3]) -> Result<(), ChangeError> {
        let times = frame_times(self.frame, &self.model.settings);
        self.model.drives[index] = self.running().moved_drive(index, times, displacement)?;
        Ok(())
    }

    fn colliders(&self) -> &[Collider] {
        &self.model.colliders
    }

    fn move_collider(&mut self, index: usize, position: [f64; 3], rotation: [f64; 4]) -> Result<(), ChangeError> {
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

    fn materials(&self) -> &[Material] {
        &self.model.materials
    }

    fn set_material(&mut self, index: usize, material: Material) -> Result<(), ChangeError> {
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

    fn set_damping(&mut self, body: usize, rate: f64) -> Result<(), ChangeError> {
        self.running().check_damping(body, rate)?;
        let before = std::mem::replace(&mut self.model.bodies[body].damping, rate);
        if let Err(error) = self.remake("damping") {
            self.model.bodies[body].damping = before;
            return Err(error.into());
        }
        Ok(self.parts.prepare(&self.pipelines, &self.buffers)?)
    }

    fn pull(&mut self, particle: usize, pull: Option<Pull>) -> Result<(), ChangeError> {
        let slot = change::slot(&self.order.slot_of, particle)?;
        change::check_pull(pull)?;
        if !self.pulled.set(slot, pull) {
            return Err(ChangeError::TooManyPulls);
        }
        self.upload_pulls();
        Ok(self.parts.prepare(&self.pipelines, &self.buffers)?)
    }

    fn set_inverse_mass(&mut self, particle: usize, inverse_mass: f64) -> Result<(), ChangeError> {
        change::slot(&self.order.slot_of, particle)?;
        self.running().check_inverse_mass(particle, inverse_mass, &self.order.shared)?;
        self.weigh(particle, inverse_mass as f32);
        Ok(())
    }

    fn average_contacts(&mut self, on: bool) {
        self.averages_contacts = on;
    }
}
