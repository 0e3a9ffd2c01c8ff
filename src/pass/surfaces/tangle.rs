//! Surfaces that pierce each other: features that are free to pass each other then, and the moves that part them, a
//! small way in each substep and without velocity. In double precision on every engine, because it is rare.

use std::collections::HashMap;

use super::contour::Piercing;
use super::cut::Cut;
use super::features::{Face, Pair, Surfaces};
use super::near::near_faces;
use crate::law::surface::Features;
use crate::math::Vec3;
use crate::mesh::{pierces, unclosed};
use crate::model::Model;

/// The share of the sum of the radii by which two are moved against each other in a substep, at most.
const SHARE: f64 = 0.1;
/// Where G is as long as this they are moved half as far.
const HALF_WAY: f64 = 0.1;
/// What is moved together goes the mean of all ways if that is more than this share of them.
const COMMON: f64 = 0.3;
/// What is nearer than this share of the length of the edge touches.
const TOUCHES: f64 = 1e-6;

/// What pierces at the beginning of a substep.
pub struct Tangle {
    /// Whether anything may: it is sought only then.
    may_be: bool,
    /// The bodies that constraints join have one number: parts of one thing may be placed in each other.
    kin: Vec<u32>,
    /// 1 of a body whose surface is closed and wound outwards, -1 inwards, else 0.
    outwards: Vec<f64>,
    /// The faces at each edge, whose lower end comes first.
    at_edges: HashMap<[u32; 2], Vec<AtEdge>>,
    /// Vertices of which one is in an edge and the other in a face that it pierces, the lower first, ascending.
    free: Vec<[u32; 2]>,
    partings: Vec<Parting>,
    /// By how much each vertex is moved, m.
    shifts: Vec<(u32, Vec3<f64>)>,
}

/// A point of an edge and one of a face, each by the weights of its vertices, that are moved apart.
struct Parting {
    vertices: [u32; 5],
    weights: [f64; 5],
    axis: Vec3<f64>,
    /// m
    way: f64,
}

/// Which way an edge is moved against a face.
struct Way {
    /// As far as this is long.
    direction: Vec3<f64>,
    /// What is moved together: edges of one part of one body through another body. Each by itself would stretch it.
    together: Option<[u32; 3]>,
}

/// A face at an edge: its third corner, and 1 if it runs from the lower end to the higher, -1 if back.
type AtEdge = (u32, f64);

/// An edge of one face that has a point in common with another.
struct Crossed {
    /// The lower end first; both are one of a vertex that lies in a corner of the face.
    edge: [u32; 2],
    of: usize,
    face: usize,
}

impl Crossed {
    /// Those of the edge and of the face.
    fn bodies(&self, surfaces: &Surfaces) -> [u32; 2] {
        [self.of, self.face].map(|face| surfaces.body_of[face])
    }

    fn piercing(&self, surfaces: &Surfaces, places: &[Vec3<f64>]) -> Piercing {
        let at = |vertex: u32| places[vertex as usize];
        Piercing { edge: self.edge.map(at), face: surfaces.faces[self.face].corners.map(at) }
    }
}

fn ascending([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

impl Tangle {
    pub fn new(model: &Model) -> Self {
        let outwards = model.bodies.iter().map(|body| {
            let closed = !body.triangles.is_empty() && unclosed(&body.triangles).is_none();
            let corner = |vertex: u32| Vec3::from(model.particles.positions[vertex as usize]);
            let middle = corner(body.particles.start);
            let volume = |corners: &[u32; 3]| {
                let [a, b, c] = corners.map(|vertex| corner(vertex) - middle);
                a.cross(b).dot(c)
            };
            if closed { body.triangles.iter().map(volume).sum::<f64>().signum() } else { 0.0 }
        });
        Self {
            may_be: true,
            kin: model.kin().of_body,
            outwards: outwards.collect(),
            at_edges: HashMap::new(),
            free: Vec::new(),
            partings: Vec::new(),
            shifts: Vec::new(),
        }
    }

    /// Surfaces may pierce each other from now on.
    pub fn expect(&mut self) {
        self.may_be = true;
    }

    /// Whether they may.
    #[cfg(feature = "cpu")]
    pub fn may_be(&self) -> bool {
        self.may_be
    }

    /// Whether nothing did as it was last sought.
    #[cfg(feature = "cpu")]
    pub fn is_empty(&self) -> bool {
        self.free.is_empty()
    }

    /// Finds what pierces where vertices are at these places, if anything may.
    pub fn find(&mut self, surfaces: &Surfaces, places: &[Vec3<f64>], mass: impl Fn(u32) -> f64) {
        self.free.clear();
        self.partings.clear();
        self.shifts.clear();
        if !self.may_be {
            return;
        }
        let found = self.crossed(surfaces, places, &mass);
        self.may_be = !found.is_empty();
        if found.is_empty() {
            return;
        }
        if self.at_edges.is_empty() {
            self.at_edges = at_edges(&surfaces.faces);
        }
        self.partings = self.parted(surfaces, places, &found);
        for Crossed { edge, face, .. } in &found {
            let corners = surfaces.faces[*face].corners;
            self.free.extend(edge.iter().flat_map(|&end| corners.map(|corner| ascending([end, corner]))));
        }
        self.free.sort_unstable();
        self.free.dedup();
        self.share(mass);
    }

    /// What pierces, where a vertex may move.
    fn crossed(&self, surfaces: &Surfaces, places: &[Vec3<f64>], mass: impl Fn(u32) -> f64) -> Vec<Crossed> {
        let mut found = Vec::new();
        let strange = |[one, other]: [u32; 2]| one == other || self.kin[one as usize] != self.kin[other as usize];
        let look = |faces: [usize; 2]| {
            let bodies = faces.map(|face| surfaces.body_of[face]);
            if surfaces.meet(bodies[0], bodies[1]) && strange(bodies) {
                list(surfaces, places, faces, &mut found);
            }
        };
        near_faces(surfaces, places, places, |_| 0.0, look);
        let moves = |vertices: &[u32]| vertices.iter().any(|&vertex| mass(vertex) > 0.0);
        found.retain(|Crossed { edge, face, .. }| moves(edge) || moves(&surfaces.faces[*face].corners));
        found
    }

    /// How edges and faces part.
    fn parted(&self, surfaces: &Surfaces, places: &[Vec3<f64>], found: &[Crossed]) -> Vec<Parting> {
        let edges = found.iter().map(|crossed| (crossed.edge, crossed.bodies(surfaces)));
        let cut = Cut::new(surfaces, places.len(), edges);
        let ways: Vec<Way> = found.iter().map(|crossed| self.way(surfaces, places, crossed, &cut)).collect();
        let mut together: HashMap<[u32; 3], (Vec3<f64>, f64)> = HashMap::new();
        for (key, way) in ways.iter().filter_map(|way| Some((way.together?, way.direction))) {
            let (sum, count) = together.entry(key).or_insert((Vec3::zero(), 0.0));
            (*sum, *count) = (*sum + way.direction_and_length().0, *count + 1.0);
        }
        let parted = |(crossed, way): (&Crossed, Way)| {
            let (sum, count) = way.together.map_or((Vec3::zero(), 1.0), |key| together[&key]);
            let direction = if sum.length() > COMMON * count { sum * (1.0 / count) } else { way.direction };
            parting(surfaces, places, crossed, direction)
        };
        found.iter().zip(ways).filter_map(parted).collect()
    }

    /// Whether two features may pass each other.
    pub fn frees(&self, (features, [a, b, c, d]): Pair) -> bool {
        let is_free = |one: u32, other: u32| self.free.binary_search(&ascending([one, other])).is_ok();
        !self.free.is_empty()
            && match features {
                Features::VertexFace => is_free(a, b) || is_free(a, c) || is_free(a, d),
                Features::EdgeEdge => is_free(a, c) || is_free(a, d) || is_free(b, c) || is_free(b, d),
            }
    }

    /// Which way an edge is moved against a face: what touches to its side, what is closed out of the other, what is
    /// cut off back, and else so that the curve between the two grows shorter.
    fn way(&self, surfaces: &Surfaces, places: &[Vec3<f64>], crossed: &Crossed, cut: &Cut) -> Way {
        let (piercing, edge, bodies) = (crossed.piercing(surfaces, places), crossed.edge, crossed.bodies(surfaces));
        let beside = || {
            let faces = self.at_edges.get(&edge).into_iter().flatten();
            faces.map(|&(vertex, sense)| (places[vertex as usize], sense))
        };
        let [of_edge, of_face] = bodies.map(|body| self.outwards[body as usize]);
        let together = Some([bodies[0], bodies[1], cut.part(edge)]);
        if let Some(side) = piercing.side(TOUCHES) {
            let order = if bodies[0] > bodies[1] { 1.0 } else { -1.0 };
            Way { direction: piercing.normal() * if side == 0.0 { order } else { side }, together: None }
        } else if bodies[0] != bodies[1] && (of_edge != 0.0 || of_face != 0.0) {
            let out = piercing.normal() * of_face - piercing.normal_at_edge(beside()) * of_edge;
            Way { direction: out, together }
        } else if let Some(end) = cut.goes_back(edge, bodies) {
            Way { direction: piercing.normal() * piercing.side_of(1 - end), together }
        } else if cut.waits(bodies) {
            Way { direction: Vec3::zero(), together: None }
        } else {
            Way { direction: piercing.shortening(beside().map(|(corner, _)| corner)), together: None }
        }
    }

    /// Moves of all partings together: where many move a vertex each does by its part, so that none goes farther than
    /// any of them says.
    fn share(&mut self, mass: impl Fn(u32) -> f64) {
        let mut moved: HashMap<u32, (u32, Vec3<f64>)> = HashMap::new();
        for parting in &self.partings {
            parting.vertices.iter().for_each(|&vertex| moved.entry(vertex).or_insert((0, Vec3::zero())).0 += 1);
        }
        self.partings.retain_mut(|parting| {
            let parts = parting.parts(&mass);
            let most = parts.iter().map(|part| part.abs()).fold(1.0, f64::max);
            let count = parting.vertices.iter().map(|vertex| moved[vertex].0).max().unwrap_or(1);
            parting.way /= most * f64::from(count);
            for (vertex, part) in parting.vertices.iter().zip(parts) {
                if let Some((_, shift)) = moved.get_mut(vertex) {
                    *shift += parting.axis * (part * parting.way);
                }
            }
            parts.iter().any(|&part| part != 0.0)
        });
        self.shifts = moved.into_iter().map(|(vertex, (_, shift))| (vertex, shift)).collect();
        self.shifts.sort_unstable_by_key(|(vertex, _)| *vertex);
    }

    /// By how much each vertex is moved, m, once each.
    pub fn shifts(&self) -> &[(u32, Vec3<f64>)] {
        &self.shifts
    }

    /// A vertex went only this share of its way.
    pub fn hold(&mut self, vertex: u32, share: f64) {
        if let Ok(index) = self.shifts.binary_search_by_key(&vertex, |(vertex, _)| *vertex) {
            self.shifts[index].1 = self.shifts[index].1 * share;
        }
    }

    /// Takes off the ways of vertices in the substep that by which they were moved, and stops what goes on piercing.
    pub fn leave(&self, mass: impl Fn(u32) -> f64, ways: &mut impl Ways) {
        for &(vertex, shift) in &self.shifts {
            ways.add(vertex, -shift);
        }
        for parting in &self.partings {
            let Parting { vertices, weights, axis, .. } = parting;
            let going = (0..5).map(|k| axis.dot(ways.of(vertices[k])) * weights[k]).sum::<f64>();
            let back = (-going).max(0.0);
            for (&vertex, part) in vertices.iter().zip(parting.parts(&mass)) {
                ways.add(vertex, *axis * (part * back));
            }
        }
    }
}

/// The ways of vertices in a substep, m.
pub trait Ways {
    fn of(&self, vertex: u32) -> Vec3<f64>;
    fn add(&mut self, vertex: u32, change: Vec3<f64>);
}

impl Parting {
    /// What each vertex moves of the way between the two points.
    fn parts(&self, mass: impl Fn(u32) -> f64) -> [f64; 5] {
        let parts: [f64; 5] = std::array::from_fn(|k| self.weights[k] * mass(self.vertices[k]));
        let weight: f64 = parts.iter().zip(self.weights).map(|(part, weight)| part * weight).sum();
        parts.map(|part| if weight > 0.0 { part / weight } else { 0.0 })
    }
}

/// How an edge and a face part; `None` if nothing says which way.
fn parting(surfaces: &Surfaces, places: &[Vec3<f64>], crossed: &Crossed, direction: Vec3<f64>) -> Option<Parting> {
    let ([p, q], [a, b, c]) = (crossed.edge, surfaces.faces[crossed.face].corners);
    let sum: f64 = crossed.bodies(surfaces).iter().map(|&body| surfaces.radius(body)).sum();
    let (axis, length) = direction.direction_and_length();
    let way = SHARE * sum * length / (length + HALF_WAY);
    let weights = crossed.piercing(surfaces, places).weights();
    (way > 0.0).then_some(Parting { vertices: [p, q, a, b, c], weights, axis, way })
}

/// The faces at each edge.
fn at_edges(faces: &[Face]) -> HashMap<[u32; 2], Vec<AtEdge>> {
    let mut at_edges: HashMap<[u32; 2], Vec<AtEdge>> = HashMap::new();
    for [a, b, c] in faces.iter().filter(|face| face.is_face()).map(|face| face.corners) {
        for ([from, to], third) in [([a, b], c), ([b, c], a), ([c, a], b)] {
            let sense = if from < to { 1.0 } else { -1.0 };
            at_edges.entry(ascending([from, to])).or_default().push((third, sense));
        }
    }
    at_edges
}

/// Lists the edges of each of two faces that pierce the other, and the vertices that lie in a corner of it.
fn list(surfaces: &Surfaces, places: &[Vec3<f64>], faces: [usize; 2], found: &mut Vec<Crossed>) {
    let same = |vertex: u32| surfaces.same[vertex as usize];
    let at = |vertex: u32| <[f64; 3]>::from(places[vertex as usize]);
    for [of, face] in [faces, [faces[1], faces[0]]] {
        let (mine, theirs) = (surfaces.faces[of], surfaces.faces[face]);
        if !theirs.is_face()
            || mine.corners.iter().chain(&theirs.corners).any(|&v| !at(v).iter().all(|x| x.is_finite()))
        {
            continue;
        }
        for edge in mine.owned_edges().map(ascending) {
            let apart = !theirs.corners.iter().any(|&corner| edge.iter().any(|&end| same(end) == same(corner)));
            if apart && pierces(edge.map(at), theirs.corners.map(at)) {
                found.push(Crossed { edge, of, face });
            }
        }
        for vertex in mine.owned_corners() {
            let meets = |&corner: &u32| at(corner) == at(vertex) && same(corner) != same(vertex);
            if theirs.corners.iter().any(meets) {
                found.push(Crossed { edge: [vertex; 2], of, face });
            }
        }
    }
}
