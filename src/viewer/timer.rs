//! How long the steps of a frame take on the device: two timestamps around them, read back without waiting.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Measurements that may be under way at once; a frame that finds none free is not measured.
const RING: usize = 3;
/// Two timestamps.
const BYTES: u64 = 16;

const IDLE: u8 = 0;
const WAITING: u8 = 1;
const ARRIVED: u8 = 2;

/// Times what is recorded between [`Timer::begin`] and [`Timer::end`].
pub struct Timer {
    /// `None` on a device without timestamps.
    queries: Option<wgpu::QuerySet>,
    resolved: wgpu::Buffer,
    slots: Vec<Slot>,
    nanoseconds_per_tick: f64,
}

struct Slot {
    buffer: wgpu::Buffer,
    state: Arc<AtomicU8>,
    steps: u32,
}

impl Timer {
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let queries = device.features().contains(wgpu::Features::TIMESTAMP_QUERY).then(|| {
            device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("frame timer"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            })
        });
        let buffer = |usage| {
            let label = Some("frame timer");
            device.create_buffer(&wgpu::BufferDescriptor { label, size: BYTES, usage, mapped_at_creation: false })
        };
        let slot = |_| Slot {
            buffer: buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST),
            state: Arc::new(AtomicU8::new(IDLE)),
            steps: 0,
        };
        Self {
            queries,
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            slots: (0..RING).map(slot).collect(),
            nanoseconds_per_tick: f64::from(queue.get_timestamp_period()),
        }
    }

    pub fn begin(&self, encoder: &mut wgpu::CommandEncoder) {
        self.stamp(encoder, 0);
    }

    /// `steps`: how many steps were recorded since [`Timer::begin`].
    pub fn end(&mut self, encoder: &mut wgpu::CommandEncoder, steps: u32) {
        self.stamp(encoder, 1);
        let Some(queries) = &self.queries else { return };
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.state.load(Ordering::Acquire) == IDLE) else { return };
        encoder.resolve_query_set(queries, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &slot.buffer, 0, BYTES);
        slot.steps = steps;
        slot.state.store(WAITING, Ordering::Release);
        let state = slot.state.clone();
        encoder.map_buffer_on_submit(&slot.buffer, wgpu::MapMode::Read, .., move |result| {
            state.store(if result.is_ok() { ARRIVED } else { IDLE }, Ordering::Release);
        });
    }

    /// A pass that does nothing but take the time: timestamps outside of passes are a feature that not every device
    /// has.
    fn stamp(&self, encoder: &mut wgpu::CommandEncoder, index: u32) {
        let Some(query_set) = &self.queries else { return };
        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("frame timer"),
            timestamp_writes: Some(wgpu::ComputePassTimestampWrites {
                query_set,
                beginning_of_pass_write_index: Some(index),
                end_of_pass_write_index: None,
            }),
        });
    }

    /// The duration of a step, s, of each measurement that has arrived since the last call.
    pub fn step_seconds(&mut self) -> Vec<f64> {
        let arrived = self.slots.iter().filter(|slot| slot.state.load(Ordering::Acquire) == ARRIVED);
        arrived.filter_map(|slot| self.read(slot)).collect()
    }

    fn read(&self, slot: &Slot) -> Option<f64> {
        let ticks = slot.buffer.get_mapped_range(..).map(|view| bytemuck::pod_read_unaligned::<[u64; 2]>(&view));
        slot.buffer.unmap();
        slot.state.store(IDLE, Ordering::Release);
        let [begin, end] = ticks.ok()?;
        let seconds = end.checked_sub(begin)? as f64 * self.nanoseconds_per_tick * 1e-9;
        (slot.steps > 0).then(|| seconds / f64::from(slot.steps))
    }
}
