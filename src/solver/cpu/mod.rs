//! The solver on the CPU: the same plan, the same steps and the same kinds as on a GPU, in single precision, by all
//! cores. For machines without a GPU: farms, servers, tests.
//!
//! A kind's function is the twin in Rust that its author wrote
//! ([`Constraint::evaluate`](crate::constraint::Constraint::evaluate)), with a number that holds as many constraints as
//! fit in a register. The same model gives the same bits for any number of threads.
//!
//! ```
//! use pliant::scene::{Body, Cloth, Grid, Scene};
//! use pliant::{CpuSolver, Engine, Plan};
//!
//! let grid = Grid { columns: 16, rows: 16, width: 1.0, height: 1.0 };
//! let cloth = Body::cloth(Cloth::new(grid).stretch(1e-8).shear(1e-6)).pin("top-left").pin("top-right");
//! let model = Scene::new("Hanging cloth").with(cloth).build()?.model;
//! let mut solver = CpuSolver::new(&model, &Plan::new(&model))?;
//! for _ in 0..10 {
//!     solver.step();
//! }
//! assert!(solver.status().is_some_and(|status| status.is_good()));
//! println!("{:?}", solver.state().positions[100]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod change;
mod engine;
mod frame;
mod readout;
mod snapshot;
mod tear;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Mutex;

use wide::f32x4;

use crate::cpu::blocks::{BlockSetup, Blocks};
use crate::cpu::check::Fixed;
use crate::cpu::frame::{Frame, laws};
use crate::cpu::multiplier::Law;
use crate::cpu::order::Order;
use crate::cpu::particles::{Particles, Signs};
use crate::cpu::pass::{Pass as CpuPass, Setup};
use crate::cpu::past::Past;
use crate::cpu::shared::Shared;
use crate::cpu::solve::Points;
use crate::cpu::{CpuError, Group, Instructions, Team, check};
use crate::model::{Integrator, Model, Press};
use crate::pass::Pass;
use crate::pass::tear::cpu::Tearable;
use crate::plan::{Leg, Phase, Plan, PlannedGroup};
use crate::solver::in_order;
use crate::step::change::{Over, Running};
use crate::step::records;
use crate::step::records::RestLaw;
use crate::step::{Active, FrameRecords, Used, rest_law};
use frame::{InFrame, Run};

/// Particles and constraints for which another thread is worth its waiting: fewer take a core a few microseconds a
/// sweep.
const WORTH_A_THREAD: usize = 4_000;

/// A model on the CPU.
pub struct CpuSolver {
    pub(crate) model: Model,
    /// Where the engine keeps each particle, and which it keeps at each slot.
    pub(crate) slot_of: Vec<u32>,
    pub(crate) particle_of: Vec<u32>,
    pub(crate) in_rows: bool,
    pub(crate) pieces: Vec<Range<usize>>,
    /// The slots that the plan gives the particles, used in reports.
    pub(crate) planned: Vec<u32>,
    /// Of a sweep.
    pub(crate) halves: Vec<Vec<Leg>>,
    pub(crate) clusters: Vec<(Vec<u32>, usize)>,
    pub(crate) frame: u64,
    /// With BDF2: whether the next substep has no past.
    pub(crate) starting: bool,
    pub(crate) team: Team,
    /// Of the last frame.
    pub(crate) meetings: usize,
    pub(crate) instructions: Instructions,
    pub(crate) particles: Particles,
    pub(crate) groups: Vec<Group>,
    pub(crate) corrections: Vec<f32x4>,
    /// In the order of a substep.
    pub(crate) passes: Vec<PassSlot>,
    /// What the host pulls, by particle.
    pub(crate) pulled: Active,
    pub(crate) status: records::Status,
    /// Of the last frame: [`Status::surfaces_held`](crate::step::Status::surfaces_held) and `surfaces_forced`.
    pub(crate) surfaces: [u32; 2],
    /// 1/H² of the last substep, by which λ is a force, 1/s².
    pub(crate) per_square: f64,
    /// Particles that constraints share since they are fixed.
    pub(crate) shared: Vec<u32>,
    pub(crate) laws: Vec<Law<f32>>,
    pub(crate) rest_laws: Vec<RestLaw>,
    /// What each group refers to.
    pub(crate) used: Vec<Used>,
    pub(crate) levels_over: Over,
    /// Particles whose mass is no longer that of the model.
    pub(crate) changed_masses: BTreeSet<u32>,
    /// `None` where nothing can be torn.
    pub(crate) tearable: Option<Box<Tearable>>,
    pub(crate) averages_contacts: bool,
    /// What pressed in the last frame, of each thread, if contacts of whole frames are reported.
    pub(crate) presses: Option<Vec<Mutex<Vec<Press>>>>,
}

/// A pass, and what a model asks of it.
pub struct PassSlot {
    pub pass: &'static dyn Pass,
    pub made: Option<Box<dyn CpuPass>>,
}

impl CpuSolver {
    /// Takes over a model, for all cores of the machine, or fewer where the model is small. `plan` must be the plan of
    /// this model.
    ///
    /// # Errors
    /// If the plan is of another model, or what can be torn is held in a way that cannot follow a tear.
    pub fn new(model: &Model, plan: &Plan) -> Result<Self, CpuError> {
        let constraints: usize = model.groups.iter().map(crate::model::Group::len).sum();
        let worth = (model.particles.len() + constraints).div_ceil(WORTH_A_THREAD);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self::with_threads(model, plan, cores.min(worth))
    }

    /// As [`CpuSolver::new`], for so many threads, at least 1. Their number changes no bit of the result.
    ///
    /// # Errors
    /// As [`CpuSolver::new`].
    pub fn with_threads(model: &Model, plan: &Plan, threads: usize) -> Result<Self, CpuError> {
        Self::with(model, plan, threads, Instructions::detected())
    }

    /// As [`CpuSolver::with_threads`], with other instructions than the widest. They change no bit of the result
    /// either.
    ///
    /// # Panics
    /// If the processor does not have them.
    ///
    /// # Errors
    /// As [`CpuSolver::new`].
    pub fn with(model: &Model, plan: &Plan, threads: usize, instructions: Instructions) -> Result<Self, CpuError> {
        Self::with_passes(model, plan, threads, instructions, &[])
    }

    /// As [`CpuSolver::with`], with passes of the caller's own in each substep, where [`in_order`] puts them.
    ///
    /// # Panics
    /// As [`CpuSolver::with`].
    ///
    /// # Errors
    /// As [`CpuSolver::new`].
    pub fn with_passes(
        model: &Model,
        plan: &Plan,
        threads: usize,
        instructions: Instructions,
        passes: &[&'static dyn Pass],
    ) -> Result<Self, CpuError> {
        model.check()?;
        Self::using(model, plan, threads, instructions, &uses(model), &in_order(passes))
    }

    /// `used`: what each group refers to, and whether its rest values may ever change, by the model as it was at first.
    pub(crate) fn using(
        model: &Model,
        plan: &Plan,
        threads: usize,
        instructions: Instructions,
        used: &[Used],
        passes: &[&'static dyn Pass],
    ) -> Result<Self, CpuError> {
        if let Some(order) = Order::in_rows(model).filter(|_| instructions != Instructions::Baseline) {
            let solver = Self::ordered(model, plan, threads, instructions, order, used, passes)?;
            let count = |of: fn(&Blocks) -> usize| solver.groups.iter().map(|group| of(&group.blocks)).sum::<usize>();
            if 2 * count(Blocks::side_by_side) > count(|blocks| blocks.len) {
                return Ok(solver);
            }
        }
        Self::ordered(model, plan, threads, instructions, Order::of_plan(plan), used, passes)
    }

    pub(crate) fn ordered(
        model: &Model,
        plan: &Plan,
        threads: usize,
        instructions: Instructions,
        Order { slot_of, particle_of, in_rows, pieces, .. }: Order,
        used: &[Used],
        passes: &[&'static dyn Pass],
    ) -> Result<Self, CpuError> {
        assert!(Instructions::available().contains(&instructions), "the processor has no {}", instructions.name());
        plan.check_tearing(model.tearing.as_ref())?;
        plan.check_phases().and_then(|()| plan.check_levels(model)).map_err(|_| CpuError::OtherModel)?;
        let fixed = Fixed::new(model, model.tearing.as_ref());
        check::plan(&model.groups, fixed, plan, &slot_of)?;
        let team = Team::new(threads);
        let levels_over = Over::new(plan);
        let needs = Running { model, used, levels: &levels_over }.needs(&model.materials);
        let laws = laws(model);
        let clusters: Vec<(Vec<u32>, usize)> =
            plan.phases.iter().map(|phase| (clusters_of(phase, plan, &slot_of), phase.len())).collect();
        let made = |(index, (group, planned)): (usize, (&crate::model::Group, &PlannedGroup))| {
            let (needs, rest_changes) = (needs[index], used[index].rest_changes);
            let (threads, slot_of, particle_of) = (team.threads(), &*slot_of, &*plan.particle_of);
            let laws = &laws;
            let clusters = &*clusters;
            let setup = BlockSetup {
                instructions,
                threads,
                needs,
                laws,
                rest_changes,
                reshapes: model.rest_shapes.iter().any(|shape| shape.group as usize == index),
                slot_of,
                particle_of,
                in_rows,
                clusters,
            };
            let (blocks, values) = Blocks::new(group, planned, fixed, &setup);
            Group { blocks, values }
        };
        let groups: Vec<Group> = model.groups.iter().zip(&plan.groups).enumerate().map(made).collect();
        let corrections = groups.iter().map(|group| group.blocks.corrections()).max().unwrap_or(0);
        let setup = Setup {
            model,
            sheets: &plan.sheets,
            used,
            slot_of: &slot_of,
            particle_of: &particle_of,
            planned: &plan.slot_of,
            pieces: &pieces,
            threads: team.threads(),
            instructions,
            pulled: &Active::default(),
        };
        let passes = passes.iter().map(|&pass| PassSlot { pass, made: pass.cpu(&setup) }).collect();
        Ok(Self {
            passes,
            pulled: Active::default(),
            particles: Particles::new(model, &particle_of),
            slot_of,
            particle_of,
            in_rows,
            pieces,
            planned: plan.slot_of.clone(),
            halves: plan.sweep(model.settings.sweep),
            clusters,
            frame: 0,
            starting: model.settings.integrator == Integrator::Bdf2,
            team,
            meetings: 0,
            instructions,
            corrections: vec![f32x4::ZERO; corrections],
            status: records::Status { particle: u32::MAX, ..Default::default() },
            surfaces: [0; 2],
            per_square: model.settings.implicit_seconds().powi(-2),
            shared: plan.groups.iter().flat_map(|planned| planned.shared.iter().copied()).collect(),
            laws,
            rest_laws: model.materials.iter().map(|material| rest_law(material, &model.settings)).collect(),
            used: used.to_vec(),
            levels_over,
            changed_masses: BTreeSet::new(),
            groups,
            tearable: Tearable::new(model, plan),
            averages_contacts: false,
            presses: None,
            model: model.clone(),
        })
    }

    /// As [`Synchronous::step`](crate::step::Synchronous::step).
    pub fn step(&mut self) {
        for (particle, inverse_mass) in self.model.released(self.frame) {
            self.weigh(particle, inverse_mass as f32);
        }
        self.particles.fit_lattice(f32::from_bits(self.status.extent));
        self.status.contacts = 0;
        let records = FrameRecords::new(&self.model, self.frame, self.starting, self.model.particles.len() as u32);
        if let Some(last) = records.substeps.last() {
            self.per_square = f64::from(last.inverse_seconds_squared);
        }
        let signs = Signs::new(&self.status, &self.particle_of, &self.planned);
        self.presses = self.averages_contacts.then(|| (0..self.team.threads()).map(|_| Mutex::default()).collect());
        let Self { particles, groups, passes, corrections, team, .. } = self;
        let Particles { x, d, e, u, past, lattice, properties } = particles;
        let mut passes: Vec<&mut Box<dyn CpuPass>> = passes.iter_mut().filter_map(|pass| pass.made.as_mut()).collect();
        passes.iter_mut().for_each(|pass| pass.begin(x));
        // SAFETY: the frame keeps to the contract, as written there: it goes through all lists by shares and meetings,
        // and the plan's colours were checked when the solver was made.
        let run = unsafe {
            let points = Points { x: Shared::new(x), d: Shared::new(d), e: Shared::new(e) };
            let [lags, changes, free] = past.each_mut().map(|list| Shared::new(list));
            let frame = Frame {
                model: &self.model,
                slot_of: &self.slot_of,
                particle_of: &self.particle_of,
                in_rows: self.in_rows,
                pieces: &self.pieces,
                halves: &self.halves,
                records: &records,
                laws: &self.laws,
                rest_laws: &self.rest_laws,
                properties,
                lattice: *lattice,
                points,
                u: Shared::new(u),
                past: (!lags.is_empty()).then_some(Past { lags, changes, free }),
                groups: groups.iter_mut().map(|group| group.view()).collect(),
                corrections: Shared::new(corrections),
                signs: &signs,
                instructions: self.instructions,
            };
            let passes = passes.into_iter().map(|pass| InFrame { hooks: pass.hooks(), view: pass.view(&frame) });
            Run { passes: passes.collect(), frame, presses: self.presses.as_deref() }
        };
        self.meetings = team.run(|member| run.run(member));
        drop(run);
        self.surfaces = signs.surfaces();
        self.status = records::Status { spares: self.status.spares, ..signs.status() };
        self.starting = false;
        self.frame += 1;
        self.tear();
    }

    /// What it solves with.
    pub fn instructions(&self) -> Instructions {
        self.instructions
    }

    /// Threads that solve.
    pub fn threads(&self) -> usize {
        self.team.threads()
    }

    /// How often the threads waited for each other in the last frame.
    pub fn meetings_per_frame(&self) -> usize {
        self.meetings
    }

    /// The passes that the model asks for.
    pub(crate) fn passes_made(&self) -> impl Iterator<Item = &dyn CpuPass> {
        self.passes.iter().filter_map(|pass| pass.made.as_deref())
    }

    /// The same, to be changed.
    pub(crate) fn active_passes(&mut self) -> impl Iterator<Item = &mut Box<dyn CpuPass>> {
        self.passes.iter_mut().filter_map(|pass| pass.made.as_mut())
    }

    /// Makes a pass anew, by its name, after what it is made of has changed.
    pub(crate) fn remake(&mut self, name: &str) {
        let setup = Setup {
            model: &self.model,
            sheets: &[],
            used: &self.used,
            slot_of: &self.slot_of,
            particle_of: &self.particle_of,
            planned: &self.planned,
            pieces: &self.pieces,
            threads: self.team.threads(),
            instructions: self.instructions,
            pulled: &self.pulled,
        };
        for pass in self.passes.iter_mut().filter(|pass| pass.pass.name() == name) {
            pass.made = pass.pass.cpu(&setup);
        }
    }
}

/// The cluster of each of the engine's slots; `u32::MAX` of those in none.
pub(crate) fn clusters_of(phase: &Phase, plan: &Plan, slot_of: &[u32]) -> Vec<u32> {
    let mut clusters = vec![u32::MAX; slot_of.len()];
    for (cluster, &particle) in phase.cluster_of(slot_of.len()).into_iter().zip(&plan.particle_of) {
        clusters[slot_of[particle as usize] as usize] = cluster;
    }
    clusters
}

/// What the groups of a model refer to.
pub(crate) fn uses(model: &Model) -> Vec<Used> {
    model.groups.iter().map(|group| Used::of(group, &model.materials)).collect()
}
