//! Bodies that come apart: surfaces where their edges break, solids where the faces between their tetrahedra do.
//!
//! A corner is triangle `t` and `k` of 0, 1, 2: the index `3 t + k` over the triangles of all bodies, one body after
//! another, and behind them the faces inside solids, once for each side ([`Tearing::inside`]). A solid is here what all
//! the faces of its tetrahedra are. Which particle each corner has is all of a body's topology. Where edges or faces
//! break, the triangles around a vertex fall into parts that neither a whole edge, a whole face nor a tetrahedron
//! joins; the part with the vertex's first corner keeps the particle, each other one takes a spare. A corner of a
//! surface both of whose edges are broken is loose: nothing holds it, and a triangle with a loose corner is dropped, as
//! what would be left of it hangs on one edge. Its mass stays with the vertices. A tetrahedron is held by itself and
//! never dropped. Parts that met at the vertex alone come apart with the first edge or face that breaks there. A
//! constraint of the body goes with corners of its own; what else names a particle (pins, forces, constraints by hand)
//! stays with the first part, and pins and forces also go with the others.

use std::borrow::Cow;
use std::ops::Range;

use super::{Body, Model, Multiplier, State};
use crate::math::Vec3;

/// The bodies that can be torn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tearing {
    /// Particles that lie in wait until a tear takes them, in ascending order: the model's last ones. Till then they
    /// are fixed and of no account.
    pub spares: Range<u32>,
    /// The group whose constraints the edges are.
    pub group: u32,
    /// Every edge of the tearable surfaces once, ascending by their ends.
    pub edges: Vec<TearableEdge>,
    /// The tetrahedra of the tearable solids.
    pub cells: Vec<TearableCell>,
    /// Every face between two of them once.
    pub facets: Vec<TearableFacet>,
    /// The two sides of each facet, one after the other, by the particles at the beginning, each counter-clockwise seen
    /// from outside its tetrahedron. Nobody sees them until they have come apart.
    pub inside: Vec<[u32; 3]>,
    /// Every constraint that holds a tearable body: what is pointed anew when it tears.
    pub seams: Vec<Seam>,
}

/// An edge of a tearable surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TearableEdge {
    /// Its vertices, by the particles that they have at the beginning, the lower first.
    pub ends: [u32; 2],
    /// In [`Tearing::group`]: with it the edge breaks.
    pub constraint: u32,
}

/// A tetrahedron of a tearable solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TearableCell {
    /// Index into [`Model::groups`].
    pub group: u32,
    /// The constraint of the group that it is.
    pub constraint: u32,
    /// For each of its particles the triangle of the other three.
    pub faces: [u32; 4],
}

/// A face between two tetrahedra of a tearable solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TearableFacet {
    /// Indices into [`Tearing::cells`].
    pub cells: [u32; 2],
    /// Which particle of each of them the face does not have, 0 to 3.
    pub opposite: [u32; 2],
    /// The tensile stress at which it breaks, Pa, above 0.
    pub strength: f64,
}

/// A constraint that goes with corners of a tearable body: a tetrahedron, or what belongs to an edge, which is its own,
/// or bends or shears across it. This breaks with the edge, or as one of its corners comes loose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seam {
    /// Index into [`Model::groups`].
    pub group: u32,
    /// Index in the group.
    pub constraint: u32,
    /// Index into [`Tearing::edges`]; none for a tetrahedron, which never breaks.
    pub edge: Option<u32>,
    /// The corner whose particle each end of the constraint has; as many as its kind connects.
    pub corners: [u32; 4],
}

/// How the bodies hang together once something has broken.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize, serde::Deserialize))]
pub struct Torn {
    /// The triangles of all bodies, one body after another, those that are dropped as well; then those of
    /// [`Tearing::inside`].
    pub triangles: Vec<[u32; 3]>,
    /// Indices of the triangles that are dropped, ascending.
    pub dropped: Vec<u32>,
    /// Indices of the facets that are broken, ascending. Their tetrahedra may still hold together by others.
    pub broken_facets: Vec<u32>,
    /// 1/kg, one per particle of the state.
    pub inverse_masses: Vec<f64>,
}

impl Model {
    /// How many particles there are at the beginning, without the spare ones.
    pub fn placed_particles(&self) -> usize {
        self.tearing.as_ref().map_or(self.particles.len(), |tearing| tearing.spares.start as usize)
    }

    /// The triangles of all bodies, one body after another, then the sides of the faces inside tearable solids.
    pub(crate) fn triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        let inside = self.tearing.iter().flat_map(|tearing| &tearing.inside);
        self.bodies.iter().flat_map(|body| &body.triangles).chain(inside).copied()
    }

    /// Whether constraints of a group break with the edges of surfaces that can be torn.
    pub fn tears(&self, group: usize) -> bool {
        let of_edge = |seam: &Seam| seam.group as usize == group && seam.edge.is_some();
        self.tearing.iter().flat_map(|tearing| &tearing.seams).any(of_edge)
    }

    /// Whether the forces of a group's constraints decide where solids tear.
    pub fn fractures(&self, group: usize) -> bool {
        self.tearing.iter().flat_map(|tearing| &tearing.cells).any(|cell| cell.group as usize == group)
    }

    /// The model with the surfaces, masses and constraints of a state in which it is torn, from where it can be torn no
    /// more; itself where it is not.
    pub fn torn(&self, state: &State) -> Cow<'_, Model> {
        let (Some(_), Some(torn)) = (&self.tearing, &state.torn) else { return Cow::Borrowed(self) };
        let mut model = self.clone();
        model.tear(torn);
        Cow::Owned(model)
    }

    /// Takes over how the surfaces hang together, from the beginning: triangles, what points to their corners, masses,
    /// and for each new particle body, drive and place in the scene of the vertex that it came from.
    pub(crate) fn tear(&mut self, torn: &Torn) {
        let Some(tearing) = self.tearing.take() else { return };
        let mut dropped = vec![false; torn.triangles.len()];
        torn.dropped.iter().for_each(|&triangle| dropped[triangle as usize] = true);
        let outside: usize = self.bodies.iter().map(|body| body.triangles.len()).sum();
        let (surface, inside) = torn.triangles.split_at(outside);
        let vertices = self.bodies.iter().flat_map(|body| &body.triangles).chain(&tearing.inside);
        for (&from, &to) in vertices.flatten().zip(torn.triangles.as_flattened()) {
            if tearing.spares.contains(&to) {
                let (from, to) = (from as usize, to as usize);
                self.particles.bodies[to] = self.particles.bodies[from];
                self.particles.drives[to] = self.particles.drives[from];
                self.particles.positions[to] = self.particles.positions[from];
            }
        }
        let mut all = surface.iter().zip(dropped);
        for body in &mut self.bodies {
            let now = all.by_ref().take(body.triangles.len());
            body.triangles = now.filter(|(_, dropped)| !dropped).map(|(&triangle, _)| triangle).collect();
        }
        for (facet, sides) in inside.chunks_exact(2).enumerate().filter(|(facet, _)| tearing.is_apart(*facet, inside)) {
            let body = self.particles.bodies[tearing.inside[2 * facet][0] as usize];
            self.bodies[body as usize].triangles.extend(sides);
        }
        for seam in &tearing.seams {
            let group = &mut self.groups[seam.group as usize];
            let ends =
                group.offsets[seam.constraint as usize] as usize..group.offsets[seam.constraint as usize + 1] as usize;
            for (end, corner) in group.particles[ends].iter_mut().zip(seam.corners) {
                *end = torn.triangles[corner as usize / 3][corner as usize % 3];
            }
        }
        self.particles.inverse_masses[..torn.inverse_masses.len()].copy_from_slice(&torn.inverse_masses);
    }
}

impl Body {
    /// The particles that tears have split off this body ([`Model::torn`]) and that have triangles, ascending.
    pub fn split_particles(&self) -> Vec<u32> {
        let corners = self.triangles.as_flattened().iter().copied();
        let mut split: Vec<u32> = corners.filter(|corner| !self.particles.contains(corner)).collect();
        split.sort_unstable();
        split.dedup();
        split
    }
}

impl Tearing {
    /// Whether any constraint of a group goes with corners.
    pub fn holds(&self, group: usize) -> bool {
        self.seams.iter().any(|seam| seam.group as usize == group)
    }

    /// For each edge whether it is broken, by the multipliers of the edges' group.
    pub fn broken(&self, multipliers: &[Multiplier]) -> Vec<bool> {
        self.edges.iter().map(|edge| multipliers[edge.constraint as usize].broken).collect()
    }

    /// The vertices of the tearable bodies that may split, ascending.
    pub(crate) fn vertices(&self) -> Vec<u32> {
        let of_edges = self.edges.iter().flat_map(|edge| edge.ends);
        let mut vertices: Vec<u32> = of_edges.chain(self.inside.iter().copied().flatten()).collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    }

    /// For each corner of a side of a facet the corner of the other side at the same vertex.
    pub(crate) fn across(&self, facet: usize) -> [usize; 3] {
        let [side, other] = [self.inside[2 * facet], self.inside[2 * facet + 1]];
        side.map(|vertex| other.iter().position(|&theirs| theirs == vertex).unwrap_or_default())
    }

    /// Whether the two sides of a facet no longer have the same three particles, as the sides of all facets are now.
    fn is_apart(&self, facet: usize, inside: &[[u32; 3]]) -> bool {
        let [side, other] = [inside[2 * facet], inside[2 * facet + 1]];
        self.across(facet).into_iter().zip(side).any(|(k, particle)| other[k] != particle)
    }
}

/// The triangles around each vertex of the tearable bodies, by their corners at it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fans {
    /// Where each vertex's corners begin in `corners`, and the end. Vertices are in ascending order of their particles.
    pub offsets: Vec<u32>,
    /// Corners, ascending for each vertex.
    pub corners: Vec<u32>,
    /// For each of `corners` the share of the vertex's mass that goes with it, in any unit: the area of its triangle,
    /// or the volume of its tetrahedron, as masses were shared out by these. On a grid all are the same.
    pub shares: Vec<f64>,
}

/// The least share of a corner over the mean of its vertex: a part that holds slivers alone must weigh something.
const LEAST_SHARE: f64 = 1e-3;

impl Fans {
    /// Of a model as it is before any tear.
    pub fn new(model: &Model, tearing: &Tearing) -> Self {
        let mut count = vec![None; model.placed_particles()];
        tearing.vertices().into_iter().for_each(|vertex| count[vertex as usize] = Some(0));
        let triangles: Vec<[u32; 3]> = model.triangles().collect();
        let particles = triangles.as_flattened();
        for &particle in particles {
            count[particle as usize] = count[particle as usize].map(|count: u32| count + 1);
        }
        let mut fans = Self { offsets: vec![0], ..Self::default() };
        let mut next = vec![0; count.len()];
        for (next, count) in next.iter_mut().zip(&count) {
            if let Some(count) = count {
                *next = fans.offsets[fans.offsets.len() - 1];
                fans.offsets.push(*next + count);
            }
        }
        fans.corners = vec![0; fans.offsets[fans.offsets.len() - 1] as usize];
        for (corner, &particle) in (0..).zip(particles).filter(|(_, particle)| count[**particle as usize].is_some()) {
            fans.corners[next[particle as usize] as usize] = corner;
            next[particle as usize] += 1;
        }
        let mut sizes: Vec<f64> = triangles.iter().map(|&triangle| area(model, triangle)).collect();
        for cell in &tearing.cells {
            cell.faces.into_iter().for_each(|face| sizes[face as usize] = volume(model, cell));
        }
        fans.shares = fans.corners.iter().map(|&corner| sizes[corner as usize / 3]).collect();
        for ends in fans.offsets.windows(2) {
            let of_vertex = &mut fans.shares[ends[0] as usize..ends[1] as usize];
            let mean = of_vertex.iter().sum::<f64>() / of_vertex.len() as f64;
            of_vertex.iter_mut().for_each(|share| *share = (*share / mean).max(LEAST_SHARE));
        }
        fans
    }

    /// Ranges of `corners`, one per vertex.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.offsets.windows(2).map(|ends| ends[0] as usize..ends[1] as usize)
    }
}

/// Area of a triangle, m².
fn area(model: &Model, triangle: [u32; 3]) -> f64 {
    let [a, b, c] = triangle.map(|p| Vec3::from(model.particles.positions[p as usize]));
    0.5 * (b - a).cross(c - a).length()
}

/// Volume of a tetrahedron, m³.
fn volume(model: &Model, cell: &TearableCell) -> f64 {
    let particles = model.groups[cell.group as usize].particles_of(cell.constraint as usize);
    let [a, b, c, d] = [0, 1, 2, 3].map(|k| Vec3::from(model.particles.positions[particles[k] as usize]));
    (b - a).cross(c - a).dot(d - a).abs() / 6.0
}
