//! Counts the particles in a box at the end of each frame: the least that a pass can do.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use pliant::pass::{Pass, cpu, gpu, reference};
use pliant::solver::{Hooks, SolverError};
use pliant::wgpu;

/// The particles in a box.
pub struct Count {
    low: [f64; 3],
    high: [f64; 3],
    now: AtomicU32,
    last: AtomicU32,
    on_device: OnceLock<wgpu::Buffer>,
}

const HOOKS: Hooks = Hooks {
    accelerate: false,
    correct_prediction: false,
    detect: false,
    solve: false,
    solve_round: false,
    guard: false,
    correct_velocities: true,
};

impl Count {
    /// Between two corners, m.
    pub const fn new(low: [f64; 3], high: [f64; 3]) -> Self {
        Self { low, high, now: AtomicU32::new(0), last: AtomicU32::new(0), on_device: OnceLock::new() }
    }

    /// How many there were at the end of the last frame on the CPU.
    pub fn last(&self) -> u32 {
        self.last.load(Relaxed)
    }

    /// Records a copy of how many there are on the device; the result reads it once that is done.
    pub fn read(&self, device: &wgpu::Device, encoder: &mut wgpu::CommandEncoder) -> impl FnOnce() -> u32 + use<> {
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
        let copy =
            device.create_buffer(&wgpu::BufferDescriptor { label: None, size: 4, usage, mapped_at_creation: false });
        if let Some(counts) = self.on_device.get() {
            encoder.copy_buffer_to_buffer(counts, 0, &copy, 0, 4);
        }
        let device = device.clone();
        move || {
            copy.slice(..).map_async(wgpu::MapMode::Read, |_| {});
            let done = device.poll(wgpu::PollType::wait_indefinitely());
            let range = copy.slice(..).get_mapped_range();
            match (done, range) {
                (Ok(_), Ok(range)) => u32::from_le_bytes([range[0], range[1], range[2], range[3]]),
                _ => 0,
            }
        }
    }

    fn holds(&self, place: [f64; 3]) -> bool {
        (0..3).all(|k| (self.low[k]..=self.high[k]).contains(&place[k]))
    }
}

impl Pass for Count {
    fn name(&self) -> &'static str {
        "count"
    }

    fn reference(&'static self, _setup: &reference::Setup) -> Option<Box<dyn reference::Pass>> {
        Some(Box::new(Here(self)))
    }

    fn cpu(&'static self, _setup: &cpu::Setup) -> Option<Box<dyn cpu::Pass>> {
        Some(Box::new(Here(self)))
    }

    fn gpu(&'static self, setup: &gpu::Setup) -> Result<Option<Box<dyn gpu::Pass>>, SolverError> {
        let device = setup.device();
        let corners = [self.low, self.high].map(|[x, y, z]| [x as f32, y as f32, z as f32, 0.0]);
        let (corners, counts) = (gpu::upload(device, "corners", &corners), gpu::zeroed(device, "counts", 4));
        let own = [("corners", gpu::BufferRange::all(&corners)), ("counts", gpu::BufferRange::all(&counts))];
        let work = setup.over_slots("count", include_str!("count.wgsl"), &own)?;
        self.on_device.get_or_init(|| counts.clone());
        Ok(Some(Box::new(OnDevice { work, counts })))
    }
}

#[derive(Clone, Copy)]
struct Here(&'static Count);

impl reference::Pass for Here {
    fn correct_velocities(&mut self, substep: &mut reference::Substep) {
        let places = substep.points.positions.iter().map(|&place| place.into());
        self.0.last.store(places.filter(|&place| self.0.holds(place)).count() as u32, Relaxed);
    }
}

impl cpu::Pass for Here {
    fn hooks(&self) -> Hooks {
        HOOKS
    }

    unsafe fn view<'a>(&'a mut self, _frame: &cpu::Frame<'a>) -> Box<dyn cpu::PassView + 'a> {
        self.0.now.store(0, Relaxed);
        Box::new(*self)
    }

    fn bytes(&self) -> usize {
        0
    }
}

impl cpu::PassView for Here {
    fn correct_velocities(&self, member: &cpu::Member, frame: &cpu::Frame, _substep: usize, last: bool) {
        if last {
            let place = |slot| frame.points.x.read(slot).to_array();
            let inside = |&slot: &usize| self.0.holds([0, 1, 2].map(|k| f64::from(place(slot)[k])));
            self.0.now.fetch_add(member.share(frame.points.x.len()).filter(inside).count() as u32, Relaxed);
            member.meet();
            self.0.last.store(self.0.now.load(Relaxed), Relaxed);
        }
    }
}

struct OnDevice {
    work: gpu::Work,
    counts: wgpu::Buffer,
}

impl gpu::Pass for OnDevice {
    fn hooks(&self) -> Hooks {
        HOOKS
    }

    fn begin(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.clear_buffer(&self.counts, 0, None);
    }

    fn correct_velocities(&self, recorder: &mut gpu::Recorder) {
        recorder.run(&self.work);
    }

    fn memory_bytes(&self) -> u64 {
        self.counts.size()
    }
}
