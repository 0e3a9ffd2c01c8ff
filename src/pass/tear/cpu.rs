//! Bodies that come apart. What breaks and what then hangs together is decided at each frame's end by the functions of
//! the reference (`pass/tear/topology.rs`); the constraints of what was torn are then cut into blocks anew. A colouring
//! stays valid, since a split only takes conflicts away.

use crate::cpu::blocks::{Blocks, Manner};
use crate::cpu::check;
use crate::cpu::check::Fixed;
use crate::cpu::multiplier::LEAST_BROKEN;
use crate::cpu::{CpuError, Group};
use crate::measure::facet_stresses;
use crate::model::{Model, State, Tearing, Torn};
use crate::pass::tear::topology::Tear;
use crate::plan::Plan;
use crate::solver::cpu::CpuSolver;
use crate::step::records::Properties;
use crate::step::{BROKEN, Snapshot, SnapshotError};

/// The bodies that can be torn.
pub struct Tearable {
    /// The model before anything was.
    pub beginning: Model,
    plan: Plan,
    pub tear: Tear,
    /// What was broken when it was last asked: each edge, then each facet.
    broken: Vec<bool>,
    /// How many multipliers then told so: as long as there are no more, no other edge is.
    count: Option<usize>,
}

impl Tearable {
    /// `None` where nothing can be torn.
    pub fn new(model: &Model, plan: &Plan) -> Option<Box<Self>> {
        let tearing = model.tearing.as_ref()?;
        let (mut tear, broken) = (Tear::new(model, tearing), Vec::new());
        tear.torn.round();
        Some(Box::new(Self { beginning: model.clone(), plan: plan.clone(), tear, broken, count: None }))
    }

    /// The model as its bodies hang together by a tear, if threads do not get into each other's way by that: they rely
    /// on it, and to ask takes little beside the blocks.
    fn torn(&self, tear: &Tear, slot_of: &[u32]) -> Result<Model, CpuError> {
        let mut model = self.beginning.clone();
        model.tear(&tear.torn);
        check::plan(&model.groups, Fixed::new(&model, Some(self.tearing())), &self.plan, slot_of)?;
        Ok(model)
    }

    /// Whether anything may be broken that was not when it was last asked.
    fn may_have_broken(&mut self, groups: &[Group]) -> bool {
        if !self.tearing().facets.is_empty() {
            return true;
        }
        let lambdas = groups.get(self.tearing().group as usize).map_or(&[][..], |group| &group.values.lambdas);
        let count = Some(lambdas.iter().filter(|&&lambda| lambda > LEAST_BROKEN).count());
        std::mem::replace(&mut self.count, count) != count
    }

    fn tearing(&self) -> &Tearing {
        self.beginning.tearing.as_ref().unwrap_or_else(|| unreachable!("it was made of a model that tears"))
    }
}

impl Torn {
    /// Rounds inverse masses to single precision, as particles and snapshots have them: otherwise a resumed run differs
    /// from an unbroken one.
    fn round(&mut self) {
        self.inverse_masses.iter_mut().for_each(|w| *w = f64::from(*w as f32));
    }
}

impl CpuSolver {
    /// At the end of a frame: splits what broke in it, so that no state has a triangle across a broken edge.
    pub(crate) fn tear(&mut self) {
        let Some(mut tearable) = self.tearable.take_if(|tearable| tearable.may_have_broken(&self.groups)) else {
            return;
        };
        let tearing = tearable.tearing();
        let stresses = match tearing.facets.is_empty() {
            true => Vec::new(),
            false => facet_stresses(&tearable.beginning, &State { torn: tearable.tear.torn(), ..self.state() }),
        };
        let broken = tearable.tear.broken(tearing, self.broken_edges(tearing), &stresses);
        if broken.contains(&true) && broken != tearable.broken {
            let seams = tearable.tear.broken_seams(tearing, &broken);
            for (index, group) in self.groups.iter_mut().enumerate() {
                let of_group = tearing.seams.iter().zip(&seams).filter(|(seam, _)| seam.group as usize == index);
                group.break_off(of_group.filter(|(_, broken)| **broken).map(|(seam, _)| seam.constraint as usize));
            }
            let first = tearing.spares.start + tearable.tear.taken();
            for (new, from) in (first..).zip(tearable.tear.split(&broken)) {
                self.copy_particle(self.slot_of[from as usize] as usize, self.slot_of[new as usize] as usize);
            }
            tearable.tear.torn.round();
            self.status.spares = tearable.tear.needed as u32;
            let Ok(model) = tearable.torn(&tearable.tear, &self.slot_of) else {
                unreachable!("splits only take conflicts away")
            };
            self.follow(&tearable, model);
            // In other blocks other lanes repeat what is broken: what was counted tells nothing of them.
            tearable.count = None;
        }
        tearable.broken = broken;
        self.tearable = Some(tearable);
    }

    fn broken_edges(&self, tearing: &Tearing) -> Vec<bool> {
        match tearing.edges.is_empty() {
            true => Vec::new(),
            false => tearing.broken(&self.multipliers(&self.groups[tearing.group as usize])),
        }
    }

    /// Takes over how bodies hang together.
    fn follow(&mut self, tearable: &Tearable, model: Model) {
        let Tearable { plan, tear, .. } = tearable;
        for (&slot, &inverse_mass) in self.slot_of.iter().zip(&model.particles.inverse_masses) {
            let [x, y, z, _] = self.particles.x[slot as usize].to_array();
            self.particles.x[slot as usize] = [x, y, z, inverse_mass as f32].into();
        }
        for index in (0..model.groups.len()).filter(|&index| tearable.tearing().holds(index)) {
            let group = &mut self.groups[index];
            let manner = Manner {
                instructions: self.instructions,
                threads: self.team.threads(),
                needs: group.blocks.needs,
                laws: &self.laws,
                rest_changes: !group.values.bases.is_empty(),
                slot_of: &self.slot_of,
                particle_of: &plan.particle_of,
                in_rows: self.in_rows,
                clusters: &self.clusters,
            };
            let (blocks, values) = Blocks::new(
                &model.groups[index],
                &plan.groups[index],
                Fixed::new(&model, Some(tearable.tearing())),
                &manner,
            );
            let before = std::mem::replace(group, Group { blocks, values });
            group.take_over(&before);
        }
        for spare in tearable.tearing().spares.clone().map(|spare| spare as usize) {
            let (body, drive) = (model.particles.bodies[spare], model.particles.drives[spare]);
            self.particles.properties[self.slot_of[spare] as usize] = Properties { body, drive };
        }
        let (spares, taken) = (tearable.tearing().spares.clone(), tear.taken());
        for pass in self.passes.iter_mut().filter_map(|pass| pass.made.as_mut()) {
            pass.follow_tear(&model, &self.slot_of, spares.clone(), taken);
        }
        (self.model.groups, self.model.bodies) = (model.groups, model.bodies);
        self.model.particles = model.particles;
    }

    /// How bodies hang together in a snapshot, where anything can be torn.
    pub(crate) fn torn_in(&self, snapshot: &Snapshot) -> Result<Option<(Tear, Model)>, SnapshotError> {
        let Some(tearable) = &self.tearable else { return Ok(None) };
        let corners = snapshot.corners.chunks_exact(3).map(|corners| [corners[0], corners[1], corners[2]]);
        let mut dropped: Vec<u32> = snapshot.loose.iter().map(|corner| corner / 3).collect();
        dropped.dedup();
        let placed = tearable.beginning.placed_particles();
        let used = snapshot.corners.iter().map(|&particle| particle as usize + 1).fold(placed, usize::max);
        let torn = Torn {
            triangles: corners.collect(),
            dropped,
            broken_facets: snapshot.broken_facets.clone(),
            inverse_masses: snapshot.particles[0][..used].iter().map(|x| f64::from(x[3])).collect(),
        };
        let [.., spares] = snapshot.status;
        let state = State { torn: Some(torn), spares_needed: u64::from(spares), ..State::default() };
        let tear = Tear::resume(&tearable.beginning, tearable.tearing(), &state);
        let model = tearable.torn(&tear, &self.slot_of).map_err(|_| SnapshotError::Torn)?;
        Ok(Some((tear, model)))
    }

    /// Puts the bodies together, or apart.
    pub(crate) fn restore_torn(&mut self, torn: Option<(Tear, Model)>) {
        if let (Some(mut tearable), Some((tear, model))) = (self.tearable.take(), torn) {
            (tearable.tear, tearable.broken, tearable.count) = (tear, Vec::new(), None);
            self.follow(&tearable, model);
            self.tearable = Some(tearable);
        }
    }

    /// Corners, those of them that nothing holds, and broken facets: what a [`Snapshot`] has.
    pub(crate) fn hold(&self) -> [Vec<u32>; 3] {
        let Some(tearable) = &self.tearable else { return Default::default() };
        let (tear, tearing) = (&tearable.tear, tearable.tearing());
        let broken = tear.broken(tearing, self.broken_edges(tearing), &vec![0.0; tearing.facets.len()]);
        let Torn { triangles, broken_facets, .. } = &tear.torn;
        [triangles.as_flattened().to_vec(), tear.loose(&broken), broken_facets.clone()]
    }

    fn copy_particle(&mut self, from: usize, to: usize) {
        let particles = &mut self.particles;
        let past = particles.past.iter_mut().filter(|list| !list.is_empty());
        for list in [&mut particles.x, &mut particles.d, &mut particles.e, &mut particles.u].into_iter().chain(past) {
            list[to] = list[from];
        }
        particles.properties[to] = particles.properties[from];
    }
}

impl Group {
    /// Breaks constraints.
    fn break_off(&mut self, constraints: impl Iterator<Item = usize>) {
        let mut constraints = constraints.peekable();
        if constraints.peek().is_some() {
            let each = self.blocks.kind.components();
            let mut lambdas = self.blocks.by_constraint(&self.values.lambdas, each);
            constraints.for_each(|constraint| lambdas[constraint * each..][..each].fill(BROKEN));
            self.blocks.put(&lambdas, each, &mut self.values.lambdas);
        }
    }

    /// Multipliers and rest values of the same constraints in other blocks.
    fn take_over(&mut self, before: &Self) {
        let Self { blocks, values } = self;
        let old = &before.values;
        let components = blocks.kind.components();
        // Those that never change are the model's.
        let rests = if old.bases.is_empty() { 0 } else { blocks.kind.rest().len() };
        let lists = [
            (&old.lambdas, &mut values.lambdas, components),
            (&old.sums, &mut values.sums, components),
            (&old.rest, &mut values.rest, rests),
            (&old.bases, &mut values.bases, rests),
        ];
        for (from, to, each) in lists.into_iter().filter(|(from, _, each)| *each > 0 && !from.is_empty()) {
            blocks.put(&before.blocks.by_constraint(from, each), each, to);
        }
    }
}
