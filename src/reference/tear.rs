//! Tearing: which triangles around a vertex still hang together, and what particle each part has. See `model::Tearing`.

use std::collections::HashMap;
use std::ops::Range;

use crate::model::{Fans, Model, Seam, State, Tearing, Torn};

/// The tearable surfaces of a model.
pub(super) struct Tear {
    fans: Fans,
    /// At the beginning: a corner's vertex has the name of the particle there.
    vertices: Vec<[u32; 3]>,
    /// Index of the edge between two vertices, the lower first.
    edges: HashMap<[u32; 2], usize>,
    spares: Range<u32>,
    /// As they hang together now.
    pub torn: Torn,
    /// Spare particles that all splits so far have asked for.
    pub needed: u64,
}

impl Tear {
    /// At the beginning.
    pub fn new(model: &Model, tearing: &Tearing) -> Self {
        let vertices: Vec<[u32; 3]> = model.bodies.iter().flat_map(|body| &body.triangles).copied().collect();
        let inverse_masses = model.particles.inverse_masses[..model.placed_particles()].to_vec();
        Self {
            fans: Fans::new(model, tearing),
            edges: tearing.edges.iter().enumerate().map(|(index, edge)| (edge.ends, index)).collect(),
            spares: tearing.spares.clone(),
            torn: Torn { triangles: vertices.clone(), dropped: Vec::new(), inverse_masses },
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

    /// How the surfaces hang together, if not as at the beginning.
    pub fn torn(&self) -> Option<Torn> {
        (self.taken() > 0 || !self.torn.dropped.is_empty()).then(|| self.torn.clone())
    }

    /// Splits what the broken edges no longer hold, vertex after vertex. Returns for each new particle, in order, the one that
    /// it was split from.
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
        self.needed = u64::from(self.taken()) + waiting;
        splits
    }

    /// Whether no edge holds a corner any more.
    fn is_loose(&self, corner: u32, broken: &[bool]) -> bool {
        let mut edges = self.edges_at(corner).peekable();
        edges.peek().is_some() && edges.all(|edge| broken[edge])
    }

    /// For each seam whether it breaks: its edge is broken, or one of its corners loose.
    pub fn broken_seams(&self, tearing: &Tearing, broken: &[bool]) -> Vec<bool> {
        let corners = |seam: &Seam| seam.corners.into_iter().filter(|&corner| corner != u32::MAX);
        let breaks = |seam: &Seam| broken[seam.edge as usize] || corners(seam).any(|c| self.is_loose(c, broken));
        tearing.seams.iter().map(breaks).collect()
    }

    /// The corners around a vertex that are not loose in parts that whole edges join: each ascending, and by their first.
    fn parts(&self, fan: &[u32], broken: &[bool]) -> Vec<Vec<u32>> {
        if !fan.iter().any(|&corner| self.edges_at(corner).any(|edge| broken[edge])) {
            return vec![fan.to_vec()];
        }
        let mut left: Vec<u32> = fan.iter().copied().filter(|&corner| !self.is_loose(corner, broken)).collect();
        let mut parts = Vec::new();
        while !left.is_empty() {
            let mut part = vec![left.remove(0)];
            let mut reached = 0;
            while let Some(&corner) = part.get(reached) {
                let joined = |other: u32| {
                    self.edges_at(corner).any(|edge| !broken[edge] && self.edges_at(other).any(|same| same == edge))
                };
                part.extend(left.extract_if(.., |other| joined(*other)));
                reached += 1;
            }
            part.sort_unstable();
            parts.push(part);
        }
        parts
    }

    /// The two edges of a corner's triangle that meet there; none where it cannot be torn.
    fn edges_at(&self, corner: u32) -> impl Iterator<Item = usize> {
        let (triangle, k) = (self.vertices[corner as usize / 3], corner as usize % 3);
        [1, 2].into_iter().filter_map(move |step| {
            let (a, b) = (triangle[k], triangle[(k + step) % 3]);
            self.edges.get(&[a.min(b), a.max(b)]).copied()
        })
    }

    fn particle(&self, corner: u32) -> u32 {
        self.torn.triangles[corner as usize / 3][corner as usize % 3]
    }
}
