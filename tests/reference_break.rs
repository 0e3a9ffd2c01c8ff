//! Springs under levels that break, in double precision: the tests of the engines.

#[path = "common/breaking.rs"]
mod breaking;
#[path = "common/models.rs"]
mod models;
#[path = "engines/nested_break.rs"]
mod nested_break;
#[path = "common/proof.rs"]
mod proof;
#[path = "common/sheets.rs"]
mod sheets;

/// The reference as the tests of the engines run them.
mod device {
    use pliant::model::{Model, State};
    use pliant::reference::Reference;

    pub struct Running(Reference);

    impl Running {
        pub fn new(model: &Model) -> Self {
            Self(crate::models::reference(model))
        }

        pub fn run(&mut self, frames: u32) -> State {
            (0..frames).for_each(|_| self.0.step());
            self.0.state()
        }

        pub fn snapshot(&self) -> State {
            self.0.state()
        }

        pub fn restore(&mut self, state: &State) {
            self.0.restore(state);
        }
    }
}
