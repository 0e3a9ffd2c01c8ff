//! Tearing: which triangles and tetrahedra around a vertex still hang together, and what particle each part has. See
//! `model::Tearing`.

use std::collections::HashMap;
use std::ops::Range;

use crate::model::{Fans, Model, Seam, State, Tearing, Torn};

/// The tearable bodies of a model. What joins triangles is numbered: edges first, then the faces inside solids.
pub struct Tear {
    fans: Fans,
    /// At the beginning: a corner's vertex has the name of the particle there.
    vertices: Vec<[u32; 3]>,
    /// Index of the edge between two vertices, the lower first.
    edges: HashMap<[u32; 2], usize>,
    /// Where the triangles of inner faces begin.
    inside: usize,
    /// Of each triangle the tetrahedron whose face it is.
    cells: Vec<Option<usize>>,
    spares: Range<u32>,
    /// As they hang together now.
    pub torn: Torn,
    /// Spare particles that all splits so far have asked for.
    pub needed: u64,
}

impl Tear {
    /// At the beginning.
    pub fn new(model: &Model, tearing: &Tearing) -> Self {
        let vertices: Vec<[u32; 3]> = model.triangles().collect();
        let mut cells = vec![None; vertices.len()];
        for (index, cell) in tearing.cells.iter().enumerate() {
            cell.faces.into_iter().for_each(|face| cells[face as usize] = Some(index));
        }
        let inverse_masses = model.particles.inverse_masses[..model.placed_particles()].to_vec();
        Self {
            fans: Fans::new(model, tearing),
            edges: tearing.edges.iter().enumerate().map(|(index, edge)| (edge.ends, index)).collect(),
            spares: tearing.spares.clone(),
            inside: vertices.len() - tearing.inside.len(),
            cells,
            torn: Torn { triangles: vertices.clone(), inverse_masses, ..Torn::default() },
            vertices,
            needed: 0,
        }
    }

    /// As in a state of the model.
    pub fn resume(model: &Model, tearing: &Tearing, state: &State) -> Self {
        let fresh = Self::new(model, tearing);
        Self { torn: state.torn.clone().unwrap_or(fresh.torn), needed: state.spares_needed, ..fresh }
    }

    /// How many spare particles are taken.
    pub fn taken(&self) -> u32 {
        self.torn.inverse_masses.len() as u32 - self.spares.start
    }

    /// How the bodies hang together, if not as at the beginning.
    pub fn torn(&self) -> Option<Torn> {
        let Torn { dropped, broken_facets, .. } = &self.torn;
        (self.taken() > 0 || !dropped.is_empty() || !broken_facets.is_empty()).then(|| self.torn.clone())
    }

    /// Whether each edge and each facet is broken, these edges, and those facets that were or that now bear more than
    /// they can.
    pub fn broken(&self, tearing: &Tearing, mut edges: Vec<bool>, stresses: &[f64]) -> Vec<bool> {
        let was = |facet: usize| self.torn.broken_facets.binary_search(&(facet as u32)).is_ok();
        let facets = tearing.facets.iter().zip(stresses).enumerate();
        edges.extend(facets.map(|(index, (facet, &stress))| was(index) || stress > facet.strength));
        edges
    }

    /// Splits what broken edges and facets no longer hold, vertex after vertex. Returns for each new particle, in
    /// order, the one that it was split from.
    pub fn split(&mut self, broken: &[bool]) -> Vec<u32> {
        let mut splits = Vec::new();
        let mut waiting = 0;
        for range in self.fans.ranges() {
            let (fan, shares) = (&self.fans.corners[range.clone()], &self.fans.shares[range]);
            let before: Vec<u32> = fan.iter().map(|&corner| self.particle(corner)).collect();
            let mut kept = Vec::new();
            for part in self.parts(fan, broken) {
                let particle = self.particle(part[0]);
                if !kept.contains(&particle) {
                    kept.push(particle);
                } else if self.taken() < self.spares.len() as u32 {
                    let new = self.spares.start + self.taken();
                    splits.push(particle);
                    self.torn.inverse_masses.push(self.torn.inverse_masses[particle as usize]);
                    part.iter().for_each(|&c| self.torn.triangles[c as usize / 3][c as usize % 3] = new);
                } else {
                    waiting += 1;
                }
            }
            // Each part's mass is its share of the mass before: w = w before * (all shares / the part's).
            let after: Vec<u32> = fan.iter().map(|&corner| self.particle(corner)).collect();
            let sum = |all: &[u32], particle| -> f64 {
                all.iter().zip(shares).filter(|(p, _)| **p == particle).map(|(_, share)| share).sum()
            };
            for (k, &particle) in after.iter().enumerate().filter(|(k, particle)| !after[..*k].contains(particle)) {
                self.torn.inverse_masses[particle as usize] *= sum(&before, before[k]) / sum(&after, particle);
            }
        }
        let loose = |triangle: &u32| (0..3).any(|k| self.is_loose(3 * triangle + k, broken));
        self.torn.dropped = (0..self.vertices.len() as u32).filter(loose).collect();
        self.torn.broken_facets = (0..).zip(&broken[self.edges.len()..]).filter(|(_, b)| **b).map(|(i, _)| i).collect();
        self.needed = u64::from(self.taken()) + waiting;
        splits
    }

    /// Whether nothing holds a corner any more.
    fn is_loose(&self, corner: u32, broken: &[bool]) -> bool {
        let mut edges = self.joints_at(corner).peekable();
        edges.peek().is_some() && edges.all(|edge| broken[edge]) && self.cells[corner as usize / 3].is_none()
    }

    /// The corners that nothing holds any more, ascending.
    #[cfg(feature = "cpu")]
    pub fn loose(&self, broken: &[bool]) -> Vec<u32> {
        let corners = 0..3 * self.vertices.len() as u32;
        if broken.contains(&true) {
            corners.filter(|&corner| self.is_loose(corner, broken)).collect()
        } else {
            Vec::new()
        }
    }

    /// For each seam whether it breaks: its edge is broken, or one of its corners loose.
    pub fn broken_seams(&self, tearing: &Tearing, broken: &[bool]) -> Vec<bool> {
        let corners = |seam: &Seam| seam.corners.into_iter().filter(|&corner| corner != u32::MAX);
        let is_broken = |edge: u32| broken[edge as usize];
        let breaks = |seam: &Seam| seam.edge.is_some_and(is_broken) || corners(seam).any(|c| self.is_loose(c, broken));
        tearing.seams.iter().map(breaks).collect()
    }

    /// The corners around a vertex that are not loose in parts that whole edges, facets and tetrahedra join: each
    /// ascending, and by their first.
    fn parts(&self, fan: &[u32], broken: &[bool]) -> Vec<Vec<u32>> {
        if !fan.iter().any(|&corner| self.joints_at(corner).any(|joint| broken[joint])) {
            return vec![fan.to_vec()];
        }
        let mut left: Vec<u32> = fan.iter().copied().filter(|&corner| !self.is_loose(corner, broken)).collect();
        let mut parts = Vec::new();
        while !left.is_empty() {
            let mut part = vec![left.remove(0)];
            let mut reached = 0;
            while let Some(&corner) = part.get(reached) {
                let cell = self.cells[corner as usize / 3];
                let joined = |other: u32| {
                    let mut whole = self.joints_at(corner).filter(|&joint| !broken[joint]);
                    let of_cell = cell.is_some() && cell == self.cells[other as usize / 3];
                    of_cell || whole.any(|joint| self.joints_at(other).any(|same| same == joint))
                };
                part.extend(left.extract_if(.., |other| joined(*other)));
                reached += 1;
            }
            part.sort_unstable();
            parts.push(part);
        }
        parts
    }

    /// The two edges of a corner's triangle that meet there, or the facet that it is a side of; none where it cannot be
    /// torn.
    fn joints_at(&self, corner: u32) -> impl Iterator<Item = usize> {
        let (triangle, k) = (corner as usize / 3, corner as usize % 3);
        let vertices = self.vertices[triangle];
        let edges = [1, 2].into_iter().filter_map(move |step| {
            let (a, b) = (vertices[k], vertices[(k + step) % 3]);
            self.edges.get(&[a.min(b), a.max(b)]).copied()
        });
        let facet = triangle.checked_sub(self.inside).map(|side| self.edges.len() + side / 2);
        edges.chain(facet)
    }

    fn particle(&self, corner: u32) -> u32 {
        self.torn.triangles[corner as usize / 3][corner as usize % 3]
    }
}

#[cfg(test)]
mod tests {
    use crate::mesh::{TetrahedronMesh, TriangleMesh, ascending};
    use crate::pass::tear::topology::*;
    use crate::scene::{Body, Cloth, Mesh, Scene, Soft};

    /// A cloth that tears, with this many vertices around vertex 0 and these triangles.
    fn cloth(around: u32, triangles: Vec<[u32; 3]>) -> Model {
        let place = |i: u32| {
            let (sine, cosine) = (f64::from(i) * std::f64::consts::TAU / f64::from(around)).sin_cos();
            [cosine, sine, 0.0]
        };
        let positions = std::iter::once([0.0; 3]).chain((0..around).map(place)).collect();
        let cloth = Cloth::new(Mesh::Triangles(TriangleMesh { positions, triangles })).tears_at(1.0);
        Scene::new("fan").with(Body::cloth(cloth)).build().unwrap().model
    }

    /// Triangles all around vertex 0, or without the last of them.
    fn fan(around: u32, closed: bool) -> Model {
        let last = around - u32::from(!closed);
        cloth(around, (0..last).map(|i| [0, 1 + i, 1 + (i + 1) % around]).collect())
    }

    /// What breaking these edges splits: from which particle each new one comes, and how many triangles are dropped.
    fn split(model: &Model, edges: &[[u32; 2]]) -> (Vec<u32>, usize) {
        let tearing = model.tearing.as_ref().unwrap();
        let mut tear = Tear::new(model, tearing);
        let broken: Vec<bool> = tearing.edges.iter().map(|edge| edges.contains(&edge.ends)).collect();
        assert_eq!(broken.iter().filter(|broken| **broken).count(), edges.len());
        let splits = tear.split(&broken);
        assert!(tear.split(&broken).is_empty(), "what is split is split");
        let mass = |inverse: &[f64]| inverse.iter().map(|w| 1.0 / w).sum::<f64>();
        let before = mass(&model.particles.inverse_masses[..model.placed_particles()]);
        assert!((mass(&tear.torn.inverse_masses) / before - 1.0).abs() < 1e-14);
        (splits, tear.torn.dropped.len())
    }

    /// A broken edge alone is a slit: both its ends hold together, unless one lies at the border.
    #[test]
    fn one_broken_edge() {
        assert_eq!(split(&fan(6, true), &[]), (vec![], 0));
        // From the middle to the border, whose vertex comes apart.
        assert_eq!(split(&fan(6, true), &[[0, 3]]), (vec![3], 0));
        // An edge of the border holds nothing together.
        assert_eq!(split(&fan(6, true), &[[3, 4]]), (vec![], 0));
        // Across an open fan: two pieces.
        assert_eq!(split(&fan(6, false), &[[0, 3]]), (vec![0, 3], 0));
    }

    /// Two broken edges cut a closed fan in two and an open one in three, more in as many more; where they are
    /// neighbours, the triangle between them has lost two edges and is dropped.
    #[test]
    fn more_broken_edges() {
        assert_eq!(split(&fan(6, true), &[[0, 1], [0, 4]]), (vec![0, 1, 4], 0));
        assert_eq!(split(&fan(6, true), &[[0, 1], [0, 3], [0, 5]]), (vec![0, 0, 1, 3, 5], 0));
        assert_eq!(split(&fan(7, false), &[[0, 3], [0, 5]]), (vec![0, 0, 3, 5], 0));
        assert_eq!(split(&fan(6, true), &[[0, 3], [0, 4]]), (vec![3, 4], 1));
    }

    /// Three triangles at an edge hold together by it, and all come apart where it breaks.
    #[test]
    fn three_triangles_at_an_edge() {
        let book = cloth(5, vec![[0, 1, 2], [0, 1, 3], [0, 1, 4], [0, 4, 5]]);
        assert_eq!(split(&book, &[[0, 2]]), (vec![], 0));
        assert_eq!(split(&book, &[[0, 1]]), (vec![0, 0, 1, 1], 0));
    }

    /// Fans that meet in one vertex alone come apart there with the first edge that breaks at it.
    #[test]
    fn fans_that_touch() {
        let touching = cloth(6, vec![[0, 1, 2], [0, 2, 3], [0, 4, 5], [0, 5, 6]]);
        assert_eq!(split(&touching, &[[1, 2]]), (vec![], 0));
        assert_eq!(split(&touching, &[[0, 2]]), (vec![0, 0, 2], 0));
    }

    /// Four tetrahedra around the edge from 0 to 1, closed, and from which particles breaking these of the faces
    /// between them, by their third vertex, splits new ones.
    fn around(faces: &[u32]) -> Vec<u32> {
        let positions = [[0, 0, -1], [0, 0, 1], [1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]].map(|x| x.map(f64::from));
        let tetrahedra = (0..4).map(|i| [2 + i, 2 + (i + 1) % 4, 0, 1]).map(|[a, b, c, d]| [c, a, b, d]).collect();
        let mesh = TetrahedronMesh { positions: positions.to_vec(), tetrahedra };
        let soft = Soft { spare_particles: Some(10), ..Soft::new(mesh).young_modulus(1e5).tears_at(1e3) };
        let model = Scene::new("around").with(Body::soft(soft)).build().unwrap().model;
        let tearing = model.tearing.as_ref().unwrap();
        let broken = |facet: usize| faces.contains(&ascending(tearing.inside[2 * facet])[2]);
        let broken: Vec<bool> = (0..tearing.facets.len()).map(broken).collect();
        assert_eq!(broken.iter().filter(|broken| **broken).count(), faces.len());
        let mut tear = Tear::new(&model, tearing);
        let splits = tear.split(&broken);
        assert!(tear.torn.dropped.is_empty() && tear.torn.broken_facets.len() == faces.len());
        let mass = |inverse: &[f64]| inverse.iter().map(|w| 1.0 / w).sum::<f64>();
        let before = mass(&model.particles.inverse_masses[..model.placed_particles()]);
        assert!((mass(&tear.torn.inverse_masses) / before - 1.0).abs() < 1e-14);
        splits
    }

    /// A broken face around an edge opens its outer vertex alone, two of them part the edge as well, and a tetrahedron
    /// that no face holds any more goes its own way.
    #[test]
    fn faces_around_an_edge() {
        assert_eq!(around(&[]), [0; 0]);
        assert_eq!(around(&[2]), [2]);
        assert_eq!(around(&[2, 4]), [0, 1, 2, 4]);
        assert_eq!(around(&[2, 3]), [0, 1, 2, 3]);
        assert_eq!(around(&[2, 3, 4, 5]), [0, 0, 0, 1, 1, 1, 2, 3, 4, 5]);
    }
}
