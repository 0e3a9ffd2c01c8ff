//! Tethers from each particle to the fixed ones nearest along the mesh. Kim et al., Long Range Attachments, 2012.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::error::{Path, SceneError};
use super::super::{Tethers, check};
use super::Builder;
use super::local::Local;
use crate::math::Vec3;
use crate::model::{Body, Material, Side};

/// A way of this length from a fixed particle to another, ordered by length; f64 has no order of its own, but the bits
/// of numbers of at least 0 have.
type Way = (u64, u32, u32);

impl Builder<'_> {
    /// `body` is the one that was added last.
    pub fn tethers(&mut self, at: &Path, body: usize, tethers: &Tethers, local: &Local) -> Result<(), SceneError> {
        let at = at.key("tether");
        let compliance = check::number(&at.key("compliance"), tethers.compliance, &check::COMPLIANCE)?;
        let slack = check::number(&at.key("slack"), tethers.slack, &check::SLACK)?;
        check::number(&at.key("nearest"), tethers.nearest.into(), &check::NEAREST)?;
        if !local.tetrahedra.is_empty() {
            return Err(SceneError::new(&at, "applies to cloth and strands; a solid needs none: remove it"));
        }
        if local.mesh.triangles.is_empty() && local.strand.is_none() {
            return Err(SceneError::new(
                &at,
                "follows the edges of a mesh, and loose particles have none; \
                give them constraints of the kind `tether`",
            ));
        }
        let body = &self.model.bodies[body];
        let fixed = |p: u32| self.model.particles.inverse_masses[p as usize] == 0.0;
        if !body.particles.clone().any(fixed) {
            return Err(SceneError::new(&at, "needs pins to hang from; pin the body"));
        }
        let edges = self.edges(body, local);
        let ways = nearest(body, &edges, fixed, tethers.nearest as usize);
        let group = self.kind(&at, "tether", 2)?;
        let material = self.model.materials.insert(Material { compliance, side: Side::Pull, ..Material::default() });
        for (particle, pin, length) in ways {
            self.model.groups[group].push(&[particle, pin], &[length * slack], material);
        }
        Ok(())
    }

    /// Pairs of particles and the way from one to the other, m: edges, and straight across an edge from corner to
    /// opposite corner, without which the way along a grid would be that of a taxi.
    fn edges(&self, body: &Body, local: &Local) -> Vec<(u32, u32, f64)> {
        let first = body.particles.start;
        let place = |p: u32| Vec3::from(self.model.particles.positions[(first + p) as usize]);
        let straight = |[a, b]: [u32; 2]| (first + a, first + b, (place(a) - place(b)).length());
        let mut edges: Vec<_> = local.runs::<2>().map(straight).collect();
        edges.extend(local.mesh.edges().into_iter().map(straight));
        edges.extend(local.mesh.hinges().into_iter().filter_map(|[a, b, c, d]| {
            let length = across(place(a), place(b), place(c), place(d))?;
            Some((first + c, first + d, length))
        }));
        edges
    }
}

/// The distance from c to d with their two triangles unfolded about the edge from a to b; `None` where that line passes
/// by the edge.
fn across(a: Vec3<f64>, b: Vec3<f64>, c: Vec3<f64>, d: Vec3<f64>) -> Option<f64> {
    let (direction, length) = (b - a).direction_and_length();
    // Along the edge, and away from it.
    let flat = |p: Vec3<f64>| {
        let along = (p - a).dot(direction);
        (along, (p - a - direction * along).length())
    };
    let ((c_along, c_away), (d_along, d_away)) = (flat(c), flat(d));
    let away = c_away + d_away;
    let crossing = c_along + (d_along - c_along) * (c_away / away);
    (away > 0.0 && (0.0..=length).contains(&crossing)).then(|| {
        let along = d_along - c_along;
        (along * along + away * away).sqrt()
    })
}

/// Each free particle with up to `count` fixed ones and the ways there, by Dijkstra's algorithm from all fixed ones at
/// once; sorted.
fn nearest(body: &Body, edges: &[(u32, u32, f64)], fixed: impl Fn(u32) -> bool, count: usize) -> Vec<(u32, u32, f64)> {
    let first = body.particles.start;
    let mut neighbours: Vec<Vec<(u32, f64)>> = vec![Vec::new(); body.particles.len()];
    for &(a, b, length) in edges {
        neighbours[(a - first) as usize].push((b, length));
        neighbours[(b - first) as usize].push((a, length));
    }
    let mut found: Vec<Vec<(u32, f64)>> = vec![Vec::new(); body.particles.len()];
    let mut queue: BinaryHeap<Reverse<Way>> =
        body.particles.clone().filter(|&p| fixed(p)).map(|p| Reverse((0, p, p))).collect();
    while let Some(Reverse((bits, particle, pin))) = queue.pop() {
        let length = f64::from_bits(bits);
        let known = &mut found[(particle - first) as usize];
        // No way leads on through a fixed particle: what is behind it hangs from that one.
        let through_fixed = fixed(particle) && particle != pin;
        if known.len() == count || known.iter().any(|way| way.0 == pin) || through_fixed {
            continue;
        }
        known.push((pin, length));
        for &(next, edge) in &neighbours[(particle - first) as usize] {
            queue.push(Reverse(((length + edge).to_bits(), next, pin)));
        }
    }
    let free = body.particles.clone().filter(|&p| !fixed(p));
    free.flat_map(|p| found[(p - first) as usize].iter().map(move |&(pin, length)| (p, pin, length))).collect()
}
