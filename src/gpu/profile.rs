//! Where the time of a step goes, measured by the device: a step whose sections are passes of their own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::gpu::recorder::Load;

/// Timestamps that one query set may hold in WebGPU.
const MOST_QUERIES: u32 = 4096;

/// Notes when sections of a step begin and end.
pub struct Timer {
    queries: wgpu::QuerySet,
    sections: Vec<Section>,
    /// A step with more sections than there are timestamps is not timed at all rather than in part.
    overflowed: bool,
}

impl Timer {
    pub fn new(device: &wgpu::Device) -> Self {
        let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("profile"),
            ty: wgpu::QueryType::Timestamp,
            count: MOST_QUERIES,
        });
        Self { queries, sections: Vec::new(), overflowed: false }
    }

    /// What a pass must write that begins here; `None` if the section goes on.
    pub fn begin(&mut self, name: &'static str) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let first = 2 * self.sections.len() as u32;
        if self.sections.last().is_some_and(|section| section.name == name) {
            return None;
        }
        if first + 1 >= MOST_QUERIES {
            self.overflowed = true;
            return None;
        }
        self.sections.push(Section { name, ..Section::default() });
        Some(wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(first),
            end_of_pass_write_index: Some(first + 1),
        })
    }

    /// A dispatch was recorded into the section that began last.
    pub fn count(&mut self, load: Load) {
        if let Some(section) = self.sections.last_mut() {
            section.dispatches += load.dispatches;
            section.bytes += load.bytes;
        }
    }

    /// Records the read-back of all that was noted.
    pub fn finish(self, device: &wgpu::Device, encoder: &mut wgpu::CommandEncoder) -> Profile {
        let count = if self.overflowed { 0 } else { 2 * self.sections.len() as u32 };
        let size = u64::from(count.max(1)) * u64::from(wgpu::QUERY_SIZE);
        let buffer = |usage| {
            let label = Some("profile");
            device.create_buffer(&wgpu::BufferDescriptor { label, size, usage, mapped_at_creation: false })
        };
        let resolved = buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC);
        let copy = buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
        if count > 0 {
            encoder.resolve_query_set(&self.queries, 0..count, &resolved, 0);
            encoder.copy_buffer_to_buffer(&resolved, 0, &copy, 0, size);
        }
        let arrived = Arc::new(AtomicBool::new(false));
        let signal = arrived.clone();
        encoder.map_buffer_on_submit(&copy, wgpu::MapMode::Read, .., move |result| {
            signal.store(result.is_ok(), Ordering::Release);
        });
        Profile { sections: if self.overflowed { Vec::new() } else { self.sections }, copy, arrived }
    }
}

/// One kind of work in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Section {
    /// `"predict"`, the name of a constraint kind, and so on.
    pub name: &'static str,
    /// The time it took, ms.
    pub milliseconds: f64,
    /// How many dispatches it is.
    pub dispatches: u32,
    /// Bytes that they must read and write if nothing stays in a cache.
    pub bytes: u64,
}

/// The times of a step on their way from the device. After the host has submitted the encoder and polled the device,
/// [`Profile::sections`] returns them.
pub struct Profile {
    sections: Vec<Section>,
    copy: wgpu::Buffer,
    arrived: Arc<AtomicBool>,
}

impl Profile {
    /// Each kind of work in a step, in the order in which they first occur; empty for a step of more than 2,048
    /// sections. `None` while it is on its way. `nanoseconds_per_tick` is what `Queue::get_timestamp_period` says.
    pub fn sections(&self, nanoseconds_per_tick: f32) -> Option<Vec<Section>> {
        if !self.arrived.load(Ordering::Acquire) {
            return None;
        }
        let view = self.copy.get_mapped_range(..).ok()?;
        let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&view[..]);
        let mut sums: Vec<Section> = Vec::new();
        for (section, pair) in self.sections.iter().zip(ticks.chunks_exact(2)) {
            // Clocks of some devices step back when they save power.
            let milliseconds = pair[1].saturating_sub(pair[0]) as f64 * f64::from(nanoseconds_per_tick) / 1e6;
            match sums.iter_mut().find(|known| known.name == section.name) {
                Some(sum) => {
                    sum.milliseconds += milliseconds;
                    sum.dispatches += section.dispatches;
                    sum.bytes += section.bytes;
                }
                None => sums.push(Section { milliseconds, ..*section }),
            }
        }
        Some(sums)
    }
}
