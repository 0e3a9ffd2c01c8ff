//! Which vertices, edges and faces of a model touch as surfaces.

use std::collections::{HashMap, HashSet};

use crate::law::contact::{Skin, Touch};
use crate::law::surface::{Features, touching_distance};
use crate::math::Vec3;
use crate::model::{self, FrictionCombine, Groups, Model};
use crate::plan::order::along_curve;

/// A face of a surface, an edge by itself (its last two corners are one), or a point by itself (all are). Each owns
/// some of its vertices and edges, so that every pair of features comes up once (Curtis et al., Fast Collision
/// Detection for Deformable Models using Representative-Triangles, 2008).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Face {
    /// What the engine calls them.
    pub corners: [u32; 3],
    /// A bit for each corner, and one for each of the edges ab, bc and ca behind them.
    pub owned: u8,
}

/// Of a pair: the vertex and the corners of the face, or the ends of two edges.
pub type Pair = (Features, [u32; 4]);

impl Face {
    /// Of these corners, with what it owns of them.
    fn new(corners: [u32; 3], owns: impl Fn(usize) -> bool, owns_edge: impl Fn(usize) -> bool) -> Self {
        let bit = |owned: bool, at: usize| u8::from(owned) << at;
        Self { corners, owned: (0..3).fold(0, |owned, k| owned | bit(owns(k), k) | bit(owns_edge(k), k + 3)) }
    }

    /// Whether it has an inside.
    pub fn is_face(&self) -> bool {
        self.corners[1] != self.corners[2]
    }

    fn is_point(&self) -> bool {
        self.corners[0] == self.corners[1]
    }

    /// Whether it owns a corner.
    #[inline(always)]
    fn owns(&self, corner: usize) -> bool {
        self.owned >> corner & 1 == 1
    }

    /// Whether it owns the edge from a corner to the next.
    #[inline(always)]
    fn owns_edge(&self, corner: usize) -> bool {
        self.owned >> (corner + 3) & 1 == 1
    }

    /// The edges that it owns.
    pub fn owned_edges(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        let [a, b, c] = self.corners;
        [[a, b], [b, c], [c, a]].into_iter().enumerate().filter(|(k, _)| self.owns_edge(*k)).map(|(_, edge)| edge)
    }

    /// The corners that it owns.
    pub fn owned_corners(&self) -> impl Iterator<Item = u32> + '_ {
        self.corners.into_iter().enumerate().filter(|(k, _)| self.owns(*k)).map(|(_, corner)| corner)
    }

    /// Calls for all pairs of features that this face and another own and that share no vertex, as `shared` says of two
    /// corners. By corners: 0 to 2 are this face's, 3 to 5 the other's.
    #[inline(always)]
    pub fn pairs(
        &self,
        other: &Self,
        shared: impl Fn(usize, usize) -> bool,
        mut each: impl FnMut(Features, [usize; 4]),
    ) {
        // A bit for each corner of this face and each of the other's, three in a row.
        let mut common = 0_u32;
        for at in 0..9 {
            common |= u32::from(shared(at / 3, at % 3)) << at;
        }
        for k in 0..3 {
            if other.is_face() && self.owns(k) && common >> (3 * k) & 0b111 == 0 {
                each(Features::VertexFace, [k, 3, 4, 5]);
            }
        }
        for l in 0..3 {
            if self.is_face() && other.owns(l) && common >> l & 0b1_001_001 == 0 {
                each(Features::VertexFace, [3 + l, 0, 1, 2]);
            }
        }
        if self.is_point() && other.is_face() || self.is_face() && other.is_point() {
            return;
        }
        for at in 0..9 {
            let (a, c) = (at / 3, at % 3);
            let (b, d) = ((a + 1) % 3, (c + 1) % 3);
            let ends = 1 << (3 * a + c) | 1 << (3 * a + d) | 1 << (3 * b + c) | 1 << (3 * b + d);
            if self.owns_edge(a) && other.owns_edge(c) && common & ends == 0 {
                each(Features::EdgeEdge, [a, b, 3 + c, 3 + d]);
            }
        }
    }
}

/// How a body takes part.
#[derive(Clone, Copy)]
pub struct Shell {
    /// Whether it touches as a surface. Others touch those that do.
    pub is_surface: bool,
    pub touches_itself: bool,
    groups: Groups,
    skin: Skin<f64>,
    /// m
    pub radius: f64,
}

impl Shell {
    pub fn of(body: &model::Body) -> Self {
        Self {
            is_surface: body.surface_contact,
            touches_itself: body.self_collision,
            groups: body.groups,
            skin: Skin::of_body(body),
            radius: body.radius,
        }
    }

    fn meets(&self, other: &Self, same: bool) -> bool {
        let meet = if same { self.touches_itself } else { self.groups.meet(other.groups) };
        meet && (self.is_surface || other.is_surface) && self.radius > 0.0 && other.radius > 0.0
    }
}

/// The surfaces of a model: its faces, along a curve body after body, so that what lies close lies close in the list
/// wherever the surface goes; with indices of the model.
pub struct Surfaces {
    pub faces: Vec<Face>,
    /// The body of each face.
    pub body_of: Vec<u32>,
    /// Of all bodies of the model.
    shells: Vec<Shell>,
    /// Of each particle the first of its body, or of bodies that constraints join to it, that was placed where it is.
    pub same: Vec<u32>,
    rule: FrictionCombine,
}

impl Surfaces {
    /// `None` where no surface touches anything.
    pub fn new(model: &Model) -> Option<Self> {
        let shells: Vec<Shell> = model.bodies.iter().map(Shell::of).collect();
        let surfaces: Vec<usize> = (0..shells.len()).filter(|&body| shells[body].is_surface).collect();
        let (mut faces, mut body_of) = (Vec::new(), Vec::new());
        for (index, body) in model.bodies.iter().enumerate() {
            if surfaces.iter().any(|&surface| shells[surface].meets(&shells[index], surface == index)) {
                faces.extend(faces_of(model, body));
                body_of.resize(faces.len(), index as u32);
            }
        }
        let rule = model.world.friction_combine;
        (!faces.is_empty()).then(|| Self { faces, body_of, shells, same: placed_together(model), rule })
    }

    /// Whether the features of two bodies may touch.
    pub fn meet(&self, one: u32, other: u32) -> bool {
        self.shells[one as usize].meets(&self.shells[other as usize], one == other)
    }

    /// How two bodies touch.
    pub fn touch(&self, one: u32, other: u32) -> Touch<f64> {
        let [one, other] = [one, other].map(|body| &self.shells[body as usize].skin);
        Touch::mixed(self.rule, one, other)
    }

    /// The radius of a body, m.
    pub fn radius(&self, body: u32) -> f64 {
        self.shells[body as usize].radius
    }

    /// At what distance two features touch, m, by where the model placed their vertices.
    pub fn distance(&self, placed: &[[f64; 3]], bodies: [u32; 2], (features, vertices): Pair) -> f64 {
        let places = vertices.map(|vertex| Vec3::from(placed[vertex as usize]));
        let sum = bodies.iter().map(|&body| self.radius(body)).sum();
        touching_distance(sum, features.between(&places).length())
    }

    /// Calls for all pairs of features that two faces own, if their bodies meet. Vertices that were placed in one place
    /// are one.
    #[inline(always)]
    pub fn pairs(&self, [one, other]: [usize; 2], mut each: impl FnMut(Features, [usize; 4])) {
        if !self.meet(self.body_of[one], self.body_of[other]) {
            return;
        }
        let [first, second] = [one, other].map(|face| &self.faces[face]);
        let same = |vertex: u32| self.same[vertex as usize];
        let [mine, theirs] = [first, second].map(|face| face.corners.map(same));
        first.pairs(second, |k, l| mine[k] == theirs[l], &mut each);
    }

    /// The vertices of two faces, one after the other.
    #[inline(always)]
    pub fn corners(&self, [one, other]: [usize; 2]) -> [u32; 6] {
        let ([a, b, c], [d, e, f]) = (self.faces[one].corners, self.faces[other].corners);
        [a, b, c, d, e, f]
    }

    /// With the vertices as an engine calls them.
    #[cfg(any(feature = "cpu", feature = "gpu"))]
    pub fn renumbered(mut self, slot_of: &[u32]) -> Self {
        let slot = |vertex: u32| slot_of[vertex as usize];
        self.faces.iter_mut().for_each(|face| face.corners = face.corners.map(slot));
        let mut same = vec![0; self.same.len()];
        (0..).zip(&self.same).for_each(|(vertex, &first)| same[slot(vertex) as usize] = slot(first));
        self.same = same;
        self
    }
}

/// The faces around each vertex.
#[cfg(any(feature = "cpu", feature = "gpu"))]
pub struct Around {
    /// By slot, and the end.
    pub firsts: Vec<u32>,
    pub faces: Vec<u32>,
}

#[cfg(any(feature = "cpu", feature = "gpu"))]
impl Around {
    pub fn new(surfaces: &Surfaces, slots: usize) -> Self {
        let corners = |face: &Face| {
            let [a, b, c] = face.corners;
            [Some(a), (b != a).then_some(b), (c != a && c != b).then_some(c)].into_iter().flatten()
        };
        let mut firsts = vec![0; slots + 1];
        surfaces.faces.iter().flat_map(corners).for_each(|corner| firsts[corner as usize + 1] += 1);
        (0..slots).for_each(|slot| firsts[slot + 1] += firsts[slot]);
        let (mut next, mut faces) = (firsts.clone(), vec![0; firsts[slots] as usize]);
        for (index, face) in surfaces.faces.iter().enumerate() {
            for corner in corners(face) {
                let at = &mut next[corner as usize];
                faces[*at as usize] = index as u32;
                *at += 1;
            }
        }
        Self { firsts, faces }
    }

    #[cfg(feature = "cpu")]
    pub fn of(&self, slot: u32) -> &[u32] {
        &self.faces[self.firsts[slot as usize] as usize..self.firsts[slot as usize + 1] as usize]
    }
}

/// The faces of a body; without faces its segments or strands; without these its particles.
fn faces_of(model: &Model, body: &model::Body) -> Vec<Face> {
    let strand = body.strand.unwrap_or(0).max(1);
    let follows = |&particle: &u32| (particle - body.particles.start) % strand + 1 < strand;
    let along = || body.particles.clone().filter(follows).map(|particle| [particle, particle + 1]);
    let corners: Vec<[u32; 3]> = if !body.triangles.is_empty() {
        body.triangles.clone()
    } else if !body.segments.is_empty() {
        body.segments.iter().map(|&[a, b]| [a, b, b]).collect()
    } else if strand > 1 {
        along().map(|[a, b]| [a, b, b]).collect()
    } else {
        body.particles.clone().map(|particle| [particle; 3]).collect()
    };
    let middle = |corners: &[u32; 3]| {
        let places = corners.map(|corner| Vec3::from(model.particles.positions[corner as usize]));
        <[f64; 3]>::from((places[0] + places[1] + places[2]) * (1.0 / 3.0))
    };
    let middles: Vec<[f64; 3]> = corners.iter().map(middle).collect();
    let (mut vertices, mut edges) = (HashSet::new(), HashSet::new());
    let face = |index: u32| {
        let corners @ [a, b, c] = corners[index as usize];
        let owns = corners.map(|corner| vertices.insert(corner));
        let is_edge = |k: usize, [a, b]: [u32; 2]| k == 0 || a != b;
        let sides = [[a, b], [b, c], [c, a]];
        let owns_edge: [bool; 3] = std::array::from_fn(|k| {
            let [a, b] = sides[k];
            is_edge(k, sides[k]) && edges.insert([a.min(b), a.max(b)])
        });
        Face::new(corners, |k| owns[k], |k| owns_edge[k])
    };
    along_curve(&middles).into_iter().map(face).collect()
}

fn placed_together(model: &Model) -> Vec<u32> {
    let (mut first, kin) = (HashMap::new(), model.kin().of_body);
    let key = |place: &[f64; 3], body: u32| (kin[body as usize], place.map(|value| (value + 0.0).to_bits()));
    let places = model.particles.positions.iter().zip(&model.particles.bodies).zip(0..);
    places.map(|((place, &body), index)| *first.entry(key(place, body)).or_insert(index)).collect()
}
