//! Fluids on a device. In each substep all that take part are sorted by cells, and every sum over neighbours goes
//! through the nine rows of cells about a particle: there are no lists of neighbours, and so no bound for them.
//! `shaders/fluid/` holds the kernels.

mod grid;
mod kernels;
mod lists;

pub use kernels::all as kernels;
pub use lists::{bytes, upload};

use std::ops::Range;
use std::sync::Arc;

use crate::gpu::buffers::{BufferRange, Buffers, upload as filled, zeroed};
use crate::gpu::pass::{Pass, Setup};
use crate::gpu::{Dispatch, Dispatches, Kernel, KernelError, Recorder, SolverError, Work};
use crate::law::fluid::Chebyshev;
use crate::pass::colliders::gpu::Shapes;
use crate::plan::wet::Kinds;
use crate::step::Hooks;
use crate::step::records::Wet as Record;

/// Of a fluid at rest: particles in the 27 cells about one, and those nearer than H.
const CANDIDATES: u64 = 288;
const NEAR: u64 = 45;

/// All fluids of a model.
pub struct Fluids {
    detect: Vec<Work>,
    sweep: Vec<Work>,
    rub: Vec<Work>,
    pressures: wgpu::Buffer,
    memory: u64,
}

/// What makes the work of a pass.
struct Maker<'a> {
    setup: &'a Setup<'a>,
    buffers: Vec<(&'static str, wgpu::Buffer)>,
    constants: [(&'static str, bool); 8],
    batches: Dispatches,
    planned: Vec<Planned>,
}

/// Work that waits for its batches.
struct Planned {
    kernel: Kernel,
    dispatch: Dispatch,
    constants: Vec<(&'static str, bool)>,
    /// Names in WGSL of lists that the kernel has by others.
    renamed: Vec<[&'static str; 2]>,
}

impl Planned {
    fn new(kernel: Kernel, dispatch: Dispatch) -> Self {
        Self { kernel, dispatch, constants: Vec::new(), renamed: Vec::new() }
    }
}

impl Fluids {
    /// `None` where there is no fluid.
    pub fn new(setup: &Setup) -> Result<Option<Self>, SolverError> {
        let Setup { buffers, model, viscous_rate, .. } = *setup;
        let Some(wet) = buffers.get("wet") else { return Ok(None) };
        let count = (wet.bytes() / size_of::<Record>() as u64) as usize;
        let steps = match viscous_rate > 0.0 {
            true => Chebyshev::steps(viscous_rate * model.settings.substep_seconds()),
            false => 0,
        };
        let device = &setup.pipelines.device;
        let is_tense = buffers.get("fluid_traits").is_some();
        let kinds = [!model.colliders.is_empty(), steps > 0, is_tense];
        let lists = lists::lists(count, setup.particles(), kinds);
        // An empty list has room for one entry: a binding cannot be empty.
        let mut buffers = lists.map(|(name, bytes)| (name, zeroed(device, name, bytes.max(64)))).to_vec();
        buffers.push(("fluid_rubbing", filled(device, "fluid_rubbing", &[0_u32; 3])));
        Ok(Some(Maker::new(setup, buffers).fluids(count as u32, steps, is_tense)?))
    }
}

impl<'a> Maker<'a> {
    fn new(setup: &'a Setup<'a>, buffers: Vec<(&'static str, wgpu::Buffer)>) -> Self {
        let kinds = Kinds::of(setup.model);
        let is_tense = setup.buffers.get("fluid_traits").is_some();
        let constants = [
            ("WALLS", !setup.model.colliders.is_empty()),
            ("SOLIDS", kinds.has_solids),
            ("MIXED", kinds.are_mixed),
            ("ASKS", kinds.asks_bodies),
            ("FLOWS", setup.model.flows()),
            ("TENSE", is_tense),
            ("WETTING", setup.model.fluids.iter().any(|fluid| fluid.wetting() != 0.0)),
            ("MOVED", is_tense || kinds.has_solids || setup.model.settings.iterations > 1),
        ];
        Self { setup, buffers, constants, batches: Dispatches::default(), planned: Vec::new() }
    }

    fn fluids(mut self, count: u32, steps: u32, is_tense: bool) -> Result<Fluids, SolverError> {
        let mut detect = self.detect(count);
        if is_tense {
            detect.end = self.tighten(count).end;
        }
        let sweep = self.sweep(count);
        let rub = if steps > 0 { self.rub(count, steps) } else { 0..0 };
        let made = self.made()?;
        let part = |range: Range<usize>| made[range].to_vec();
        let buffer = |name: &str| self.buffers.iter().find(|(one, _)| *one == name).map(|(_, buffer)| buffer.clone());
        Ok(Fluids {
            detect: part(detect),
            sweep: part(sweep),
            rub: part(rub),
            pressures: buffer("fluid_pressures").unwrap_or_else(|| unreachable!("it is among the lists")),
            memory: self.buffers.iter().map(|(_, buffer)| buffer.size()).sum(),
        })
    }

    /// Plans work; returns where it is.
    fn plan(&mut self, work: Vec<Planned>) -> Range<usize> {
        let first = self.planned.len();
        self.planned.extend(work);
        first..self.planned.len()
    }

    fn has(&self, constant: &str) -> bool {
        self.constants.iter().any(|&(name, value)| name == constant && value)
    }

    /// Bytes that a particle reads of those near it besides: what they are, by this constant, and where they were.
    fn near(&self, constant: &str) -> u64 {
        let what = if self.has(constant) { size_of::<Record>() as u64 } else { 0 };
        let place = if self.has("MOVED") { 16 } else { 0 };
        NEAR * (what + place)
    }

    fn detect(&mut self, count: u32) -> Range<usize> {
        let buckets = grid::buckets(count as usize) as u32;
        let blocks = (buckets as usize).div_ceil(lists::BLOCK) as u32;
        let wet = size_of::<Record>() as u64;
        let dispatches = &mut self.batches;
        let dispatch = [
            dispatches.threads(0..buckets, 4),
            dispatches.threads(0..count, wet + 2 * 16 + 8 + 8 + 16),
            dispatches.workgroups(0..blocks, 4 * lists::BLOCK as u64 + 4),
            dispatches.workgroups(0..blocks, 8 * lists::BLOCK as u64),
            dispatches.threads(0..count, 8 + 4 + 4),
            dispatches.threads(0..count, 4 + 4 + 8 + 16 + wet + 2 * 16 + wet + 4),
        ];
        let mut work: Vec<Planned> = kernels::sorting()
            .into_iter()
            .zip(dispatch)
            .map(|(kernel, dispatch)| Planned::new(kernel, dispatch))
            .collect();
        for planned in &mut work {
            planned.renamed.push(["fluid_unsorted", "fluid_pushes"]);
        }
        if self.has("WALLS") {
            let dispatch = self.batches.threads(0..count, 16 + wet + lists::MIRRORS as u64);
            work.push(Planned::new(kernels::walls(Shapes::of(self.setup.model)), dispatch));
        }
        if self.has("SOLIDS") {
            let dispatch = self.batches.threads(0..count, wet);
            work.push(Planned::new(kernels::pushed(), dispatch));
        }
        self.plan(work)
    }

    fn tighten(&mut self, count: u32) -> Range<usize> {
        let wet = size_of::<Record>() as u64;
        let near = CANDIDATES * 16 + NEAR * wet;
        let wetting = if self.has("WETTING") { 8 } else { 0 };
        let dispatch = [
            self.batches.threads(0..count, wet + 16 + 8 + 16 + near),
            self.batches.threads(0..count, wet + 2 * 16 + 2 * 16 + near + NEAR * 16 + wetting),
        ];
        let work = kernels::tension().into_iter().zip(dispatch);
        self.plan(work.map(|(kernel, dispatch)| Planned::new(kernel, dispatch)).collect())
    }

    fn sweep(&mut self, count: u32) -> Range<usize> {
        let wet = size_of::<Record>() as u64;
        let near = self.near("SOLIDS");
        let dispatch = [
            self.batches.threads(0..count, wet + 2 * 16 + 16),
            self.batches.threads(0..count, wet + 4 + 4 + 16 + 2 * 4 + CANDIDATES * 16 + near),
            self.batches.threads(0..count, wet + 16 + 2 * 16 + CANDIDATES * 16 + near),
        ];
        let work = kernels::sweep().into_iter().zip(dispatch).map(|(kernel, dispatch)| Planned::new(kernel, dispatch));
        self.plan(work.collect())
    }

    fn rub(&mut self, count: u32, steps: u32) -> Range<usize> {
        let wet = size_of::<Record>() as u64;
        let near = self.near("MIXED");
        let [weigh, step, leave] = kernels::rubbing();
        let weighing = self.batches.threads(0..count, wet + 16 + 32 + CANDIDATES * 16 + near);
        let stepping = self.batches.threads(0..count, wet + 2 * 32 + 16 + CANDIDATES * 16 + near + NEAR * 16);
        let leaving = self.batches.threads(0..count, 4 + 2 * 16);
        let ways = ["fluid_ways_even", "fluid_ways_odd"];
        let mut work = vec![Planned::new(weigh, weighing)];
        work.extend((0..steps as usize).map(|index| Planned {
            constants: vec![("FIRST", index == 0), ("ODD", index % 2 == 1)],
            renamed: vec![["fluid_ways_before", ways[(index + 1) % 2]], ["fluid_ways_after", ways[index % 2]]],
            ..Planned::new(step.clone(), stepping)
        }));
        let last = ["fluid_ways_after", ways[(steps as usize + 1) % 2]];
        work.push(Planned { renamed: vec![last], ..Planned::new(leave, leaving) });
        self.plan(work)
    }

    /// All that was planned.
    fn made(&mut self) -> Result<Vec<Work>, KernelError> {
        let device = &self.setup.pipelines.device;
        let batches = self.batches.upload(device);
        let shared: &Buffers = self.setup.buffers;
        let make = |planned: Planned| {
            let pipeline =
                self.setup.pipelines.get(planned.kernel, &[&self.constants[..], &planned.constants].concat())?;
            let mut own = vec![("batch", BufferRange::slot(&batches))];
            for (name, buffer) in &self.buffers {
                own.push((*name, BufferRange::all(buffer)));
                let renamed = planned.renamed.iter().filter(|[_, of]| of == name);
                own.extend(renamed.map(|[new, _]| (*new, BufferRange::all(buffer))));
            }
            let bind_group = Arc::new(pipeline.bind(device, shared, &own)?);
            Ok(Work { pipeline, bind_group, dispatch: planned.dispatch })
        };
        std::mem::take(&mut self.planned).into_iter().map(make).collect()
    }
}

impl Pass for Fluids {
    fn hooks(&self) -> Hooks {
        Hooks { detect: true, solve: true, correct_velocities: !self.rub.is_empty(), ..Hooks::default() }
    }

    fn detect(&self, recorder: &mut Recorder) {
        self.detect.iter().for_each(|work| recorder.run(work));
    }

    fn solve(&self, recorder: &mut Recorder) {
        self.sweep.iter().for_each(|work| recorder.run(work));
    }

    fn correct_velocities(&self, recorder: &mut Recorder) {
        self.rub.iter().for_each(|work| recorder.run(work));
    }

    fn pressures(&self) -> Option<BufferRange<'_>> {
        Some(BufferRange::all(&self.pressures))
    }

    fn memory_bytes(&self) -> u64 {
        self.memory
    }
}
