//! What a solver runs: made of a plan and settings over the buffers that hold the state, and made again when they
//! change.

use super::notes::Notes;
use crate::gpu::SolverError;
use crate::gpu::buffers::{BufferRange, Buffers};
use crate::gpu::cluster::Clusters;
use crate::gpu::cluster_words;
use crate::gpu::parameters::Parameters;
use crate::gpu::particles::ParticleKernels;
use crate::gpu::pass::Pass;
use crate::gpu::pipelines::Pipelines;
use crate::gpu::recorder::{Recorder, Work};
use crate::gpu::tile::{Stores, Tiles};
use crate::gpu::visit::Visit;
use crate::model::{Model, Settings, Sweep};
use crate::pass::air::gpu::Air;
use crate::pass::colliders::gpu::Contacts;
use crate::pass::constraints::gpu::{Constraints, Elsewhere};
use crate::pass::damping::gpu::Damping;
use crate::pass::levels::gpu::Nested;
use crate::pass::pairs::gpu::Pairs;
use crate::pass::pulls::gpu::Pulls;
use crate::pass::tear::gpu::Tear;
use crate::plan::{Leg, Plan};
use crate::step::{Needs, Tears, Used, air_is_felt, needs};

pub struct Parts {
    pub parameters: Parameters,
    particles: ParticleKernels,
    /// One for each group of the model.
    pub constraints: Vec<Constraints>,
    /// What of the constraints is solved body by body.
    pub tiles: Option<Tiles>,
    /// What of them is solved in clusters.
    pub clusters: Option<Clusters>,
    /// Of a sweep over the constraints.
    halves: Vec<Vec<Leg>>,
    pub pulls: Pulls,
    pub damping: Option<Damping>,
    pub nested: Option<Nested>,
    pub contacts: Option<Contacts>,
    pub pairs: Option<Pairs>,
    air: Option<Air>,
    pub tear: Option<Tear>,
    /// Where contacts of whole frames are to be told.
    pub notes: Option<Notes>,
}

impl Parts {
    /// `used`: what each group refers to.
    pub fn new(
        pipelines: &Pipelines,
        buffers: &mut Buffers,
        model: &Model,
        used: &[Used],
        plan: &Plan,
    ) -> Result<Self, SolverError> {
        let (particles, integrator) = (plan.particle_of.len(), model.settings.integrator);
        let parameters = Parameters::new(&pipelines.device, buffers, model, particles as u32);
        let needs = |(index, used)| needs(&model.settings, &model.materials, used, Tears::of(model, index));
        let needs: Vec<Needs> = used.iter().enumerate().map(needs).collect();
        let layout = cluster_words::Layout::new(&pipelines.device.limits(), model, used, plan);
        let (tiles, stores) = match Tiles::new(pipelines, buffers, model, used, plan, &needs)? {
            Some((tiles, stores)) => (Some(tiles), stores),
            None => (None, Stores::new(&pipelines.device, plan, layout.is_some())),
        };
        let clusters = layout.as_ref().map(|layout| Clusters::new(pipelines, buffers, model, layout, &needs, &stores));
        let clusters = clusters.transpose()?;
        let elsewhere = Elsewhere {
            below: tiles.as_ref().map_or(0, |tiles| tiles.end),
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
        let contacts = Contacts::new(pipelines, buffers, particles, model, 0)?;
        let pairs = Pairs::new(pipelines, buffers, particles, &model.settings, [0; 2])?;
        let air = air_is_felt(model)
            .then(|| Air::new(pipelines, buffers, particles, model.tearing.is_some(), integrator))
            .transpose()?;
        let tearing = model.tearing.as_ref();
        let tear = tearing
            .map(|tearing| Tear::new(pipelines, buffers, tearing, plan, &constraints, integrator))
            .transpose()?;
        let mut parts = Self {
            parameters,
            particles: ParticleKernels::new(pipelines, buffers, particles as u32, air.is_some(), model)?,
            nested: Nested::new(pipelines, buffers, plan, model.settings.mean_forces)?,
            constraints,
            tiles,
            clusters,
            halves: plan.sweep(model.settings.sweep),
            pulls: Pulls::new(pipelines, buffers, model.materials.len() as u32, &model.settings)?,
            damping: Damping::new(pipelines, buffers, &model.bodies, &plan.slot_of, model.settings.substep_seconds())?,
            contacts,
            pairs,
            air,
            tear,
            notes: None,
        };
        parts.prepare(pipelines, buffers)?;
        Ok(parts)
    }

    /// In the order in which an iteration solves them and in which they correct velocities: contacts have the last
    /// word. A particle that presses leaves as its restitution says, whatever its body does.
    pub fn passes(&self) -> impl Iterator<Item = &dyn Pass> {
        let constraints = self.constraints.iter().map(|pass| pass as &dyn Pass);
        let pairs = self.pairs.iter().map(|pass| pass as &dyn Pass);
        let contacts = self.contacts.iter().map(|pass| pass as &dyn Pass);
        let air = self.air.iter().map(|pass| pass as &dyn Pass);
        let damping = self.damping.iter().map(|pass| pass as &dyn Pass);
        // First, so that contacts are detected where the levels leave particles.
        let nested = self.nested.iter().map(|pass| pass as &dyn Pass);
        nested
            .chain(air)
            .chain(constraints)
            .chain([&self.pulls as &dyn Pass])
            .chain(damping)
            .chain(pairs)
            .chain(contacts)
    }

    /// The buffers that hold the state of constraints: the multipliers of each group, then the rest values of each
    /// whose rest values may change.
    pub fn constraint_state(&self) -> impl Iterator<Item = BufferRange<'_>> {
        let multipliers = self.constraints.iter().map(|group| group.multipliers.range());
        multipliers.chain(self.constraints.iter().filter_map(|group| Some(group.rest.as_ref()?.values.range())))
    }

    /// The one dispatch that does all substeps of a frame, where nothing acts in between.
    fn whole_frame(&self) -> Option<&Work> {
        let apart = self.pulls.active.all().is_empty() && self.damping.is_none() && self.pairs.is_none();
        self.tiles.as_ref().filter(|_| apart)?.frame()
    }

    /// Makes what a frame needs that is not there yet: to be called after a change to pulls or damping.
    pub fn prepare(&mut self, pipelines: &Pipelines, buffers: &Buffers) -> Result<(), SolverError> {
        if self.whole_frame().is_none()
            && let Some(tiles) = &mut self.tiles
        {
            tiles.prepare_substeps(pipelines, buffers)?;
        }
        Ok(())
    }

    /// Records all substeps of a frame. `starting`: whether the first has another H than the rest
    /// ([`Settings::implicit_seconds`]).
    pub fn frame(&self, recorder: &mut Recorder, settings: &Settings, starting: bool) {
        if let Some(frame) = self.whole_frame() {
            self.particles.fit_lattice(recorder);
            return recorder.section("tiles").run(frame);
        }
        let apart = self.nested.is_some() || self.passes().any(|pass| pass.accelerates());
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
        for pass in self.passes() {
            pass.detect(recorder.section(pass.name()));
        }
        // Tiles have nothing to do with other constraints: their sweeps need not wait for those, but for contacts and
        // pulls.
        let apart = self.contacts.is_none() && self.pairs.is_none() && self.pulls.active.all().is_empty();
        let whole = |tiles: &&Tiles| apart && tiles.whole_substeps;
        if let Some(tiles) = self.tiles.as_ref().filter(whole) {
            tiles.substep(recorder);
        }
        for sweep in 0..settings.iterations {
            let visit = Visit { opens: sweep == 0, closes: sweep + 1 == settings.iterations, back: false };
            self.sweep(recorder, settings, visit, whole, open && sweep == 0);
        }
        if !last && alike && !self.passes().any(|pass| pass.corrects_velocities() || pass.accelerates()) {
            let open = self.can_leave_open();
            if !open {
                self.particles.finish_and_predict(recorder);
            }
            return open;
        }
        self.particles.finish(recorder);
        for pass in self.passes() {
            pass.correct_velocities(recorder.section(pass.name()));
        }
        if let Some(notes) = &self.notes {
            notes.record(recorder);
        }
        if !last {
            recorder.begin_substep(recorder.substep() + 1);
            self.predict(recorder);
        }
        false
    }

    /// Whether the first phase of a substep can end the one before: nobody is to see particles in between.
    fn can_leave_open(&self) -> bool {
        self.clusters.as_ref().is_some_and(Clusters::can_step) && self.pairs.is_none() && self.contacts.is_none()
    }

    /// One sweep; `whole`: whether the tiles are done, `open`: whether the substep before has not ended.
    fn sweep(
        &self,
        recorder: &mut Recorder,
        settings: &Settings,
        visit: Visit,
        whole: impl Fn(&&Tiles) -> bool,
        open: bool,
    ) {
        let pull = |recorder: &mut Recorder, visit: Visit| {
            self.pulls.solve(recorder.section(self.pulls.name()).begin_visit(visit));
        };
        let one_way = settings.sweep == Sweep::OneWay;
        let mut turn = 0;
        for (index, half) in self.halves.iter().enumerate() {
            // What pulls stands about the last half.
            if index + 1 == self.halves.len() && !one_way {
                pull(recorder, Visit { closes: false, ..visit });
            }
            for legs in half.chunk_by(|a, b| a.phase == b.phase) {
                recorder.begin_visit(visit);
                if let Some(clusters) = self.clusters.as_ref().filter(|clusters| legs[0].phase < clusters.phases()) {
                    clusters.solve(recorder, turn, open && turn == 0);
                    turn += 1;
                }
                if let Some(tiles) = self.tiles.as_ref().filter(|tiles| legs[0].phase == 0 && !whole(tiles)) {
                    tiles.sweep(recorder);
                }
                for leg in legs {
                    let group = &self.constraints[leg.group];
                    group.solve_leg(recorder.section(group.name()), leg, visit);
                }
            }
        }
        pull(recorder, Visit { opens: visit.opens && one_way, ..visit });
        recorder.begin_visit(visit);
        for pass in self.passes().filter(|pass| pass.name() != self.pulls.name()) {
            pass.solve(recorder.section(pass.name()));
        }
    }

    fn predict(&self, recorder: &mut Recorder) {
        for pass in self.passes() {
            pass.accelerate(recorder.section(pass.name()));
        }
        self.particles.predict(recorder);
    }
}
