//! What hosts do to this engine, as to any other.

use wide::f32x4;

use crate::cpu::frame::laws;
use crate::cpu::particles::{CROWDED, NOT_FINITE, RUNAWAY};
use crate::model::{Collider, Contact, Drive, Material, Settings, State, World};
use crate::plan::Plan;
use crate::solver::cpu::CpuSolver;
use crate::step::change::{self, frame_times};
use crate::step::{
    ChangeError, Engine, EngineError, Fault, Placement, Pull, Snapshot, Status, Synchronous, Used, records, rest_law,
};

impl Engine for CpuSolver {
    fn settings(&self) -> &Settings {
        &self.model.settings
    }

    fn frame(&self) -> u64 {
        self.frame
    }

    fn status(&mut self) -> Option<Status> {
        let records::Status { flags, particle, contacts, spares, .. } = self.status;
        let room = self.model.tearing.as_ref().map_or(0, |tearing| tearing.spares.len() as u32);
        Some(Status {
            frame: self.frame,
            not_finite: flags & NOT_FINITE != 0,
            runaway: flags & RUNAWAY != 0,
            slot: (flags != 0 && particle != u32::MAX).then_some(particle),
            crowded: flags & CROWDED != 0,
            contacts,
            pairs_wanted: 0,
            shared_contacts_wanted: 0,
            contacts_missing: 0,
            segment_contacts_wanted: 0,
            surface_pairs_wanted: 0,
            surfaces_held: self.surfaces[0],
            surfaces_forced: self.surfaces[1],
            spares_needed: spares,
            spares_missing: spares.saturating_sub(room),
        })
    }

    fn memory_bytes(&self) -> u64 {
        let groups: usize = self.groups.iter().map(|group| group.blocks.bytes() + group.values.bytes()).sum();
        let particles =
            self.slot_of.len() * (4 * size_of::<f32x4>() + size_of::<records::Properties>() + 3 * size_of::<u32>());
        let past: usize = self.particles.past.iter().map(|list| size_of_val(&**list)).sum();
        let passes: usize = self.passes.iter().filter_map(|pass| Some(pass.made.as_ref()?.bytes())).sum();
        (groups + particles + past + size_of_val(&*self.corrections) + passes) as u64
    }

    fn bytes_per_frame(&self) -> u64 {
        let Settings { substeps, .. } = self.model.settings;
        let sweep: u64 = self.groups.iter().map(|group| group.blocks.bytes_per_sweep()).sum();
        let step = self.slot_of.len() as u64 * 6 * size_of::<f32x4>() as u64;
        u64::from(substeps) * (step + u64::from(self.model.settings.visits()) * sweep)
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
        self.models().for_each(|model| model.colliders[index] = moved.clone());
        Ok(())
    }

    fn materials(&self) -> &[Material] {
        &self.model.materials
    }

    fn set_material(&mut self, index: usize, material: Material) -> Result<(), ChangeError> {
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

    fn set_damping(&mut self, body: usize, rate: f64) -> Result<(), ChangeError> {
        self.running().check_damping(body, rate)?;
        self.models().for_each(|model| model.bodies[body].damping = rate);
        self.remake("damping");
        Ok(())
    }

    fn pull(&mut self, particle: usize, pull: Option<Pull>) -> Result<(), ChangeError> {
        change::slot(&self.slot_of, particle)?;
        change::check_pull(pull)?;
        if !self.pulled.set(particle as u32, pull) {
            return Err(ChangeError::TooManyPulls);
        }
        self.remake("pulls");
        Ok(())
    }

    fn set_inverse_mass(&mut self, particle: usize, inverse_mass: f64) -> Result<(), ChangeError> {
        change::slot(&self.slot_of, particle)?;
        self.running().check_inverse_mass(particle, inverse_mass, &self.shared)?;
        self.weigh(particle, inverse_mass as f32);
        Ok(())
    }

    fn average_contacts(&mut self, on: bool) {
        self.averages_contacts = on;
    }
}

impl CpuSolver {
    /// Gives a particle another inverse mass.
    pub(super) fn weigh(&mut self, particle: usize, inverse_mass: f32) {
        let slot = self.slot_of[particle] as usize;
        let [x, y, z, _] = self.particles.x[slot].to_array();
        self.particles.x[slot] = f32x4::new([x, y, z, inverse_mass]);
        self.changed_masses.insert(particle as u32);
        let torn = self.tearable.iter_mut().flat_map(|tearable| tearable.tear.torn.inverse_masses.get_mut(particle));
        torn.for_each(|mass| *mass = f64::from(inverse_mass));
    }
}

/// By the methods of the same names of [`CpuSolver`], which cannot fail by a device.
impl Synchronous for CpuSolver {
    fn step(&mut self) -> Result<(), Fault> {
        self.step();
        Ok(())
    }

    fn state(&self) -> Result<State, Fault> {
        Ok(self.state())
    }

    fn contacts(&self) -> Result<(Vec<Contact>, usize), Fault> {
        Ok((self.contacts(), 0))
    }

    fn snapshot(&self) -> Result<Snapshot, EngineError> {
        Ok(self.snapshot())
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), EngineError> {
        Ok(self.restore(snapshot)?)
    }

    fn reconfigure(&mut self, plan: &Plan, settings: Settings) -> Result<(), EngineError> {
        Ok(self.reconfigure(plan, settings)?)
    }

    fn place(&mut self, placements: &[Placement]) -> Result<(), EngineError> {
        Ok(self.place(placements)?)
    }
}
