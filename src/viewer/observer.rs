//! Measures states as they arrive, on a thread of its own: a million constraints take longer than a frame
//! of the window lasts.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::tuning::Tuning;
use crate::Plan;
use crate::gpu::Download;
use crate::measure::{EnergyBudget, Measurement, balanced};
use crate::model::{Contact, Model, State};
use crate::solver::gpu::ContactDownload;

/// A state and what it measures.
#[derive(Clone, Debug)]
pub struct Observation {
    /// As it came, but for the forces of what is under levels where it is `balanced`.
    pub state: State,
    /// Whether its multipliers tell what constraints under levels bear.
    pub balanced: bool,
    /// Energies, momenta, stretch, residuals.
    pub measurement: Measurement,
    /// Whether it moves with more energy than anything accounts for.
    pub from_nowhere: bool,
    /// What presses, if that was asked for.
    pub contacts: Option<Vec<Contact>>,
    /// Length of the substeps by which its multipliers were found, s.
    pub implicit_seconds: f64,
    /// The model as it is torn in this state.
    pub torn: Option<Box<Model>>,
    /// Which run of the simulation it is of, counted by resets.
    pub run: u64,
}

/// The thread that measures; it ends when this is dropped.
pub struct Observer {
    jobs: Sender<Job>,
    results: Receiver<Option<Arc<Observation>>>,
    busy: bool,
}

/// A state and what presses in it, if that was asked for.
pub enum Arrival {
    /// On the way from the device.
    Device(Download, Option<ContactDownload>),
    /// From the CPU engine.
    Here(Box<State>, Option<Vec<Contact>>),
}

/// What is to be measured, and of which tuning and run it is.
pub struct Job {
    pub arrival: Arrival,
    /// The plan by which to tell what constraints under levels bear, if that was asked for.
    pub balanced: Option<Arc<Plan>>,
    pub tuning: Tuning,
    pub run: u64,
    /// Whether nobody has pulled at anything since the state before.
    pub left_alone: bool,
}

impl Job {
    /// Whether all of it is there.
    pub fn is_ready(&self) -> bool {
        match &self.arrival {
            Arrival::Device(state, contacts) => {
                state.is_ready() && contacts.as_ref().is_none_or(ContactDownload::is_ready)
            }
            Arrival::Here(..) => true,
        }
    }

    /// Whether some of it will never arrive.
    pub fn has_failed(&self) -> bool {
        match &self.arrival {
            Arrival::Device(state, contacts) => {
                state.has_failed() || contacts.as_ref().is_some_and(ContactDownload::has_failed)
            }
            Arrival::Here(..) => false,
        }
    }
}

impl Observer {
    /// # Errors
    /// If the system gives no thread.
    pub fn new(mut model: Model) -> io::Result<Self> {
        let (jobs, inbox) = channel::<Job>();
        let (outbox, results) = channel();
        let work = move || {
            let mut watch = None;
            for job in inbox {
                // Whoever waits for results may be gone: then so are the jobs.
                _ = outbox.send(observe(&mut model, &mut watch, job));
            }
        };
        thread::Builder::new().name("measure".to_string()).spawn(work)?;
        Ok(Self { jobs, results, busy: false })
    }

    /// Whether it can take a state.
    pub fn is_idle(&self) -> bool {
        !self.busy
    }

    /// Measures a state that has arrived, as one of the model with its tuning.
    pub fn measure(&mut self, job: Job) {
        self.busy = self.jobs.send(job).is_ok();
    }

    /// What was measured since the last call.
    pub fn result(&mut self) -> Option<Arc<Observation>> {
        let result = self.results.try_recv().ok()?;
        self.busy = false;
        result
    }
}

/// The energy of a run that nobody has changed or pulled at.
struct Watch {
    budget: EnergyBudget,
    tuning: Tuning,
    last: Arc<Observation>,
}

fn observe(model: &mut Model, watch: &mut Option<Watch>, job: Job) -> Option<Arc<Observation>> {
    let (mut state, contacts) = match job.arrival {
        Arrival::Device(state, contacts) => (state.state()?, contacts.and_then(|contacts| contacts.contacts())),
        Arrival::Here(state, contacts) => (*state, contacts),
    };
    job.tuning.apply(model);
    let torn = match model.as_in(&state) {
        Cow::Owned(other) => Some(Box::new(other)),
        Cow::Borrowed(_) => None,
    };
    let measurement = Measurement::of(torn.as_deref().unwrap_or(model), &state);
    if let Some(plan) = &job.balanced {
        state.multipliers = balanced(model, plan, &state);
    }
    let implicit_seconds = model.settings.implicit_seconds();
    let (balanced, run) = (job.balanced.is_some(), job.run);
    // Looks are frames apart, so that the work of what moves in between is not known.
    let is_plain = !EnergyBudget::needs_mean_forces(model) && !EnergyBudget::needs_contacts(model);
    let goes_on = |watch: &Watch| {
        let last = &watch.last;
        job.left_alone && last.run == run && watch.tuning == job.tuning && last.state.frame <= state.frame
    };
    let (budget, excess) = match watch.take().filter(goes_on) {
        Some(Watch { mut budget, last, .. }) => {
            let excess = budget.follow(model, [&last.state, &state], &measurement, None);
            (budget, excess)
        }
        None => (EnergyBudget::new(model, &state, &measurement), None),
    };
    let from_nowhere = excess.is_some();
    let seen = Observation { state, balanced, measurement, from_nowhere, contacts, implicit_seconds, torn, run };
    let seen = Arc::new(seen);
    *watch = is_plain.then(|| Watch { budget, tuning: job.tuning, last: seen.clone() });
    Some(seen)
}
