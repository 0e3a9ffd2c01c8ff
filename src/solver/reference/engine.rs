//! What hosts do to the reference, as to any other engine. It takes changes of what it reads anew in each substep.

use crate::model::{Collider, Contact, Drive, Material, Model, Settings, State, World};
use crate::plan::Plan;
use crate::solver::reference::Reference;
use crate::step::change::{Over, Running, frame_times};
use crate::step::{
    ChangeError, Engine, EngineError, EngineState, Fault, Placement, Pull, Snapshot, Status, Synchronous,
};

impl Reference {
    /// By which it judges the changes that it takes.
    fn judged<T>(&self, judge: impl FnOnce(Running) -> Result<T, ChangeError>) -> Result<T, ChangeError> {
        judge(Running { model: &self.model, used: &[], levels: &Over::default() })
    }

    /// The model, and that from which what is torn is made.
    fn models(&mut self) -> impl Iterator<Item = &mut Model> {
        self.beginning.as_deref_mut().into_iter().chain([&mut self.model])
    }
}

impl Engine for Reference {
    fn settings(&self) -> &Settings {
        &self.model.settings
    }

    fn frame(&self) -> u64 {
        self.frame
    }

    fn status(&mut self) -> Option<Status> {
        None
    }

    fn memory_bytes(&self) -> u64 {
        0
    }

    fn bytes_per_frame(&self) -> u64 {
        0
    }

    fn world_mut(&mut self) -> &mut World {
        &mut self.model.world
    }

    fn drives_mut(&mut self) -> &mut [Drive] {
        &mut self.model.drives
    }

    fn move_drive(&mut self, index: usize, displacement: [f64; 3]) -> Result<(), ChangeError> {
        let times = frame_times(self.frame, &self.model.settings);
        self.model.drives[index] = self.judged(|running| running.moved_drive(index, times, displacement))?;
        Ok(())
    }

    fn colliders(&self) -> &[Collider] {
        &self.model.colliders
    }

    fn move_collider(&mut self, index: usize, position: [f64; 3], rotation: [f64; 4]) -> Result<(), ChangeError> {
        let times = frame_times(self.frame, &self.model.settings);
        let moved = self.judged(|running| running.moved_collider(index, times, position, rotation))?;
        self.models().for_each(|model| model.colliders[index] = moved.clone());
        Ok(())
    }

    fn materials(&self) -> &[Material] {
        &self.model.materials
    }

    fn set_material(&mut self, _index: usize, _material: Material) -> Result<(), ChangeError> {
        Err(ChangeError::Unsupported("material"))
    }

    fn set_damping(&mut self, body: usize, rate: f64) -> Result<(), ChangeError> {
        self.judged(|running| running.check_damping(body, rate))?;
        self.models().for_each(|model| model.bodies[body].damping = rate);
        Ok(())
    }

    fn pull(&mut self, _particle: usize, _pull: Option<Pull>) -> Result<(), ChangeError> {
        Err(ChangeError::Unsupported("pull"))
    }

    fn set_inverse_mass(&mut self, _particle: usize, _inverse_mass: f64) -> Result<(), ChangeError> {
        Err(ChangeError::Unsupported("mass"))
    }

    fn average_contacts(&mut self, on: bool) {
        self.average_contacts(on);
    }
}

/// By the methods of the same names of [`Reference`]; its states are its snapshots.
impl Synchronous for Reference {
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
        Err(EngineError::OtherEngine)
    }

    fn restore(&mut self, _snapshot: &Snapshot) -> Result<(), EngineError> {
        Err(EngineError::OtherEngine)
    }

    fn reconfigure(&mut self, _plan: &Plan, _settings: Settings) -> Result<(), EngineError> {
        Err(ChangeError::Unsupported("setting").into())
    }

    fn place(&mut self, _placements: &[Placement]) -> Result<(), EngineError> {
        Err(ChangeError::Unsupported("place of a particle").into())
    }

    fn save(&self) -> Result<EngineState, EngineError> {
        Ok(EngineState::Reference(self.state()))
    }

    fn resume(&mut self, saved: &EngineState) -> Result<(), EngineError> {
        match saved {
            EngineState::Device(snapshot) => Synchronous::restore(self, snapshot),
            EngineState::Reference(state) => {
                self.restore(state);
                Ok(())
            }
        }
    }
}
