//! The interface of a running engine.

use std::ops::DerefMut;

use thiserror::Error;

use crate::model::{Collider, Contact, Drive, Material, Settings, State, World};
use crate::plan::Plan;
use crate::step::{ChangeError, Placement, Pull, Snapshot, SnapshotError, Status};

/// What a host reads of a running engine and changes in it, the same for all engines. No method reads back from a
/// device or waits. Every change acts from the next step on.
///
/// On a GPU steps, states and snapshots need the host's command encoder, so they are methods of `Solver` itself. For
/// engines that need no encoder they are methods of [`Synchronous`].
///
/// ```
/// use pliant::scene::{Body, Scene};
/// use pliant::{CpuSolver, Engine, Plan};
///
/// let model = Scene::new("a stone").with(Body::particles([[0.0, 0.0, 0.0]])).build()?.model;
/// let mut solver = CpuSolver::new(&model, &Plan::new(&model))?;
/// solver.world_mut().gravity = [0.0, -1.62, 0.0]; // on the moon
/// solver.step();
/// solver.set_inverse_mass(0, 0.0)?; // held from now on
/// solver.step();
/// assert_eq!(solver.frame(), 2);
/// assert!(solver.status().is_some_and(|status| status.is_good()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Engine {
    /// The model's settings, or those of the last reconfiguration.
    fn settings(&self) -> &Settings;

    /// Frames solved so far; on a device frames recorded so far.
    fn frame(&self) -> u64;

    /// Simulated time of these frames, s.
    fn seconds(&self) -> f64 {
        self.frame() as f64 / self.settings().frame_rate
    }

    /// The latest known status: on a CPU that of the last frame, on a device one or two frames late. `None` if none
    /// has arrived yet, and for the reference, which has none.
    fn status(&mut self) -> Option<Status>;

    /// Bytes of memory that the engine holds: on a device all, on a CPU those of particles, constraints, contacts and
    /// levels. 0 for the reference, which does not count.
    fn memory_bytes(&self) -> u64;

    /// Bytes that a frame must read and write if nothing stays in a cache. On a device those of the last recorded step,
    /// 0 before the first. On a CPU x, d and e once a substep, and for each visit of a constraint x and d of its
    /// particles and its own data. 0 for the reference, which does not count.
    fn bytes_per_frame(&self) -> u64;

    /// Gravity, wind and speed limit. The numbers are not checked.
    fn world_mut(&mut self) -> &mut World;

    /// The motion of pins, and forces on particles. Entry 0 is "nothing"; most particles use it.
    fn drives_mut(&mut self) -> &mut [Drive];

    /// Moves the fixed particles of a drive ([`Model::lead`](crate::model::Model::lead)) during the next step, in a
    /// straight line, to this displacement from where the model placed each of them, m. They stay there; the drive's
    /// keyframes end. Call it before each step to move pins with a skeleton. Snapshots do not contain it.
    ///
    /// # Errors
    /// If there is no such drive, it is drive 0, which belongs to all particles without a drive, or a number is not
    /// finite.
    fn move_drive(&mut self, index: usize, displacement: [f64; 3]) -> Result<(), ChangeError>;

    /// The colliders at present.
    fn colliders(&self) -> &[Collider];

    /// Moves a collider (index in the model) during the next step, in a straight line and the shorter way round, to a
    /// position, m, and a rotation, a quaternion x, y, z, w of any length. It stays there; its keyframes end. Call it
    /// before each step to animate a collider: its surface has the velocity of the motion, and no particle passes
    /// through it at any speed. Snapshots do not contain it.
    ///
    /// # Errors
    /// If there is no such collider, or a number is not finite or the quaternion zero; or if a device needs another
    /// kernel, which does not compile.
    fn move_collider(&mut self, index: usize, position: [f64; 3], rotation: [f64; 4]) -> Result<(), ChangeError>;

    /// The model's materials at present.
    fn materials(&self) -> &[Material];

    /// Changes a material: compliance, damping, stiffness, side, break force, curve or yielding of every constraint
    /// that refers to it.
    ///
    /// # Errors
    /// If there is no such material or curve, one of its numbers is negative, not finite, or a stiffness above 1, or if
    /// it gains a curve or yield point and rest values of its constraints never change; or if it gains one of these or
    /// a break force while levels are active on its constraints. The reference refuses it.
    fn set_material(&mut self, index: usize, material: Material) -> Result<(), ChangeError>;

    /// Changes a body's damping ([`Body::damping`](crate::model::Body::damping)), 1/s. 0 turns it off, with its cost.
    ///
    /// # Errors
    /// If there is no such body, the number is negative or not finite, the body can be torn, or a device has no room
    /// for another damped body.
    fn set_damping(&mut self, body: usize, rate: f64) -> Result<(), ChangeError>;

    /// Pulls a particle (index in the model) to a point, moves the point, or with `None` lets the particle go. A fixed
    /// particle does not move.
    ///
    /// # Errors
    /// If there is no such particle, [`MOST_PULLS`](crate::step::MOST_PULLS) others are pulled, or a number is not
    /// finite or negative. The reference refuses it.
    fn pull(&mut self, particle: usize, pull: Option<Pull>) -> Result<(), ChangeError>;

    /// Changes a particle's inverse mass, 1/kg: 0 fixes it where it is, or where its drive moves it. A fluid's particle
    /// is then absent where emitters or drains are ([`Drain`](crate::model::Drain)).
    ///
    /// # Errors
    /// If there is no such particle, the number is negative or not finite, or the plan has the particle shared as a
    /// fixed one ([`PlannedGroup::shared`](crate::plan::PlannedGroup::shared)) and it is to be set free; or if there
    /// are levels over it ([`Settings::nested`]), which have its mass in them. The reference refuses it.
    fn set_inverse_mass(&mut self, particle: usize, inverse_mass: f64) -> Result<(), ChangeError>;

    /// Whether contacts are reported for whole frames from the next step on: contacts that press in any of its
    /// substeps, with mean forces, and particles that are in a trigger in any of them. A device takes a dispatch a
    /// substep for colliders and one for pairs of particles. Otherwise, and by default, they are reported for the last
    /// substep only, at no cost.
    fn average_contacts(&mut self, on: bool);
}

/// An engine whose calls are done when they return: one on the CPU, or a GPU solver with its device
/// (`device::OnDevice`).
pub trait Synchronous: Engine {
    /// Solves one frame: all substeps.
    ///
    /// # Errors
    /// If the device failed.
    fn step(&mut self) -> Result<(), Fault>;

    /// Positions, velocities, multipliers and rest values at the end of the last frame, in the model's order.
    ///
    /// # Errors
    /// If the device failed.
    fn state(&self) -> Result<State, Fault>;

    /// The contacts that press, hold by adhesion or lie in a trigger, sorted by particle and then by collider or other
    /// particle: those of the last substep, or of the whole last step ([`Engine::average_contacts`]). Empty directly
    /// after a [`Synchronous::restore`] or [`Synchronous::reconfigure`]. The number is that of contacts of single
    /// substeps that had no room in the report.
    ///
    /// # Errors
    /// If the device failed.
    fn contacts(&self) -> Result<(Vec<Contact>, usize), Fault>;

    /// Everything that the engine needs to continue with the same bits.
    ///
    /// # Errors
    /// If the device failed. The reference has none: see [`Synchronous::save`].
    fn snapshot(&self) -> Result<Snapshot, EngineError>;

    /// Returns to a snapshot of the same model, taken with any settings, and to its frame. With BDF2 and a snapshot of
    /// another integrator or substep length, the first substep is implicit Euler.
    ///
    /// # Errors
    /// If the snapshot has other numbers of particles or constraints; if it has numbers that no simulation has, or
    /// bodies torn as they cannot be; if in it a particle is free that constraints share as a fixed one
    /// ([`PlannedGroup::shared`](crate::plan::PlannedGroup::shared)); or if the device failed. The reference takes
    /// none.
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), EngineError>;

    /// Continues with other settings: substeps, iterations, mode, method, integrator, relaxation and so on. Positions,
    /// velocities, forces, rest values and broken constraints stay; contacts are reported again from the next step on.
    /// `plan` must be a plan of the same model with these settings, which is the old one unless the method, the mode,
    /// `nested` or the bound of colours is another.
    ///
    /// # Errors
    /// If the settings are invalid or have another frame rate; if the plan is that of
    /// another model, does not fit the device, or has a particle shared as a fixed one that has been set free. The
    /// engine then continues as before. Or if the device failed. The reference refuses it.
    fn reconfigure(&mut self, plan: &Plan, settings: Settings) -> Result<(), EngineError>;

    /// Puts particles in other places, with other velocities; of two placements of one particle the last one counts.
    /// They collide with nothing on the way. With BDF2 their past becomes a free fall. Particles that the model places
    /// at one point never touch each other: place particles for later use apart.
    ///
    /// # Errors
    /// If there is no such particle or a number is not finite: then none of them is moved. Or if the device
    /// failed. The reference refuses it.
    fn place(&mut self, placements: &[Placement]) -> Result<(), EngineError>;

    /// The state for a checkpoint: a snapshot, or for the reference a [`State`].
    ///
    /// # Errors
    /// If the device failed.
    fn save(&self) -> Result<EngineState, EngineError> {
        Ok(EngineState::Device(self.snapshot()?))
    }

    /// Continues from a saved state.
    ///
    /// # Errors
    /// As [`Synchronous::restore`], and if only one of the two engines is the reference.
    fn resume(&mut self, saved: &EngineState) -> Result<(), EngineError> {
        match saved {
            EngineState::Device(snapshot) => self.restore(snapshot),
            EngineState::Reference(_) => Err(EngineError::OtherEngine),
        }
    }
}

/// What an engine needs to continue.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize, serde::Deserialize))]
pub enum EngineState {
    /// Of the solver on a device or on the CPU.
    Device(Snapshot),
    /// Of the reference solver, whose state holds all that it needs.
    Reference(State),
}

impl EngineState {
    /// Frames done.
    pub fn frame(&self) -> u64 {
        match self {
            EngineState::Device(snapshot) => snapshot.frame,
            EngineState::Reference(state) => state.frame,
        }
    }
}

/// What went wrong on a device while it was in use.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// An allocation failed; use fewer particles. What was computed since is void.
    #[error("the device ran out of memory")]
    OutOfMemory,
    /// The driver took the device away, with its reason. All that it held is gone; open another.
    #[error("the device was lost: {0}")]
    Lost(String),
    /// A command was refused, with wgpu's message: a fault of the program rather than of its input.
    #[error("the device reported an error: {0}")]
    Error(String),
}

/// Why a [`Synchronous`] engine did not carry out a call.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The change was refused; the engine goes on as it was.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// The snapshot was refused; the engine goes on as it was.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// What was saved is of an engine of another sort: the reference, or one that is not.
    #[error("the saved state belongs to another engine: only one of the two is the reference solver")]
    OtherEngine,
    /// The device failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// What holds an engine is one: a `Box<dyn Engine>`, or a solver together with its device.
impl<Holder: DerefMut<Target: Engine>> Engine for Holder {
    fn settings(&self) -> &Settings {
        (**self).settings()
    }

    fn frame(&self) -> u64 {
        (**self).frame()
    }

    fn seconds(&self) -> f64 {
        (**self).seconds()
    }

    fn status(&mut self) -> Option<Status> {
        (**self).status()
    }

    fn memory_bytes(&self) -> u64 {
        (**self).memory_bytes()
    }

    fn bytes_per_frame(&self) -> u64 {
        (**self).bytes_per_frame()
    }

    fn world_mut(&mut self) -> &mut World {
        (**self).world_mut()
    }

    fn drives_mut(&mut self) -> &mut [Drive] {
        (**self).drives_mut()
    }

    fn move_drive(&mut self, index: usize, displacement: [f64; 3]) -> Result<(), ChangeError> {
        (**self).move_drive(index, displacement)
    }

    fn colliders(&self) -> &[Collider] {
        (**self).colliders()
    }

    fn move_collider(&mut self, index: usize, position: [f64; 3], rotation: [f64; 4]) -> Result<(), ChangeError> {
        (**self).move_collider(index, position, rotation)
    }

    fn materials(&self) -> &[Material] {
        (**self).materials()
    }

    fn set_material(&mut self, index: usize, material: Material) -> Result<(), ChangeError> {
        (**self).set_material(index, material)
    }

    fn set_damping(&mut self, body: usize, rate: f64) -> Result<(), ChangeError> {
        (**self).set_damping(body, rate)
    }

    fn pull(&mut self, particle: usize, pull: Option<Pull>) -> Result<(), ChangeError> {
        (**self).pull(particle, pull)
    }

    fn set_inverse_mass(&mut self, particle: usize, inverse_mass: f64) -> Result<(), ChangeError> {
        (**self).set_inverse_mass(particle, inverse_mass)
    }

    fn average_contacts(&mut self, on: bool) {
        (**self).average_contacts(on)
    }
}
