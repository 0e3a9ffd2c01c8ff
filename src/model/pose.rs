//! A collider in a substep, over f64 for the reference and the records, over f32 for the CPU engine: what
//! `shaders/colliders/pose.wgsl` does, and there is why.

use crate::math::Vec3;
use crate::math::mask::{any_of, both, either, greatest, least, not, zero};
use crate::math::rotation::{inverse, product, rotate, vector};
use crate::mesh::field::Number;
use crate::model::Collider;
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
    /// A way shorter than this leads to no other side of it, nor much round it, m. What turns is followed for the sake
    /// of its surface's way.
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

impl<R: Number> Touch<R> {
    /// Limits how far a particle is pushed out that is inside as the substep begins, to `most`, m. `back` leads from
    /// the predicted place to the place where the particle began.
    #[inline(always)]
    pub fn limited(self, back: Vec3<R>, most: R) -> Self {
        let began = self.value + self.normal.dot(back + self.carried);
        Self { value: self.value + greatest(-(began + most), zero()), ..self }
    }
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
pub(crate) struct Near<R> {
    /// Of the particle, relative to the collider's place.
    point: Vec3<R>,
    pub normal: Vec3<R>,
    /// Its distance less its radius.
    pub gap: R,
}

impl<R: Number> Near<R> {
    #[inline(always)]
    fn either(mask: R::Mask, if_true: Self, if_false: Self) -> Self {
        Self {
            point: either(mask, if_true.point, if_false.point),
            normal: either(mask, if_true.normal, if_false.normal),
            gap: R::select(mask, if_true.gap, if_false.gap),
        }
    }
}

// All of it is inlined always and has no closures, for the sake of wide registers: see `src/cpu/lanes`.
impl<R: Number> Pose<'_, R> {
    /// What bounds the motion of a particle that is at `start` relative to the collider's place as the substep begins,
    /// and predicted at `end` relative to its place as it ends. The plane is that of the surface where the way first
    /// touches; for what rests or slides there, as it comes with `calm` at most, or is not fast, that of the surface
    /// nearest to `end`, which follows a round shape, unless that is another side.
    #[inline(always)]
    pub fn touch(&self, start: Vec3<R>, end: Vec3<R>, radius: R, calm: R) -> Touch<R> {
        let all = R::from_f64(1.0).greater(R::from_f64(0.0));
        self.touch_near(self.near(end, radius), self.way(start, end), radius, calm, all)
    }

    /// The same of what is known to end there with such a way; of those wanted, at least.
    #[inline(always)]
    pub fn touch_near(&self, near: Near<R>, way: Vec3<R>, radius: R, calm: R, wanted: R::Mask) -> Touch<R> {
        let plain =
            Touch { normal: near.normal, value: near.gap, carried: self.carried(near.point, near.point, near.normal) };
        // A way that is short beside the solid leads to no other side.
        let short = (self.fine * self.fine).greater(way.dot(way));
        let followed = both::<R>(wanted, not::<R>(any_of::<R>(self.is_apart(near.gap, way), short)));
        if !R::any(followed) {
            return plain;
        }
        let (touched, reached) = self.followed(near, way, radius, calm, followed);
        let touched_first = both::<R>(followed, reached);
        Touch {
            normal: either(touched_first, touched.normal, plain.normal),
            value: R::select(touched_first, touched.value, plain.value),
            carried: either(touched_first, touched.carried, plain.carried),
        }
    }

    /// No less than what a particle at a point, relative to the collider's place, may go in any direction without
    /// touching it. `None` where the point alone does not tell: of what turns, and of shapes that are known by samples.
    #[cfg(feature = "cpu")]
    pub fn least_gap(&self, point: Vec3<R>, radius: R) -> Option<R> {
        (self.solid.is_convex() && !self.turns()).then(|| self.near(point, radius).gap)
    }

    /// The way that ends there in the frame of the collider as it stands at the end.
    #[inline(always)]
    pub fn way(&self, start: Vec3<R>, end: Vec3<R>) -> Vec3<R> {
        end - self.turned(start)
    }

    /// Whether the way is too short to touch anything: distances change by no more than that.
    #[inline(always)]
    pub fn is_apart(&self, gap: R, way: Vec3<R>) -> R::Mask {
        let safe = gap * self.solid.safe_share();
        both::<R>(gap.greater(zero()), not::<R>(way.dot(way).greater(safe * safe)))
    }

    /// What bounds it where the way has to be followed to where it first touches, and whether it gets there.
    #[inline(always)]
    fn followed(&self, near: Near<R>, way: Vec3<R>, radius: R, calm: R, wanted: R::Mask) -> (Touch<R>, R::Mask) {
        let end = near.point;
        let (first, outside, reached) = self.first_touch(end - way, way, radius, wanted);
        let same_side = first.normal.dot(near.normal).greater(R::from_f64(SAME_SIDE));
        let passed = both::<R>(near.gap.greater(zero()), outside);
        let fast = R::from_f64(FAST) * self.fine;
        let fast = not::<R>((fast * fast).greater(way.dot(way)));
        let struck = (-first.normal.dot(way)).greater(calm);
        let follows = both::<R>(same_side, not::<R>(both::<R>(fast, any_of::<R>(passed, struck))));
        let bounding = if self.solid.is_convex() {
            // Nobody passes through the wall of a convex container.
            let inside = R::from_f64(if self.solid.inside { 1.0 } else { 0.0 });
            Near::either(any_of::<R>(inside.greater(zero()), follows), near, first)
        } else {
            Near::either(follows, near, self.further(first, end, radius))
        };
        let touch = Touch {
            normal: bounding.normal,
            value: bounding.gap + bounding.normal.dot(end - bounding.point),
            carried: self.carried(first.point - first.normal * radius, end, bounding.normal),
        };
        (touch, reached)
    }

    /// What bounds a particle that is held by the plane of a first touch: that plane, or where the surface bends
    /// inwards from it that of the surface nearest to where it would be held, if it is one side.
    #[inline(always)]
    fn further(&self, first: Near<R>, end: Vec3<R>, radius: R) -> Near<R> {
        let value = first.gap + first.normal.dot(end - first.point);
        let held = end - first.normal * least(value, zero());
        let near = self.near(held, radius);
        let same_side = first.normal.dot(near.normal).greater(R::from_f64(SAME_SIDE));
        Near::either(both::<R>(zero::<R>().greater(near.gap), same_side), near, first)
    }

    /// The first touch on a straight way in the frame of the collider as it stands at the end, whether the way began
    /// outside, and whether there is one. A convex solid lies beyond the plane through its nearest point: the way is
    /// free as far as that, and altogether if it ends before. Of another shape nothing is known but the distance, as
    /// far as which the way is free in every direction (sphere tracing, Hart 1996).
    #[inline(always)]
    fn first_touch(&self, from: Vec3<R>, way: Vec3<R>, radius: R, wanted: R::Mask) -> (Near<R>, R::Mask, R::Mask) {
        let one = R::from_f64(1.0);
        let (convex, safe) = (self.solid.is_convex(), self.solid.safe_share());
        let mut near = self.near(from, radius);
        // By more than a hair's breadth: what lies on the surface is on either side of it by a rounding.
        let outside = near.gap.greater(R::from_f64(1e-6) + R::from_f64(1e-3) * radius);
        let (mut rest, mut free) = (one, one);
        let mut under_way = both::<R>(wanted, near.gap.greater(zero()));
        let steps = if convex { STEPS } else { MORE_STEPS };
        for step_index in 0..=steps {
            if !R::any(under_way) {
                break;
            }
            let closing = if convex { -near.normal.dot(way) } else { way.length() / safe };
            let reaches = (closing * rest).greater(near.gap);
            free = R::select(both::<R>(under_way, not::<R>(reaches)), zero(), free);
            let step = near.gap / closing;
            under_way = both::<R>(both::<R>(under_way, reaches), not::<R>(R::from_f64(SHORT_STEP).greater(step)));
            if step_index == steps {
                break;
            }
            rest = R::select(under_way, rest - step, rest);
            near = Near::either(under_way, self.near(from + way * (one - rest), radius), near);
            under_way = both::<R>(under_way, near.gap.greater(zero()));
        }
        (near, outside, free.greater(zero()))
    }

    /// Outward normal and gap of a particle at a point relative to the collider's place.
    #[inline(always)]
    pub fn near(&self, point: Vec3<R>, radius: R) -> Near<R> {
        let [x, y, z] = self.axes;
        // The two most common shapes need no frame.
        if self.solid.shape == PLANE {
            return Near { point, normal: y, gap: y.dot(point) - radius };
        }
        let framed = self.solid.shape != SPHERE || self.solid.inside;
        let own = if framed { Vec3 { x: x.dot(point), y: y.dot(point), z: z.dot(point) } } else { point };
        // What a container leaves to the centre has corners: so one plane holds it from all faces that meet there.
        let shrinks = self.solid.inside && self.solid.is_convex();
        let solid = if shrinks { self.solid.shrunk(radius) } else { self.solid };
        let (normal, distance) = solid.distance(own);
        let gap = if shrinks { distance } else { distance - radius };
        let normal = if framed { x * normal.x + y * normal.y + z * normal.z } else { normal };
        Near { point, normal, gap }
    }

    /// Whether it turns in this substep.
    #[inline(always)]
    fn turns(&self) -> bool {
        R::any(self.spin.dot(self.spin).greater(zero()))
    }

    /// The cosine of half the turn.
    #[inline(always)]
    fn cosine(&self) -> R {
        greatest(R::from_f64(1.0) - self.turn.dot(self.turn), zero()).sqrt()
    }

    /// A point that turns along with the collider, from the beginning of the substep to its end.
    #[inline(always)]
    fn turned(&self, point: Vec3<R>) -> Vec3<R> {
        if !self.turns() {
            return point;
        }
        point + self.turn.cross(point * self.cosine() + self.turn.cross(point)) * R::from_f64(2.0)
    }

    /// The way of the surface in the substep: along it that of a point of its material, relative to the collider's
    /// place at the end; across it that which its velocity at a second point makes, where the particle gets to. (That
    /// where it first touches is another, and a rounding may decide which of the planes bounds what is neither slow nor
    /// fast.)
    #[inline(always)]
    pub fn carried(&self, material: Vec3<R>, point: Vec3<R>, normal: Vec3<R>) -> Vec3<R> {
        let (mut along, mut across) = (self.belt, zero());
        if self.turns() {
            let chord = self.turn.cross(material * self.cosine() - self.turn.cross(material)) * R::from_f64(2.0);
            along += chord;
            across = normal.dot(self.spin.cross(point));
        }
        self.displacement + along + normal * (across - normal.dot(along))
    }
}
