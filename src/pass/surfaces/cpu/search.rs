//! Finds what touches: pairs of features whose boxes meet on their ways, and whose axes say that they come near.

use std::sync::atomic::Ordering;

use wide::f32x4;

use super::tree::{Extent, NOTHING, joined};
use super::{Now, View, locked};
use crate::cpu::particles::{CROWDED, Signs, three};
use crate::cpu::team::Member;
use crate::law::contact::{Impulse, approach};
use crate::law::surface::{Contact, FLOOR, weighted};
use crate::pass::surfaces::features::Pair;

/// Pairs whose faces' boxes meet for which a thread has time: beyond is a crowd in one place.
const CROWD: usize = 1 << 25;
/// Vertices of which the mean way is taken.
const SAMPLES: usize = 256;

/// A pair that comes near, with its bodies.
pub struct Near {
    pub pair: Pair,
    pub bodies: [u32; 2],
}

impl View<'_> {
    /// Finds all contacts. Begins with what others did to d, and ends with a meeting.
    pub fn search(&self, member: &Member, now: &Now, signs: &Signs) {
        let common = self.common_way(now);
        for &slot in &self.vertices[member.share(self.vertices.len())] {
            self.sought.write(slot as usize, now.points.d.read(slot as usize));
        }
        self.tree.make(member, |face| self.swept(now, face, common));
        let mut found = locked(&self.found[member.index]);
        found.clear();
        let mut count = 0;
        for face in member.share(self.surfaces.faces.len()) {
            let goes_on = self.tree.meeting(face, face + 1, |other| {
                count += 1;
                self.pairs_of(now, [face, other], |near| found.extend(self.contact(now, near)));
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
        let (sum, count) = self.vertices.iter().step_by(step).map(way).fold((f32x4::ZERO, 0.0), |(sum, count), way| {
            (sum + way, count + 1.0)
        });
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
        let reach = f32x4::splat((1.0 + 2.0 * FLOOR as f32) * radius + now.rounding);
        [extent[0] - reach, extent[1] + reach]
    }

    /// Calls for all pairs of features of two faces that may touch.
    pub fn pairs_of(&self, now: &Now, [one, other]: [usize; 2], mut each: impl FnMut(Near)) {
        let bodies = [one, other].map(|face| self.surfaces.body_of[face]);
        if !self.surfaces.meet(bodies[0], bodies[1]) {
            return;
        }
        let [first, second] = [one, other].map(|face| &self.surfaces.faces[face]);
        first.pairs(second, |a, b| self.surfaces.are_apart(a, b), |pair| {
            if now.masses(pair.1).iter().any(|&w| w > 0.0) {
                each(Near { pair, bodies });
            }
        });
    }

    /// The contact of a pair that comes near.
    fn contact(&self, now: &Now, Near { pair, bodies }: Near) -> Option<Contact<f32>> {
        let motion = now.motion(pair);
        let certificate = motion.certificate();
        let sum: f32 = bodies.iter().map(|&body| self.radii[body as usize]).sum();
        let reach = 2.0 * FLOOR as f32 * sum;
        if certificate.before <= 0.0 || certificate.gap >= sum + reach {
            return None;
        }
        let distance = self.distance(bodies, pair);
        if certificate.gap >= distance + reach {
            return None;
        }
        let (axis, weights) = (certificate.axis, motion.weights(distance));
        let vertices = pair.1;
        let along = axis.dot(weighted(&weights, &vertices.map(|slot| three(now.u.read(slot as usize)))));
        Some(Contact {
            vertices,
            features: pair.0,
            axis,
            weights,
            distance,
            offset: axis.dot(weighted(&weights, &now.anchors(vertices).map(three))) - distance,
            touch: self.touch(now, bodies),
            approach: approach(certificate.before, distance, along),
            impulse: Impulse::none(),
        })
    }
}
