//! `pliant bench`: how fast an adapter solves the standard cloth, the standard solid or any scene, beside what its memory could do.

mod adapter;
mod measure;
mod quality;
pub(super) mod w1;
mod w2;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::engine::Device;
use super::failure::Failure;
use super::run::load;
use crate::device::Gpu;
use crate::export::atomic::AtomicFile;
use crate::model::Model;
use measure::Row;
use quality::Quality;

/// Particles along a side of the largest cloth: 2³² constraints are not far above.
const LARGEST: u32 = 16_384;
/// Cells along a side of the largest block: 120 million tetrahedra.
const LARGEST_BLOCK: u32 = 200;

#[derive(Args)]
pub struct Options {
    /// Name from the gallery or path to a .toml file [default: the standard cloth (W1) in several
    /// sizes, and the standard solid (W2)]
    scene: Option<String>,
    /// Particles along each side of the cloth
    #[arg(long, value_delimiter = ',', default_values_t = [64, 256, 512, 1024], conflicts_with = "scene",
        value_parser = clap::value_parser!(u32).range(2..=i64::from(LARGEST)))]
    sizes: Vec<u32>,
    /// Cells along the two short sides of the block of tetrahedra, which is three times as long (W2 is 20)
    #[arg(long, value_delimiter = ',', default_values_t = [20], conflicts_with = "scene",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(LARGEST_BLOCK)))]
    blocks: Vec<u32>,
    /// Also find the fewest substeps with which the cloth sags less than 1 %, at 64 and 256 (takes minutes)
    #[arg(long, conflicts_with = "scene")]
    quality: bool,
    /// Write the numbers as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// `gpu` (the best adapter) or a part of an adapter's name
    #[arg(long, default_value = "gpu")]
    device: Device,
}

/// The standard solid at one size. Its constraints are its tetrahedra.
#[derive(Serialize)]
struct Block {
    #[serde(flatten)]
    row: Row,
    /// Solved per second, each counted once for its two equations and once for each substep.
    tetrahedra_per_s: f64,
}

#[derive(Serialize)]
struct Results {
    adapter: String,
    driver: String,
    backend: String,
    version: &'static str,
    /// Name of the scene; "W1" for the standard cloth.
    scene: String,
    copy_bandwidth_bytes_per_s: f64,
    empty_dispatch_us: f64,
    sizes: Vec<Row>,
    /// Of the standard solid; n: cells along its short sides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocks: Vec<Block>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    quality: Vec<Quality>,
}

pub fn bench(options: &Options) -> Result<(), Failure> {
    let name = match &options.device {
        Device::Cpu | Device::Reference => {
            return Err(Failure::Input("`bench` measures adapters; choose one of `pliant info`".to_string()));
        }
        Device::Auto | Device::Gpu => None,
        Device::Named(name) => Some(name.as_str()),
    };
    let file = options.json.as_ref().map(|path| AtomicFile::create(path)).transpose()?;
    let scene = options.scene.as_deref().map(load).transpose()?;
    let mut out = std::io::stdout().lock();

    let gpu = pollster::block_on(Gpu::open(name, wgpu::Limits::default()))?;
    let info = gpu.adapter.get_info();
    let mut results = Results {
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_string(),
        adapter: info.name,
        backend: info.backend.to_string(),
        version: env!("CARGO_PKG_VERSION"),
        scene: options.scene.clone().unwrap_or_else(|| "W1".to_string()),
        copy_bandwidth_bytes_per_s: adapter::copy_bandwidth(&gpu)?,
        empty_dispatch_us: adapter::empty_dispatch_us(&gpu)?,
        sizes: Vec::new(),
        blocks: Vec::new(),
        quality: Vec::new(),
    };
    drop(gpu);
    writeln!(out, "{} ({}, {})", results.adapter, results.backend, results.driver)?;
    writeln!(
        out,
        "copies {:.1} GB/s (read and written), an empty dispatch takes {:.1} us\n\n{}",
        results.copy_bandwidth_bytes_per_s / 1e9,
        results.empty_dispatch_us,
        Row::HEADER
    )?;

    match scene {
        Some(loaded) => {
            let n = loaded.model.particles.len();
            let row = results.row(n, &loaded.model, &options.device)?;
            writeln!(out, "{row}")?;
            results.sizes.push(row);
        }
        None => {
            for &n in &options.sizes {
                let row = results.row(n as usize, &w1::model(n), &options.device)?;
                writeln!(out, "{row}")?;
                results.sizes.push(row);
            }
            writeln!(out, "\nW2, a block of n x n x 3n cells: its constraints are tetrahedra\n{}", Row::HEADER)?;
            for &n in &options.blocks {
                let row = results.row(n as usize, &w2::model(n)?, &options.device)?;
                writeln!(out, "{row}")?;
                results.blocks.push(Block { tetrahedra_per_s: row.projections_per_s, row });
            }
        }
    }
    if options.quality {
        writeln!(out, "\n{}", Quality::HEADER)?;
        // Of the sizes asked for, those in which a search ends in reasonable time.
        for n in options.sizes.iter().copied().filter(|n| [64, 256].contains(n)) {
            let quality = Quality::find(n, &options.device)?;
            writeln!(out, "{quality}")?;
            results.quality.push(quality);
        }
    }
    if let Some(file) = file {
        file.fill(|out| {
            serde_json::to_writer_pretty(&mut *out, &results)?;
            writeln!(out)
        })?;
    }
    Ok(())
}

impl Results {
    /// Measures a model beside the bandwidth of copies.
    fn row(&self, n: usize, model: &Model, device: &Device) -> Result<Row, Failure> {
        let mut row = Row::measure(n, model, device)?;
        row.share_of_copy_bandwidth =
            row.bytes_per_frame as f64 / (row.step_ms_median / 1e3) / self.copy_bandwidth_bytes_per_s;
        Ok(row)
    }
}
