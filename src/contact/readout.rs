//! Reading back what touches, without blocking: recorded with a step, there when the device has done it.

use std::sync::Arc;

use super::pairs::PressedPairs;
use crate::model::{Against, Body, Contact};
use crate::solver::buffers::BufferRange;
use crate::solver::copies::Copies;
use crate::solver::download::Order;
use crate::solver::records::{self, Pressed, Properties};

/// What contacts are read from.
pub(crate) struct Sources<'a> {
    /// x, e, and what each slot refers to.
    pub particles: [BufferRange<'a>; 3],
    /// Of all slots with the first collider, the second ...
    pub contacts: Option<BufferRange<'a>>,
    pub pressed: Option<PressedPairs>,
}

/// Contacts on their way from the device. After the host has submitted the encoder and polled the device, [`ContactDownload::contacts`]
/// returns them.
pub struct ContactDownload {
    order: Arc<Order>,
    /// Of each body, m.
    radii: Vec<f64>,
    copies: Copies,
    /// Which of the copies is of contacts with colliders.
    contacts: Option<usize>,
    /// Where those of pairs begin, their count and themselves, and for how many there is room.
    pressed: Option<(usize, usize)>,
}

impl ContactDownload {
    pub(crate) fn record(
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        order: Arc<Order>,
        bodies: &[Body],
        from: Sources,
    ) -> Self {
        let mut sources = from.particles.to_vec();
        let contacts = from.contacts.map(|range| {
            sources.push(range);
            sources.len() - 1
        });
        let pressed = from.pressed.as_ref().map(|pressed| {
            sources.extend([&pressed.count, &pressed.pairs].map(BufferRange::all));
            (sources.len() - 2, pressed.pairs.size() as usize / size_of::<Pressed>())
        });
        let radii = bodies.iter().map(|body| body.radius).collect();
        Self { order, radii, copies: Copies::record(device, encoder, &sources), contacts, pressed }
    }

    /// Whether the contacts are there.
    pub fn is_ready(&self) -> bool {
        self.copies.is_ready()
    }

    /// Whether they will never arrive, because the device was lost.
    pub fn has_failed(&self) -> bool {
        self.copies.has_failed()
    }

    /// What presses in the last substep, or is held by adhesion, by particle and then collider or other particle; `None` while it is on its
    /// way.
    pub fn contacts(&self) -> Option<Vec<Contact>> {
        let (x, e): (Vec<[f32; 4]>, Vec<[f32; 4]>) = (self.copies.read(0)?, self.copies.read(1)?);
        let properties: Vec<Properties> = self.copies.read(2)?;
        let seconds = self.order.implicit_seconds;
        let ball = |slot: usize| {
            let centre: [f64; 3] = std::array::from_fn(|i| f64::from(x[slot][i]) + f64::from(e[slot][i]));
            (self.order.particle_of[slot], centre, self.radii[properties[slot].body as usize])
        };
        let double = |v: [f32; 3]| v.map(f64::from);
        let struck = |(index, contact): (usize, &records::Contact)| {
            let (particle, centre, radius) = ball(index % x.len());
            let particles = (particle, Against::Collider((index / x.len()) as u32));
            let multipliers = (f64::from(contact.lambda), double(contact.tangential));
            Contact::of(particles, (centre, radius), double(contact.normal), multipliers, seconds)
        };
        let met = |pair: &Pressed| {
            let ends = [pair.first, pair.second].map(|slot| ball(slot as usize));
            let multipliers = (f64::from(pair.lambda), double(pair.tangential));
            Contact::between(ends, double(pair.normal), multipliers, seconds)
        };
        let all: Vec<records::Contact> = self.contacts.and_then(|at| self.copies.read(at)).unwrap_or_default();
        let felt = all.iter().enumerate().filter(|(_, contact)| contact.lambda != 0.0);
        let mut contacts: Vec<Contact> = felt.map(struck).collect();
        if let Some((at, _)) = self.pressed {
            let (count, pairs): (Vec<u32>, Vec<Pressed>) = (self.copies.read(at)?, self.copies.read(at + 1)?);
            contacts.extend(pairs.iter().take(count[0] as usize).map(met));
        }
        contacts.sort_by_key(|contact| (contact.particle, contact.against));
        Some(contacts)
    }

    /// Pairs of particles that press and are missing in [`ContactDownload::contacts`]: there is room for six a particle, as many as balls of
    /// one size can have, or for as many as the device's largest binding holds. `None` while it is on its way.
    pub fn missing(&self) -> Option<usize> {
        let Some((at, room)) = self.pressed else { return self.is_ready().then_some(0) };
        Some((self.copies.read::<u32>(at)?[0] as usize).saturating_sub(room))
    }
}
