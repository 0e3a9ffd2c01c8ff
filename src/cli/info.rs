//! `pliant info`: the adapters, their limits and features.

use std::io::Write;

use super::clusters::told;
use super::engine::described;
use super::failure::Failure;
use crate::cpu::Instructions;
use crate::device::{DeviceError, adapters};

pub fn info() -> Result<(), Failure> {
    let adapters = pollster::block_on(adapters());
    let mut out = std::io::stdout().lock();
    writeln!(out, "pliant {}", env!("CARGO_PKG_VERSION"))?;
    for (i, adapter) in adapters.iter().enumerate() {
        describe(adapter, i == 0, &mut out)?;
        writeln!(out, "  large bodies {}; --clusters on or off overrides this", told(&adapter.get_info()))?;
    }
    describe_cpu(&mut out)?;
    writeln!(out, "reference: the solver in double precision, on one thread (--device reference)")?;
    if adapters.is_empty() { Err(DeviceError::NoAdapter.into()) } else { Ok(()) }
}

/// What the CPU engine would solve with, and why.
fn describe_cpu(out: &mut impl Write) -> std::io::Result<()> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let available = Instructions::available();
    writeln!(out, "\ncpu: the CPU engine in single precision (--device cpu)")?;
    writeln!(out, "  {}, as many as there are cores; small scenes take fewer", described(available[0], threads))?;
    let names: Vec<&str> = available.iter().map(|instructions| instructions.name()).collect();
    writeln!(out, "  the widest instructions of the processor; it has {}; all give the same bits", names.join(", "))
}

fn describe(adapter: &wgpu::Adapter, chosen: bool, out: &mut impl Write) -> std::io::Result<()> {
    let info = adapter.get_info();
    let limits = adapter.limits();
    let features = adapter.features();
    writeln!(out, "\n{}{}", info.name, if chosen { "  <- --device gpu" } else { "" })?;
    writeln!(out, "  backend {}, driver {} {}, {:?}", info.backend, info.driver, info.driver_info, info.device_type)?;
    writeln!(
        out,
        "  storage buffers per kernel {}, binding {} MiB, buffer {} MiB",
        limits.max_storage_buffers_per_shader_stage,
        limits.max_storage_buffer_binding_size >> 20,
        limits.max_buffer_size >> 20
    )?;
    writeln!(
        out,
        "  workgroup {} threads and {} KiB, {} workgroups per axis, textures to {} pixels",
        limits.max_compute_invocations_per_workgroup,
        limits.max_compute_workgroup_storage_size >> 10,
        limits.max_compute_workgroups_per_dimension,
        limits.max_texture_dimension_2d
    )?;
    let names: Vec<&str> = features.iter_names().map(|(name, _)| name).collect();
    writeln!(out, "  features {}", if names.is_empty() { "none".to_string() } else { names.join(" ").to_lowercase() })
}
