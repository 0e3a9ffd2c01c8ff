//! `run --checkpoint-every` and `run --resume`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::clusters::Clusters;
use super::engine::{Adapter, Runner};
use super::failure::Failure;
use crate::export::atomic::AtomicFile;
use crate::export::checkpoint::{Checkpoint, fingerprint};
use crate::model::Model;
use crate::plan::Plan;
use crate::step::{EngineError, EngineState};

/// Name of the file in the run's folder; the latest checkpoint takes the place of the one before.
pub const FILE: &str = "checkpoint.pliant";

/// The least time between two checkpoints that are written while a run goes on: a disk may take milliseconds for each,
/// and a frame microseconds. A checkpoint in between waits in memory, until the next replaces it.
const BETWEEN: Duration = Duration::from_millis(250);

/// Writes the latest checkpoint of a run.
pub struct Checkpoints {
    every: u64,
    path: PathBuf,
    fingerprint: u64,
    adapter: String,
    clustered: bool,
    /// The checkpoint that is to be written.
    waiting: Option<Checkpoint>,
    /// The frame of the last checkpoint that was written, and when that was.
    written: Option<(u64, Instant)>,
}

impl Checkpoints {
    /// Every so many frames into the folder. A place that cannot be written to shows now.
    pub fn open(every: u64, folder: &Path, model: &Model, plan: &Plan, engine: &dyn Runner) -> Result<Self, Failure> {
        let path = folder.join(FILE);
        drop(AtomicFile::create(&path)?);
        let (fingerprint, adapter) = (fingerprint(model), named(&engine.adapter()));
        Ok(Self { every, path, fingerprint, adapter, clustered: is_clustered(plan), waiting: None, written: None })
    }

    /// Whether one is to be written after a frame.
    pub fn is_due(&self, frame: u64) -> bool {
        frame.is_multiple_of(self.every)
    }

    /// Takes the engine's state for the next checkpoint.
    pub fn take(&mut self, engine: &dyn Runner) -> Result<(), Failure> {
        let Self { fingerprint, clustered, .. } = *self;
        let state = engine.save()?;
        self.waiting = Some(Checkpoint { fingerprint, adapter: self.adapter.clone(), clustered, state });
        Ok(())
    }

    /// Whether the waiting checkpoint may be written now, while the run goes on.
    pub fn has_waited(&self) -> bool {
        self.written.is_none_or(|(_, when)| when.elapsed() >= BETWEEN)
    }

    /// Whether a checkpoint waits that the file does not hold.
    pub fn has_more(&self) -> bool {
        let written = self.written.map(|(frame, _)| frame);
        self.waiting.as_ref().is_some_and(|waiting| written != Some(waiting.state.frame()))
    }

    /// Writes the waiting checkpoint.
    pub fn write(&mut self) -> Result<(), Failure> {
        if let Some(waiting) = self.waiting.take() {
            waiting.write(&self.path)?;
            self.written = Some((waiting.state.frame(), Instant::now()));
        }
        Ok(())
    }
}

fn is_clustered(plan: &Plan) -> bool {
    !plan.phases.is_empty()
}

/// Reads a checkpoint, and in which way it wants large bodies to be solved unless the user says otherwise: as before,
/// whatever is now the faster.
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
    engine: &mut dyn Runner,
) -> Result<Vec<String>, Failure> {
    if checkpoint.fingerprint != fingerprint(model) {
        return Err(Failure::Input(format!(
            "{}: the checkpoint belongs to another scene, or the scene has changed since; give the scene of the \
             checkpoint, or start again without --resume",
            path.display()
        )));
    }
    engine.resume(&checkpoint.state).map_err(|error| match (error, &checkpoint.state) {
        (EngineError::OtherEngine, EngineState::Reference(_)) => {
            Failure::Input("the checkpoint was made by the reference solver; add `--device reference`".to_string())
        }
        (EngineError::OtherEngine, EngineState::Device(_)) => Failure::Input(
            "the checkpoint was not made by the reference solver; remove `--device reference`".to_string(),
        ),
        (error, _) => error.into(),
    })?;
    let (before, now) = (&checkpoint.adapter, named(&engine.adapter()));
    let moved = (*before != now).then(|| format!("the checkpoint was made on {before}; bits may differ on {now}"));
    let way = |clustered| if clustered { "in clusters" } else { "colour by colour" };
    let (first, then) = (way(checkpoint.clustered), way(is_clustered(plan)));
    let turned = (first != then).then(|| {
        format!("large bodies were solved {first} before and are solved {then} now: the last digits will differ")
    });
    Ok(moved.into_iter().chain(turned).collect())
}

fn named(adapter: &Adapter) -> String {
    format!("{}, {}", adapter.name, adapter.driver)
}
