//! Springs from particles to points, set and moved while a simulation runs: what a mouse drags with.

use std::sync::Arc;

use super::buffers::{BufferRange, Buffers, zeroed};
use super::constraint_kernel::solve_kernel;
use super::constraints::MULTIPLIER_BYTES;
use super::kernel::KernelError;
use super::pass::Pass;
use super::pipelines::Pipelines;
use super::recorder::{Dispatches, Recorder, Work};
use crate::constraint::{Attach, Constraint, kind};
use crate::engine::records::Material;
use crate::engine::{Needs, material_record};
use crate::model::{self, Integrator, Settings};

/// Particles that may be pulled at once.
pub const MOST_PULLS: usize = 16;

/// A spring from a particle to a point, solved with the constraints of each iteration, whatever the mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// Where the particle is pulled to, m.
    pub target: [f64; 3],
    /// Inverse stiffness, m/N. 0 puts the particle there.
    pub compliance: f64,
    /// Damping along each axis, N s/m.
    pub damping: f64,
}

impl Pull {
    /// The spring's force on a particle at `position`, N, without what its damping adds; zero for a rigid pull, whose force is
    /// not known by the position.
    pub fn force(&self, position: [f64; 3]) -> [f64; 3] {
        match self.compliance > 0.0 {
            true => std::array::from_fn(|i| (self.target[i] - position[i]) / self.compliance),
            false => [0.0; 3],
        }
    }

    fn material(&self) -> model::Material {
        model::Material { compliance: self.compliance, damping: self.damping, ..model::Material::default() }
    }
}

/// The pulls on the device: constraints of the kind `attach` in a list of fixed length.
pub struct Pulls {
    /// Slot and pull of each pulled particle.
    active: Vec<(u32, Pull)>,
    first_material: u32,
    pub records: wgpu::Buffer,
    multipliers: wgpu::Buffer,
    /// The dispatch for each number of pulls from one on.
    work: Vec<Work>,
}

impl Pulls {
    /// `first_material` is where their materials begin in the table.
    pub fn new(
        pipelines: &Pipelines,
        shared: &Buffers,
        first_material: u32,
        settings: &Settings,
    ) -> Result<Self, KernelError> {
        let kind = kind::<Attach>();
        let device = &pipelines.device;
        let records = zeroed(device, "pull records", (MOST_PULLS * kind.record_size()) as u64);
        let multiplier_bytes = (MOST_PULLS * kind.components()) as u64 * MULTIPLIER_BYTES;
        let multipliers = zeroed(device, "pull multipliers", multiplier_bytes);

        let mut dispatches = Dispatches::default();
        let bytes_each = kind.record_size() as u64 + 3 * 16;
        let dispatch: Vec<_> = (1..=MOST_PULLS as u32).map(|count| dispatches.threads(0..count, bytes_each)).collect();
        let batches = dispatches.upload(device);
        let two_steps = settings.integrator == Integrator::Bdf2;
        let needs = Needs { iterating: settings.sweeps() > 1, damping: true, two_steps, ..Needs::default() };
        let pipeline = pipelines.get(solve_kernel(kind, false), &needs.constants())?;
        let own = [
            ("batch", BufferRange::slot(&batches)),
            ("records", BufferRange::all(&records)),
            ("multipliers", BufferRange::all(&multipliers)),
        ];
        let bind_group = Arc::new(pipeline.bind(&pipelines.device, shared, &own)?);
        let work = |dispatch| Work { pipeline: pipeline.clone(), bind_group: bind_group.clone(), dispatch };
        let work = dispatch.into_iter().map(work).collect();
        Ok(Self { active: Vec::new(), first_material, records, multipliers, work })
    }

    /// Begins, changes or ends the pull of a particle. Whether there was room.
    #[must_use]
    pub fn set(&mut self, slot: u32, pull: Option<Pull>) -> bool {
        let place = self.active.iter().position(|&(pulled, _)| pulled == slot);
        match (place, pull) {
            (Some(place), Some(pull)) => self.active[place].1 = pull,
            (Some(place), None) => _ = self.active.remove(place),
            (None, Some(_)) if self.active.len() == MOST_PULLS => return false,
            (None, Some(pull)) => self.active.push((slot, pull)),
            (None, None) => {}
        }
        true
    }

    pub fn active(&self) -> &[(u32, Pull)] {
        &self.active
    }

    /// What the kernel reads of them: records, and their entries in the table of materials.
    pub fn records(&self) -> (Vec<Attach>, Vec<Material>) {
        let record = |(material, &(slot, pull)): (u32, &(u32, Pull))| {
            let target = pull.target.map(|value| value as f32);
            (Attach::record(&[slot], &target, material), material_record(&pull.material(), &Settings::default()))
        };
        (self.first_material..).zip(&self.active).map(record).unzip()
    }
}

impl Pass for Pulls {
    fn name(&self) -> &'static str {
        "pull"
    }

    fn solve(&self, recorder: &mut Recorder) {
        if let Some(last) = self.active.len().checked_sub(1) {
            recorder.run(&self.work[last]);
        }
    }

    fn memory_bytes(&self) -> u64 {
        self.records.size() + self.multipliers.size()
    }
}
