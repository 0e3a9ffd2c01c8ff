//! What a solver runs: made of a plan and settings over the buffers that hold the state, and made again when they
//! change.

use super::notes::Notes;
use crate::gpu::SolverError;
use crate::gpu::buffers::{BufferRange, Buffers};
use crate::gpu::cluster::Clusters;
use crate::gpu::cluster_words;
use crate::gpu::constraints::{Constraints, Elsewhere};
use crate::gpu::island::Islands;
use crate::gpu::parameters::Parameters;
use crate::gpu::particles::ParticleKernels;
use crate::gpu::pass::{Pass as GpuPass, Setup};
use crate::gpu::pipelines::Pipelines;
use crate::gpu::recorder::{Recorder, Work};
use crate::gpu::stores::Stores;
use crate::gpu::visit::Visit;
use crate::model::{Model, Settings, Sweep};
use crate::pass::Pass;
use crate::pass::tear::gpu::Tear;
use crate::plan::{Leg, Plan};
use crate::step::{Active, Hooks, Needs, Tears, Used, air_is_felt, needs};

pub struct Parts {
    pub parameters: Parameters,
    particles: ParticleKernels,
    /// One for each group of the model.
    pub constraints: Vec<Constraints>,
    /// What of the constraints is solved island by island.
    pub islands: Option<Islands>,
    /// What of them is solved in clusters.
    pub clusters: Option<Clusters>,
    /// Of a sweep over the constraints.
    halves: Vec<Vec<Leg>>,
    /// In the order of a substep.
    pub passes: Vec<PassSlot>,
    pub tear: Option<Tear>,
    /// Where contacts of whole frames are reported.
    pub notes: Option<Notes>,
}

/// A pass, and what a model asks of it.
pub struct PassSlot {
    pub pass: &'static dyn Pass,
    pub made: Option<Box<dyn GpuPass>>,
}

impl Parts {
    /// `used`: what each group refers to; `passes`: all, in order.
    pub fn new(
        pipelines: &Pipelines,
        buffers: &mut Buffers,
        model: &Model,
        used: &[Used],
        plan: &Plan,
        (passes, pulled): (&[&'static dyn Pass], &Active),
    ) -> Result<Self, SolverError> {
        let (particles, integrator) = (plan.particle_of.len(), model.settings.integrator);
        let parameters = Parameters::new(&pipelines.device, buffers, model, particles as u32);
        let needs = |(index, used)| needs(&model.settings, &model.materials, used, Tears::of(model, index));
        let needs: Vec<Needs> = used.iter().enumerate().map(needs).collect();
        let layout = cluster_words::Layout::new(&pipelines.device.limits(), model, used, plan);
        let (islands, stores) = match Islands::new(pipelines, buffers, model, used, plan, &needs)? {
            Some((islands, stores)) => (Some(islands), stores),
            None => (None, Stores::new(&pipelines.device, plan, layout.is_some())),
        };
        let clusters = layout.as_ref().map(|layout| Clusters::new(pipelines, buffers, model, layout, &needs, &stores));
        let clusters = clusters.transpose()?;
        let elsewhere = Elsewhere {
            below: islands.as_ref().map_or(0, |islands| islands.end),
            clusters: clusters.as_ref().zip(layout).map(|(clusters, layout)| (clusters.phases(), layout.first)),
        };
        let mut constraints = Vec::new();
        let stored =
            stores.records.into_iter().zip(stores.multipliers).map(|(records, multipliers)| [records, multipliers]);
        for (((planned, used), needs), stored) in plan.groups.iter().zip(used).zip(needs).zip(stored) {
            let curves = used.rest_changes.then_some(model.curves.len());
            constraints.push(Constraints::new(
                pipelines,
                buffers,
                planned,
                needs,
                stored,
                elsewhere,
                (curves, &model.settings),
            )?);
        }
        let setup = Setup {
            pipelines,
            buffers,
            model,
            sheets: &plan.sheets,
            slot_of: &plan.slot_of,
            viscous_rate: plan.viscous_rate,
            constraints: &constraints,
            pulled,
        };
        let make = |&pass: &&'static dyn Pass| Ok(PassSlot { pass, made: pass.gpu(&setup)? });
        let passes = passes.iter().map(make).collect::<Result<Vec<PassSlot>, SolverError>>()?;
        let tearing = model.tearing.as_ref();
        let tear = tearing
            .map(|tearing| Tear::new(pipelines, buffers, tearing, plan, &constraints, integrator))
            .transpose()?;
        let mut parts = Self {
            parameters,
            particles: ParticleKernels::new(pipelines, buffers, particles as u32, air_is_felt(model), model)?,
            constraints,
            islands,
            clusters,
            halves: plan.sweep(model.settings.sweep),
            passes,
            tear,
            notes: None,
        };
        parts.prepare(pipelines, buffers)?;
        Ok(parts)
    }

    /// The passes that the model asks for, by name, in the order of a substep.
    pub fn passes(&self) -> impl Iterator<Item = (&'static str, &dyn GpuPass)> {
        self.passes.iter().filter_map(|PassSlot { pass, made }| Some((pass.name(), &**made.as_ref()?)))
    }

    /// Those of them that have a hook now.
    fn with(&self, has: fn(&Hooks) -> bool) -> impl Iterator<Item = (&'static str, &dyn GpuPass)> {
        self.passes().filter(move |(_, pass)| has(&pass.hooks()))
    }

    fn any(&self, has: fn(&Hooks) -> bool) -> bool {
        self.with(has).next().is_some()
    }

    /// The buffers that hold the state of constraints: the multipliers of each group, then the rest values of each
    /// whose rest values may change.
    pub fn constraint_state(&self) -> impl Iterator<Item = BufferRange<'_>> {
        let multipliers = self.constraints.iter().map(|group| group.multipliers.range());
        multipliers.chain(self.constraints.iter().filter_map(|group| Some(group.rest.as_ref()?.values.range())))
    }

    /// The one dispatch that does all substeps of a frame, where nothing acts in between.
    fn whole_frame(&self) -> Option<&Work> {
        let alone = !self.any(|hooks| *hooks != Hooks::default());
        self.islands.as_ref().filter(|_| alone)?.frame()
    }

    /// Makes what a frame needs that is not there yet: to be called after a change to pulls or damping.
    pub fn prepare(&mut self, pipelines: &Pipelines, buffers: &Buffers) -> Result<(), SolverError> {
        if self.whole_frame().is_none()
            && let Some(islands) = &mut self.islands
        {
            islands.prepare_substeps(pipelines, buffers)?;
        }
        Ok(())
    }

    /// Records all substeps of a frame. `starting`: whether the first has another H than the rest
    /// ([`Settings::implicit_seconds`]).
    pub fn frame(&self, recorder: &mut Recorder, settings: &Settings, starting: bool) {
        if let Some(frame) = self.whole_frame() {
            self.particles.fit_lattice(recorder);
            return recorder.section("islands").run(frame);
        }
        let apart = self.any(|hooks| hooks.accelerate || hooks.correct_prediction);
        if apart || !self.particles.begin(recorder) {
            self.particles.fit_lattice(recorder);
            self.predict(recorder);
        }
        let mut open = false;
        for substep in 0..settings.substeps {
            recorder.begin_substep(substep);
            let last = substep + 1 == settings.substeps;
            open = self.substep(recorder, settings, last, !(starting && substep == 0), open);
        }
        self.tear.iter().for_each(|tear| tear.frame(recorder));
    }

    /// From predicted particles to those of the next substep, if there is one in this frame. `alike`: whether what
    /// holds for this substep holds for the next; `open`: whether the substep before has not ended. Returns whether
    /// this one has not: its end is left to the first phase of the next.
    fn substep(&self, recorder: &mut Recorder, settings: &Settings, last: bool, alike: bool, open: bool) -> bool {
        self.with(|hooks| hooks.correct_prediction)
            .for_each(|(name, pass)| pass.correct_prediction(recorder.section(name)));
        self.with(|hooks| hooks.detect).for_each(|(name, pass)| pass.detect(recorder.section(name)));
        // Islands have nothing to do with other constraints: their sweeps need not wait for those, but for contacts and
        // pulls.
        let apart = !self.any(|hooks| hooks.solve || hooks.guard);
        let whole = |islands: &&Islands| apart && islands.whole_substeps;
        if let Some(islands) = self.islands.as_ref().filter(whole) {
            islands.substep(recorder);
        }
        for sweep in 0..settings.iterations {
            let visit = Visit { opens: sweep == 0, closes: sweep + 1 == settings.iterations, back: false };
            self.sweep(recorder, settings, visit, whole, open && sweep == 0);
            self.rounds(recorder, settings, sweep == 0);
        }
        self.with(|hooks| hooks.guard).for_each(|(name, pass)| pass.guard(recorder.section(name)));
        if !last && alike && !self.any(|hooks| hooks.correct_velocities || hooks.accelerate) {
            let open = self.can_leave_open();
            if !open {
                self.particles.finish_and_predict(recorder);
            }
            return open;
        }
        self.particles.finish(recorder);
        self.with(|hooks| hooks.correct_velocities)
            .for_each(|(name, pass)| pass.correct_velocities(recorder.section(name)));
        if let Some(notes) = &self.notes {
            notes.record(recorder);
        }
        if !last {
            recorder.begin_substep(recorder.substep() + 1);
            self.predict(recorder);
        }
        false
    }

    /// Whether the first phase of a substep can end the one before: nothing reads particles in between.
    fn can_leave_open(&self) -> bool {
        self.clusters.as_ref().is_some_and(Clusters::can_step) && !self.any(|hooks| hooks.detect)
    }

    /// One sweep; `whole`: whether the islands are done, `open`: whether the substep before has not ended.
    fn sweep(
        &self,
        recorder: &mut Recorder,
        settings: &Settings,
        visit: Visit,
        whole: impl Fn(&&Islands) -> bool,
        open: bool,
    ) {
        let join = |recorder: &mut Recorder, visit: Visit| {
            self.passes().for_each(|(name, pass)| pass.join_sweep(recorder.section(name), visit));
        };
        let one_way = settings.sweep == Sweep::OneWay;
        let mut turn = 0;
        for (index, half) in self.halves.iter().enumerate() {
            // What joins the sweep stands about its last half.
            if index + 1 == self.halves.len() && !one_way {
                join(recorder, Visit { closes: false, ..visit });
            }
            for legs in half.chunk_by(|a, b| a.phase == b.phase) {
                recorder.begin_visit(visit);
                if let Some(clusters) = self.clusters.as_ref().filter(|clusters| legs[0].phase < clusters.phases()) {
                    clusters.solve(recorder, turn, open && turn == 0);
                    turn += 1;
                }
                if let Some(islands) = self.islands.as_ref().filter(|islands| legs[0].phase == 0 && !whole(islands)) {
                    islands.sweep(recorder);
                }
                for leg in legs {
                    let group = &self.constraints[leg.group];
                    group.solve_leg(recorder.section(group.name()), leg, visit);
                }
            }
        }
        join(recorder, Visit { opens: visit.opens && one_way, ..visit });
        recorder.begin_visit(visit);
        self.with(|hooks| hooks.solve).for_each(|(name, pass)| pass.solve(recorder.section(name)));
    }

    /// The rounds of contact with which a sweep ends where a pass guards; `first`: of the substep's sweeps.
    fn rounds(&self, recorder: &mut Recorder, settings: &Settings, first: bool) {
        let rounds = if self.any(|hooks| hooks.guard) { settings.contact_rounds } else { 0 };
        for round in 0..rounds {
            let opening = first && round == 0;
            let solve = |(name, pass): (&'static str, &dyn GpuPass)| pass.solve_round(recorder.section(name), opening);
            self.with(|hooks| hooks.solve_round).for_each(solve);
        }
    }

    fn predict(&self, recorder: &mut Recorder) {
        self.with(|hooks| hooks.accelerate).for_each(|(name, pass)| pass.accelerate(recorder.section(name)));
        self.particles.predict(recorder);
    }
}
