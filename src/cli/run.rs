//! `pliant run`: simulates a scene headless.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::checkpoints::{self, Checkpoints};
use super::clusters::Clusters;
use super::engine::{self, Alarm, CROWDED, Device, Runner};
use super::failure::Failure;
use super::files::{self, Files, Named, default_folder};
use super::interrupt;
use super::loading::{Given, Loaded, load};
use super::pictures::{Drawing, Other, Pictures, is_exhibit};
use super::report::{self, Report, Timing};
use super::stepping::Stepping;
use crate::Plan;
use crate::check::advice;
use crate::export::{Exports, Format};
use crate::measure::{EnergyBudget, Measurement, balanced};
use crate::model::{Contact, Model, Multiplier, Settings, State};
use crate::pass::surfaces::near::Proximity;

#[derive(Args, Default)]
pub struct Options {
    #[command(flatten)]
    pub(super) subject: Given,
    /// How many frames to simulate
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) frames: u64,
    /// Folder for pictures, exports, checkpoints and the report [default if there are any: out/SCENE]
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Write a report of every frame as JSON [default if there is a folder: report.json in it]
    #[arg(long, value_name = "FILE.json")]
    pub(super) report: Option<PathBuf>,
    /// Write the final positions and velocities as CSV
    #[arg(long, value_name = "FILE.csv")]
    pub(super) positions: Option<PathBuf>,
    /// Write the last frame's mean force of every constraint as CSV
    #[arg(long, value_name = "FILE.csv")]
    pub(super) forces: Option<PathBuf>,
    /// Write the final orientations of rods as CSV: body, index, and a unit quaternion
    #[arg(long, value_name = "FILE.csv")]
    pub(super) orientations: Option<PathBuf>,
    /// Write the last frame's mean pressure of every particle of a fluid as CSV
    #[arg(long, value_name = "FILE.csv")]
    pub(super) pressures: Option<PathBuf>,
    /// Write the contacts of the last frame as CSV: particle, collider, place, normal and mean forces
    #[arg(long, value_name = "FILE.csv")]
    pub(super) contacts: Option<PathBuf>,
    #[command(flatten)]
    pub(super) drawing: Drawing,
    /// Write every frame for other programs into the folder; separate several formats by commas
    #[arg(long, value_name = "FORMAT", value_delimiter = ',')]
    pub(super) export: Vec<Format>,
    /// Save a checkpoint every so many frames, as `checkpoint.pliant` in the folder; the latest replaces the one before
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) checkpoint_every: Option<u64>,
    /// Continue from a checkpoint up to frame `--frames`, with the same bits as an unbroken run
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// `gpu` (the best adapter), `cpu` (the CPU engine), `reference` (the slow solver in double precision), a part of
    /// an adapter's name, or `auto`: `gpu`, or `cpu` if the only adapter is a software driver. An adapter
    /// draws the pictures in any case
    #[arg(long, default_value = "auto")]
    device: Device,
    /// Whether an adapter solves large bodies in clusters. Both ways differ in the order of constraints, and so in the
    /// last digits. A resumed run keeps the way of the checkpoint unless this option is given
    #[arg(long, value_enum, default_value_t)]
    clusters: Clusters,
}

/// Options of a run that draws a scene to its folder, which is returned too.
pub fn rendering(scene: String, frames: u64, device: Device) -> (Options, PathBuf) {
    let out = default_folder(&scene);
    (
        Options {
            subject: Given::named(scene),
            frames,
            drawing: Drawing::into_folder(),
            out: Some(out.clone()),
            device,
            ..Options::default()
        },
        out,
    )
}

pub fn run(options: &Options) -> Result<(), Failure> {
    options.drawing.check(options.frames)?;
    let device = options.device.clone().chosen();
    let (checkpoint, clusters) = match &options.resume {
        Some(path) => {
            let (checkpoint, clusters) = checkpoints::read(path, options.clusters)?;
            (Some((path, checkpoint)), clusters)
        }
        None => (None, options.clusters),
    };
    let Loaded { mut model, plan, plan_s, camera, notes, mut files } = load(&options.subject, &device, clusters)?;
    files.extend(options.resume.clone());
    let device = options.device.clone().chosen_for(&model);
    model.settings.mean_forces = options.forces.is_some() || EnergyBudget::needs_mean_forces(&model);
    let left = files::later_frames(options);
    notes.iter().chain(&left).for_each(|note| eprintln!("note: {note}"));
    let advised = advice(&model);
    advised.iter().filter(|note| note.is_warning()).for_each(|note| eprintln!("warning: {}", note.text));
    interrupt::listen();
    let mut files = Files::open(options, &files, &model)?;
    let mut engine = engine::open(&device, &model, &plan)?;
    let resumed = match &checkpoint {
        Some((path, checkpoint)) => {
            checkpoints::resume(checkpoint, path, &model, &plan, &mut *engine)?
                .iter()
                .for_each(|note| eprintln!("note: {note}"));
            Some(resumed(path, options.frames, &*engine)?)
        }
        None => None,
    };
    let nothing_left = resumed.as_ref().is_some_and(|state| state.frame == options.frames);
    if nothing_left {
        eprintln!("note: the checkpoint is of frame {}, the last one asked for: nothing is left to do", options.frames);
    }
    let exports = match (&files.folder, &resumed) {
        (Some(folder), Some(state)) => Exports::resume(&options.export, folder, &model, state)?,
        (Some(folder), None) => Exports::create(&options.export, folder, &model)?,
        (None, _) => Exports::default(),
    };
    let checkpoints = match (&files.folder, options.checkpoint_every) {
        (Some(folder), Some(every)) => Some(Checkpoints::open(every, folder, &model, &plan, &*engine)?),
        _ => None,
    };
    let drawn = options.drawing.is_wanted() && !nothing_left;
    // What stands beside a scene has no checkpoint.
    let other = (drawn && resumed.is_none() && is_exhibit(&options.subject.scene))
        .then(|| Other::open(&model, &plan, &device))
        .transpose()?;
    let folder = files.folder.as_deref();
    let pictures =
        drawn.then(|| Pictures::open(&*engine, &model, &plan, camera, &options.drawing, folder, other)).transpose()?;
    let mut report = report::begin(&options.subject.scene, &model, &plan, plan_s, engine.adapter());
    if let Some(state) = &resumed {
        report.resume(state.frame, Named::of(options).report.as_deref());
        if pictures.is_some() {
            eprintln!("note: the animation begins with frame {}, after the checkpoint", state.frame + 1);
        }
    }
    let last_good = resumed.unwrap_or_else(|| beginning(&model));
    let watches = EnergyBudget::needs_contacts(&model) && model.particles.len() <= MOST_WATCHED;
    let contacts = ((options.contacts.is_some() || watches) && !nothing_left).then(Default::default);
    if contacts.is_some() {
        engine.average_contacts(true);
    }
    let budget = EnergyBudget::new(&model, &last_good, &Measurement::of(&model, &last_good));
    let step_ms = Vec::new();
    let run = Run {
        model: &model,
        plan: &plan,
        engine: Some((Stepping::begin()?, engine)),
        pictures,
        exports,
        checkpoints,
        files: &mut files,
        last_good,
        contacts,
        budget,
        proximity: Proximity::new(&model),
        step_ms,
    };
    let (mut last_good, pressing, mut result) = run.frames(options.frames, &mut report);
    if result.is_ok() && report.frames.own.iter().any(|frame| frame.flags.contains(&NO_SLOTS)) {
        result = Err(Failure::Simulation(format!(
            "some particles were near so many colliders or segments at once that the device had no room for all \
             contacts. In the frames that the report flags \"{NO_SLOTS}\", each such particle touched its deepest four \
             colliders only, and not all segments. All frames were written. Use fewer colliders or segments near each \
             other, or a device with larger bindings"
        )));
    }
    report.outcome.state_hash = report::state_hash(&last_good);
    if let Some(missing) = spares_missing(&model, &last_good) {
        eprintln!(
            "note: tears need {} spare particles, {missing} more than there are. That many vertices could not split, \
             and the body stays joined there; raise spare_particles of a body that tears",
            last_good.spares_needed
        );
    }
    if let (Some((_, untold @ 1..)), true) = (&pressing, options.contacts.is_some()) {
        eprintln!(
            "note: the device had no room to report {untold} contacts of single substeps: the forces in the file lack \
             them"
        );
    }
    report.outcome.failure = result.as_ref().err().map(Failure::to_string);
    if files.forces.is_some() {
        last_good.multipliers = balanced(&model, &plan, &last_good);
    }
    let contacts = pressing.as_ref().filter(|_| options.contacts.is_some()).map(|(contacts, _)| &**contacts);
    let written = files.write(&model, &last_good, contacts, &report);
    if let (Err(failure), Err(_)) = (&result, &written) {
        eprintln!("error: {failure}");
    }
    written.and(result)?;
    summarise(&report, Named::of(options).folder.as_deref(), &mut std::io::stdout().lock())?;
    Ok(())
}

/// The state of a checkpoint on the way to so many frames.
fn resumed(path: &Path, frames: u64, engine: &dyn Runner) -> Result<State, Failure> {
    let state = engine.state()?;
    match state.frame > frames {
        false => Ok(state),
        true => Err(Failure::Input(format!(
            "{}: the checkpoint is of frame {}, beyond --frames {frames}, which counts from the start; raise --frames, \
             or start again without --resume",
            path.display(),
            state.frame
        ))),
    }
}

/// The state before the first frame.
fn beginning(model: &Model) -> State {
    let multipliers = |group: &crate::model::Group| vec![Multiplier::default(); group.len() * group.kind.components()];
    let placed = model.placed_particles();
    State {
        positions: model.particles.positions[..placed].to_vec(),
        velocities: model.particles.velocities[..placed].to_vec(),
        multipliers: model.groups.iter().map(multipliers).collect(),
        ..State::default()
    }
}

/// Where there is no terminal to show a bar, how far a run is is told so often.
const TELLING: Duration = Duration::from_secs(10);

/// What a frame is flagged with where there is motion that nothing accounts for.
const FROM_NOWHERE: &str = "energy from nowhere";

/// With more particles contacts are not asked for in each frame only to tell what colliders that move put in.
const MOST_WATCHED: usize = 20_000;

/// What a frame is flagged with where splits wait for particles.
const NO_SPARES: &str = "out of spare particles";

/// What a frame is flagged with by which contacts with colliders found no room.
const NO_SLOTS: &str = "contacts without room";

/// What a frame is flagged with that was done again because contacts found no room in it at first.
const REPEATED: &str = "done again with more room for contacts";

/// What a frame is flagged with in which vertices of surfaces were held back so that none cross.
const SURFACES_HELD: &str = "surfaces held";

/// What a frame is flagged with in which what is fixed or driven pushes surfaces through each other.
const SURFACES_FORCED: &str = "surfaces forced";

/// How many spare particles tears have asked for in vain, if any.
fn spares_missing(model: &Model, state: &State) -> Option<u64> {
    let spares = model.tearing.as_ref().map_or(0, |tearing| tearing.spares.len() as u64);
    state.spares_needed.checked_sub(spares).filter(|&missing| missing > 0)
}

/// A run on its way.
struct Run<'a> {
    model: &'a Model,
    plan: &'a Plan,
    /// With the thread that it solves on; `None` once a frame was given up.
    engine: Option<(Stepping, Box<dyn Runner>)>,
    pictures: Option<Pictures>,
    exports: Exports<'a>,
    checkpoints: Option<Checkpoints>,
    files: &'a mut Files,
    last_good: State,
    contacts: Pressing,
    budget: EnergyBudget,
    /// `None` where no surfaces touch.
    proximity: Option<Proximity>,
    step_ms: Vec<f64>,
}

/// What presses after the last frame, and how many contacts could not be told; `None` where nobody asked.
type Pressing = Option<(Vec<Contact>, usize)>;

impl Run<'_> {
    /// Simulates frame after frame into the report. Returns the last good state, what presses in it, and what ended the
    /// run early.
    fn frames(mut self, count: u64, report: &mut Report) -> (State, Pressing, Result<(), Failure>) {
        let progress = progress_bar(count);
        let start = Instant::now();
        let mut told = start;
        progress.set_position(self.last_good.frame);
        let mut result = match report.outcome.resumed_from {
            None => self.exports.frame(&self.last_good).map_err(Failure::from),
            Some(_) => Ok(()),
        };
        while result.is_ok() && self.last_good.frame < count && !report.outcome.interrupted {
            result = self.frame(report);
            progress.inc(1);
            if progress.is_hidden() && told.elapsed() > TELLING {
                told = Instant::now();
                eprintln!("frame {} of {count}", self.last_good.frame);
            }
            report.outcome.interrupted = interrupt::asked();
        }
        progress.finish_and_clear();
        report.outcome.timing =
            Timing { step_ms_median: report::quantile(&self.step_ms, 0.5), wall_s: start.elapsed().as_secs_f64() };
        interrupt::writing();
        let kept = self.end_checkpoints(report, result.is_ok());
        let drawn = self.pictures.map_or(Ok(()), Pictures::finish);
        let exported = self.exports.finish().map_err(Failure::from);
        (self.last_good, self.contacts, result.and(kept).and(drawn).and(exported))
    }

    fn frame(&mut self, report: &mut Report) -> Result<(), Failure> {
        let stepped = self.engine.take().and_then(|(stepping, engine)| stepping.step(engine));
        let Some((stepping, (engine, time))) = stepped else {
            eprintln!("the frame took too long and was given up; the files hold frame {}", self.last_good.frame);
            return Ok(());
        };
        let (_, engine) = self.engine.insert((stepping, engine));
        let time = time?;
        let step_ms = time.step.as_secs_f64() * 1e3;
        let state = engine.state()?;
        let alarm = engine.alarm(&state);
        let mut flags = alarm.as_ref().map_or_else(Vec::new, |alarm| alarm.flags.clone());
        flags.extend(spares_missing(self.model, &state).map(|_| NO_SPARES));
        flags.extend((engine.contacts_missing() > 0).then_some(NO_SLOTS));
        flags.extend(time.repeated.then_some(REPEATED));
        if let Some(status) = engine.status() {
            flags.extend((status.surfaces_held > 0).then_some(SURFACES_HELD));
            flags.extend((status.surfaces_forced > 0).then_some(SURFACES_FORCED));
        }
        if let Some(contacts) = &mut self.contacts {
            *contacts = engine.contacts()?;
        }
        let measured = Measurement::of(self.model, &state);
        let contacts = self.contacts.as_ref().and_then(|(contacts, untold)| (*untold == 0).then_some(&**contacts));
        let excess = self.budget.follow(self.model, [&self.last_good, &state], &measured, contacts);
        flags.extend(excess.map(|_| FROM_NOWHERE));
        let proximity = self.proximity.as_ref().map(|proximity| proximity.of(&state.positions));
        report.frames.own.push(report::Frame::new(self.model, &state, (measured, proximity), step_ms, flags));
        self.step_ms.push(step_ms);
        if let Some(alarm) = alarm {
            return Err(blown_up(&self.model.settings, &alarm, self.last_good.frame));
        }
        if let Some(pictures) = &mut self.pictures {
            pictures.take(&**engine, self.model, self.plan, &state)?;
        }
        self.exports.frame(&state)?;
        if let Some(checkpoints) = self.checkpoints.as_mut().filter(|checkpoints| checkpoints.is_due(state.frame)) {
            checkpoints.take(&**engine)?;
            if checkpoints.has_waited() {
                write_checkpoint(checkpoints, self.files, report, &state)?;
            }
        }
        self.last_good = state;
        Ok(())
    }

    /// At the end: writes the last frame of a good run that was interrupted, otherwise the last checkpoint that was
    /// due.
    fn end_checkpoints(&mut self, report: &mut Report, good: bool) -> Result<(), Failure> {
        let Some(checkpoints) = &mut self.checkpoints else { return Ok(()) };
        if let (true, Some((_, engine))) = (report.outcome.interrupted && good, &self.engine) {
            checkpoints.take(&**engine)?;
        }
        match checkpoints.has_more() {
            true => write_checkpoint(checkpoints, self.files, report, &self.last_good),
            false => Ok(()),
        }
    }
}

/// Writes the report first: it then has all frames of the checkpoint, whenever the run is killed.
fn write_checkpoint(
    checkpoints: &mut Checkpoints,
    files: &mut Files,
    report: &mut Report,
    state: &State,
) -> Result<(), Failure> {
    let interrupted = std::mem::replace(&mut report.outcome.interrupted, true);
    report.outcome.state_hash = report::state_hash(state);
    files.keep_report(report)?;
    report.outcome.interrupted = interrupted;
    checkpoints.write()
}

/// The error of a simulation that blew up; `last_good` is the frame before.
fn blown_up(settings: &Settings, alarm: &Alarm, last_good: u64) -> Failure {
    if alarm.flags == [CROWDED] {
        return Failure::Simulation(format!(
            "too many particles are in one place in frame {} ({CROWDED}), so that no particles touch each other any \
             more; the files hold frame {last_good}, the last good one. Place the particles apart, or give their \
             bodies smaller radii or other collision groups",
            alarm.frame,
        ));
    }
    let relaxation = if settings.relaxation > 1.0 { ", a relaxation of at most 1" } else { "" };
    Failure::Simulation(format!(
        "the simulation blew up in frame {} ({}); the files hold frame {last_good}, the last good one. Try more \
         substeps than {}{relaxation}, less damping or weaker forces, or set max_speed in [world]",
        alarm.frame,
        alarm.flags.join(", "),
        settings.substeps,
    ))
}

/// Hidden by itself where the error output is no terminal.
fn progress_bar(frames: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(frames), ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{wide_bar} frame {pos} of {len}, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn summarise(report: &Report, folder: Option<&Path>, out: &mut impl Write) -> std::io::Result<()> {
    let constraints = report.header.constraints.iter().map(|(kind, count)| format!("{count} {kind} constraints"));
    let counts: Vec<String> =
        [format!("{} particles", report.header.particles)].into_iter().chain(constraints).collect();
    writeln!(out, "{}: {}, planned in {:.2} s", report.header.scene, counts.join(", "), report.header.plan_s)?;
    if let Some(levels) = &report.header.levels {
        writeln!(out, "{levels}")?;
    }
    writeln!(
        out,
        "{} frames{} in {:.1} s, {:.2} ms a step (median), on {}",
        report.frames.own.len(),
        if report.outcome.interrupted { " (interrupted)" } else { "" },
        report.outcome.timing.wall_s,
        report.outcome.timing.step_ms_median,
        report.header.adapter
    )?;
    let mut from_nowhere = report.frames.own.iter().filter(|frame| frame.flags.contains(&FROM_NOWHERE));
    if let Some(first) = from_nowhere.next() {
        writeln!(
            out,
            "{FROM_NOWHERE} in {} frames, first in frame {}: gravity, forces, pins, wind, rest values and colliders do \
             not account for the motion. Do not trust the result; try a relaxation of at most 1, other substeps, or a \
             compliance above 0 for rigid constraints",
            1 + from_nowhere.count(),
            first.frame
        )?;
    }
    let mut forced = report.frames.own.iter().filter(|frame| frame.flags.contains(&SURFACES_FORCED));
    if let Some(first) = forced.next() {
        writeln!(
            out,
            "{SURFACES_FORCED} in {} frames, first in frame {}: what is fixed or driven pushes surfaces through each \
             other, where no vertex may yield. Move it slower, or keep it farther apart",
            1 + forced.count(),
            first.frame
        )?;
    }
    if let Some(folder) = folder {
        writeln!(out, "written to {}", folder.display())?;
    }
    Ok(())
}
