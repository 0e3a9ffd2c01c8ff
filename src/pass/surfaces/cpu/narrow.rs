//! What is left of pairs of faces whose boxes meet, in registers: of these the pairs of features, of those the ones
//! that may come near, and of them what their axes say. Each step goes through a list and leaves a shorter one.

use super::leaves::{Slots, at_slots};
use super::pack::{Moving, Pack};
use super::{Now, View};
use crate::cpu::boxes::{EACH, Line, part};
use crate::cpu::lanes::{Lanes, MOST};
use crate::law::contact::{Impulse, approach};
use crate::law::surface::{Certificate, Contact, Features, weighted};
use crate::math::mask::{greatest, least};
use crate::math::{Vec3, each};
use crate::mesh::field::Number;
use crate::pass::surfaces::tangle::Tangle;

/// Faces whose boxes meet, of which one list is made before features are.
pub const BATCH: usize = 512;

/// A pair of features whose faces come near.
#[derive(Clone, Copy)]
struct Candidate {
    vertices: [u32; 4],
    /// Places are relative to this vertex.
    origin: u32,
    /// Where it comes among all of its list.
    order: u32,
    bodies: [u32; 2],
    /// Of the radii, m.
    sum: f32,
}

/// Lists that keep their memory.
#[derive(Default)]
pub struct Lists {
    /// Pairs of faces.
    pub faces: Vec<[u32; 2]>,
    /// Pairs of their features: of vertices and faces, and of edges.
    pairs: [Vec<Candidate>; 2],
    near: Vec<Candidate>,
    /// Contacts of both kinds, by where they come.
    made: [Vec<(u32, Contact<f32>)>; 2],
}

/// Where the corners of faces go.
struct Swept<L> {
    begin: [Vec3<L>; 3],
    end: [Vec3<L>; 3],
}

impl<L: Lanes> Swept<L> {
    /// Along their sum, and along the normal where the motion ends.
    #[inline(always)]
    fn middle_and_normal(&self) -> [Vec3<L>; 2] {
        let [a, b, c] = self.end;
        [a + b + c, (b - a).cross(c - a)]
    }
}

/// The least and the largest of the corners along an axis.
#[inline(always)]
fn along<L: Lanes>(axis: Vec3<L>, [a, b, c]: [Vec3<L>; 3]) -> [L; 2] {
    let [a, b, c] = [axis.dot(a), axis.dot(b), axis.dot(c)];
    [least(least(a, b), c), greatest(greatest(a, b), c)]
}

/// Bits for the pairs of faces that are farther apart than `reach` where they begin and where they end, along the axis
/// through their middles or along one of their normals where they end.
#[inline(always)]
fn far_apart<L: Lanes>(one: &Swept<L>, other: &Swept<L>, reach: L) -> u32 {
    let ([middle, normal], [other_middle, other_normal]) = (one.middle_and_normal(), other.middle_and_normal());
    let mut far = 0;
    for axis in [middle - other_middle, normal, other_normal] {
        let wanted = reach * axis.length();
        let (a, b) = (along(axis, one.begin), along(axis, other.begin));
        let (c, d) = (along(axis, one.end), along(axis, other.end));
        far |= (a[0] - b[1]).exceeding(wanted) & (c[0] - d[1]).exceeding(wanted)
            | (b[0] - a[1]).exceeding(wanted) & (d[0] - c[1]).exceeding(wanted);
    }
    far
}

/// Finds what comes nearer than the distance at which it touches and `slack` of the sum of the radii.
pub struct Narrow<'a> {
    pub view: &'a View<'a>,
    pub now: &'a Now<'a>,
    pub slack: f32,
    pub tangle: &'a Tangle,
}

impl Narrow<'_> {
    /// Empties the list of faces, and appends the contacts of their features in its order.
    #[inline(always)]
    pub fn contacts<L: Lanes>(&self, lists: &mut Lists, found: &mut Vec<Contact<f32>>) {
        let Lists { faces, pairs, near, made } = lists;
        pairs.iter_mut().for_each(Vec::clear);
        let mut order = 0;
        for some in faces.chunks(L::COUNT) {
            let mut left = self.near_faces::<L>(some);
            while left != 0 {
                let two = some[left.trailing_zeros() as usize];
                left &= left - 1;
                self.expand(two, pairs, &mut order);
            }
        }
        faces.clear();
        for (kind, features) in [Features::VertexFace, Features::EdgeEdge].into_iter().enumerate() {
            near.clear();
            made[kind].clear();
            // No closures: see `Visit` of the tree.
            for some in pairs[kind].chunks(L::COUNT) {
                self.may_come_near::<L>(features, some, near);
            }
            for some in near.chunks(L::COUNT) {
                self.touching::<L>(features, some, &mut made[kind]);
            }
        }
        let [mut one, mut other] = [made[0].iter().peekable(), made[1].iter().peekable()];
        while let Some(next) = match (one.peek(), other.peek()) {
            (Some(a), Some(b)) if a.0 > b.0 => other.next(),
            (None, _) => other.next(),
            _ => one.next(),
        } {
            found.push(next.1);
        }
    }

    /// Bits for the pairs of faces that are not far apart and can move.
    #[inline(always)]
    fn near_faces<L: Lanes>(&self, pairs: &[[u32; 2]]) -> u32 {
        let Self { view, now, slack, .. } = self;
        let (mut slots, mut reach) = ([[[0; EACH]; 3]; 2], [0.0; EACH]);
        for (lane, faces) in pairs.iter().enumerate() {
            for (slots, &face) in slots.iter_mut().zip(faces) {
                let corners = view.surfaces.faces[face as usize].corners;
                slots.iter_mut().zip(corners).for_each(|(slots, corner)| slots[lane] = corner);
            }
            reach[lane] = (1.0 + slack) * view.sum_of(*faces);
        }
        // SAFETY: corners are slots, and no thread writes the list meanwhile.
        let origin = unsafe { at_slots::<L>(&now.points.x, &slots[0][0], 0) }.0;
        let (one, free) = self.swept::<L>(&slots[0], origin);
        let (other, other_free) = self.swept::<L>(&slots[1], origin);
        let all = u32::MAX >> (u32::BITS - pairs.len() as u32);
        (free | other_free) & !far_apart(&one, &other, part(&reach, 0)) & all
    }

    /// Where faces go, and bits for those of which a corner is free.
    #[inline(always)]
    fn swept<L: Lanes>(&self, slots: &[Slots; 3], origin: Vec3<L>) -> (Swept<L>, u32) {
        let points = &self.now.points;
        let (mut begin, mut end, mut free) = ([Vec3::zero(); 3], [Vec3::zero(); 3], 0);
        for (k, slots) in slots.iter().enumerate() {
            // SAFETY: corners are slots, and no thread writes these lists meanwhile.
            let (x, d, e) = unsafe {
                (
                    at_slots::<L>(&points.x, slots, 0),
                    at_slots::<L>(&points.d, slots, 0),
                    at_slots::<L>(&points.e, slots, 0),
                )
            };
            let anchor = x.0 - origin;
            (begin[k], end[k]) = (anchor + e.0, anchor + d.0);
            free |= x.1.exceeding(L::from_f64(0.0));
        }
        (Swept { begin, end }, free)
    }

    /// Lists the pairs of features of two faces.
    #[inline(always)]
    fn expand(&self, faces: [u32; 2], pairs: &mut [Vec<Candidate>; 2], order: &mut u32) {
        let view = self.view;
        let two = faces.map(|face| face as usize);
        let (bodies, sum, corners) =
            (two.map(|face| view.surfaces.body_of[face]), view.sum_of(faces), view.surfaces.corners(two));
        view.surfaces.pairs(two, |features, places| {
            let vertices = each(places, |place| corners[place]);
            let candidate = Candidate { vertices, origin: corners[0], order: *order, bodies, sum };
            pairs[usize::from(features == Features::EdgeEdge)].push(candidate);
            *order += 1;
        });
    }

    /// Lists those of some pairs that are not far apart.
    #[inline(always)]
    fn may_come_near<L: Lanes>(&self, features: Features, some: &[Candidate], near: &mut Vec<Candidate>) {
        let (pack, sum) = packed(some);
        let motion = pack.moving::<L>(self.now, features).motion;
        let far = L::bits(motion.are_far_apart(L::splat(1.0 + self.slack) * part(&sum, 0)));
        near.extend(some.iter().enumerate().filter(|(lane, _)| far >> lane & 1 == 0).map(|(_, candidate)| candidate));
    }

    /// Makes contacts of those of some pairs that come near.
    #[inline(always)]
    fn touching<L: Lanes>(&self, features: Features, some: &[Candidate], made: &mut Vec<(u32, Contact<f32>)>) {
        let (pack, sum) = packed(some);
        let (sum, slack, zero) = (part::<L>(&sum, 0), L::splat(self.slack), L::from_f64(0.0));
        let moving = pack.moving::<L>(self.now, features);
        let certificate = moving.motion.certificate();
        let [a, b, c, d] = moving.masses;
        let free = a.exceeding(zero) | b.exceeding(zero) | c.exceeding(zero) | d.exceeding(zero);
        let reach = L::splat(1.0 + self.slack) * sum;
        let all = u32::MAX >> (u32::BITS - some.len() as u32);
        let mut near = free & certificate.before.exceeding(zero) & reach.exceeding(certificate.gap) & all;
        if near == 0 {
            return;
        }
        let distance = pack.distance(&self.view.placed, features, sum);
        near &= (distance + slack * sum).exceeding(certificate.gap);
        if near != 0 {
            let contacts = self.made::<L>(&pack, &moving, &certificate, distance);
            contacts.put(self, (features, some), near, made);
        }
    }

    /// The contacts of pairs that come near.
    #[inline(always)]
    fn made<L: Lanes>(&self, pack: &Pack, moving: &Moving<L>, certificate: &Certificate<L>, distance: L) -> Made {
        let (axis, x) = (certificate.axis, moving.x);
        let weights = moving.motion.weights(distance, certificate, <L as Number>::any);
        let [a, b, c, d] = pack.each::<L>(&self.now.u);
        let way = axis.dot(weighted(&weights, &[a.0, b.0, c.0, d.0]));
        let anchors = [Vec3::zero(), x[1] - x[0], x[2] - x[0], x[3] - x[0]];
        let offset = axis.dot(weighted(&weights, &anchors)) - distance;
        let [p, q, r, s] = weights;
        Made {
            axis: [axis.x.to_array(), axis.y.to_array(), axis.z.to_array()],
            weights: [p.to_array(), q.to_array(), r.to_array(), s.to_array()],
            distance: distance.to_array(),
            offset: offset.to_array(),
            approach: approach(certificate.before, distance, way).to_array(),
        }
    }
}

/// Some pairs in registers, and the sums of their radii.
#[inline(always)]
fn packed(some: &[Candidate]) -> (Pack, Line) {
    let (mut pack, mut sum) = (Pack::new(), [0.0; EACH]);
    for (lane, candidate) in some.iter().enumerate() {
        pack.put(lane, candidate.vertices, candidate.origin);
        sum[lane] = candidate.sum;
    }
    (pack, sum)
}

/// Contacts, number by number.
struct Made {
    axis: [[f32; MOST]; 3],
    weights: [[f32; MOST]; 4],
    distance: [f32; MOST],
    offset: [f32; MOST],
    approach: [f32; MOST],
}

impl Made {
    /// Appends those of the bits.
    #[inline(always)]
    fn put(
        &self,
        Narrow { view, now, tangle, .. }: &Narrow,
        (features, of): (Features, &[Candidate]),
        mut bits: u32,
        made: &mut Vec<(u32, Contact<f32>)>,
    ) {
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            if tangle.frees((features, of[lane].vertices)) {
                continue;
            }
            let contact = Contact {
                vertices: of[lane].vertices,
                features,
                axis: Vec3 { x: self.axis[0][lane], y: self.axis[1][lane], z: self.axis[2][lane] },
                weights: each([0, 1, 2, 3], |i: usize| self.weights[i][lane]),
                distance: self.distance[lane],
                offset: self.offset[lane],
                touch: view.touch(now, of[lane].bodies),
                approach: self.approach[lane],
                impulse: Impulse::none(),
            };
            made.push((of[lane].order, contact));
        }
    }
}
