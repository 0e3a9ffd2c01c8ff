//! Cuts along a stroke on the picture: what it crosses is broken, all the way through.

use std::collections::{BTreeSet, HashMap};

use crate::model::{Model, Seam, Tearing};
use crate::step::{BROKEN, Snapshot};
use crate::viewer::orbit::View;

/// The kinds by which ropes and hair hold together.
const OF_ROPES: [&str; 6] = ["distance", "angle", "spatial_angle", "dihedral", "isometric_bend", "tether"];

/// A line that is being drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// The pane in which it is drawn.
    pub pane: usize,
    /// In points from the picture's upper left corner.
    pub points: Vec<[f64; 2]>,
}

impl Stroke {
    /// Goes on to a point.
    pub fn reach(&mut self, at: [f64; 2]) {
        if self.points.last() != Some(&at) {
            self.points.push(at);
        }
    }
}

/// A stroke, and the view in which it was drawn.
pub struct Cut {
    pub view: View,
    pub points: Vec<[f64; 2]>,
}

/// Whether a constraint holds a body together that has no surface, and so breaks where it is cut: nothing of it is left
/// hanging.
pub fn is_rope(model: &Model, group: usize, constraint: usize) -> bool {
    let group = &model.groups[group];
    let bare = |&particle: &u32| {
        let body = model.particles.bodies.get(particle as usize).and_then(|&body| model.bodies.get(body as usize));
        body.is_some_and(|body| body.triangles.is_empty())
    };
    OF_ROPES.contains(&group.kind.name()) && group.particles_of(constraint).iter().all(bare)
}

impl Cut {
    /// Breaks what it crosses in a state of the model. Returns how many edges, constraints and faces.
    pub fn apply(&self, model: &Model, snapshot: &mut Snapshot) -> usize {
        let seen: Vec<Option<[f64; 2]>> =
            snapshot.particles[0].iter().map(|&[x, y, z, _]| self.seen([x, y, z])).collect();
        let (mut broken, mut count) = (Vec::new(), 0);
        if let Some(tearing) = &model.tearing {
            broken.extend(self.edges(tearing, snapshot, &seen));
            count += self.break_faces(tearing, snapshot);
        }
        for (index, group) in model.groups.iter().enumerate() {
            let breaks = |&constraint: &usize| {
                let material = &model.materials[group.materials[constraint] as usize];
                let particles = group.particles_of(constraint);
                let mut pairs = particles.windows(2);
                material.break_force.is_some()
                    && is_rope(model, index, constraint)
                    && pairs.any(|pair| self.crosses(seen[pair[0] as usize], seen[pair[1] as usize]))
            };
            broken.extend((0..group.len()).filter(breaks).map(|constraint| (index, constraint)));
        }
        for (group, constraint) in broken {
            let each = model.groups[group].kind.components();
            let entries = &mut snapshot.multipliers[group][constraint * each..(constraint + 1) * each];
            count += usize::from(entries.iter().any(|entry| entry[0] != BROKEN));
            entries.fill([BROKEN, 0.0]);
        }
        count
    }

    /// The edges of surfaces that it crosses, as they hang together now: group and constraint.
    fn edges(&self, tearing: &Tearing, snapshot: &Snapshot, seen: &[Option<[f64; 2]>]) -> Vec<(usize, usize)> {
        let edges: BTreeSet<u32> = tearing.edges.iter().map(|edge| edge.constraint).collect();
        let of_edge = |seam: &&Seam| seam.group == tearing.group && edges.contains(&seam.constraint);
        let crossed = |seam: &&Seam| {
            let end = |k: usize| *seen.get(*snapshot.corners.get(seam.corners[k] as usize)? as usize)?;
            self.crosses(end(0), end(1))
        };
        let seams = tearing.seams.iter().filter(of_edge).filter(crossed);
        seams.map(|seam| (seam.group as usize, seam.constraint as usize)).collect()
    }

    /// Breaks the faces between tetrahedra whose middles lie on its two sides. Returns how many.
    fn break_faces(&self, tearing: &Tearing, snapshot: &mut Snapshot) -> usize {
        let seams: HashMap<(u32, u32), &Seam> = tearing
            .seams
            .iter()
            .filter(|seam| seam.edge.is_none())
            .map(|seam| ((seam.group, seam.constraint), seam))
            .collect();
        let middle = |cell: u32| {
            let cell = tearing.cells.get(cell as usize)?;
            let corners = seams.get(&(cell.group, cell.constraint))?.corners;
            let mut sum = [0.0; 3];
            for corner in corners {
                let particle = *snapshot.corners.get(corner as usize)?;
                let x = snapshot.particles[0].get(particle as usize)?;
                (0..3).for_each(|i| sum[i] += x[i] / 4.0);
            }
            self.seen(sum)
        };
        let middles: Vec<Option<[f64; 2]>> = (0..tearing.cells.len() as u32).map(middle).collect();
        let crossed = tearing.facets.iter().enumerate().filter(|(_, facet)| {
            let [a, b] = facet.cells.map(|cell| middles[cell as usize]);
            self.crosses(a, b)
        });
        let mut broken: BTreeSet<u32> = snapshot.broken_facets.iter().copied().collect();
        broken.extend(crossed.map(|(facet, _)| facet as u32));
        let count = broken.len() - snapshot.broken_facets.len();
        snapshot.broken_facets = broken.into_iter().collect();
        count
    }

    fn seen(&self, position: [f32; 3]) -> Option<[f64; 2]> {
        self.view.project(position.map(f64::from)).map(|seen| seen.at)
    }

    /// Whether the line between two points of the picture crosses the stroke.
    fn crosses(&self, a: Option<[f64; 2]>, b: Option<[f64; 2]>) -> bool {
        let (Some(a), Some(b)) = (a, b) else { return false };
        self.points.windows(2).any(|part| intersect([a, b], [part[0], part[1]]))
    }
}

/// Whether two segments of the plane cross.
fn intersect([a, b]: [[f64; 2]; 2], [c, d]: [[f64; 2]; 2]) -> bool {
    let side = |[p, q]: [[f64; 2]; 2], r: [f64; 2]| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    let parts = |line: [[f64; 2]; 2], [p, q]: [[f64; 2]; 2]| (side(line, p) > 0.0) != (side(line, q) > 0.0);
    parts([a, b], [c, d]) && parts([c, d], [a, b])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plan;
    use crate::mesh::TetrahedronMesh;
    use crate::render::Camera;
    use crate::scene::{Body, Cloth, Grid, Scene, Soft};
    use crate::solver::cpu::CpuSolver;
    use crate::viewer::orbit::Orbit;

    /// From 5 m away along z, with y upwards.
    fn cut(from: [f64; 3], to: [f64; 3]) -> Cut {
        let (eye, target, up) = ([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0]);
        let camera = Camera { eye, target, up, vertical_field_of_view_degrees: 40.0 };
        let view = View::new(&Orbit::new(&camera), [800.0, 600.0]);
        let points = [from, to].map(|place| view.project(place).unwrap().at).to_vec();
        Cut { view, points }
    }

    /// How many edges or faces a cut breaks, and the state of the solver one step later.
    fn after(model: &Model, cut: &Cut) -> (usize, crate::model::State) {
        let mut solver = CpuSolver::new(model, &Plan::new(model)).unwrap();
        let mut snapshot = solver.snapshot();
        let count = cut.apply(model, &mut snapshot);
        assert_eq!(cut.apply(model, &mut snapshot), 0, "what is cut is cut");
        solver.restore(&snapshot).unwrap();
        solver.step();
        (count, solver.state())
    }

    /// A stroke across a cloth breaks the edges that it crosses and no others, and drops the triangles between them.
    #[test]
    fn strokes_cut_cloth() {
        let grid = Grid { columns: 5, rows: 5, width: 1.0, height: 1.0 };
        let model = Scene::new("").with(Body::cloth(Cloth::new(grid).tears_at(1e9))).build().unwrap().model;
        // Halfway between the second and the third column: five edges across and the four diagonals between them.
        let (count, state) = after(&model, &cut([-0.125, 2.0, 0.0], [-0.125, -2.0, 0.0]));
        assert_eq!(count, 9);
        assert_eq!(state.torn.unwrap().dropped.len(), 8);
        let (count, state) = after(&model, &cut([-0.625, 2.0, 0.0], [-0.625, -2.0, 0.0]));
        assert_eq!((count, state.torn), (0, None));
    }

    /// Four tetrahedra around an edge come apart in two and two, where a stroke goes between them.
    #[test]
    fn strokes_cut_solids() {
        let positions = [[0, 0, -1], [0, 0, 1], [1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]].map(|x| x.map(f64::from));
        let tetrahedra = (0..4).map(|i| [2 + i, 2 + (i + 1) % 4, 0, 1]).map(|[a, b, c, d]| [c, a, b, d]).collect();
        let mesh = TetrahedronMesh { positions: positions.to_vec(), tetrahedra };
        let soft = Soft { spare_particles: Some(10), ..Soft::new(mesh).young_modulus(1e5).tears_at(1e12) };
        let model = Scene::new("").with(Body::soft(soft)).build().unwrap().model;
        let (count, state) = after(&model, &cut([0.0, 2.0, 0.0], [0.0, -2.0, 0.0]));
        assert_eq!((count, state.torn.unwrap().broken_facets.len()), (2, 2));
        // Both ends of the edge, and above and below it.
        assert_eq!(state.positions.len(), 6 + 4);
    }

    /// Two segments cross where each parts the ends of the other.
    #[test]
    fn segments_cross() {
        let line = [[0.0, 0.0], [2.0, 2.0]];
        assert!(intersect(line, [[0.0, 2.0], [2.0, 0.0]]));
        assert!(!intersect(line, [[3.0, 2.0], [5.0, 0.0]]));
        assert!(!intersect(line, [[0.0, 1.0], [0.5, 3.0]]));
    }
}
