//! Into which parts surfaces are cut along the curves where they pierce each other. The smaller part goes back: so a
//! sheet is drawn out of another whole, where the curve between them would be no shorter for a small way.

use std::collections::{HashMap, HashSet};

use super::features::Surfaces;

/// The parts, and how much of each body is cut off.
pub struct Cut {
    /// Of each vertex one that stands for its part.
    of: Vec<u32>,
    /// How many vertices are in the part for which one stands.
    sizes: Vec<u32>,
    /// Of the edges of one body that pierce another: the least share that is cut off.
    least: HashMap<[u32; 2], f64>,
}

impl Cut {
    /// By the edges that pierce something, the lower end first, with their body and that of the face.
    pub fn new(
        surfaces: &Surfaces,
        vertices: usize,
        piercing: impl Iterator<Item = ([u32; 2], [u32; 2])> + Clone,
    ) -> Self {
        let edges: HashSet<[u32; 2]> = piercing.clone().map(|(edge, _)| edge).collect();
        let bodies: HashSet<u32> = piercing.clone().map(|(_, bodies)| bodies[0]).collect();
        let mut of: Vec<u32> = (0..vertices as u32).collect();
        for (face, _) in surfaces.faces.iter().zip(&surfaces.body_of).filter(|(_, body)| bodies.contains(body)) {
            let [a, b, c] = face.corners;
            for [from, to] in [[a, b], [b, c], [c, a]] {
                if !edges.contains(&[from.min(to), from.max(to)]) {
                    let (one, other) = (root(&mut of, from), root(&mut of, to));
                    of[one.max(other) as usize] = one.min(other);
                }
            }
        }
        let mut sizes = vec![0; vertices];
        for vertex in 0..vertices as u32 {
            let part = root(&mut of, vertex);
            of[vertex as usize] = part;
            sizes[part as usize] += 1;
        }
        let mut cut = Self { of, sizes, least: HashMap::new() };
        for (edge, bodies) in piercing {
            if let Some((_, share)) = cut.smaller(edge) {
                let least: &mut f64 = cut.least.entry(bodies).or_insert(1.0);
                *least = least.min(share);
            }
        }
        cut
    }

    /// Which end of an edge is in the smaller part, and what share that is of both; `None` if both are in one.
    fn smaller(&self, edge: [u32; 2]) -> Option<(usize, f64)> {
        let [one, other] = edge.map(|end| self.of[end as usize]);
        let [first, second] = [one, other].map(|part| f64::from(self.sizes[part as usize]));
        let end = usize::from(second < first);
        (one != other).then(|| (end, first.min(second) / (first + second)))
    }

    /// A vertex that stands for the smaller part at an edge; of what is not cut off, for the only one.
    pub fn part(&self, edge: [u32; 2]) -> u32 {
        self.of[edge[self.smaller(edge).map_or(0, |(end, _)| end)] as usize]
    }

    /// Whether a smaller share of the body of the face is cut off, so that the edge waits for that.
    pub fn waits(&self, [of_edge, of_face]: [u32; 2]) -> bool {
        let least = |bodies: [u32; 2]| self.least.get(&bodies).copied().unwrap_or(f64::INFINITY);
        let (mine, theirs) = (least([of_edge, of_face]), least([of_face, of_edge]));
        theirs < mine || theirs == mine && theirs < 1.0 && of_face < of_edge
    }

    /// Which end of an edge goes back.
    pub fn goes_back(&self, edge: [u32; 2], bodies: [u32; 2]) -> Option<usize> {
        if self.waits(bodies) { None } else { self.smaller(edge).map(|(end, _)| end) }
    }
}

/// The vertex that stands for a part.
fn root(of: &mut [u32], mut vertex: u32) -> u32 {
    while of[vertex as usize] != vertex {
        let next = of[of[vertex as usize] as usize];
        of[vertex as usize] = next;
        vertex = next;
    }
    vertex
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Body, Model, Particles};

    /// Of two bands of which one is cut after a third and the other after a half, the shorter end of the first goes
    /// back, and the second waits. An edge beside the cut is in one part.
    #[test]
    fn the_smaller_part_goes_back() {
        // Six rungs each, of two vertices.
        let band = |first: u32| Body {
            particles: first..first + 12,
            triangles: (0..5)
                .flat_map(|k| [[0, 1, 2], [1, 3, 2]].map(|corners| corners.map(|corner| first + 2 * k + corner)))
                .collect(),
            radius: 0.1,
            surface_contact: true,
            ..Body::default()
        };
        let positions = (0..24).map(|k| [f64::from(k), 0.0, 0.0]).collect();
        let particles =
            Particles { bodies: [[0; 12], [1; 12]].concat(), ..Particles::at_rest(positions, vec![1.0; 24]) };
        let model = Model { particles, bodies: vec![band(0), band(12)], ..Model::default() };
        let across = |first: u32| [[0, 2], [1, 2], [1, 3]].map(|edge| edge.map(|end| first + end));
        let edges = across(2).map(|edge| (edge, [0, 1])).into_iter().chain(across(16).map(|edge| (edge, [1, 0])));
        let cut = Cut::new(&Surfaces::new(&model).unwrap(), 24, edges);
        assert_eq!(across(2).map(|edge| cut.goes_back(edge, [0, 1])), [Some(0); 3]);
        assert_eq!([cut.waits([0, 1]), cut.waits([1, 0])], [false, true]);
        assert_eq!([cut.goes_back([16, 18], [1, 0]), cut.goes_back([4, 6], [0, 1])], [None; 2]);
    }
}
