//! Surfaces that come apart where their edges break.
//!
//! A corner is triangle `t` and `k` of 0, 1, 2: the index `3 t + k` over the triangles of all bodies, one body after another.
//! Which particle each corner has is all of a surface's topology. Where edges break, the triangles around a vertex fall
//! into parts that no whole edge joins; the part with the vertex's first corner keeps the particle, each other one takes a
//! spare. A corner both of whose edges are broken is loose: nothing holds it, and a triangle with a loose corner is dropped, as
//! what would be left of it hangs on one edge. Its mass stays with the vertices. Parts that met at the vertex alone come apart with the first edge that breaks there. A constraint of the surface goes
//! with corners of its own; what else names a particle (pins, forces, constraints by hand) stays with the first part, and pins
//! and forces also go with the others.

use std::borrow::Cow;
use std::ops::Range;

use super::{Body, Model, Multiplier, State};
use crate::constraint::Vec3;

/// The bodies that can be torn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tearing {
    /// Particles that lie in wait until a tear takes them, in ascending order: the model's last ones. Till then they are fixed
    /// and of no account.
    pub spares: Range<u32>,
    /// The group whose constraints the edges are.
    pub group: u32,
    /// Every edge of the tearable surfaces once, ascending by their ends.
    pub edges: Vec<TearableEdge>,
    /// Every constraint that holds a tearable surface: what is pointed anew when it tears.
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

/// A constraint that belongs to an edge: the edge's own, or what bends or shears across it. It breaks with the edge, or as one of
/// its corners comes loose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seam {
    /// Index into [`Model::groups`].
    pub group: u32,
    /// Index in the group.
    pub constraint: u32,
    /// Index into [`Tearing::edges`].
    pub edge: u32,
    /// The corner whose particle each end of the constraint has; as many as its kind connects.
    pub corners: [u32; 4],
}

/// How the surfaces hang together once particles have split.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize, serde::Deserialize))]
pub struct Torn {
    /// The triangles of all bodies, one body after another, those that are dropped as well.
    pub triangles: Vec<[u32; 3]>,
    /// Indices of the triangles that are dropped, ascending.
    pub dropped: Vec<u32>,
    /// 1/kg, one per particle of the state.
    pub inverse_masses: Vec<f64>,
}

impl Model {
    /// How many particles there are at the beginning, without the spare ones.
    pub fn placed_particles(&self) -> usize {
        self.tearing.as_ref().map_or(self.particles.len(), |tearing| tearing.spares.start as usize)
    }

    /// Whether constraints of a group hold a surface that can be torn.
    pub fn tears(&self, group: usize) -> bool {
        self.tearing.as_ref().is_some_and(|tearing| tearing.holds(group))
    }

    /// The model with the surfaces, masses and constraints of a state in which it is torn, from where it can be torn no more;
    /// itself where it is not.
    pub fn torn(&self, state: &State) -> Cow<'_, Model> {
        let (Some(_), Some(torn)) = (&self.tearing, &state.torn) else { return Cow::Borrowed(self) };
        let mut model = self.clone();
        model.tear(torn);
        Cow::Owned(model)
    }

    /// Takes over how the surfaces hang together, from the beginning: triangles, what points to their corners, masses, and for
    /// each new particle body, drive and place in the scene of the vertex that it came from.
    pub(crate) fn tear(&mut self, torn: &Torn) {
        let Some(tearing) = self.tearing.take() else { return };
        let mut dropped = vec![false; torn.triangles.len()];
        torn.dropped.iter().for_each(|&triangle| dropped[triangle as usize] = true);
        let mut all = torn.triangles.iter().zip(&dropped);
        for body in &mut self.bodies {
            let now: Vec<_> = all.by_ref().take(body.triangles.len()).collect();
            for (vertices, (corners, _)) in body.triangles.iter().zip(&now) {
                for (&from, &to) in vertices.iter().zip(*corners).filter(|(_, to)| tearing.spares.contains(to)) {
                    let (from, to) = (from as usize, to as usize);
                    self.particles.bodies[to] = self.particles.bodies[from];
                    self.particles.drives[to] = self.particles.drives[from];
                    self.particles.positions[to] = self.particles.positions[from];
                }
            }
            body.triangles = now.into_iter().filter(|(_, dropped)| !**dropped).map(|(&triangle, _)| triangle).collect();
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
    /// Whether any constraint of a group belongs to an edge.
    pub fn holds(&self, group: usize) -> bool {
        self.seams.iter().any(|seam| seam.group as usize == group)
    }

    /// For each edge whether it is broken, by the multipliers of the edges' group.
    pub fn broken(&self, multipliers: &[Multiplier]) -> Vec<bool> {
        self.edges.iter().map(|edge| multipliers[edge.constraint as usize].broken).collect()
    }
}

/// The triangles around each vertex of the tearable surfaces, by their corners at it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fans {
    /// Where each vertex's corners begin in `corners`, and the end. Vertices are in ascending order of their particles.
    pub offsets: Vec<u32>,
    /// Corners, ascending for each vertex.
    pub corners: Vec<u32>,
    /// For each of `corners` the share of the vertex's mass that goes with it: the area of its triangle, in any unit, as
    /// masses were shared out by area. On a grid all are the same.
    pub shares: Vec<f64>,
}

/// The least share of a corner over the mean of its vertex: a part that holds slivers alone must weigh something.
const LEAST_SHARE: f64 = 1e-3;

impl Fans {
    /// Of a model as it is before any tear.
    pub fn new(model: &Model, tearing: &Tearing) -> Self {
        let mut count = vec![None; model.placed_particles()];
        tearing.edges.iter().flat_map(|edge| edge.ends).for_each(|vertex| count[vertex as usize] = Some(0));
        let particles: Vec<u32> = model.bodies.iter().flat_map(|body| body.triangles.as_flattened()).copied().collect();
        for &particle in &particles {
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
        for (corner, &particle) in (0..).zip(&particles).filter(|(_, particle)| count[**particle as usize].is_some()) {
            fans.corners[next[particle as usize] as usize] = corner;
            next[particle as usize] += 1;
        }
        fans.shares = fans.corners.iter().map(|&corner| area(model, &particles[corner as usize / 3 * 3..])).collect();
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

/// Area of the triangle between the first three of some particles, m².
fn area(model: &Model, particles: &[u32]) -> f64 {
    let [a, b, c] = [0, 1, 2].map(|k| Vec3::from(model.particles.positions[particles[k] as usize]));
    0.5 * (b - a).cross(c - a).length()
}
