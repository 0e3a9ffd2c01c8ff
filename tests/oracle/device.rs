//! What runs a model, here in double precision.

use pliant::Reference;
use pliant::model::{Model, State};

use crate::models;
pub use crate::models::run;

pub struct Running(Reference);

impl Running {
    pub fn new(model: &Model) -> Self {
        Self(models::reference(model))
    }

    pub fn run(&mut self, frames: u32) -> State {
        (0..frames).for_each(|_| self.0.step());
        self.state()
    }

    pub fn state(&mut self) -> State {
        self.0.state()
    }

    /// What it goes back to.
    pub fn snapshot(&self) -> State {
        self.0.state()
    }

    pub fn restore(&mut self, state: &State) {
        self.0.restore(state);
    }
}
