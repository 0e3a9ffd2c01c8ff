//! Reading back what touches, without blocking: recorded with a step, there when the device has done it.

use std::sync::Arc;

use crate::model::{Against, Body, Contact};
use crate::solver::buffers::BufferRange;
use crate::solver::copies::Copies;
use crate::solver::download::Order;
use crate::solver::records::{self, Properties};

/// Contacts on their way from the device. After the host has submitted the encoder and polled the device, [`ContactDownload::contacts`]
/// returns them.
pub struct ContactDownload {
    order: Arc<Order>,
    /// Of each body, m.
    radii: Vec<f64>,
    /// x, e, what each slot refers to, and where there are colliders the contacts of all slots with the first, the second ...
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
        contacts: Option<BufferRange>,
    ) -> Self {
        let radii = bodies.iter().map(|body| body.radius).collect();
        let sources: Vec<BufferRange> = particles.into_iter().chain(contacts).collect();
        Self { order, radii, copies: Copies::record(device, encoder, &sources) }
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
        let all: Vec<records::Contact> = self.copies.read(3).unwrap_or_default();
        let felt = all.iter().enumerate().filter(|(_, contact)| contact.lambda != 0.0);
        let contact = |(index, contact): (usize, &records::Contact)| {
            let (collider, slot) = (index / x.len(), index % x.len());
            let centre = std::array::from_fn(|i| f64::from(x[slot][i]) + f64::from(e[slot][i]));
            Contact::of(
                (self.order.particle_of[slot], Against::Collider(collider as u32)),
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
}
