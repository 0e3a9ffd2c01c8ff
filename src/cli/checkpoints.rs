//! `run --checkpoint-every` and `run --resume`.

use std::path::{Path, PathBuf};

use super::clusters::Clusters;
use super::engine::{Adapter, Engine};
use super::failure::Failure;
use crate::export::atomic::AtomicFile;
use crate::export::checkpoint::{Checkpoint, fingerprint};
use crate::model::Model;
use crate::plan::Plan;

/// Name of the file in the run's folder; the latest checkpoint takes the place of the one before.
pub const FILE: &str = "checkpoint.pliant";

/// Writes the latest checkpoint of a run.
pub struct Checkpoints {
    every: u64,
    path: PathBuf,
    fingerprint: u64,
    adapter: String,
    clustered: bool,
    written: Option<u64>,
}

impl Checkpoints {
    /// Every so many frames into the folder. A place that cannot be written to shows now.
    pub fn open(every: u64, folder: &Path, model: &Model, plan: &Plan, engine: &Engine) -> Result<Self, Failure> {
        let path = folder.join(FILE);
        drop(AtomicFile::create(&path)?);
        let (fingerprint, adapter) = (fingerprint(model), named(&engine.adapter()));
        Ok(Self { every, path, fingerprint, adapter, clustered: is_clustered(plan), written: None })
    }

    /// Whether one is to be written after a frame.
    pub fn is_due(&self, frame: u64) -> bool {
        frame.is_multiple_of(self.every)
    }

    /// Writes the engine's state, unless the file holds it already.
    pub fn write(&mut self, engine: &Engine) -> Result<(), Failure> {
        let content = engine.content()?;
        let frame = content.frame();
        if self.written != Some(frame) {
            let Self { fingerprint, clustered, .. } = *self;
            Checkpoint { fingerprint, adapter: self.adapter.clone(), clustered, content }.write(&self.path)?;
            self.written = Some(frame);
        }
        Ok(())
    }
}

fn is_clustered(plan: &Plan) -> bool {
    !plan.tilings.is_empty()
}

/// Reads a checkpoint, and in which way it wants large bodies to be solved unless the user says otherwise: as before, whatever is now the faster.
pub fn read(path: &Path, asked: Clusters) -> Result<(Checkpoint, Clusters), Failure> {
    let checkpoint = Checkpoint::read(path).map_err(|error| Failure::Input(error.to_string()))?;
    let clusters = match (asked, checkpoint.clustered) {
        (Clusters::Auto, true) => Clusters::On,
        (Clusters::Auto, false) => Clusters::Off,
        (asked, _) => asked,
    };
    Ok((checkpoint, clusters))
}

/// Takes an engine to where a checkpoint was. Returns what the user should be told.
pub fn resume(
    checkpoint: &Checkpoint,
    path: &Path,
    model: &Model,
    plan: &Plan,
    engine: &mut Engine,
) -> Result<Vec<String>, Failure> {
    if checkpoint.fingerprint != fingerprint(model) {
        return Err(Failure::Input(format!(
            "{}: the checkpoint is one of another scene, or the scene was changed since; give its own scene, or begin again \
             without --resume",
            path.display()
        )));
    }
    engine.restore(&checkpoint.content)?;
    let (before, now) = (&checkpoint.adapter, named(&engine.adapter()));
    let moved = (*before != now).then(|| format!("the checkpoint was made on {before}; bits may differ on {now}"));
    let way = |clustered| if clustered { "in clusters" } else { "colour by colour" };
    let (first, then) = (way(checkpoint.clustered), way(is_clustered(plan)));
    let turned = (first != then)
        .then(|| format!("large bodies were solved {first} before, and are now {then}: the last digits are others"));
    Ok(moved.into_iter().chain(turned).collect())
}

fn named(adapter: &Adapter) -> String {
    format!("{}, {}", adapter.name, adapter.driver)
}
