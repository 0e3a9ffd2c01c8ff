//! Contacts of particles with colliders: what `shaders/contact/` does, and there is why.

use super::particles::{four, three};
use super::shared::Shared;
use super::solve::Points;
use crate::constraint::Vec3;
use crate::solver::records::{Collider, Properties, Surface};
use wide::f32x4;

/// A particle against a collider, linear over the substep: C = offset + normal · d.
#[derive(Clone, Copy)]
pub struct Contact {
    normal: Vec3<f32>,
    offset: f32,
    tangential: Vec3<f32>,
    lambda: f32,
    approach: f32,
}

impl Default for Contact {
    fn default() -> Self {
        Self { normal: Vec3::zero(), offset: 0.0, tangential: Vec3::zero(), lambda: 0.0, approach: 0.0 }
    }
}

/// What the contacts of a substep go by.
pub struct Contacts<'a> {
    /// Those of this substep.
    pub colliders: &'a [Collider],
    /// How each body touches.
    pub surfaces: &'a [Surface],
    pub properties: &'a [Properties],
    pub points: Points<'a>,
    pub u: Shared<'a, f32x4>,
    /// Those of a particle after one another.
    pub contacts: Shared<'a, Contact>,
    /// 2 g h²: a slower approach is of gravity's own making.
    pub calm: f32,
    /// H/h: 1, and with BDF2 2/3.
    pub share: f32,
}

impl Contacts<'_> {
    /// Finds the planes that bound a free particle's motion, from where it is predicted.
    pub fn detect(&self, slot: usize) {
        let x = self.points.x.read(slot);
        if x.to_array()[3] == 0.0 {
            return;
        }
        let (x, moved, way) = (three(x), three(self.points.d.read(slot)), three(self.u.read(slot)));
        let radius = self.surface(slot).radius;
        for (k, collider) in self.colliders.iter().enumerate() {
            let (normal, gap) = nearest(collider, (x - of(collider.place)) + (moved - of(collider.place_low)));
            let offset = gap - radius - normal.dot(moved);
            let approach = normal.dot(way - of(collider.displacement));
            self.write(slot, k, Contact { normal, offset, approach, ..Contact::default() });
        }
    }

    /// Pushes a free particle out of the colliders, and holds it by friction.
    pub fn solve(&self, slot: usize) {
        let w = self.points.x.read(slot).to_array()[3];
        if w == 0.0 {
            return;
        }
        let surface = self.surface(slot);
        let (mut moved, e) = (three(self.points.d.read(slot)), three(self.points.e.read(slot)));
        for (k, collider) in self.colliders.iter().enumerate() {
            let mut contact = self.read(slot, k);
            let n = contact.normal;
            let lambda = (contact.lambda - (contact.offset + n.dot(moved)) / w).max(0.0);
            moved += n * (w * (lambda - contact.lambda));

            let slip = moved - e - of(collider.displacement) * self.share;
            let mut tangential = contact.tangential - (slip - n * n.dot(slip)) * (1.0 / w);
            let size = tangential.length();
            if size > 0.5 * (surface.friction + collider.friction) * lambda {
                tangential =
                    tangential * (0.5 * (surface.dynamic_friction + collider.dynamic_friction) * lambda / size);
            }
            moved += (tangential - contact.tangential) * w;
            (contact.lambda, contact.tangential) = (lambda, tangential);
            self.write(slot, k, contact);
        }
        self.points.d.write(slot, four(moved));
    }

    /// Gives a free particle that presses the speed with which it leaves. Returns how many colliders it presses against.
    pub fn rebound(&self, slot: usize) -> u32 {
        if self.points.x.read(slot).to_array()[3] == 0.0 {
            return 0;
        }
        let restitution = self.surface(slot).restitution;
        let mut way = three(self.u.read(slot));
        let mut pressing = 0;
        for (k, collider) in self.colliders.iter().enumerate() {
            let contact = self.read(slot, k);
            if contact.lambda > 0.0 {
                let leaving = -0.5 * (restitution + collider.restitution) * contact.approach;
                let wanted = if contact.approach < -self.calm { leaving } else { 0.0 };
                let now = contact.normal.dot(way - of(collider.displacement));
                way += contact.normal * (wanted - now);
                pressing += 1;
            }
        }
        if pressing > 0 {
            self.u.write(slot, four(way));
        }
        pressing
    }

    /// The normals of what a free particle presses against, and whether that is an impact.
    pub fn pressing(&self, slot: usize) -> impl Iterator<Item = (f32x4, bool)> {
        let contacts =
            (0..self.colliders.len()).map(move |k| self.read(slot, k)).filter(|contact| contact.lambda > 0.0);
        contacts.map(|contact| (four(contact.normal), contact.approach < -self.calm))
    }

    fn surface(&self, slot: usize) -> &Surface {
        &self.surfaces[self.properties[slot].body as usize]
    }

    fn read(&self, slot: usize, collider: usize) -> Contact {
        self.contacts.read(slot * self.colliders.len() + collider)
    }

    fn write(&self, slot: usize, collider: usize, contact: Contact) {
        self.contacts.write(slot * self.colliders.len() + collider, contact);
    }
}

fn of([x, y, z]: [f32; 3]) -> Vec3<f32> {
    Vec3 { x, y, z }
}

/// Outward normal and distance to the surface of a point relative to the collider's place.
fn nearest(collider: &Collider, point: Vec3<f32>) -> (Vec3<f32>, f32) {
    if collider.shape == 0 {
        let normal = of(collider.normal);
        return (normal, normal.dot(point));
    }
    let length = point.length();
    let outward = if length > 0.0 { point * (1.0 / length) } else { Vec3::axis(1) };
    let gap = length - collider.radius;
    if collider.shape == 2 { (-outward, -gap) } else { (outward, gap) }
}
