//! What the device reports, read a frame or two late through a ring of mapped buffers, without waiting.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::step::Status;
use crate::step::records::Status as Record;

/// Read-backs that may be under way at once, made as they are needed: each of the steps of an encoder takes one until
/// it is submitted. Beyond that the oldest is given up, which may be one of an encoder that was dropped.
const MOST: usize = 64;

const IDLE: u8 = 0;
const WAITING: u8 = 1;
const ARRIVED: u8 = 2;
const LOST: u8 = 3;

struct Slot {
    buffer: wgpu::Buffer,
    state: Arc<AtomicU8>,
    frame: u64,
}

/// Copies the status after each step and hands out what has arrived.
pub struct StatusRing {
    device: wgpu::Device,
    slots: Vec<Slot>,
    latest: Option<Status>,
}

impl StatusRing {
    pub fn new(device: &wgpu::Device) -> Self {
        Self { device: device.clone(), slots: Vec::new(), latest: None }
    }

    /// One that waits for nothing.
    fn idle(&mut self) -> &mut Slot {
        let idle = |slot: &Slot| slot.state.load(Ordering::Acquire) == IDLE;
        let index = self.slots.iter().position(idle).unwrap_or_else(|| {
            if self.slots.len() == MOST {
                let oldest = (0..MOST).min_by_key(|&index| self.slots[index].frame).unwrap_or(0);
                self.slots.swap_remove(oldest);
            }
            self.slots.push(Slot {
                buffer: self.device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("status ring"),
                    size: size_of::<Record>() as u64,
                    usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                    mapped_at_creation: false,
                }),
                state: Arc::new(AtomicU8::new(IDLE)),
                frame: 0,
            });
            self.slots.len() - 1
        });
        &mut self.slots[index]
    }

    /// Records the read-back of `status` as it is after `frame` frames.
    pub fn record(&mut self, encoder: &mut wgpu::CommandEncoder, status: &wgpu::Buffer, frame: u64) {
        self.collect();
        let slot = self.idle();
        encoder.copy_buffer_to_buffer(status, 0, &slot.buffer, 0, size_of::<Record>() as u64);
        slot.frame = frame;
        slot.state.store(WAITING, Ordering::Release);
        let state = slot.state.clone();
        encoder.map_buffer_on_submit(&slot.buffer, wgpu::MapMode::Read, .., move |result| {
            state.store(if result.is_ok() { ARRIVED } else { LOST }, Ordering::Release);
        });
    }

    /// The status of the latest frame that has arrived. The host's `device.poll` or submit lets more arrive.
    pub fn latest(&mut self) -> Option<Status> {
        self.collect();
        self.latest
    }

    fn collect(&mut self) {
        for slot in &mut self.slots {
            if slot.state.load(Ordering::Acquire) == LOST {
                slot.state.store(IDLE, Ordering::Release);
            }
            if slot.state.load(Ordering::Acquire) != ARRIVED {
                continue;
            }
            let record = slot.buffer.get_mapped_range(..).map(|view| bytemuck::pod_read_unaligned::<Record>(&view));
            slot.buffer.unmap();
            slot.state.store(IDLE, Ordering::Release);
            if let Ok(record) = record
                && self.latest.is_none_or(|latest| latest.frame < slot.frame)
            {
                self.latest = Some(Status {
                    frame: slot.frame,
                    not_finite: record.flags & 1 != 0,
                    runaway: record.flags & 2 != 0,
                    slot: (record.flags != 0 && record.particle != u32::MAX).then_some(record.particle),
                    crowded: record.flags & 4 != 0,
                    contacts: record.contacts,
                    pairs_wanted: record.pairs,
                    shared_contacts_wanted: record.shared_contacts,
                    contacts_missing: record.missing_contacts,
                    segment_contacts_wanted: record.segments,
                    surface_pairs_wanted: record.surface_pairs,
                    surfaces_held: record.surfaces_held,
                    surfaces_forced: record.surfaces_forced,
                    spares_needed: record.spares,
                    spares_missing: 0,
                });
            }
        }
    }
}
