//! The device of the tests, and what runs a model on it.

#[path = "../common/running.rs"]
mod running;

use std::sync::{Mutex, OnceLock, PoisonError};

use pliant::device::{Gpu, OnDevice};
use pliant::model::Model;
use pliant::plan::Plan;
use pliant::solver::{Pipelines, Snapshot};
pub use running::{Running, run};

/// As many as a software device leaves cores idle: it runs one queue's dispatches after another, and most of those of tests are too small for two
/// cores. With one device for all the tests took 1.15 of two cores.
const DEVICES: usize = 2;

/// Which of the devices a test's thread has, until it ends. Few for all, since opening one takes longer than most tests.
struct Place(usize);

/// How many tests have each device now.
static TESTS: Mutex<[usize; DEVICES]> = Mutex::new([0; DEVICES]);

impl Place {
    fn least() -> Self {
        let mut tests = TESTS.lock().unwrap_or_else(PoisonError::into_inner);
        let least = (0..DEVICES).min_by_key(|&device| tests[device]).unwrap_or(0);
        tests[least] += 1;
        Self(least)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        TESTS.lock().unwrap_or_else(PoisonError::into_inner)[self.0] -= 1;
    }
}

/// The device of this test.
pub fn gpu() -> &'static Gpu {
    static GPUS: [OnceLock<Gpu>; DEVICES] = [const { OnceLock::new() }; DEVICES];
    thread_local!(static PLACE: Place = Place::least());
    GPUS[PLACE.with(|place| place.0)].get_or_init(|| {
        let name = std::env::var("PLIANT_DEVICE").ok();
        let gpu =
            pollster::block_on(Gpu::open(name.as_deref(), wgpu_limits())).unwrap_or_else(|error| panic!("{error}"));
        let info = gpu.adapter.get_info();
        println!("\nDEVICE | {}, {} by {} {}", info.name, info.backend, info.driver, info.driver_info);
        gpu
    })
}

fn wgpu_limits() -> pliant::wgpu::Limits {
    pliant::wgpu::Limits::default()
}

/// Seconds for which tests watch what has come to rest: on a software GPU as long as there is time for.
pub const WATCHED: u32 = 1;

/// Whether a test may have kernels compiled by the hundred: a software device takes half a second for each.
pub fn compiles_fast() -> bool {
    gpu().adapter.get_info().device_type != pliant::wgpu::DeviceType::Cpu
}

/// The engine that is tested.
pub type Tested = OnDevice;

fn tested(model: &Model, plan: &Plan) -> Tested {
    OnDevice::new(gpu().clone(), model, plan).unwrap_or_else(|error| panic!("{error}"))
}

/// What runs a model with other pipelines of the device.
pub fn sharing(pipelines: &Pipelines, model: &Model, plan: &Plan) -> Running {
    let gpu = Gpu { pipelines: pipelines.clone(), ..gpu().clone() };
    Running { solver: OnDevice::new(gpu, model, plan).unwrap_or_else(|error| panic!("{error}")) }
}

/// The triangles of the device's list of indices that have an area, as particles, sorted.
fn drawn(solver: &Tested, model: &Model) -> Option<Vec<[u32; 3]>> {
    let indices = solver.indices();
    let copy = gpu().device.create_buffer(&pliant::wgpu::BufferDescriptor {
        label: Some("indices"),
        size: indices.size(),
        usage: pliant::wgpu::BufferUsages::COPY_DST | pliant::wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = gpu().device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(indices, 0, &copy, 0, indices.size());
    gpu().queue.submit([encoder.finish()]);
    let (done, is_done) = std::sync::mpsc::channel();
    copy.map_async(pliant::wgpu::MapMode::Read, .., move |result| _ = done.send(result));
    arrived(|| is_done.try_recv().ok()).unwrap();
    let slots: Vec<u32> = bytemuck::cast_slice(&copy.get_mapped_range(..).unwrap()).to_vec();
    let particle_of = Plan::new(model).particle_of;
    let mut triangles: Vec<[u32; 3]> = slots
        .chunks_exact(3)
        .map(|corners| [0, 1, 2].map(|k| particle_of[corners[k] as usize]))
        .filter(|[a, b, c]| a != b && b != c && c != a)
        .collect();
    triangles.sort_unstable();
    Some(triangles)
}

/// Records something outside a step and submits it.
pub fn submit<T>(record: impl FnOnce(&mut pliant::wgpu::CommandEncoder) -> T) -> T {
    let mut encoder = gpu().device.create_command_encoder(&Default::default());
    let result = record(&mut encoder);
    gpu().queue.submit([encoder.finish()]);
    result
}

/// What of two states differs in a bit, if anything does.
pub fn other_bits(a: &Snapshot, b: &Snapshot) -> Option<String> {
    // NaN would equal nothing, itself included.
    let bits = |snapshot: &Snapshot| -> Vec<u32> {
        let particles = snapshot.particles.iter().flatten().flatten();
        let pairs = snapshot.multipliers.iter().chain(&snapshot.rests).flatten().flatten();
        particles.chain(pairs).map(|value| value.to_bits()).collect()
    };
    let (mine, theirs) = (bits(a), bits(b));
    let different = mine.iter().zip(&theirs).filter(|(a, b)| a != b).count();
    let same = mine.len() == theirs.len() && different == 0 && a.status == b.status && a.lattice == b.lattice;
    (!same).then(|| format!("{different} of {} numbers differ", mine.len()))
}

/// What the device sends once it has done everything that was submitted.
pub fn arrived<T>(ask: impl FnMut() -> Option<T>) -> T {
    gpu().arrived("what was asked for", ask).unwrap_or_else(|fault| panic!("{fault}"))
}
