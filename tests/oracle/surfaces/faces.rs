//! The faces of a surface, and which pairs of their features come near each other in a motion.

use pliant::constraint::Vec3;

use super::axis::Pair;

type Extent = [[f64; 3]; 2];

const NOTHING: Extent = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
/// Children of a node.
const ARITY: usize = 8;

fn joined(a: Extent, b: Extent) -> Extent {
    [std::array::from_fn(|k| a[0][k].min(b[0][k])), std::array::from_fn(|k| a[1][k].max(b[1][k]))]
}

fn meet(a: &Extent, b: &Extent) -> bool {
    (0..3).all(|k| a[0][k] <= b[1][k] && b[0][k] <= a[1][k])
}

/// Faces, of which each owns some of its vertices and edges, so that every pair of features comes up once (Curtis et al. 2008).
pub struct Faces {
    faces: Vec<[u32; 3]>,
    vertices: Vec<Vec<u32>>,
    edges: Vec<Vec<[u32; 2]>>,
}

impl Faces {
    pub fn new(faces: Vec<[u32; 3]>) -> Self {
        let (mut seen, mut known) = (std::collections::HashSet::new(), std::collections::HashSet::new());
        let vertices = faces.iter().map(|face| face.iter().copied().filter(|&vertex| seen.insert(vertex)).collect());
        let sides = |face: &[u32; 3]| [[face[0], face[1]], [face[1], face[2]], [face[2], face[0]]];
        let edges = faces.iter().map(|face| {
            let mut own = |&[a, b]: &[u32; 2]| known.insert([a.min(b), a.max(b)]);
            sides(face).into_iter().filter(|side| own(side)).collect()
        });
        let (vertices, edges) = (vertices.collect(), edges.collect());
        Self { faces, vertices, edges }
    }

    /// All pairs of features without a common vertex whose faces' boxes, over the whole motion and widened by `reach`, meet. The tree over
    /// the boxes is implicit: the faces that are neighbours in the list are so on the surface, however that moves.
    pub fn near(&self, begin: &[Vec3<f64>], end: &[Vec3<f64>], reach: f64) -> Vec<Pair> {
        let swept = |face: &[u32; 3]| {
            let places = face.iter().flat_map(|&vertex| [begin[vertex as usize], end[vertex as usize]]);
            let hull = places.map(<[f64; 3]>::from).fold(NOTHING, |hull, place| joined(hull, [place; 2]));
            [hull[0].map(|least| least - 0.5 * reach), hull[1].map(|most| most + 0.5 * reach)]
        };
        let mut levels: Vec<Vec<Extent>> = vec![self.faces.iter().map(swept).collect()];
        while let Some(below) = levels.last().filter(|below| below.len() > 1) {
            levels.push(below.chunks(ARITY).map(|children| children.iter().copied().fold(NOTHING, joined)).collect());
        }
        let (mut pairs, mut waiting) = (Vec::new(), Vec::new());
        for (face, extent) in levels[0].iter().enumerate() {
            waiting.push((levels.len() - 1, 0));
            while let Some((level, node)) = waiting.pop() {
                let beyond = (node + 1) * ARITY.pow(level as u32);
                if beyond <= face + 1 || !meet(extent, &levels[level][node]) {
                    continue;
                }
                if level == 0 {
                    self.features(face, node, &mut pairs);
                } else {
                    let children = ARITY * node..(ARITY * (node + 1)).min(levels[level - 1].len());
                    waiting.extend(children.map(|child| (level - 1, child)));
                }
            }
        }
        pairs
    }

    fn features(&self, one: usize, other: usize, pairs: &mut Vec<Pair>) {
        for (mine, theirs) in [(one, other), (other, one)] {
            let face = self.faces[theirs];
            let apart = self.vertices[mine].iter().filter(|vertex| !face.contains(vertex));
            pairs.extend(apart.map(|&vertex| Pair::VertexFace([vertex, face[0], face[1], face[2]])));
        }
        for &[a, b] in &self.edges[one] {
            let apart = self.edges[other].iter().filter(|edge| !edge.contains(&a) && !edge.contains(&b));
            pairs.extend(apart.map(|&[c, d]| Pair::EdgeEdge([a, b, c, d])));
        }
    }
}
