//! Finds what touches: pairs of features whose boxes meet on their ways, and whose axes say that they come near.

use std::sync::atomic::Ordering;

use wide::f32x4;

use super::tree::{Extent, NOTHING, joined};
use super::{Now, View, locked};
use crate::cpu::particles::{CROWDED, Signs, three};
use crate::cpu::shared::Shared;
use crate::cpu::team::Member;
use crate::law::contact::{Impulse, approach};
use crate::law::surface::{Certificate, Contact, FLOOR, Motion, weighted};
use crate::math::Vec3;
use crate::pass::surfaces::features::Pair;

/// Pairs whose faces' boxes meet for which a thread has time: beyond is a crowd in one place.
const CROWD: usize = 1 << 25;
/// Pairs are found that come nearer than their distance and so many of the sum of their radii. What is not found stays
/// apart as long as each vertex stays within so many radii of where it was as it was sought.
pub const SLACK: f32 = 2.0 * FLOOR as f32;
/// Vertices of which the mean way is taken.
const SAMPLES: usize = 256;

impl View<'_> {
    /// Finds all contacts. Begins with what others did to d, and ends with a meeting.
    pub fn search(&self, member: &Member, now: &Now, signs: &Signs) {
        let common = self.common_way(now);
        if member.index == 0 {
            self.common.write(0, common);
        }
        for &slot in &self.vertices[member.share(self.vertices.len())] {
            self.sought.write(slot as usize, now.points.d.read(slot as usize));
        }
        self.tree.make(member, |face| {
            self.flat.measure(now, self.surfaces, face);
            self.swept(now, face, common)
        });
        for &slot in &self.vertices[member.share(self.vertices.len())] {
            self.flat.look(self.around, slot, self.radii[self.body_at(slot) as usize]);
        }
        member.meet();
        let mut found = locked(&self.found[member.index]);
        found.clear();
        let mut count = 0;
        for face in member.share(self.surfaces.faces.len()) {
            let mine = self.swept_face(now, face, face);
            let goes_on = self.tree.meeting(face, face + 1, |other| {
                count += 1;
                if !self.are_flat(face, other) {
                    let two = self.two(now, [face, other], &mine);
                    two.each(self, now, SLACK, |near| found.push(self.contact(now, near)));
                }
                count < CROWD
            });
            if !goes_on {
                signs.flags.fetch_or(CROWDED, Ordering::Relaxed);
                break;
            }
        }
        drop(found);
        member.meet();
    }

    /// The mean way of some vertices: boxes are of ways less this one, so that what falls together stays apart.
    pub fn common_way(&self, now: &Now) -> f32x4 {
        let step = self.vertices.len().div_ceil(SAMPLES);
        let way = |&slot: &u32| now.points.d.read(slot as usize) - now.points.e.read(slot as usize);
        let (sum, count) = self
            .vertices
            .iter()
            .step_by(step)
            .map(way)
            .fold((f32x4::ZERO, 0.0), |(sum, count), way| (sum + way, count + 1.0));
        sum * f32x4::splat(1.0 / count)
    }

    /// The box round the way of a face.
    pub fn swept(&self, now: &Now, face: usize, common: f32x4) -> Extent {
        let end = |slot: u32| {
            let (x, d, e) = (&now.points.x, &now.points.d, &now.points.e);
            let (x, d, e) = (x.read(slot as usize), d.read(slot as usize), e.read(slot as usize));
            let (begin, end) = (x + e, x + (d - common));
            [begin.fast_min(end), begin.fast_max(end)]
        };
        let extent = self.surfaces.faces[face].corners.map(end).into_iter().fold(NOTHING, joined);
        let radius = self.radii[self.surfaces.body_of[face] as usize];
        let reach = f32x4::splat((1.0 + 2.0 * SLACK) * radius + now.rounding);
        [extent[0] - reach, extent[1] + reach]
    }

    /// Whether two faces are in one flat ring.
    fn are_flat(&self, one: usize, other: usize) -> bool {
        let [one, other] = [one, other].map(|face| self.surfaces.faces[face].corners);
        one.iter().any(|&slot| other.contains(&slot) && self.flat.is_flat(slot))
    }

    /// Where a face goes, relative to the first corner of another.
    pub fn swept_face(&self, now: &Now, face: usize, from: usize) -> SweptFace {
        let origin = now.points.x.read(self.surfaces.faces[from].corners[0] as usize);
        let slots = self.surfaces.faces[face].corners.map(|slot| slot as usize);
        let anchors = slots.map(|slot| now.points.x.read(slot) - origin);
        let places = |list: &Shared<f32x4>| -> [Vec3<f32>; 3] {
            std::array::from_fn(|k| three(anchors[k] + list.read(slots[k])))
        };
        let (begin, end) = (places(&now.points.e), places(&now.points.d));
        let free = slots.iter().any(|&slot| now.points.x.read(slot).to_array()[3] > 0.0);
        SweptFace { begin, end, free }
    }

    /// Two faces, of which one is known.
    #[inline(always)]
    pub fn two(&self, now: &Now, faces: [usize; 2], mine: &SweptFace) -> TwoFaces {
        let bodies = faces.map(|face| self.surfaces.body_of[face]);
        let sum = bodies.iter().map(|&body| self.radii[body as usize]).sum();
        TwoFaces { faces, bodies, sum, swept: [*mine, self.swept_face(now, faces[1], faces[0])] }
    }

    /// The contact of a pair that comes near.
    fn contact(&self, now: &Now, near: Near) -> Contact<f32> {
        let Near { pair: (features, vertices), bodies, motion, certificate, distance } = near;
        let (axis, weights) = (certificate.axis, motion.weights(distance, &certificate));
        let along = axis.dot(weighted(&weights, &vertices.map(|slot| three(now.u.read(slot as usize)))));
        Contact {
            vertices,
            features,
            axis,
            weights,
            distance,
            offset: axis.dot(weighted(&weights, &now.anchors(vertices).map(three))) - distance,
            touch: self.touch(now, bodies),
            approach: approach(certificate.before, distance, along),
            impulse: Impulse::none(),
        }
    }
}

/// Where the corners of a face go.
#[derive(Clone, Copy)]
pub struct SweptFace {
    begin: [Vec3<f32>; 3],
    end: [Vec3<f32>; 3],
    /// Whether one of them is.
    free: bool,
}

/// Two faces whose boxes meet.
pub struct TwoFaces {
    faces: [usize; 2],
    bodies: [u32; 2],
    /// Of the radii, m.
    sum: f32,
    swept: [SweptFace; 2],
}

/// A pair of features that comes near.
pub struct Near {
    pub pair: Pair,
    pub bodies: [u32; 2],
    pub motion: Motion<f32>,
    pub certificate: Certificate<f32>,
    /// At which it touches, m.
    pub distance: f32,
}

/// Those of six that four corners have.
#[inline(always)]
fn each_of<T: Copy>([a, b, c, d]: [usize; 4], all: &[T; 6]) -> [T; 4] {
    [all[a], all[b], all[c], all[d]]
}

impl TwoFaces {
    /// Calls for all pairs of their features that come nearer than the distance at which they touch and so much of the
    /// sum of their radii.
    #[inline(always)]
    pub fn each(&self, view: &View, now: &Now, slack: f32, mut each: impl FnMut(Near)) {
        let Self { faces, bodies, sum, swept: [mine, theirs] } = self;
        let reach = (1.0 + slack) * sum;
        if !(mine.free || theirs.free) || self.are_far_apart(reach) {
            return;
        }
        let corners = view.surfaces.corners(*faces);
        let both = |one: [Vec3<f32>; 3], other: [Vec3<f32>; 3]| [one[0], one[1], one[2], other[0], other[1], other[2]];
        let (begin, end) = (both(mine.begin, theirs.begin), both(mine.end, theirs.end));
        view.surfaces.pairs(*faces, |features, places| {
            let motion = Motion { features, begin: each_of(places, &begin), end: each_of(places, &end) };
            if motion.are_far_apart(reach) {
                return;
            }
            let certificate = motion.certificate();
            let vertices = each_of(places, &corners);
            if certificate.before <= 0.0 || certificate.gap >= reach || now.masses(vertices) == [0.0; 4] {
                return;
            }
            let pair = (features, vertices);
            let distance = view.distance(*bodies, pair);
            if certificate.gap < distance + slack * sum {
                each(Near { pair, bodies: *bodies, motion, certificate, distance });
            }
        });
    }

    /// Whether the faces are farther apart than `reach` where they begin and where they end, along the axis through
    /// their middles or along one of their normals where they end.
    #[inline(always)]
    fn are_far_apart(&self, reach: f32) -> bool {
        let [mine, theirs] = &self.swept;
        let middle = |[a, b, c]: [Vec3<f32>; 3]| a + b + c;
        let normal = |[a, b, c]: [Vec3<f32>; 3]| (b - a).cross(c - a);
        let between = middle(mine.end) - middle(theirs.end);
        [between, normal(mine.end), normal(theirs.end)].into_iter().any(|axis| {
            let wanted = reach * axis.length();
            let apart = |one: &[Vec3<f32>; 3], other: &[Vec3<f32>; 3]| {
                let [one, other] = [one, other].map(|corners| corners.map(|corner| axis.dot(corner)));
                let least = |[a, b, c]: [f32; 3]| a.min(b).min(c);
                let most = |[a, b, c]: [f32; 3]| a.max(b).max(c);
                [least(one) - most(other), least(other) - most(one)]
            };
            let (begin, end) = (apart(&mine.begin, &theirs.begin), apart(&mine.end, &theirs.end));
            begin[0] > wanted && end[0] > wanted || begin[1] > wanted && end[1] > wanted
        })
    }
}
