//! Bodies that come apart, as the solver on the CPU goes on with them: [`Tearable`] says what broke, and here all that
//! holds the bodies together follows.

use crate::cpu::Group;
use crate::cpu::blocks::{BlockSetup, Blocks};
use crate::cpu::check::Fixed;
use crate::measure::facet_stresses;
use crate::model::{Model, State, Tearing, Torn};
use crate::pass::tear::cpu::Tearable;
use crate::pass::tear::topology::Tear;
use crate::solver::cpu::CpuSolver;
use crate::step::records::Properties;
use crate::step::{Snapshot, SnapshotError};

impl CpuSolver {
    /// At the end of a frame: splits what broke in it, so that no state has a triangle across a broken edge.
    pub(super) fn tear(&mut self) {
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
            // In other blocks other lanes repeat what is broken: the count does not apply to them.
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
            let setup = BlockSetup {
                instructions: self.instructions,
                threads: self.team.threads(),
                needs: group.blocks.needs,
                laws: &self.laws,
                rest_changes: !group.values.bases.is_empty(),
                reshapes: !group.values.members.is_empty(),
                slot_of: &self.slot_of,
                particle_of: &plan.particle_of,
                in_rows: self.in_rows,
                clusters: &self.clusters,
            };
            let (blocks, values) = Blocks::new(
                &model.groups[index],
                &plan.groups[index],
                Fixed::new(&model, Some(tearable.tearing())),
                &setup,
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
    pub(super) fn torn_in(&self, snapshot: &Snapshot) -> Result<Option<(Tear, Model)>, SnapshotError> {
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
    pub(super) fn restore_torn(&mut self, torn: Option<(Tear, Model)>) {
        if let (Some(mut tearable), Some((tear, model))) = (self.tearable.take(), torn) {
            (tearable.tear, tearable.broken, tearable.count) = (tear, Vec::new(), None);
            self.follow(&tearable, model);
            self.tearable = Some(tearable);
        }
    }

    /// Corners, those of them that nothing holds, and broken facets: what a [`Snapshot`] has.
    pub(super) fn hold(&self) -> [Vec<u32>; 3] {
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
