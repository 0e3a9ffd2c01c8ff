//! `run --checkpoint-every` and `run --resume`.

use std::path::{Path, PathBuf};

use super::engine::{Adapter, Engine};
use super::failure::Failure;
use crate::export::atomic::AtomicFile;
use crate::export::checkpoint::{Checkpoint, fingerprint};
use crate::model::Model;

/// Name of the file in the run's folder; the latest checkpoint takes the place of the one before.
pub const FILE: &str = "checkpoint.pliant";

/// Writes the latest checkpoint of a run.
pub struct Checkpoints {
    every: u64,
    path: PathBuf,
    fingerprint: u64,
    adapter: String,
    written: Option<u64>,
}

impl Checkpoints {
    /// Every so many frames into the folder. A place that cannot be written to shows now.
    pub fn open(every: u64, folder: &Path, model: &Model, engine: &Engine) -> Result<Self, Failure> {
        let path = folder.join(FILE);
        drop(AtomicFile::create(&path)?);
        Ok(Self { every, path, fingerprint: fingerprint(model), adapter: named(&engine.adapter()), written: None })
    }

    /// After each frame.
    pub fn after(&mut self, frame: u64, engine: &Engine) -> Result<(), Failure> {
        if frame.is_multiple_of(self.every) { self.write(engine) } else { Ok(()) }
    }

    /// Writes the engine's state, unless the file holds it already.
    pub fn write(&mut self, engine: &Engine) -> Result<(), Failure> {
        let content = engine.content()?;
        let frame = content.frame();
        if self.written != Some(frame) {
            let (fingerprint, adapter) = (self.fingerprint, self.adapter.clone());
            Checkpoint { fingerprint, adapter, content }.write(&self.path)?;
            self.written = Some(frame);
        }
        Ok(())
    }
}

/// Takes an engine to where a checkpoint was. Returns what the user should be told.
pub fn resume(path: &Path, model: &Model, engine: &mut Engine) -> Result<Option<String>, Failure> {
    let checkpoint = Checkpoint::read(path).map_err(|error| Failure::Input(error.to_string()))?;
    if checkpoint.fingerprint != fingerprint(model) {
        return Err(Failure::Input(format!(
            "{}: the checkpoint is one of another scene, or the scene was changed since; give its own scene, or begin again \
             without --resume",
            path.display()
        )));
    }
    engine.restore(&checkpoint.content)?;
    let (before, now) = (checkpoint.adapter, named(&engine.adapter()));
    Ok((before != now).then(|| format!("the checkpoint was made on {before}; bits may differ on {now}")))
}

fn named(adapter: &Adapter) -> String {
    format!("{}, {}", adapter.name, adapter.driver)
}
