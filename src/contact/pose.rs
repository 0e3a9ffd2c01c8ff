//! A collider in a substep, over f64 for the reference and the records, over f32 for the CPU engine: what `shaders/contact/pose.wgsl` does,
//! and there is why.

use crate::constraint::{Real, Vec3};
use crate::model::Collider;
use crate::model::rotation::{inverse, product, rotate, vector};
use crate::model::shape::Solid;

/// Where a collider stands at a substep's end and how it came there. Its place is not here: points are relative to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pose<R> {
    pub solid: Solid<R>,
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

impl Pose<f64> {
    /// At the time `to`, having moved since `from`, s.
    pub fn new(collider: &Collider, from: f64, to: f64) -> Self {
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

/// As many steps of a sweep find a first touch; what grazes a surface and needs more is held where they end, outside.
const STEPS: usize = 16;
/// A sweep ends with a step of less than this share of the way.
const SHORT_STEP: f64 = 1e-4;
/// Normals that differ by less than 60° are those of one side.
const SAME_SIDE: f64 = 0.5;

/// Where a particle stands to a collider.
#[derive(Clone, Copy)]
struct Near<R> {
    /// Of the particle, relative to the collider's place.
    point: Vec3<R>,
    normal: Vec3<R>,
    /// Its distance less its radius.
    gap: R,
}

impl<R: Real<Mask = bool>> Pose<R> {
    /// What bounds the motion of a particle that is at `start` relative to the collider's place as the substep begins, and predicted at
    /// `end` relative to its place as it ends. The plane is that of the surface where the way first touches; for what rests or slides there,
    /// as it comes with `calm` at most, that of the surface nearest to `end`, which follows a round shape, unless that is another side.
    pub fn touch(&self, start: Vec3<R>, end: Vec3<R>, radius: R, calm: R) -> Touch<R> {
        let near = self.near(end, radius);
        let way = end - self.turned(start);
        // Distances change by no more than the way.
        let first = if way.length().greater(near.gap) { self.first_touch(end - way, way, radius) } else { None };
        let Some((first, outside)) = first else {
            return Touch {
                normal: near.normal,
                value: near.gap,
                carried: self.carried(near.point, near.point, near.normal),
            };
        };
        let same_side = first.normal.dot(near.normal).greater(R::from_f64(SAME_SIDE));
        let passed = near.gap.greater(R::from_f64(0.0)) && outside;
        let struck = (-first.normal.dot(way)).greater(calm);
        // Nobody passes through the wall of a container.
        let bounding = if self.solid.inside || (same_side && !passed && !struck) { near } else { first };
        Touch {
            normal: bounding.normal,
            value: bounding.gap + bounding.normal.dot(end - bounding.point),
            carried: self.carried(first.point - first.normal * radius, bounding.point, bounding.normal),
        }
    }

    /// The first touch on a straight way in the frame of the collider as it stands at the end, and whether the way began outside. A
    /// convex solid lies beyond the plane through its nearest point: the way is free as far as that, and altogether if it ends before.
    fn first_touch(&self, from: Vec3<R>, way: Vec3<R>, radius: R) -> Option<(Near<R>, bool)> {
        let mut near = self.near(from, radius);
        let outside = near.gap.greater(R::from_f64(0.0));
        let mut rest = R::from_f64(1.0);
        for _ in 0..STEPS {
            let closing = -near.normal.dot(way);
            if !near.gap.greater(R::from_f64(0.0)) {
                break;
            }
            if !(closing * rest).greater(near.gap) {
                return None;
            }
            let step = near.gap / closing;
            rest = rest - step;
            near = self.near(from + way * (R::from_f64(1.0) - rest), radius);
            if R::from_f64(SHORT_STEP).greater(step) {
                break;
            }
        }
        Some((near, outside))
    }

    /// Outward normal and gap of a particle at a point relative to the collider's place.
    fn near(&self, point: Vec3<R>, radius: R) -> Near<R> {
        let [x, y, z] = self.axes;
        let own = Vec3::new(x.dot(point), y.dot(point), z.dot(point));
        // What a container leaves to the centre has corners: so one plane holds it from all faces that meet there.
        let (normal, gap) = match self.solid.inside {
            true => self.solid.shrunk(radius).distance(own),
            false => {
                let (normal, distance) = self.solid.distance(own);
                (normal, distance - radius)
            }
        };
        Near { point, normal: x * normal.x + y * normal.y + z * normal.z, gap }
    }

    /// The cosine of half the turn.
    fn cosine(&self) -> R {
        let squared = R::from_f64(1.0) - self.turn.dot(self.turn);
        R::select(squared.greater(R::from_f64(0.0)), squared, R::from_f64(0.0)).sqrt()
    }

    /// A point that turns along with the collider, from the beginning of the substep to its end.
    fn turned(&self, point: Vec3<R>) -> Vec3<R> {
        point + self.turn.cross(point * self.cosine() + self.turn.cross(point)) * R::from_f64(2.0)
    }

    /// The way of the surface in the substep: along it that of a point of its material, relative to the collider's place at the end;
    /// across it that which its velocity at a second point makes.
    fn carried(&self, material: Vec3<R>, point: Vec3<R>, normal: Vec3<R>) -> Vec3<R> {
        let chord = self.turn.cross(material * self.cosine() - self.turn.cross(material)) * R::from_f64(2.0);
        let along = self.displacement + self.belt + chord;
        let across = normal.dot(self.displacement + self.spin.cross(point));
        along + normal * (across - normal.dot(along))
    }
}
