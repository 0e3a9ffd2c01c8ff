//! Contacts of particles with colliders: what `shaders/contact/` does, and there is why.

use super::particles::{double, four, three};
use super::shared::Shared;
use super::solve::Points;
use crate::constraint::Vec3;
use crate::contact::pose::Pose;
use crate::mesh::field::Field;
use crate::model::Shape;
use crate::model::shape::Solid;
use crate::solver::records::{Collider, Properties, Surface};
use wide::f32x4;

/// C of a particle that does not meet a collider, m.
const FAR: f32 = 1e30;

/// A particle against a collider, linear over the substep: C = offset + normal · d.
#[derive(Clone, Copy)]
pub struct Contact {
    normal: Vec3<f32>,
    offset: f32,
    tangential: Vec3<f32>,
    lambda: f32,
    carried: Vec3<f32>,
    approach: f32,
}

impl Contact {
    /// Out of the collider.
    pub fn normal(&self) -> [f64; 3] {
        double(self.normal)
    }

    /// λ along the normal and across it.
    pub fn multipliers(&self) -> (f64, [f64; 3]) {
        (f64::from(self.lambda), double(self.tangential))
    }
}

impl Default for Contact {
    fn default() -> Self {
        let zero = Vec3::zero();
        Self { normal: zero, offset: FAR, tangential: zero, lambda: 0.0, carried: zero, approach: 0.0 }
    }
}

/// What the contacts of a substep go by.
pub struct Contacts<'a> {
    /// Those of this substep.
    pub colliders: &'a [Collider],
    /// As they stand.
    pub poses: &'a [Pose<'a, f32>],
    /// How each body touches.
    pub surfaces: &'a [Surface],
    pub properties: &'a [Properties],
    pub points: Points<'a>,
    pub u: Shared<'a, f32x4>,
    /// Those of a particle after one another.
    pub contacts: Shared<'a, Contact>,
    /// H²
    pub seconds_squared: f32,
    /// 2 g h²: a slower approach is of gravity's own making.
    pub calm: f32,
    /// H/h: 1, and with BDF2 2/3.
    pub share: f32,
}

/// What presses or is held of the contacts of each slot with all colliders: the slot, the collider and the contact.
pub fn felt(contacts: &[Contact], colliders: usize) -> impl Iterator<Item = (usize, u32, &Contact)> {
    let of = move |(index, contact)| (index / colliders, (index % colliders) as u32, contact);
    contacts.iter().enumerate().filter(|(_, contact)| contact.lambda != 0.0).map(of)
}

impl Contacts<'_> {
    /// Finds the planes that bound a free particle's motion, from where it is predicted.
    pub fn detect(&self, slot: usize) {
        let x = self.points.x.read(slot);
        if x.to_array()[3] == 0.0 {
            return;
        }
        let (x, moved, way) = (three(x), three(self.points.d.read(slot)), three(self.u.read(slot)));
        let e = three(self.points.e.read(slot));
        let surface = self.surface(slot);
        for (k, collider) in self.colliders.iter().enumerate() {
            let mut contact = Contact::default();
            if surface.groups & collider.meets != 0 && collider.groups & surface.meets != 0 {
                let pose = &self.poses[k];
                let (at, low) = (x - of(collider.place), of(collider.place_low));
                let start = at + (e - low) + pose.displacement;
                let touch = pose.touch(start, at + (moved - low), surface.radius + collider.thickness, self.calm);
                contact.normal = touch.normal;
                contact.offset = touch.value - touch.normal.dot(moved);
                contact.carried = touch.carried;
                contact.approach = touch.normal.dot(way - touch.carried);
            }
            self.write(slot, k, contact);
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
            let carried = contact.carried * self.share;
            let mut hold = 0.0;
            if collider.adhesion > 0.0 {
                let hair = 1e-6 + 1e-3 * (surface.radius + collider.thickness);
                let touched = contact.offset + n.dot(e + carried) < hair;
                hold = if touched { collider.adhesion * self.seconds_squared } else { 0.0 };
            }
            let lambda = (contact.lambda - (contact.offset + n.dot(moved)) / w).max(-hold);
            moved += n * (w * (lambda - contact.lambda));

            let slip = moved - e - carried;
            let mut tangential = contact.tangential - (slip - n * n.dot(slip)) * (1.0 / w);
            let size = tangential.length();
            if size > 0.5 * (surface.friction + collider.friction) * (lambda + hold) {
                let bound = 0.5 * (surface.dynamic_friction + collider.dynamic_friction) * (lambda + hold);
                tangential = tangential * (bound / size);
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
                let now = contact.normal.dot(way - contact.carried);
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

/// A collider as it stands, with what its shape goes by.
pub fn pose<'a>(collider: &Collider, shape: &'a Shape) -> Pose<'a, f32> {
    let field = Field { samples: shape.samples(), nodes: collider.nodes, cell: collider.cell };
    let solid = Solid { shape: collider.shape, size: of(collider.size), field, inside: collider.inside != 0 };
    Pose {
        solid,
        axes: [of(collider.axis_x), of(collider.axis_y), of(collider.axis_z)],
        displacement: of(collider.displacement),
        turn: of(collider.turn),
        spin: of(collider.spin),
        belt: of(collider.belt),
        fine: if collider.spin != [0.0; 3] { 0.0 } else { solid.fine() },
    }
}
