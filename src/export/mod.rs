//! Files for other programs, and checkpoints. A file is whole or absent, never half-written.
//!
//! `pliant run SCENE --export ply,obj,pc2 --out DIR` writes the simulation frame by frame; [`Exports`] does the same in
//! the library:
//!
//! ```
//! use pliant::export::{Exports, Format};
//! use pliant::scene::{Body, Scene};
//! use pliant::{CpuSolver, Plan};
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! let model = Scene::new("a stone").with(Body::particles([[0.0, 0.0, 0.0]])).build()?.model;
//! let mut solver = CpuSolver::new(&model, &Plan::new(&model))?;
//! let mut exports = Exports::create(&[Format::Ply], folder, &model)?;
//! exports.frame(&solver.state())?; // frame 0: the start
//! solver.step();
//! exports.frame(&solver.state())?;
//! exports.finish()?;
//! assert!(folder.join("frame_0001.ply").exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! All numbers are in single precision, in m and m/s, in the scene's axes (y is up unless the scene's gravity points
//! elsewhere) and in the scene's order of particles. Frame N is N frames of the scene's `frame_rate` after the start.
//!
//! | format | files | for |
//! |---|---|---|
//! | `ply` | `frame_0000.ply`, `frame_0001.ply`, ... | ParaView and scripts |
//! | `obj` | `frame_0000.obj`, `frame_0001.obj`, ... | anything |
//! | `pc2` | `NAME.obj`, `NAME.pc2` for each body | Blender |
//!
//! - `ply` has positions `x y z` and velocities `vx vy vz` of all particles, and all triangles; binary. Scenes with
//!   elements (solids, and cloth of warp and weft) also have `strain`, and `stress` (von Mises, Pa) where the material
//!   has one; both are 0 elsewhere: [`crate::measure::elements`]. A comment for each body names its vertices.
//! - `obj` has an object and group `NAME` for each body, with its positions and triangles. Each strand of ropes and
//!   hair is a line (`l`), each loose particle a point (`p`). A liquid is its surface, closed, with other triangles in
//!   each frame.
//! - `pc2` has the start as a mesh, and the positions of all frames: Blender's point cache. Solids have their surface
//!   vertices only, since Blender leaves out vertices without a face.
//!
//! A solid with a skin has the skin's vertices and triangles in all formats, in place of its particles and triangles.
//!
//! `NAME` is the body's name made fit for every file system: characters other than letters, digits, `-` and `_` become
//! `_`, and names that would be the same file are numbered.
//!
//! Memory does not grow with the length of the run. A file gets its name when it is whole; a point cache grows as
//! `NAME.pc2.part` beside its place. A run that ends early, by Ctrl-C or a blow-up, leaves its frames so far, and a
//! point cache with their number. After `kill -9` the part stays, for [`Exports::resume`]. Files of the same name are
//! replaced, but `run` never replaces a file that the scene is made from. Frames of an earlier and longer run stay in
//! the folder; `run` notes it.
//!
//! # In other programs
//!
//! **Blender** (tried with 4.2). Import `NAME.obj` (*File › Import › Wavefront*; keep *Forward* -Z and *Up* Y) and give
//! the object a *Mesh Cache* modifier: format *PC2* and the file `NAME.pc2`. Leave the rest at its defaults: *Time
//! Mode* frame, *Frame Start* 0, the axes *Forward* Y and *Up* Z. These axes mean no change. That is right, because the
//! import turns the object from y up to z up and leaves its mesh alone, and the cache moves the mesh. If you applied
//! the object's rotation (Ctrl-A), choose *Forward* Z and *Up* -Y. Set the scene's frame rate to the simulation's.
//! Loose particles become vertices without faces, on which geometry nodes can instance; ropes and hair become edges.
//! Blender drops the points of `frame_*.obj`. `frame_*.ply` has them all, with velocities as attributes `vx`, `vy`,
//! `vz` (and `strain`, `stress`); import it with *Forward* -Z and *Up* Y.
//!
//! **Houdini.** A *File* node with `frame_$F4.obj` reads the frame of the time line; each body is a group. Set the time
//! line's frames per second to the simulation's.
//!
//! **ParaView.** Open `frame_..ply`, which ParaView offers as one series in time. Show loose particles as *Point
//! Gaussian*. ParaView ignores the velocities, strains and stresses; `trimesh`, `meshio` and Blender read them.
//!
//! # Another format
//!
//! One file here that implements [`FrameExporter`], and one entry in [`Format`].

pub mod atomic;
mod bodies;
pub mod checkpoint;
pub mod csv;
pub mod gif;
pub mod growing;
pub mod lock;
mod obj;
mod pc2;
pub mod picture;
mod ply;

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use thiserror::Error;

use crate::model::{Model, State};
use atomic::FileError;

/// What a run's frames are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A mesh with velocities per frame, for ParaView and scripts
    Ply,
    /// A mesh per frame with an object for each body, for anything
    Obj,
    /// A mesh and a point cache per body, for Blender
    Pc2,
}

impl Format {
    /// What its files end in of which there is one a frame.
    pub(crate) fn of_frames(self) -> Option<&'static str> {
        match self {
            Format::Ply => Some("ply"),
            Format::Obj => Some("obj"),
            Format::Pc2 => None,
        }
    }

    /// Whether a run of a model writes a file of this name.
    pub(crate) fn writes(self, name: &str, model: &Model) -> bool {
        match self.of_frames() {
            Some(extension) => frame_of(name, extension).is_some(),
            None => bodies::file_names_of(model).iter().any(|body| {
                ["obj", "pc2"].iter().any(|extension| name.eq_ignore_ascii_case(&format!("{body}.{extension}")))
            }),
        }
    }

    /// Begins to write a model's frames into a folder, made if it is missing.
    ///
    /// # Errors
    /// If the folder or a file that holds several frames cannot be made.
    pub fn create<'m>(self, folder: &Path, model: &'m Model) -> Result<Box<dyn FrameExporter + 'm>, ExportError> {
        Ok(match self {
            Format::Ply => Box::new(ply::Ply::new(folder, model)?),
            Format::Obj => Box::new(obj::Obj::new(folder, model)?),
            Format::Pc2 => Box::new(pc2::Pc2::create(folder, model)?),
        })
    }

    /// Goes on where an earlier run had come to this state: what it wrote of later frames is replaced.
    ///
    /// # Errors
    /// As [`Exports::resume`].
    pub fn resume<'m>(
        self,
        folder: &Path,
        model: &'m Model,
        state: &State,
    ) -> Result<Box<dyn FrameExporter + 'm>, ExportError> {
        match self {
            // A file per frame: later frames take the place of those that are there.
            Format::Ply | Format::Obj => self.create(folder, model),
            Format::Pc2 => Ok(Box::new(pc2::Pc2::resume(folder, model, state)?)),
        }
    }
}

/// Writes the frames of one model in one format, and holds one frame in memory at most.
pub trait FrameExporter {
    /// Adds a frame. They come in order, beginning with the start (frame 0), or after [`Format::resume`] with the one
    /// after the state given there. What was added is with the operating system on return: it outlives the process.
    ///
    /// # Errors
    /// If a file cannot be written, the state is of another model, or a format that holds all frames in one file is
    /// given another frame than the next.
    fn frame(&mut self, state: &State) -> Result<(), ExportError>;

    /// Completes the files with the frames that came, however many were meant to, and also after an error.
    ///
    /// # Errors
    /// If a file cannot be completed or named.
    fn finish(self: Box<Self>) -> Result<(), ExportError>;
}

/// Why frames could not be exported. The message names the file and the remedy.
#[derive(Debug, Error)]
pub enum ExportError {
    /// A file or a folder could not be made or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// What an earlier run left is not what the state to go on from needs.
    #[error(
        "cannot continue {}: {fault}; resume in the folder that the run wrote to, or from an earlier frame, or run the \
         scene from its start", path.display()
    )]
    Resume {
        /// The file to go on with.
        path: PathBuf,
        /// In what it is not what is needed, for people.
        fault: String,
    },
    /// A format whose meshes stay as they are cannot hold one that tears.
    #[error("{}: a point cache cannot hold a body that tears; export ply or obj, or remove its break_force or \
         tear_stress", path.display())]
    Tears {
        /// The folder that it was to be in.
        path: PathBuf,
    },
    /// A frame of a model with another number of particles.
    #[error(
        "{}: the frame has {given} particles and the model {expected}; export states of this model only",
        path.display()
    )]
    Foreign {
        /// The folder that it was to be in.
        path: PathBuf,
        /// Particles that came with a place and a velocity.
        given: usize,
        /// Particles of the model, without spare ones.
        expected: usize,
    },
    /// A format that holds all frames in one file takes them in order, none left out.
    #[error("{}: expected frame {expected}, got frame {given}; add every frame, in order", path.display())]
    Order {
        /// The file that holds the frames.
        path: PathBuf,
        /// Number of the frame that came.
        given: u64,
        /// Number of the frame that is next.
        expected: u64,
    },
}

/// Refuses a state whose particles are not as many as the model's. One in which something has torn has more particles
/// than were placed.
fn check_origin(folder: &Path, model: &Model, state: &State) -> Result<(), ExportError> {
    let (given, expected) = (state.positions.len(), model.placed_particles());
    let all = (expected..=model.particles.len()).contains(&given) && state.velocities.len() == given;
    match all {
        true => Ok(()),
        false => Err(ExportError::Foreign { path: folder.to_path_buf(), given, expected }),
    }
}

/// All the formats that a run is written as.
#[derive(Default)]
pub struct Exports<'m>(Vec<Box<dyn FrameExporter + 'm>>);

impl<'m> Exports<'m> {
    /// Begins to write a model's frames into a folder, made if it is missing. A format named twice is written once.
    ///
    /// # Errors
    /// As [`Format::create`], of the first format that fails.
    pub fn create(formats: &[Format], folder: &Path, model: &'m Model) -> Result<Self, ExportError> {
        Self::each(formats, |format| format.create(folder, model))
    }

    /// Goes on where an earlier run had come to this state, in the folder that it wrote to: what it wrote of later
    /// frames is replaced.
    ///
    /// # Errors
    /// If a file that holds several frames is not there, does not reach the state's frame, or holds other positions in
    /// it.
    pub fn resume(formats: &[Format], folder: &Path, model: &'m Model, state: &State) -> Result<Self, ExportError> {
        Self::each(formats, |format| format.resume(folder, model, state))
    }

    fn each(
        formats: &[Format],
        open: impl Fn(Format) -> Result<Box<dyn FrameExporter + 'm>, ExportError>,
    ) -> Result<Self, ExportError> {
        let all = Format::value_variants().iter().filter(|format| formats.contains(format));
        all.map(|&format| open(format)).collect::<Result<_, _>>().map(Self)
    }

    /// Adds a frame to each; see [`FrameExporter::frame`].
    ///
    /// # Errors
    /// Those of the first that fails; the ones after it do not get the frame.
    pub fn frame(&mut self, state: &State) -> Result<(), ExportError> {
        self.0.iter_mut().try_for_each(|exporter| exporter.frame(state))
    }

    /// Completes the files of each, also of those after one that fails.
    ///
    /// # Errors
    /// The first of them.
    pub fn finish(self) -> Result<(), ExportError> {
        self.0.into_iter().map(FrameExporter::finish).fold(Ok(()), Result::and)
    }
}

/// `frame_0001.ply`
fn frame_path(folder: &Path, frame: u64, extension: &str) -> PathBuf {
    folder.join(format!("{FRAME_PREFIX}{frame:04}.{extension}"))
}

/// The frame of a file of this name.
pub(crate) fn frame_of(name: &str, extension: &str) -> Option<u64> {
    let (stem, end) = name.rsplit_once('.')?;
    let digits = stem.strip_prefix(FRAME_PREFIX).filter(|_| end.eq_ignore_ascii_case(extension))?;
    digits.parse().ok()
}

const FRAME_PREFIX: &str = "frame_";

/// As files and graphics programs hold positions and velocities.
fn single(vector: [f64; 3]) -> [f32; 3] {
    vector.map(|value| value as f32)
}
