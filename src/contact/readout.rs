//! Reading back what touches, without blocking: recorded with a step, there when the device has done it.

use std::sync::Arc;

use super::{HEADER, Lists, OWN, ROOM};
use crate::model::{Against, Body, Contact};
use crate::solver::buffers::BufferRange;
use crate::solver::copies::Copies;
use crate::solver::download::Order;
use crate::solver::records::{self, NearContact, Properties};

/// Contacts on their way from the device. After the host has submitted the encoder and polled the device, [`ContactDownload::contacts`]
/// returns them.
pub struct ContactDownload {
    order: Arc<Order>,
    /// Of each body, m.
    radii: Vec<f64>,
    lists: Lists,
    /// Of the last substep.
    substep: usize,
    /// x, e, what each slot refers to, and where there are colliders the contacts.
    copies: Copies,
}

impl ContactDownload {
    /// `particles`: the buffers of x, e and the properties.
    pub(crate) fn record(
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        order: Arc<Order>,
        bodies: &[Body],
        particles: [BufferRange; 3],
        contacts: Option<(Lists, BufferRange)>,
    ) -> Self {
        let radii = bodies.iter().map(|body| body.radius).collect();
        let lists = contacts.map_or(Lists::Every, |(lists, _)| lists);
        let sources: Vec<BufferRange> = particles.into_iter().chain(contacts.map(|(_, range)| range)).collect();
        let substep = order.substeps as usize - 1;
        Self { order, radii, lists, substep, copies: Copies::record(device, encoder, &sources) }
    }

    /// Whether the contacts are there.
    pub fn is_ready(&self) -> bool {
        self.copies.is_ready()
    }

    /// Whether they will never arrive, because the device was lost.
    pub fn has_failed(&self) -> bool {
        self.copies.has_failed()
    }

    /// What presses in the last substep, or is held by adhesion, by particle and then collider; `None` while it is on its way.
    pub fn contacts(&self) -> Option<Vec<Contact>> {
        let (x, e): (Vec<[f32; 4]>, Vec<[f32; 4]>) = (self.copies.read(0)?, self.copies.read(1)?);
        let properties: Vec<Properties> = self.copies.read(2)?;
        let count = self.order.slot_of.len();
        let all: Vec<(usize, u32, records::Contact)> = match self.lists {
            Lists::Every => {
                let all: Vec<records::Contact> = self.copies.read(3).unwrap_or_default();
                let contact = |(index, contact)| (index % count, (index / count) as u32, contact);
                all.into_iter().enumerate().map(contact).collect()
            }
            Lists::Near => self.near(&self.copies.read(3)?, &x),
        };
        let felt = all.iter().filter(|(.., contact)| contact.lambda != 0.0);
        let contact = |&(slot, collider, contact): &(usize, u32, records::Contact)| {
            let centre = std::array::from_fn(|i| f64::from(x[slot][i]) + f64::from(e[slot][i]));
            Contact::of(
                (self.order.particle_of[slot], Against::Collider(collider)),
                (centre, self.radii[properties[slot].body as usize]),
                contact.normal.map(f64::from),
                (f64::from(contact.lambda), contact.tangential.map(f64::from)),
                self.order.implicit_seconds,
            )
        };
        let mut contacts: Vec<Contact> = felt.map(contact).collect();
        contacts.sort_by_key(|contact| (contact.particle, contact.against));
        Some(contacts)
    }

    /// Slot of the particle, collider and contact, of lists as `shaders/contact/near.wgsl` has them.
    fn near(&self, words: &[u32], x: &[[f32; 4]]) -> Vec<(usize, u32, records::Contact)> {
        let (header, slots) = words.split_at(HEADER);
        let slots: &[NearContact] = bytemuck::cast_slice(slots);
        let particles = self.order.slot_of.len();
        let (own, shared) = slots.split_at(OWN * particles);
        let fit = header[self.substep % 2] <= header[ROOM];
        let of = |slot: usize| {
            let NearContact { count, more, .. } = own[slot];
            let count = count as usize;
            let list: Vec<&NearContact> = match count > OWN && fit {
                true => shared[more as usize..][..count].iter().collect(),
                false => own[slot..].iter().step_by(particles).take(count.min(OWN)).collect(),
            };
            list.into_iter().map(move |near| (slot, near.collider, near.contact))
        };
        (0..particles).filter(|&slot| x[slot][3] > 0.0).flat_map(of).collect()
    }
}
