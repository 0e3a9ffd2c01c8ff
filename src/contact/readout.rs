//! Reading back what touches, without blocking: recorded with a step, there when the device has done it.

use std::sync::Arc;

use super::pairs::PressedPairs;
use super::{HEADER, Lists, OWN, ROOM};
use crate::engine::records::{self, NearContact, Pressed, Properties};
use crate::model::{Against, Contact, Model};
use crate::solver::buffers::BufferRange;
use crate::solver::copies::Copies;
use crate::solver::download::Order;

/// What contacts are read from.
pub(crate) struct Sources<'a> {
    /// x, e, and what each slot refers to.
    pub particles: [BufferRange<'a>; 3],
    pub contacts: Option<(Lists, BufferRange<'a>)>,
    pub pressed: Option<PressedPairs>,
}

/// Contacts on their way from the device. After the host has submitted the encoder and polled the device, [`ContactDownload::contacts`]
/// returns them.
pub struct ContactDownload {
    order: Arc<Order>,
    /// Of each body, m.
    radii: Vec<f64>,
    /// Which colliders are triggers.
    triggers: Vec<bool>,
    lists: Lists,
    /// Of the last substep.
    substep: usize,
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
        model: &Model,
        from: Sources,
    ) -> Self {
        let mut sources = from.particles.to_vec();
        let contacts = from.contacts.map(|(_, range)| {
            sources.push(range);
            sources.len() - 1
        });
        let pressed = from.pressed.as_ref().map(|pressed| {
            sources.extend([&pressed.count, &pressed.pairs].map(BufferRange::all));
            (sources.len() - 2, pressed.pairs.size() as usize / size_of::<Pressed>())
        });
        let radii = model.bodies.iter().map(|body| body.radius).collect();
        let triggers = model.colliders.iter().map(|collider| collider.trigger).collect();
        let lists = from.contacts.map_or(Lists::Every, |(lists, _)| lists);
        let substep = order.substeps as usize - 1;
        let copies = Copies::record(device, encoder, &sources);
        Self { order, radii, triggers, lists, substep, copies, contacts, pressed }
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
        let struck = |&(slot, collider, contact): &(usize, u32, records::Contact)| {
            let (particle, centre, radius) = ball(slot);
            if self.triggers[collider as usize] {
                return Contact::in_trigger((particle, collider), (centre, radius), double(contact.normal));
            }
            let particles = (particle, Against::Collider(collider));
            let multipliers = (f64::from(contact.lambda), double(contact.tangential));
            Contact::of(particles, (centre, radius), double(contact.normal), multipliers, seconds)
        };
        let met = |pair: &Pressed| {
            let ends = [pair.first, pair.second].map(|slot| ball(slot as usize));
            let multipliers = (f64::from(pair.lambda), double(pair.tangential));
            Contact::between(ends, double(pair.normal), multipliers, seconds)
        };
        let all = match (self.contacts, self.lists) {
            (None, _) => Vec::new(),
            (Some(at), Lists::Every) => self.every(&self.copies.read::<records::Contact>(at)?),
            (Some(at), Lists::Near) => self.near(&self.copies.read(at)?, &x),
        };
        // Friction's λ of a trigger tells that something is in it (contact/solve.wgsl).
        let within =
            |collider: u32, contact: &records::Contact| self.triggers[collider as usize] && contact.tangential[0] > 0.0;
        let felt = all.iter().filter(|(_, collider, contact)| contact.lambda != 0.0 || within(*collider, contact));
        let mut contacts: Vec<Contact> = felt.map(struck).collect();
        if let Some((at, _)) = self.pressed {
            let (count, pairs): (Vec<u32>, Vec<Pressed>) = (self.copies.read(at)?, self.copies.read(at + 1)?);
            contacts.extend(pairs.iter().take(count[0] as usize).map(met));
        }
        contacts.sort_by_key(|contact| (contact.particle, contact.against));
        Some(contacts)
    }

    /// Slot of the particle, collider and contact, of all slots with the first collider, the second ...
    fn every(&self, contacts: &[records::Contact]) -> Vec<(usize, u32, records::Contact)> {
        let particles = self.order.slot_of.len();
        let contact = |(index, &contact)| (index % particles, (index / particles) as u32, contact);
        contacts.iter().enumerate().map(contact).collect()
    }

    /// The same of lists as `shaders/contact/near.wgsl` has them.
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

    /// Pairs of particles that press and are missing in [`ContactDownload::contacts`]: there is room for six a particle, as many as balls of
    /// one size can have, or for as many as the device's largest binding holds. `None` while it is on its way.
    pub fn missing(&self) -> Option<usize> {
        let Some((at, room)) = self.pressed else { return self.is_ready().then_some(0) };
        Some((self.copies.read::<u32>(at)?[0] as usize).saturating_sub(room))
    }
}
