//! What hosts do to a running engine, whichever it is.

use std::ops::DerefMut;

use thiserror::Error;

use crate::model::{Collider, Contact, Drive, Material, Settings, State, World};
use crate::plan::Plan;
use crate::step::{ChangeError, Placement, Pull, Snapshot, SnapshotError, Status};

/// What a host reads of a running engine and changes in it. It is the same for all engines: nothing of it is read back
/// from a device, and nothing waits. Every change acts from the next step on.
///
/// Steps, states and snapshots need the host's command encoder on a GPU. So they are methods of `Solver` itself, and of
/// [`Synchronous`] where no call needs an encoder.
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

    /// Frames solved so far; of a device frames recorded so far.
    fn frame(&self) -> u64;

    /// Simulated time of these frames, s.
    fn seconds(&self) -> f64 {
        self.frame() as f64 / self.settings().frame_rate
    }

    /// The latest status that is known: on a CPU that of the last frame; of a device what has arrived, one or two
    /// frames late. `None` where none has, and of the reference, which notices nothing.
    fn status(&mut self) -> Option<Status>;

    /// Bytes of memory that the engine holds: on a device all, on a CPU those of particles, constraints, contacts and
    /// levels. 0 of the reference, which does not count.
    fn memory_bytes(&self) -> u64;

    /// Bytes that a frame must read and write if nothing stays in a cache. On a device those of the last recorded step,
    /// 0 before the first. On a CPU x, d and e once a substep, and for each constraint x and d of its particles and
    /// what is stored of itself. 0 of the reference, which does not count.
    fn bytes_per_frame(&self) -> u64;

    /// Gravity, wind and speed limit. The numbers are taken as they are.
    fn world_mut(&mut self) -> &mut World;

    /// What acts on particles from outside: the motion of pins and forces. Entry 0 is "nothing" and serves most
    /// particles.
    fn drives_mut(&mut self) -> &mut [Drive];

    /// Leads the fixed particles of a drive ([`Model::lead`](crate::model::Model::lead)) in the course of the next
    /// step, straight from where they are: to this displacement from where the model placed each of them, m. There they
    /// stay, whatever motion the model gave them. Called before each step it leads pins by the hand, as a skeleton
    /// does. No snapshot holds it.
    ///
    /// # Errors
    /// If there is no such drive, it is drive 0, which all have that nothing leads, or a number is not finite.
    fn move_drive(&mut self, index: usize, displacement: [f64; 3]) -> Result<(), ChangeError>;

    /// The colliders as they are now.
    fn colliders(&self) -> &[Collider];

    /// Moves a collider (index in the model) in the course of the next step: from where it is straight and the shorter
    /// way round to a place, m, with its axes turned as a quaternion x, y, z, w of any length says. There it stays,
    /// whatever motion the model gave it. Called before each step it leads a collider by the hand: its surface has the
    /// velocity of the way, and nothing passes through it however fast it goes. No snapshot holds it.
    ///
    /// # Errors
    /// If there is no such collider, or a number is not finite or the quaternion zero; or if a device needs another
    /// kernel, which does not compile.
    fn move_collider(&mut self, index: usize, position: [f64; 3], rotation: [f64; 4]) -> Result<(), ChangeError>;

    /// The model's materials, as they are now.
    fn materials(&self) -> &[Material];

    /// Changes a material: compliance, damping, stiffness, side, break force, curve or yielding of every constraint
    /// that refers to it.
    ///
    /// # Errors
    /// If there is no such material or curve, one of its numbers is negative, not finite, or a stiffness above 1, or if
    /// it gains a curve or yield point and rest values of its constraints never change; or if it gains one of these or
    /// a break force and there are levels over its constraints, which would hold on. The reference refuses it.
    fn set_material(&mut self, index: usize, material: Material) -> Result<(), ChangeError>;

    /// Changes a body's damping, 1/s: the rate at which motion dies away that is not its translation and rotation
    /// ([`Body::damping`](crate::model::Body::damping)). 0 ends it, and what it costs.
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

    /// Changes a particle's inverse mass, 1/kg: 0 fixes it where it is, or where its drive moves it.
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

/// An engine whose calls are done when they return: one on the CPU, or a solver together with its device
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

    /// What presses, is held by adhesion or is in a trigger, by particle and then collider or other particle: in the
    /// last step's last substep, or in all of it ([`Engine::average_contacts`]). Nothing if that was before a
    /// [`Synchronous::restore`] or [`Synchronous::reconfigure`]. And how many contacts of single substeps pressed and
    /// had no room in the report.
    ///
    /// # Errors
    /// If the device failed.
    fn contacts(&self) -> Result<(Vec<Contact>, usize), Fault>;

    /// Everything that the engine needs to go on with the same bits.
    ///
    /// # Errors
    /// If the device failed. The reference has none: see [`Synchronous::save`].
    fn snapshot(&self) -> Result<Snapshot, EngineError>;

    /// Goes back, or forth, to a snapshot of the same model, of whatever settings, at its frame. With BDF2 and a
    /// snapshot without a past, as one of another integrator or length of substeps, the first substep is Euler's.
    ///
    /// # Errors
    /// If the snapshot has other numbers of particles or constraints; if it has numbers that no simulation has, or
    /// bodies torn as they cannot be; if in it a particle is free that constraints share as a fixed one
    /// ([`PlannedGroup::shared`](crate::plan::PlannedGroup::shared)); or if the device failed. The reference takes
    /// none.
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), EngineError>;

    /// Goes on with other settings: substeps, iterations, mode, method, integrator, relaxation, and how stiffness and
    /// forces are taken. Positions, velocities, forces, rest values and what has broken stay as they are; contacts are
    /// reported again from the next step on. `plan` must be a plan of the same model with these settings, which is the
    /// old one unless the method, the mode, `nested` or the bound of colours is another.
    ///
    /// # Errors
    /// If the settings make no sense or have another frame rate, by which time is counted; if the plan is that of
    /// another model, does not fit the device, or has a particle shared as a fixed one that has been set free. The
    /// engine then goes on as before. Or if the device failed. The reference refuses it.
    fn reconfigure(&mut self, plan: &Plan, settings: Settings) -> Result<(), EngineError>;

    /// Puts particles elsewhere, with other velocities; of two placements of one particle the last holds. No contact is
    /// asked on the way there, constraints take what they find, and with BDF2 their past is a free fall.
    /// Particles that the model has in one place never touch each other: those that wait to be thrown need places of
    /// their own.
    ///
    /// # Errors
    /// If there is no such particle or a number is not finite: then none of them is put anywhere. Or if the device
    /// failed. The reference refuses it.
    fn place(&mut self, placements: &[Placement]) -> Result<(), EngineError>;

    /// What a checkpoint keeps of the engine: as a rule a snapshot.
    ///
    /// # Errors
    /// If the device failed.
    fn save(&self) -> Result<EngineState, EngineError> {
        Ok(EngineState::Device(self.snapshot()?))
    }

    /// Goes on from what an engine of its sort saved.
    ///
    /// # Errors
    /// As [`Synchronous::restore`], and if it was an engine of another sort.
    fn resume(&mut self, saved: &EngineState) -> Result<(), EngineError> {
        match saved {
            EngineState::Device(snapshot) => self.restore(snapshot),
            EngineState::Reference(_) => Err(EngineError::OtherEngine),
        }
    }
}

/// What an engine needs to go on.
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

/// Why a [`Synchronous`] engine did not do what it was asked.
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
