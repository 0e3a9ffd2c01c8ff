//! A collider in a substep, over f64 for the reference and the records, over f32 for the CPU engine: what `shaders/contact/pose.wgsl` does,
//! and there is why.

use crate::constraint::Vec3;
use crate::mesh::field::Number;
use crate::model::Collider;
use crate::model::rotation::{inverse, product, rotate, vector};
use crate::model::shape::{PLANE, SPHERE, Solid};

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
    /// A way shorter than this leads to no other side of it, nor much round it, m. What turns is followed for the sake of its surface's way.
    pub fine: R,
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
        let solid = Solid::new(&collider.shape, collider.inside);
        Self {
            solid,
            axes: [turned([1.0, 0.0, 0.0]), turned([0.0, 1.0, 0.0]), turned([0.0, 0.0, 1.0])],
            displacement: Vec3::from(collider.position_at(to)) - Vec3::from(collider.position_at(from)),
            turn: axis * (0.5 * angle).sin(),
            spin: turn.into(),
            belt: turned(collider.belt) * (to - from),
            fine: if angle > 0.0 { 0.0 } else { solid.fine() },
        }
    }
}

/// As many steps of a sweep find a first touch; what grazes a surface and needs more is held where they end, outside.
const STEPS: usize = 16;
/// The same where steps go by the distance alone.
const MORE_STEPS: usize = 64;
/// A sweep ends with a step of less than this share of the way.
const SHORT_STEP: f64 = 1e-4;
/// What goes further than so many times `fine` in one substep is held where it first touched.
const FAST: f64 = 10.0;
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

impl<R: Number> Pose<'_, R> {
    /// What bounds the motion of a particle that is at `start` relative to the collider's place as the substep begins, and predicted at
    /// `end` relative to its place as it ends. The plane is that of the surface where the way first touches; for what rests or slides there,
    /// as it comes with `calm` at most, or is not fast, that of the surface nearest to `end`, which follows a round shape, unless that is
    /// another side.
    #[inline]
    pub fn touch(&self, start: Vec3<R>, end: Vec3<R>, radius: R, calm: R) -> Touch<R> {
        let near = self.near(end, radius);
        let way = end - self.turned(start);
        // A way that is short beside the solid leads to no other side.
        let short = (self.fine * self.fine).greater(way.dot(way));
        if self.is_apart(near.gap, way) || short {
            return Touch { normal: near.normal, value: near.gap, carried: self.carried(end, end, near.normal) };
        }
        self.followed(near, way, radius, calm)
    }

    /// How far a particle that ends there may surely go from there without touching it, if its way is too short to touch anything.
    #[inline]
    #[cfg(feature = "cpu")]
    pub fn free(&self, start: Vec3<R>, end: Vec3<R>, radius: R) -> Option<R> {
        let gap = self.near(end, radius).gap;
        let way = end - self.turned(start);
        self.is_apart(gap, way).then(|| self.solid.sure_gap(gap, radius))
    }

    /// No less than what a particle at a point, relative to the collider's place, may go in any direction without touching it. `None` where the
    /// point alone does not tell: of what turns, and of shapes that are known by samples.
    #[cfg(feature = "cpu")]
    pub fn least_gap(&self, point: Vec3<R>, radius: R) -> Option<R> {
        (self.solid.is_convex() && !self.turns()).then(|| self.near(point, radius).gap)
    }

    /// Distances change by no more than the way.
    fn is_apart(&self, gap: R, way: Vec3<R>) -> bool {
        let safe = gap * self.solid.safe_share();
        gap.greater(R::from_f64(0.0)) && !way.dot(way).greater(safe * safe)
    }

    /// What bounds it where the way has to be followed to where it first touches.
    #[inline(never)]
    fn followed(&self, near: Near<R>, way: Vec3<R>, radius: R, calm: R) -> Touch<R> {
        let end = near.point;
        let Some((first, outside)) = self.first_touch(end - way, way, radius) else {
            return Touch { normal: near.normal, value: near.gap, carried: self.carried(end, end, near.normal) };
        };
        let same_side = first.normal.dot(near.normal).greater(R::from_f64(SAME_SIDE));
        let passed = near.gap.greater(R::from_f64(0.0)) && outside;
        let fast = R::from_f64(FAST) * self.fine;
        let fast = !(fast * fast).greater(way.dot(way));
        let struck = (-first.normal.dot(way)).greater(calm);
        // Nobody passes through the wall of a convex container.
        let (bounding, place) =
            match (self.solid.inside && self.solid.is_convex()) || (same_side && !(fast && (passed || struck))) {
                true => (near, near.point),
                false if self.solid.is_convex() => (first, first.point),
                false => (self.further(first, end, radius), first.point),
            };
        Touch {
            normal: bounding.normal,
            value: bounding.gap + bounding.normal.dot(end - bounding.point),
            carried: self.carried(first.point - first.normal * radius, place, bounding.normal),
        }
    }

    /// What bounds a particle that is held by the plane of a first touch: that plane, or where the surface bends inwards from it that of the
    /// surface nearest to where it would be held, if it is one side.
    fn further(&self, first: Near<R>, end: Vec3<R>, radius: R) -> Near<R> {
        let zero = R::from_f64(0.0);
        let value = first.gap + first.normal.dot(end - first.point);
        let held = end - first.normal * R::select(zero.greater(value), value, zero);
        let near = self.near(held, radius);
        let same_side = first.normal.dot(near.normal).greater(R::from_f64(SAME_SIDE));
        if zero.greater(near.gap) && same_side { near } else { first }
    }

    /// The first touch on a straight way in the frame of the collider as it stands at the end, and whether the way began outside. A
    /// convex solid lies beyond the plane through its nearest point: the way is free as far as that, and altogether if it ends before. Of
    /// another shape nothing is known but the distance, as far as which the way is free in every direction (sphere tracing, Hart 1996).
    fn first_touch(&self, from: Vec3<R>, way: Vec3<R>, radius: R) -> Option<(Near<R>, bool)> {
        let mut near = self.near(from, radius);
        let outside = near.gap.greater(R::from_f64(0.0));
        let mut rest = R::from_f64(1.0);
        let (convex, safe) = (self.solid.is_convex(), self.solid.safe_share());
        for _ in 0..if convex { STEPS } else { MORE_STEPS } {
            if !near.gap.greater(R::from_f64(0.0)) {
                break;
            }
            let closing = if convex { -near.normal.dot(way) } else { way.length() / safe };
            if !(closing * rest).greater(near.gap) {
                return None;
            }
            let step = near.gap / closing;
            if R::from_f64(SHORT_STEP).greater(step) {
                break;
            }
            rest = rest - step;
            near = self.near(from + way * (R::from_f64(1.0) - rest), radius);
        }
        Some((near, outside))
    }

    /// Outward normal and gap of a particle at a point relative to the collider's place.
    fn near(&self, point: Vec3<R>, radius: R) -> Near<R> {
        let [x, y, z] = self.axes;
        // The two most common shapes need no frame.
        if self.solid.shape == PLANE {
            return Near { point, normal: y, gap: y.dot(point) - radius };
        }
        if self.solid.shape == SPHERE && !self.solid.inside {
            let (normal, distance) = self.solid.distance(point);
            return Near { point, normal, gap: distance - radius };
        }
        let own = Vec3::new(x.dot(point), y.dot(point), z.dot(point));
        // What a container leaves to the centre has corners: so one plane holds it from all faces that meet there.
        let (normal, gap) = match self.solid.inside && self.solid.is_convex() {
            true => self.solid.shrunk(radius).distance(own),
            false => {
                let (normal, distance) = self.solid.distance(own);
                (normal, distance - radius)
            }
        };
        Near { point, normal: x * normal.x + y * normal.y + z * normal.z, gap }
    }

    /// Whether it turns in this substep.
    fn turns(&self) -> bool {
        self.spin.dot(self.spin).greater(R::from_f64(0.0))
    }

    /// The cosine of half the turn.
    fn cosine(&self) -> R {
        let squared = R::from_f64(1.0) - self.turn.dot(self.turn);
        R::select(squared.greater(R::from_f64(0.0)), squared, R::from_f64(0.0)).sqrt()
    }

    /// A point that turns along with the collider, from the beginning of the substep to its end.
    fn turned(&self, point: Vec3<R>) -> Vec3<R> {
        if !self.turns() {
            return point;
        }
        point + self.turn.cross(point * self.cosine() + self.turn.cross(point)) * R::from_f64(2.0)
    }

    /// The way of the surface in the substep: along it that of a point of its material, relative to the collider's place at the end;
    /// across it that which its velocity at a second point makes.
    fn carried(&self, material: Vec3<R>, point: Vec3<R>, normal: Vec3<R>) -> Vec3<R> {
        let (mut along, mut across) = (self.belt, R::from_f64(0.0));
        if self.turns() {
            let chord = self.turn.cross(material * self.cosine() - self.turn.cross(material)) * R::from_f64(2.0);
            along += chord;
            across = normal.dot(self.spin.cross(point));
        }
        self.displacement + along + normal * (across - normal.dot(along))
    }
}
