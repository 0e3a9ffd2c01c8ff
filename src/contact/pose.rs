//! A collider in a substep, over f64 for the reference and the records, over f32 for the CPU engine: what `shaders/contact/pose.wgsl` does,
//! and there is why.

use crate::constraint::Vec3;
use crate::mesh::field::Number;
use crate::model::Collider;
use crate::model::rotation::{inverse, product, rotate, vector};
use crate::model::shape::Solid;

/// Where a collider stands at a substep's end and how it came there. Its place is not here: points are relative to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pose<'a, R> {
    pub solid: Solid<'a, R>,
    /// Of its frame, in the world.
    pub axes: [Vec3<R>; 3],
    /// Of its place over the substep, m.
    pub displacement: Vec3<R>,
    /// Its turn over the substep as a quaternion's vector: its axis times the sine of half its angle.
    pub turn: Vec3<R>,
    /// The same as its axis times its angle, rad.
    pub spin: Vec3<R>,
    /// Way of the surface beside that, m.
    pub belt: Vec3<R>,
}

/// What bounds a particle's motion at a collider in a substep.
pub(crate) struct Touch<R> {
    /// Out of the collider.
    pub normal: Vec3<R>,
    /// C where the particle is predicted, m: its distance from the bounding plane less its radius.
    pub value: R,
    /// The way of the collider's surface in the substep, m.
    pub carried: Vec3<R>,
}

impl<'a> Pose<'a, f64> {
    /// At the time `to`, having moved since `from`, s.
    pub fn new(collider: &'a Collider, from: f64, to: f64) -> Self {
        let (before, now) = (collider.rotation_at(from), collider.rotation_at(to));
        let turned = |v: [f64; 3]| Vec3::from(rotate(now, v));
        let turn = match collider.turning {
            None => [0.0; 3],
            Some(_) => vector(product(now, inverse(before))),
        };
        let (axis, angle) = Vec3::from(turn).direction_and_length();
        Self {
            solid: Solid::new(&collider.shape, collider.inside),
            axes: [turned([1.0, 0.0, 0.0]), turned([0.0, 1.0, 0.0]), turned([0.0, 0.0, 1.0])],
            displacement: Vec3::from(collider.position_at(to)) - Vec3::from(collider.position_at(from)),
            turn: axis * (0.5 * angle).sin(),
            spin: turn.into(),
            belt: turned(collider.belt) * (to - from),
        }
    }
}

impl<R: Number> Pose<'_, R> {
    /// What bounds the motion of a particle that is predicted at a place, relative to the collider's at the end of the substep.
    pub fn touch(&self, end: Vec3<R>, radius: R) -> Touch<R> {
        let (normal, distance) = self.distance(end);
        Touch { normal, value: distance - radius, carried: self.carried(end - normal * distance, normal) }
    }

    /// Outward normal and distance of a point relative to the collider's place.
    fn distance(&self, point: Vec3<R>) -> (Vec3<R>, R) {
        let [x, y, z] = self.axes;
        let (normal, distance) = self.solid.distance(Vec3::new(x.dot(point), y.dot(point), z.dot(point)));
        (x * normal.x + y * normal.y + z * normal.z, distance)
    }

    /// The way in the substep of a point of the surface, relative to the collider's place at the end.
    fn carried(&self, point: Vec3<R>, normal: Vec3<R>) -> Vec3<R> {
        let (one, two) = (R::from_f64(1.0), R::from_f64(2.0));
        let cosine = (one - self.turn.dot(self.turn)).sqrt();
        let chord = self.turn.cross(point * cosine - self.turn.cross(point)) * two;
        let along = self.displacement + self.belt + chord;
        let across = normal.dot(self.displacement + self.spin.cross(point));
        along + normal * (across - normal.dot(along))
    }
}
