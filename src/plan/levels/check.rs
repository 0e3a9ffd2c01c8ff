//! The check of levels against their model: the engines use indices without checks, and the fields of a plan are
//! public.

use std::ops::Range;

use super::{Level, Net, Rows, Sheet};
use crate::Model;

impl Sheet {
    /// The first fault of the sheet as one over this model, if any.
    pub(crate) fn fault(&self, model: &Model) -> Option<&'static str> {
        let Range { start, end } = self.particles;
        if start >= end || end as usize > model.particles.len() {
            return Some("a particle is not in the model");
        }
        if self.levels.is_empty() {
            return Some("there is no level");
        }
        let materials = model.materials.len();
        if !self.materials.iter().all(|&material| (material as usize) < materials) {
            return Some("a material is not in the model");
        }
        let mut finer = self.particles.len();
        for level in &self.levels {
            if let Some(fault) = level.fault(finer, materials) {
                return Some(fault);
            }
            finer = level.net.len();
        }
        None
    }
}

impl Level {
    /// The first fault of the level over a net of `finer` nodes, if any.
    fn fault(&self, finer: usize, materials: usize) -> Option<&'static str> {
        let Self { net, prolong, restrict, centres, colours } = self;
        let nodes = net.len();
        if nodes == 0 || net.inverse_masses.len() != nodes || !(net.media.is_empty() || net.media.len() == nodes) {
            return Some("nodes are not numbered without gaps, or there are none");
        }
        if !prolong.are(finer, nodes) || !restrict.are(nodes, finer) {
            return Some("the shares do not match the nodes of both nets");
        }
        if centres.len() != nodes || !centres.iter().all(|&centre| (centre as usize) < finer) {
            return Some("a centre is not a node of the finer net");
        }
        if !net.has_sound_edges(materials) {
            return Some("an edge does not join two nodes, or its material is not in the model");
        }
        (!net.is_coloured(colours)).then_some(
            "the colours do not partition the edges, or two edges of a colour share \
             a node",
        )
    }
}

impl Net {
    fn has_sound_edges(&self, materials: usize) -> bool {
        let is_material = |material: u32| (material as usize) < materials;
        let media =
            self.media.iter().all(|medium| is_material(medium.material) && is_material(medium.bending.material));
        let edges = self.edges.iter().all(|edge| {
            let [a, b] = edge.ends;
            let nodes = a != b && edge.ends.iter().all(|&end| (end as usize) < self.len());
            nodes && is_material(edge.material) && is_material(edge.bending.material)
        });
        media && edges
    }

    fn is_coloured(&self, colours: &[Range<u32>]) -> bool {
        let mut seen_in = vec![0; self.len()];
        let mut end = 0;
        for (colour, range) in (1..).zip(colours) {
            let of_colour = self.edges.get(range.start as usize..range.end as usize);
            let Some(edges) = of_colour.filter(|_| range.start == end) else { return false };
            let mut ends = edges.iter().flat_map(|edge| edge.ends);
            if !ends.all(|node| std::mem::replace(&mut seen_in[node as usize], colour) != colour) {
                return false;
            }
            end = range.end;
        }
        end as usize == self.edges.len()
    }
}

impl Rows {
    /// Whether there are `count` rows with indices below `below`.
    fn are(&self, count: usize, below: usize) -> bool {
        let Self { offsets, entries } = self;
        offsets.len() == count + 1
            && offsets[0] == 0
            && offsets.is_sorted()
            && offsets.last().is_some_and(|&end| end as usize == entries.len())
            && entries.iter().all(|&(index, _)| (index as usize) < below)
    }
}
