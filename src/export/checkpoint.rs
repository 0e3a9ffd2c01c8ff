//! Checkpoints: a run's state on disk, from which another process goes on with the same bits.
//!
//! A file is the line `PLIANT checkpoint`, a version, the length and the CRC-32 of what follows, and that: the fields
//! of [`Checkpoint`] as `postcard` writes them. It is whole or absent (see [`atomic`](super::atomic)), also if the
//! process is killed while it writes.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::atomic::{AtomicFile, FileError};
use crate::base::hash::Fnv;
use crate::base::input;
use crate::model::{Model, Settings};
pub use crate::step::EngineState;

const MAGIC: &[u8] = b"PLIANT checkpoint\n";
const VERSION: u32 = 6;
/// Magic, version, length, CRC-32.
const HEADER: usize = MAGIC.len() + 4 + 8 + 4;

/// A run at the end of a frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Of the model: see [`fingerprint`].
    pub fingerprint: u64,
    /// Name and driver of what solved it: another one goes on as well, but not with the same bits.
    pub adapter: String,
    /// Whether its large bodies were solved in clusters ([`Plan::clustered`](crate::Plan::clustered)): the order of
    /// constraints, and so the bits, go by that.
    pub clustered: bool,
    /// The state itself.
    pub state: EngineState,
}

/// Why a checkpoint could not be read. The message names the file and the remedy.
#[derive(Debug, Error)]
#[error("{}: {what}; {remedy}", path.display())]
pub struct CheckpointError {
    /// The file, as it was named.
    pub path: PathBuf,
    /// What is wrong with it.
    pub what: String,
    /// What to do.
    pub remedy: &'static str,
}

impl Checkpoint {
    /// Writes the file in place of what bears its name.
    ///
    /// # Errors
    /// If it cannot be written; what was there before is then still there.
    pub fn write(&self, path: &Path) -> Result<(), FileError> {
        AtomicFile::create(path)?.fill(|out| {
            let body = postcard::to_stdvec(self).map_err(io::Error::other)?;
            out.write_all(MAGIC)?;
            out.write_all(&VERSION.to_le_bytes())?;
            out.write_all(&(body.len() as u64).to_le_bytes())?;
            out.write_all(&crc32fast::hash(&body).to_le_bytes())?;
            out.write_all(&body)
        })
    }

    /// Reads a file that [`Checkpoint::write`] wrote. Whether it is of the scene at hand, [`Checkpoint::fingerprint`]
    /// tells.
    ///
    /// # Errors
    /// If the file is not there, is no checkpoint, or is damaged.
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        let error = |what: String, remedy| CheckpointError { path: path.to_path_buf(), what, remedy };
        let damaged = |what: &str| error(format!("the checkpoint {what}"), "start again without --resume");
        let remedy = "give the path of a file that `--checkpoint-every` wrote";
        let bytes = input::read(path).map_err(|unreadable| error(unreadable.to_string(), remedy))?;
        if !bytes.starts_with(MAGIC) {
            return Err(error("this is not a checkpoint".to_string(), remedy));
        }
        let Some((header, body)) = bytes.split_at_checked(HEADER) else { return Err(damaged("is cut off")) };
        let number = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| header[MAGIC.len() + at + i]));
        if number(0) != VERSION {
            let what = format!("the checkpoint has version {}, and this program reads version {VERSION}", number(0));
            return Err(error(what, "resume with the program that wrote it, or start again without --resume"));
        }
        let length = u64::from(number(4)) | u64::from(number(8)) << 32;
        if body.len() as u64 != length {
            return Err(damaged("is cut off"));
        }
        if crc32fast::hash(body) != number(12) {
            return Err(damaged("is damaged"));
        }
        postcard::from_bytes(body).map_err(|_| damaged("is damaged"))
    }
}

/// FNV-1a (64 bit) of everything in a model that decides how it goes on.
pub fn fingerprint(model: &Model) -> u64 {
    let mut hash = Fnv::default();
    let particles = &model.particles;
    hash.bytes(bytemuck::cast_slice(&particles.positions));
    hash.bytes(bytemuck::cast_slice(&particles.velocities));
    hash.bytes(bytemuck::cast_slice(&particles.inverse_masses));
    hash.bytes(bytemuck::cast_slice(&particles.bodies));
    hash.bytes(bytemuck::cast_slice(&particles.drives));
    for group in &model.groups {
        hash.bytes(group.kind.name().as_bytes());
        hash.bytes(bytemuck::cast_slice(&group.particles));
        hash.bytes(bytemuck::cast_slice(&group.offsets));
        hash.bytes(bytemuck::cast_slice(&group.corners));
        hash.bytes(bytemuck::cast_slice(&group.member_rest));
        hash.bytes(bytemuck::cast_slice(&group.rest));
        hash.bytes(bytemuck::cast_slice(&group.materials));
    }
    for animation in &model.animations {
        hash.bytes(bytemuck::cast_slice(&animation.particles));
        hash.bytes(bytemuck::cast_slice::<[f64; 3], _>(&animation.displacements));
        hash.bytes(bytemuck::cast_slice::<[f64; 4], _>(&animation.turns));
        hash.bytes(format!("{:?}", (animation.rate, animation.start, animation.repeats)).as_bytes());
    }
    // Whether somebody reads forces does not change where anything goes.
    let settings = Settings { mean_forces: true, ..model.settings.clone() };
    let spares = model.tearing.as_ref().map(|tearing| &tearing.spares);
    for facet in model.tearing.iter().flat_map(|tearing| &tearing.facets) {
        hash.bytes(&facet.strength.to_le_bytes());
    }
    let settings_and_world = (&settings, &model.world, &model.bodies, &*model.materials);
    let small = (settings_and_world, &model.colliders, &model.drives, &model.curves, spares);
    hash.bytes(format!("{small:?}").as_bytes());
    if !model.joints.is_empty() {
        hash.bytes(format!("{:?}", (&model.rigid, &model.joints)).as_bytes());
    }
    if !model.releases.is_empty() {
        hash.bytes(format!("{:?}", model.releases).as_bytes());
    }
    if !model.rest_shapes.is_empty() {
        hash.bytes(format!("{:?}", model.rest_shapes).as_bytes());
    }
    if !model.fluids.is_empty() {
        hash.bytes(format!("{:?}", (&model.fluids, &model.emitters, &model.drains)).as_bytes());
    }
    hash.0
}
