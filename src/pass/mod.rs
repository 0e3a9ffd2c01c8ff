//! The passes: what takes part in a substep beside constraints, such as the air, damping and contacts.
//!
//! A pass acts at certain moments of a substep, its hooks:
//!
//! 1. *accelerate*: changes velocities by forces that depend on them, before particles are predicted;
//! 2. *correct prediction*: moves particles from where they were predicted;
//! 3. *detect*: finds what the substep needs, such as contact planes;
//! 4. *solve*: corrects positions, once for each iteration, after the constraints;
//! 5. *solve round*: corrects positions in contact, in several rounds after each *solve*, where surfaces touch;
//! 6. *guard*: has the last word on positions, so that no surfaces cross;
//! 7. *correct velocities*: damps motion and applies restitution, at the end;
//! 8. *report*: notes contacts for hosts that read them.
//!
//! Each pass is one folder, with its part in the reference, on the CPU and on a GPU, and its shaders in a folder of the
//! same name. [`PASSES`](crate::solver::PASSES) lists the passes in order. All hooks but those that a pass needs have
//! default implementations that do nothing.
//!
//! # A pass of your own
//!
//! Implement [`Pass`] and hand it to [`Reference::with_passes`](crate::Reference::with_passes) or to the same function
//! of the other engines; [`in_order`](crate::solver::in_order) says where it comes. `examples/custom_pass` has two
//! passes for all three engines: `count.rs` counts the particles in a box, which is the least that a pass can do, and
//! `vortex.rs` drags particles along with a rotating wind. This is one for the reference alone:
//!
//! ```
//! use pliant::constraint::Vec3;
//! use pliant::pass::{Pass, reference};
//! use pliant::scene::{Body, Scene};
//! use pliant::{Plan, Reference};
//! # #[cfg(feature = "cpu")]
//! # use pliant::pass::cpu;
//! # #[cfg(feature = "gpu")]
//! # use pliant::pass::gpu;
//!
//! /// Pushes every particle along x by 1 m/s².
//! struct Push;
//!
//! impl Pass for Push {
//!     fn name(&self) -> &'static str {
//!         "push"
//!     }
//!     fn reference(&'static self, _: &reference::Setup) -> Option<Box<dyn reference::Pass>> {
//!         Some(Box::new(InReference))
//!     }
//!     // Without a part in these engines.
//! #   #[cfg(feature = "cpu")]
//!     fn cpu(&'static self, _: &cpu::Setup) -> Option<Box<dyn cpu::Pass>> {
//!         None
//!     }
//! #   #[cfg(feature = "gpu")]
//!     fn gpu(&'static self, _: &gpu::Setup) -> Result<Option<Box<dyn gpu::Pass>>, pliant::solver::SolverError> {
//!         Ok(None)
//!     }
//! }
//!
//! struct InReference;
//!
//! impl reference::Pass for InReference {
//!     fn accelerate(&self, substep: &reference::Substep) -> Vec<Vec3<f64>> {
//!         vec![Vec3::new(substep.h, 0.0, 0.0); substep.points.positions.len()]
//!     }
//! }
//!
//! static PUSH: Push = Push;
//! let model = Scene::new("a stone").with(Body::particles([[0.0, 0.0, 0.0]])).build()?.model;
//! let mut solver = Reference::with_passes(&model, &Plan::new(&model), &[&PUSH]);
//! (0..60).for_each(|_| solver.step());
//! assert!((solver.state().velocities[0][0] - 1.0).abs() < 1e-9); // after 1 s
//! # Ok::<(), pliant::scene::SceneError>(())
//! ```

pub(crate) mod air;
pub(crate) mod colliders;
pub(crate) mod damping;
pub(crate) mod flows;
pub(crate) mod fluid;
pub(crate) mod joints;
pub(crate) mod levels;
pub(crate) mod pairs;
pub(crate) mod pulls;
pub(crate) mod rest;
pub(crate) mod rods;
pub(crate) mod shapes;
pub(crate) mod surfaces;
pub(crate) mod tear;

#[cfg(feature = "cpu")]
pub use crate::cpu::pass as cpu;
#[cfg(feature = "gpu")]
use crate::gpu::SolverError;
#[cfg(feature = "gpu")]
pub use crate::gpu::pass as gpu;
pub use crate::reference::pass as reference;

/// A pass: what each engine makes of it for a model. `None` where the model does not need the pass: it then costs no
/// byte and no dispatch.
pub trait Pass: Send + Sync {
    /// Its name: that of its folder, of its shaders' folder, and of its part in profiles.
    fn name(&self) -> &'static str;

    /// In the oracle.
    fn reference(&'static self, setup: &reference::Setup) -> Option<Box<dyn reference::Pass>>;

    /// On the CPU.
    #[cfg(feature = "cpu")]
    fn cpu(&'static self, setup: &cpu::Setup) -> Option<Box<dyn cpu::Pass>>;

    /// On a GPU.
    ///
    /// # Errors
    /// If the device has no room, or a shader does not compile.
    #[cfg(feature = "gpu")]
    fn gpu(&'static self, setup: &gpu::Setup) -> Result<Option<Box<dyn gpu::Pass>>, SolverError>;
}
