//! The whole state, bit for bit: the same [`Snapshot`] as that of a solver on a GPU, which can go on from it, and the
//! other way round.

use wide::f32x4;

use crate::cpu::Group;
use crate::cpu::blocks::Values;
use crate::model::Integrator;
use crate::solver::cpu::CpuSolver;
use crate::step::records;
use crate::step::{Shape, Snapshot, SnapshotError, rescaled};

impl CpuSolver {
    /// As [`Synchronous::snapshot`](crate::step::Synchronous::snapshot).
    pub fn snapshot(&self) -> Snapshot {
        let of = |list: &[f32x4]| self.slot_of.iter().map(|&slot| list[slot as usize].to_array()).collect();
        let records::Status { flags, particle, extent, contacts, spares, .. } = self.status;
        let pairs = |group: &Group, first: &[f32], second: &[f32], each| -> Vec<[f32; 2]> {
            let [first, second] = [first, second].map(|list| group.blocks.by_constraint(list, each));
            first.into_iter().zip(second).map(|(first, second)| [first, second]).collect()
        };
        let multipliers =
            |group: &Group| pairs(group, &group.values.lambdas, &group.values.sums, group.blocks.kind.components());
        let rests = |group: &Group| match group.values.bases.is_empty() {
            true => Vec::new(),
            false => pairs(group, &group.values.bases, &group.values.rest, group.blocks.kind.rest().len()),
        };
        let [corners, loose, broken_facets] = self.hold();
        let particles_have_past = !self.particles.past[0].is_empty();
        Snapshot {
            frame: self.frame,
            substep_seconds: self.model.settings.substep_seconds(),
            implicit_seconds: self.model.settings.implicit_seconds(),
            substeps: self.model.settings.substeps,
            lattice: [self.particles.lattice; 2],
            status: [flags, particle, extent, contacts, spares],
            particles: [of(&self.particles.x), of(&self.particles.e), of(&self.particles.u)],
            past: match self.starting {
                true => [Vec::new(), Vec::new()],
                false => [0, 1].map(|k| if particles_have_past { of(&self.particles.past[k]) } else { Vec::new() }),
            },
            turned: self.passes_made().flat_map(|pass| pass.turned()).collect(),
            jointed: self.passes_made().flat_map(|pass| pass.jointed()).collect(),
            reshaped: self.passes_made().flat_map(|pass| pass.reshaped()).collect(),
            multipliers: self.groups.iter().map(multipliers).collect(),
            corners,
            loose,
            broken_facets,
            rests: self.groups.iter().map(rests).collect(),
        }
    }

    /// As [`Synchronous::restore`](crate::step::Synchronous::restore).
    ///
    /// # Errors
    /// The same, without those of a device.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        snapshot.check(&self.shape())?;
        let torn = self.torn_in(snapshot)?;
        let snapshot = &*snapshot.in_terms_of(&self.model.settings);
        let particles = &mut self.particles;
        for (k, list) in [&mut particles.x, &mut particles.e, &mut particles.u].into_iter().enumerate() {
            for (&[x, y, z, w], &slot) in snapshot.particles[k].iter().zip(&self.slot_of) {
                // Of the others a fourth number would get into the inverse masses.
                list[slot as usize] = f32x4::new([x, y, z, if k == 0 { w } else { 0.0 }]);
            }
        }
        if self.model.settings.integrator == Integrator::Bdf2 {
            self.starting = snapshot.past[0].is_empty();
            for (list, values) in particles.past.iter_mut().zip(&snapshot.past) {
                list.fill(f32x4::ZERO);
                values.iter().zip(&self.slot_of).for_each(|(&value, &slot)| list[slot as usize] = f32x4::new(value));
            }
        }
        // The device has that of the frame before at the other entry: the newer is that of the last frame.
        particles.lattice = snapshot.lattice[(snapshot.frame as usize + 1) % 2];
        let [flags, particle, extent, contacts, spares] = snapshot.status;
        self.status = records::Status { flags, particle, extent, contacts, spares, ..Default::default() };
        self.restore_torn(torn);
        let ratio = self.model.settings.implicit_seconds() / snapshot.implicit_seconds;
        for (group, (multipliers, rests)) in
            self.groups.iter_mut().zip(snapshot.multipliers.iter().zip(&snapshot.rests))
        {
            let Group { blocks, values: Values { rest, bases, lambdas, sums, .. } } = group;
            let multipliers = rescaled(multipliers.clone(), ratio, blocks.needs.summing);
            let part = |pairs: &[[f32; 2]], which: usize| pairs.iter().map(|pair| pair[which]).collect::<Vec<_>>();
            blocks.put(&part(&multipliers, 0), blocks.kind.components(), lambdas);
            blocks.put(&part(&multipliers, 1), blocks.kind.components(), sums);
            if !bases.is_empty() {
                blocks.put(&part(rests, 0), blocks.kind.rest().len(), bases);
                blocks.put(&part(rests, 1), blocks.kind.rest().len(), rest);
            }
        }
        self.active_passes().for_each(|pass| {
            pass.forget();
            pass.restore(&snapshot.turned);
            pass.restore_joints(&snapshot.jointed);
            pass.restore_shapes(&snapshot.reshaped);
        });
        self.frame = snapshot.frame;
        // The contacts that the lists hold are of another time.
        self.presses = Some(Vec::new());
        Ok(())
    }

    fn shape(&self) -> Shape {
        let kind = |Group { blocks, values }: &Group| {
            let changing = if values.bases.is_empty() { 0 } else { blocks.kind.rest().len() };
            [blocks.len * blocks.kind.components(), blocks.len * changing]
        };
        let tearing = self.model.tearing.as_ref();
        Shape {
            particles: self.slot_of.len(),
            orientations: self.model.orientations.len(),
            joints: self.model.joints.len(),
            rest_shapes: self.model.rest_shapes.len(),
            kinds: self.groups.iter().map(kind).collect(),
            corners: self.tearable.as_ref().map_or(0, |tearable| 3 * tearable.tear.torn.triangles.len()),
            facets: tearing.map_or(0, |tearing| tearing.facets.len()),
            shared: self.shared.clone(),
        }
    }
}
