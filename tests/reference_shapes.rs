//! The reference solver by those tests of the solvers in single precision that ask of colliders: every shape, and that nothing passes.

#[path = "common/models.rs"]
mod models;
#[path = "common/proof.rs"]
mod proof;
#[path = "common/random.rs"]
mod random;

#[path = "engines/shapes.rs"]
mod shapes;
#[path = "engines/tunnel.rs"]
mod tunnel;

/// What runs a model, here in double precision.
mod device {
    use pliant::Reference;
    use pliant::model::{Model, State};

    pub use crate::models::run;

    pub struct Running(Reference);

    impl Running {
        pub fn new(model: &Model) -> Self {
            Self(crate::models::reference(model))
        }

        pub fn run(&mut self, frames: u32) -> State {
            (0..frames).for_each(|_| self.0.step());
            self.state()
        }

        pub fn state(&mut self) -> State {
            self.0.state()
        }
    }
}
