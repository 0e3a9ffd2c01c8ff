//! A scene run as the command would, and judged.

use pliant::measure::{EnergyBudget, Measurement};
use pliant::model::{Model, Multiplier, State, Sweep};
use pliant::plan::Plan;
use pliant::scene::Scene;
use pliant::{CpuSolver, Engine, Reference};

use super::scene::RandomScene;
use crate::random::Random;

/// How the command would end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Good,
    /// By a fault of the input.
    Refused,
    /// By a simulation that failed.
    Failed,
}

/// Frames after which the engine is held against the reference.
const COMPARED: u32 = 2;
/// What single precision may be off by at 1 m after each of these, m: some thirty roundings.
const ROUNDINGS: f64 = 2e-6;
/// What roundings within sweeps make beyond those between substeps.
const WITHIN_SWEEPS: f64 = 20.0;

/// Runs a scene; an error says what is wrong with what happened.
pub fn run(scene: &RandomScene) -> Result<Exit, String> {
    let built = Scene::parse(&scene.text, "scene.toml", ".").and_then(|scene| scene.build());
    let mut model = match built {
        Ok(built) => built.model,
        Err(error) => return refusal(&error.to_string()),
    };
    model.settings.mean_forces = EnergyBudget::needs_mean_forces(&model);
    let plan = Plan::new(&model);
    if let Err(error) = plan.check_tearing(model.tearing.as_ref()) {
        return refusal(&error.to_string());
    }
    let mut solver = match CpuSolver::with_threads(&model, &plan, 1) {
        Ok(solver) => solver,
        Err(error) => return refusal(&error.to_string()),
    };
    let mut watch = Watch::new(&model);
    if watch.contacts {
        solver.average_contacts(true);
    }
    let mut last = beginning(&model);
    let mut budget = EnergyBudget::new(&model, &last, &Measurement::of(&model, &last));
    for frame in 1..=scene.frames {
        solver.step();
        let state = solver.state();
        if !solver.status().is_some_and(|status| status.is_good()) {
            return Ok(Exit::Failed);
        }
        watch.frame(&solver, &mut budget, [&last, &state]).map_err(|what| format!("frame {frame}: {what}"))?;
        // Beyond eight colliders the engine looks only at those near a particle's way, and the reference at all.
        if frame == COMPARED && model.colliders.len() <= 8 {
            against_reference(&model, &plan, &state)?;
        }
        last = state;
    }
    Ok(Exit::Good)
}

/// What is refused is refused with words.
fn refusal(message: &str) -> Result<Exit, String> {
    match message.contains(' ') && message.len() > 20 {
        true => Ok(Exit::Refused),
        false => Err(format!("refused without a reason: {message:?}")),
    }
}

/// The state before the first frame.
fn beginning(model: &Model) -> State {
    let placed = model.placed_particles();
    let multipliers = |group: &pliant::model::Group| vec![Multiplier::default(); group.len() * group.kind.components()];
    State {
        positions: model.particles.positions[..placed].to_vec(),
        velocities: model.particles.velocities[..placed].to_vec(),
        multipliers: model.groups.iter().map(multipliers).collect(),
        ..State::default()
    }
}

/// What is asked of every frame.
struct Watch<'a> {
    model: &'a Model,
    contacts: bool,
}

impl<'a> Watch<'a> {
    fn new(model: &'a Model) -> Self {
        Self { model, contacts: EnergyBudget::needs_contacts(model) }
    }

    fn frame(&mut self, solver: &CpuSolver, budget: &mut EnergyBudget, ends: [&State; 2]) -> Result<(), String> {
        let state = ends[1];
        let contacts = solver.contacts();
        let measured = Measurement::of(self.model, state);
        finite(state, &measured)?;
        let touching = contacts.iter().flat_map(|contact| [contact.point, contact.normal, contact.friction]);
        if !touching.flatten().chain(contacts.iter().map(|contact| contact.force)).all(f64::is_finite) {
            return Err(format!("a contact is not finite: {contacts:?}"));
        }
        let excess = budget.follow(self.model, ends, &measured, self.contacts.then_some(&contacts));
        match excess.filter(|_| accounts_are_kept(self.model)) {
            Some(excess) => Err(format!("{excess:.2e} J from nowhere beside {:.2e} J", measured.kinetic_energy_j)),
            None => Ok(()),
        }
    }
}

/// Whether nothing makes energy by what it is: sweeps one way do, see the README of the scenes.
fn accounts_are_kept(model: &Model) -> bool {
    model.settings.sweep == Sweep::ThereAndBack
}

fn finite(state: &State, measured: &Measurement) -> Result<(), String> {
    let vectors = [&state.positions, &state.velocities].into_iter().flat_map(|list| list.as_flattened());
    let multipliers = state.multipliers.iter().flatten().flat_map(|multiplier| [&multiplier.last, &multiplier.mean]);
    let [kinetic, elastic] = [measured.kinetic_energy_j, measured.elastic_energy_j];
    let numbers = [("kinetic energy", kinetic), ("elastic energy", elastic), ("stretch", measured.max_stretch)];
    if let Some((name, value)) = numbers.into_iter().find(|(_, value)| !value.is_finite()) {
        return Err(format!("the {name} is {value}"));
    }
    match vectors.chain(multipliers).all(|value| value.is_finite()) {
        true => Ok(()),
        false => Err("something is not finite, and no flag says so".into()),
    }
}

/// The state in double precision after the frames compared.
fn in_double(model: &Model, plan: &Plan) -> State {
    let mut reference = Reference::new(model, plan);
    (0..COMPARED).for_each(|_| reference.step());
    reference.state()
}

/// What roundings to single precision in each substep make of the reference, m.
fn amplified(model: &Model, plan: &Plan, size: f64) -> f64 {
    let [calm, moved] = [0.0, 6e-8 * size].map(|rounding| in_substeps(model, plan, rounding));
    largest(&calm, &moved)
}

/// The same with each substep a frame of its own, after which every free particle is moved by up to so many metres.
fn in_substeps(model: &Model, plan: &Plan, rounding: f64) -> State {
    let mut model = model.clone();
    let substeps = std::mem::replace(&mut model.settings.substeps, 1);
    model.settings.frame_rate *= f64::from(substeps);
    let mut random = Random::new(5);
    let mut reference = Reference::new(&model, plan);
    for _ in 0..COMPARED * substeps {
        reference.step();
        let mut state = reference.state();
        let masses = model.torn(&state).particles.inverse_masses.clone();
        for (position, _) in state.positions.iter_mut().zip(masses).filter(|(_, w)| *w > 0.0) {
            position.iter_mut().for_each(|x| *x += random.number(-rounding, rounding));
        }
        reference.restore(&state);
    }
    reference.state()
}

fn largest(a: &State, b: &State) -> f64 {
    let pairs = a.positions.as_flattened().iter().zip(b.positions.as_flattened());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Holds a state of the engine against the reference: to roundings, or to what the reference makes of them where that is more.
fn against_reference(model: &Model, plan: &Plan, state: &State) -> Result<(), String> {
    let size = model.particles.positions.as_flattened().iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    let expected = in_double(model, plan);
    if expected.positions.len() != state.positions.len() {
        return Err(format!("{} particles, and {} in the reference", state.positions.len(), expected.positions.len()));
    }
    let difference = largest(state, &expected);
    if difference <= f64::from(COMPARED) * ROUNDINGS * size {
        return Ok(());
    }
    let amplified = amplified(model, plan, size);
    match difference <= WITHIN_SWEEPS * amplified {
        true => Ok(()),
        false => Err(format!("{difference:.2e} m off the reference, and roundings make {amplified:.2e} m")),
    }
}
