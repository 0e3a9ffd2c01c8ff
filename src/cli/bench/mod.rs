//! `pliant bench`: how fast an adapter solves the standard cloth, solid and heap or any scene, beside what its memory
//! could do.

mod adapter;
mod compare;
mod measure;
mod processor;
mod quality;
mod sections;
pub(crate) mod w1;
mod w2;
mod w4;
mod w5;

use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::clusters::{self, Clusters};
use super::engine::{self, Adapter, Device, Runner};
use super::failure::Failure;
use super::loading::{Given, check_tearing};
use crate::CpuSolver;
use crate::cpu::Instructions;
use crate::device::Gpu;
use crate::export::atomic::{self, AtomicFile};
use crate::model::{Model, Sweep};
use adapter::Floor;
use measure::{Row, Way};
use quality::Quality;

/// Particles along a side of the largest cloth: 2³² constraints are not far above.
const LARGEST: u32 = 16_384;
/// Cells along a side of the largest block: 120 million tetrahedra.
const LARGEST_BLOCK: u32 = 200;
/// Balls of the largest heap.
const LARGEST_HEAP: u32 = 20_000_000;
/// Sizes at which quality is searched for.
const QUALITY_SIZES: [u32; 3] = [64, 256, 1024];

#[derive(Args)]
pub struct Options {
    /// Name from the gallery or path to a .toml file [default: the standard cloth (W1) in several
    /// sizes and the standard solid (W2)]
    scene: Option<String>,
    /// Particles along each side of the cloth
    #[arg(long, value_delimiter = ',', default_values_t = [64, 256, 512, 1024], conflicts_with = "scene",
        value_parser = clap::value_parser!(u32).range(2..=i64::from(LARGEST)))]
    sizes: Vec<u32>,
    /// Cells along the two short sides of the block of tetrahedra, which is three times as long (W2 is 20)
    #[arg(long, value_delimiter = ',', default_values_t = [20], conflicts_with = "scene",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(LARGEST_BLOCK)))]
    blocks: Vec<u32>,
    /// Also measure the cloth that folds up on the ground and touches itself (W4), with so many particles along each
    /// side; it lies there after 150 frames or so
    #[arg(long, value_name = "N,N", value_delimiter = ',', conflicts_with = "scene",
        value_parser = clap::value_parser!(u32).range(2..=i64::from(LARGEST)))]
    piles: Vec<u32>,
    /// Also measure this many balls that fall into a box and settle (W5)
    #[arg(long, value_name = "N,N", value_delimiter = ',', conflicts_with = "scene",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(LARGEST_HEAP)))]
    balls: Vec<u32>,
    /// Measure the scene with each of these numbers of substeps
    #[arg(long, value_name = "N,N", value_delimiter = ',', requires = "scene",
        value_parser = clap::value_parser!(u32).range(1..=10_000))]
    substeps: Vec<u32>,
    /// Measure the scene with each of these numbers of iterations
    #[arg(long, value_name = "N,N", value_delimiter = ',', requires = "scene",
        value_parser = clap::value_parser!(u32).range(1..=10_000))]
    iterations: Vec<u32>,
    /// How many frames are timed [default: 30; 10 of a million particles or more]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    frames: Option<u32>,
    /// Also show the time of each part of a frame, measured by the device's clock
    #[arg(long)]
    profile: bool,
    /// Also find the fewest substeps with which the cloth sags less than 1 %, without and with levels, at 64, 256 and
    /// 1024
    #[arg(long, conflicts_with = "scene")]
    quality: bool,
    /// Seconds after which each of these searches stops
    #[arg(long, value_name = "SECONDS", default_value_t = 300, requires = "quality",
        value_parser = clap::value_parser!(u64).range(1..))]
    patience: u64,
    /// Write the numbers as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Compare the numbers with those of a file written by --json
    #[arg(long, value_name = "OLD.json")]
    compare: Option<PathBuf>,
    /// Measure nothing, and compare this file instead
    #[arg(long, value_name = "NEW.json", requires = "compare",
        conflicts_with_all = ["scene", "json", "quality", "profile", "frames"])]
    with: Option<PathBuf>,
    /// `gpu` (the best adapter), a part of an adapter's name, or `cpu` (the CPU engine)
    #[arg(long, default_value = "gpu")]
    device: Device,
    /// Whether an adapter solves large bodies in clusters
    #[arg(long, value_enum, default_value_t)]
    clusters: Clusters,
    /// Sweep in this order instead of the scene's
    #[arg(long, value_enum)]
    sweep: Option<Order>,
    /// Measure the CPU engine with each of these numbers of threads [default: 1 and as many as there are cores]
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Vec<u32>,
}

/// What `--sweep` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Order {
    /// The default of scenes
    ThereAndBack,
    /// As other solvers sweep
    OneWay,
}

impl Order {
    fn sweep(self) -> Sweep {
        match self {
            Order::ThereAndBack => Sweep::ThereAndBack,
            Order::OneWay => Sweep::OneWay,
        }
    }
}

/// The standard solid at one size. Its constraints are its tetrahedra.
#[derive(Serialize)]
struct Block {
    #[serde(flatten)]
    row: Row,
    /// Solved per second, each counted once for its two equations and once for each substep.
    tetrahedra_per_s: f64,
}

/// The standard heap at one size. It has no constraints.
#[derive(Serialize)]
struct Heap {
    #[serde(flatten)]
    row: Row,
    /// Moved and kept apart per second, each counted once for each substep.
    balls_per_s: f64,
}

/// What an engine with so many threads can do at best; of an adapter the number is `None`.
type Floors = Vec<(Option<usize>, Floor)>;

#[derive(Serialize)]
struct Results {
    adapter: String,
    driver: String,
    backend: String,
    version: &'static str,
    /// Of the checkout that the command was built from, as it is now, where there is one.
    commit: Option<String>,
    /// Name of the scene; "W1" for the standard cloth.
    scene: String,
    /// Whether large bodies are solved in clusters.
    clusters: bool,
    /// The order in which sweeps went: that of the scene, unless another was asked for.
    sweep: &'static str,
    #[serde(flatten)]
    floor: Floor,
    /// Of the CPU engine by the number of threads, the last as `floor`; else that one.
    #[serde(skip)]
    floors: Floors,
    sizes: Vec<Row>,
    /// Of the standard solid; n: cells along its short sides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocks: Vec<Block>,
    /// Of the standard cloth that touches itself; n: particles along its sides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    piles: Vec<Row>,
    /// Of the standard heap; n: balls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    balls: Vec<Heap>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    quality: Vec<Quality>,
}

pub fn bench(options: &Options) -> Result<(), Failure> {
    let old = options.compare.as_deref().map(compare::Results::read).transpose()?;
    if let (Some(old), Some(path)) = (&old, &options.with) {
        return compare::print(old, &compare::Results::read(path)?, &mut std::io::stdout().lock());
    }
    match &options.device {
        Device::Reference => {
            return Err(Failure::Input("`bench` measures adapters and the CPU engine, not the reference".to_string()));
        }
        Device::Cpu => {}
        _ if !options.threads.is_empty() => {
            return Err(Failure::Input("`--threads` is for the CPU engine; add `--device cpu`".to_string()));
        }
        _ => {}
    }
    let scene_name = options.scene.clone().unwrap_or_else(|| "W1".to_string());
    old.as_ref().map_or(Ok(()), |old| old.is_of(&scene_name))?;
    options.json.iter().for_each(|path| atomic::clear_for(path));
    let file = options.json.as_ref().map(|path| AtomicFile::create(path)).transpose()?;
    let scene = options.scene.clone().map(|name| Given::named(name).read()).transpose()?;
    let mut out = std::io::stdout().lock();

    let of_scene = scene.as_ref().map_or(Sweep::default(), |(built, ..)| built.model.settings.sweep);
    let sweep = options.sweep.map_or(of_scene, Order::sweep);
    let mut results = Results::begin(options, scene_name, sweep)?;
    results.print_head(&mut out)?;
    match scene {
        Some((built, ..)) => {
            built.notes.iter().for_each(|note| eprintln!("note: {note}"));
            results.measure_scene(built.model, options, &mut out)?;
        }
        None => results.measure_standard(options, &mut out)?,
    }
    if options.quality {
        writeln!(out, "\nW1, for 1 % of sag\n{}", Quality::HEADER)?;
        // Of the sizes asked for, those that others are compared at.
        for n in options.sizes.iter().copied().filter(|n| QUALITY_SIZES.contains(n)) {
            for nested in [false, true] {
                let patience = Duration::from_secs(options.patience);
                let quality = Quality::find(n, nested, sweep, patience, &options.device)?;
                writeln!(out, "{quality}")?;
                results.quality.push(quality);
            }
        }
    }
    if let Some(file) = file {
        file.fill(|out| {
            serde_json::to_writer_pretty(&mut *out, &results)?;
            writeln!(out)
        })?;
    }
    if let Some(old) = old {
        let new = serde_json::to_value(&results).unwrap_or_default();
        writeln!(out)?;
        compare::print(&old, &compare::Results::from_value(new)?, &mut out)?;
    }
    Ok(())
}

impl Results {
    /// Opens the device and measures what it can do at best.
    fn begin(options: &Options, scene: String, sweep: Sweep) -> Result<Self, Failure> {
        let (adapter, floors) = match &options.device {
            Device::Cpu => of_cpu(&options.threads),
            device => of_adapter(device)?,
        };
        let Some(&(_, floor)) = floors.last() else {
            return Err(Failure::Input("--threads needs a number of threads, as 1,2".to_string()));
        };
        let clusters = clusters::chosen(&options.device, options.clusters);
        Ok(Self {
            clusters,
            adapter: adapter.name,
            driver: adapter.driver,
            backend: adapter.backend,
            version: env!("CARGO_PKG_VERSION"),
            commit: commit(),
            sweep: sweep.name(),
            scene,
            floor,
            floors,
            sizes: Vec::new(),
            blocks: Vec::new(),
            piles: Vec::new(),
            balls: Vec::new(),
            quality: Vec::new(),
        })
    }

    fn print_head(&self, out: &mut impl Write) -> Result<(), Failure> {
        writeln!(out, "{} ({}, {}), sweeps {}", self.adapter, self.backend, self.driver, self.sweep)?;
        for (threads, floor) in &self.floors {
            let (who, empty) = match threads {
                None => (String::new(), "an empty dispatch"),
                Some(1) => ("1 thread: ".to_string(), "a meeting"),
                Some(threads) => (format!("{threads} threads: "), "a meeting"),
            };
            let (bandwidth, us) = (floor.copy_bandwidth_bytes_per_s / 1e9, floor.empty_dispatch_us);
            writeln!(out, "{who}copies {bandwidth:.1} GB/s (read and written), {empty} takes {us:.2} us")?;
        }
        writeln!(out, "\n{}", Row::HEADER)?;
        Ok(())
    }

    /// A scene with each number of substeps and iterations that was asked for.
    fn measure_scene(&mut self, mut model: Model, options: &Options, out: &mut impl Write) -> Result<(), Failure> {
        let or = |asked: &[u32], own: u32| if asked.is_empty() { vec![own] } else { asked.to_vec() };
        let (own_substeps, own_iterations) = (model.settings.substeps, model.settings.iterations);
        // As `run` does unless it is asked for forces, and the standard models.
        model.settings.mean_forces = false;
        for substeps in or(&options.substeps, own_substeps) {
            for iterations in or(&options.iterations, own_iterations) {
                (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
                if (substeps, iterations) != (own_substeps, own_iterations) {
                    writeln!(out, "{substeps} substeps of {iterations} iterations:")?;
                }
                let rows = self.rows(model.particles.len(), &model, options, out)?;
                self.sizes.extend(rows);
            }
        }
        Ok(())
    }

    fn measure_standard(&mut self, options: &Options, out: &mut impl Write) -> Result<(), Failure> {
        for &n in &options.sizes {
            let rows = self.rows(n as usize, &w1::model(n), options, out)?;
            self.sizes.extend(rows);
        }
        writeln!(out, "\nW2, a block of n x n x 3n cells: its constraints are tetrahedra\n{}", Row::HEADER)?;
        for &n in &options.blocks {
            let rows = self.rows(n as usize, &w2::model(n)?, options, out)?;
            self.blocks.extend(rows.into_iter().map(|row| Block { tetrahedra_per_s: row.projections_per_s, row }));
        }
        if !options.piles.is_empty() {
            writeln!(out, "\nW4, a cloth that folds up and touches itself\n{}", Row::HEADER)?;
        }
        for &n in &options.piles {
            let rows = self.rows(n as usize, &w4::model(n), options, out)?;
            self.piles.extend(rows);
        }
        if !options.balls.is_empty() {
            writeln!(out, "\nW5, balls that settle in a box: no constraints, only contacts\n{}", Row::HEADER)?;
        }
        for &n in &options.balls {
            let rows = self.rows(n as usize, &w5::model(n)?, options, out)?;
            let heap = |row: Row| {
                let balls_per_s = f64::from(n) * f64::from(row.substeps) / (row.step_ms_median / 1e3);
                Heap { balls_per_s, row }
            };
            let heaps: Vec<Heap> = rows.into_iter().map(heap).collect();
            heaps.iter().try_for_each(|heap| writeln!(out, "  {:.2} million balls/s", heap.balls_per_s / 1e6))?;
            self.balls.extend(heaps);
        }
        Ok(())
    }

    /// Measures a model, by each number of threads, and prints what was found.
    fn rows(&self, n: usize, model: &Model, options: &Options, out: &mut impl Write) -> Result<Vec<Row>, Failure> {
        let mut model = model.clone();
        model.settings.sweep = options.sweep.map_or(model.settings.sweep, Order::sweep);
        let model = &model;
        let start = Instant::now();
        let plan = clusters::planned(model, self.clusters);
        let plan_ms = start.elapsed().as_secs_f64() * 1e3;
        check_tearing(&plan, model, &self.scene)?;
        let mut rows = Vec::new();
        for &(threads, floor) in &self.floors {
            let mut engine: Box<dyn Runner> = match threads {
                None => engine::open(&options.device, model, &plan)?,
                Some(threads) => {
                    let solver = CpuSolver::with_threads(model, &plan, threads);
                    Box::new(solver.map_err(|error| Failure::Input(error.to_string()))?)
                }
            };
            let way = Way { frames: options.frames.map(|frames| frames as usize), profile: options.profile };
            let row = Row::measure(n, model, plan_ms, &mut *engine, &floor, way)?;
            writeln!(out, "{row}")?;
            if options.profile {
                sections::print(&row.sections, out)?;
            }
            rows.push(row);
        }
        Ok(rows)
    }
}

/// The CPU engine with each of these numbers of threads, or with one and with all.
fn of_cpu(threads: &[u32]) -> (Adapter, Floors) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut numbers: Vec<usize> = threads.iter().map(|&threads| threads as usize).collect();
    if numbers.is_empty() {
        numbers = vec![1, cores];
        numbers.dedup();
    }
    let most = numbers.iter().copied().max().unwrap_or(1);
    let adapter = Adapter::of_cpu(Instructions::detected(), most);
    (adapter, numbers.into_iter().map(|threads| (Some(threads), Floor::of_cpu(threads))).collect())
}

fn of_adapter(device: &Device) -> Result<(Adapter, Floors), Failure> {
    let name = if let Device::Named(name) = device { Some(name.as_str()) } else { None };
    let gpu = pollster::block_on(Gpu::open(name, wgpu::Limits::default()))?;
    Ok((Adapter::of(&gpu), vec![(None, Floor::measure(&gpu)?)]))
}

/// The commit of the folder that the command was built in, with `-dirty` where something was changed since.
fn commit() -> Option<String> {
    let folder = env!("CARGO_MANIFEST_DIR");
    let arguments = ["-C", folder, "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"];
    let answer = Command::new("git").args(arguments).output().ok().filter(|answer| answer.status.success())?;
    Some(String::from_utf8_lossy(&answer.stdout).trim().to_string()).filter(|commit| !commit.is_empty())
}
