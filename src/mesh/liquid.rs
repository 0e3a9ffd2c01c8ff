//! The surface of a liquid's particles as closed triangles.
//!
//! The surface is where φ(x) = |x - x̄| - r is zero, with x̄ the mean of the places around x, weighted by (1 - d²/R²)³
//! (Zhu and Bridson, Animating Sand as a Fluid, 2005): even over a flat layer of particles, and round about a single
//! one. r is such that the surface of a lattice lies half a spacing above its last layer. The zero is found in the
//! cells of a grid, one vertex in each (surface nets: Gibson, Constrained Elastic Surface Nets, 1998).

use std::collections::HashMap;

use super::TriangleMesh;
use crate::math::Vec3;

/// R, spacings.
const REACH: f64 = 2.0;
/// Cells of a spacing.
const CELLS: f64 = 2.0;

/// Of a node of the grid: Σ w, and Σ w times the way from the node.
type Sum = (f64, Vec3<f64>);
type Node = [i64; 3];

/// The surface about some places, m, which have this spacing where the liquid is at rest, m. Places that are not finite
/// are left out.
pub fn surface(places: impl Iterator<Item = [f64; 3]>, spacing: f64) -> TriangleMesh {
    let cell = spacing / CELLS;
    let mut sums: HashMap<Node, Sum> = HashMap::new();
    for place in places.filter(|place| place.iter().all(|x| x.is_finite())) {
        add(&mut sums, place.into(), spacing, cell);
    }
    let radius = radius() * spacing;
    let values: HashMap<Node, f64> = sums.iter().map(|(&node, sum)| (node, value(sum, radius))).collect();
    Nets { values: &values, outside: radius, cell, mesh: TriangleMesh::default(), vertices: HashMap::new() }.mesh()
}

/// Adds a place to the sums of the nodes near it.
fn add(sums: &mut HashMap<Node, Sum>, place: Vec3<f64>, spacing: f64, cell: f64) {
    let reach = REACH * spacing;
    let bounds = |x: f64| ((x - reach) / cell).ceil() as i64..=((x + reach) / cell).floor() as i64;
    for z in bounds(place.z) {
        for y in bounds(place.y) {
            for x in bounds(place.x) {
                let way = place - at([x, y, z], cell);
                let rest = 1.0 - way.dot(way) / (reach * reach);
                if rest > 0.0 {
                    let weight = rest * rest * rest;
                    let (weights, ways) = sums.entry([x, y, z]).or_insert((0.0, Vec3::zero()));
                    *weights += weight;
                    *ways += way * weight;
                }
            }
        }
    }
}

fn at([x, y, z]: Node, cell: f64) -> Vec3<f64> {
    Vec3 { x: x as f64, y: y as f64, z: z as f64 } * cell
}

fn value(&(weights, ways): &Sum, radius: f64) -> f64 {
    (ways * (1.0 / weights)).length() - radius
}

/// r over the spacing: the mean of |x - x̄| half a spacing above a lattice.
fn radius() -> f64 {
    let side = 4;
    let of = |place: usize| {
        let [x, y] = [place % side, place / side].map(|k| (k as f64 + 0.5) / side as f64);
        let above = Vec3 { x, y, z: 0.5 };
        let (mut weights, mut ways) = (0.0, Vec3::zero());
        for neighbour in 0..6 * 6 * 3 {
            let [i, j, k] = [neighbour % 6, neighbour / 6 % 6, neighbour / 36].map(f64::from);
            let way = Vec3 { x: i - 2.0, y: j - 2.0, z: -k } - above;
            let rest = (1.0 - way.dot(way) / (REACH * REACH)).max(0.0);
            weights += rest.powi(3);
            ways += way * rest.powi(3);
        }
        (ways * (1.0 / weights)).length()
    };
    (0..side * side).map(of).sum::<f64>() / (side * side) as f64
}

/// The two other axes of each, such that the three turn to the right.
const ACROSS: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];

/// A mesh in the making, with a vertex in each cell that the surface crosses.
struct Nets<'v> {
    values: &'v HashMap<Node, f64>,
    /// The value where there is none.
    outside: f64,
    cell: f64,
    mesh: TriangleMesh,
    vertices: HashMap<Node, u32>,
}

impl Nets<'_> {
    fn value(&self, node: Node) -> f64 {
        self.values.get(&node).copied().unwrap_or(self.outside)
    }

    /// A quadrilateral across each edge of the grid that the surface crosses: its corners are the four cells about it.
    fn mesh(mut self) -> TriangleMesh {
        // Edges end where there is liquid, so all of them begin at a node of the list or beside one.
        let mut inside: Vec<Node> =
            self.values.iter().filter(|(_, value)| **value < 0.0).map(|(&node, _)| node).collect();
        inside.sort_unstable();
        for node in inside {
            for axis in 0..3 {
                for forward in [false, true] {
                    let mut other = node;
                    other[axis] += if forward { 1 } else { -1 };
                    if self.value(other) >= 0.0 {
                        let low = if forward { node } else { other };
                        self.quadrilateral(low, axis, forward);
                    }
                }
            }
        }
        self.mesh
    }

    /// About the edge from a node along an axis; `outwards`: the liquid is at its beginning.
    fn quadrilateral(&mut self, node: Node, axis: usize, outwards: bool) {
        let [b, c] = ACROSS[axis];
        let mut corners = [(0, 0), (-1, 0), (-1, -1), (0, -1)].map(|(along_b, along_c)| {
            let mut cell = node;
            cell[b] += along_b;
            cell[c] += along_c;
            self.vertex(cell)
        });
        if !outwards {
            corners.reverse();
        }
        let [p, q, r, s] = corners;
        let between = |a: u32, b: u32| {
            let [a, b] = [a, b].map(|vertex| Vec3::from(self.mesh.positions[vertex as usize]));
            (a - b).length()
        };
        // Along the shorter diagonal.
        let two = if between(p, r) <= between(q, s) { [[p, q, r], [p, r, s]] } else { [[p, q, s], [q, r, s]] };
        self.mesh.triangles.extend(two);
    }

    /// In the middle of where the surface crosses the edges of a cell.
    fn vertex(&mut self, cell: Node) -> u32 {
        if let Some(&vertex) = self.vertices.get(&cell) {
            return vertex;
        }
        let corner = |k: usize| {
            let node: Node = std::array::from_fn(|axis| cell[axis] + i64::from(k >> axis & 1 == 1));
            (at(node, self.cell), self.value(node))
        };
        let corners: [(Vec3<f64>, f64); 8] = std::array::from_fn(corner);
        let (mut sum, mut count) = (Vec3::zero(), 0.0);
        for (k, axis) in (0..8).flat_map(|k| (0..3).map(move |axis| (k, axis))).filter(|(k, axis)| k >> axis & 1 == 0) {
            let [(a, from), (b, to)] = [corners[k], corners[k | 1 << axis]];
            if (from < 0.0) != (to < 0.0) {
                sum += a + (b - a) * (from / (from - to));
                count += 1.0;
            }
        }
        let vertex = self.mesh.positions.len() as u32;
        self.mesh.positions.push((sum * (1.0 / count)).into());
        self.vertices.insert(cell, vertex);
        vertex
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lattice(is_in: impl Fn([f64; 3]) -> bool) -> Vec<[f64; 3]> {
        let place = |k: usize| [k % 30, k / 30 % 30, k / 900].map(|step| 0.01 * (step as f64 - 14.5));
        (0..27_000).map(place).filter(|place| is_in(*place)).collect()
    }

    /// Volume inside, m³, and how many edges do not have one triangle on each side.
    fn measured(mesh: &TriangleMesh) -> (f64, usize) {
        let mut edges: HashMap<[u32; 2], i32> = HashMap::new();
        let mut volume = 0.0;
        for corners in &mesh.triangles {
            let [a, b, c] = corners.map(|vertex| Vec3::from(mesh.positions[vertex as usize]));
            volume += a.dot(b.cross(c)) / 6.0;
            for k in 0..3 {
                let (from, to) = (corners[k], corners[(k + 1) % 3]);
                *edges.entry([from.min(to), from.max(to)]).or_default() += if from < to { 1 } else { -1 };
            }
        }
        (volume, edges.values().filter(|count| **count != 0).count())
    }

    /// A ball's surface is closed, round, and has its volume; what is poured from far away has one of its own.
    #[test]
    fn a_ball_is_round_and_closed() {
        let far = [[1e6, 0.0, 0.0], [f64::NAN, 0.0, 0.0]];
        let ball = lattice(|[x, y, z]| x * x + y * y + z * z < 0.1 * 0.1);
        let mesh = surface(ball.iter().chain(&far).copied(), 0.01);
        let (volume, open) = measured(&mesh);
        let near: Vec<f64> = mesh.positions.iter().map(|&x| Vec3::from(x).length()).filter(|r| *r < 1.0).collect();
        assert!(near.len() < mesh.positions.len(), "the drop far away has a surface");
        assert!(near.iter().all(|r| (r - 0.1).abs() < 0.006), "{near:?}");
        let expected = ball.len() as f64 * 1e-6;
        assert!(open == 0 && (volume / expected - 1.0).abs() < 0.06, "{volume} of {expected}, {open} open edges");
        assert!(surface(std::iter::empty(), 0.01).triangles.is_empty());
    }

    /// A flat surface lies half a spacing above the last layer.
    #[test]
    fn a_slab_is_even() {
        let slab = lattice(|[_, y, _]| y < 0.0);
        let mesh = surface(slab.into_iter(), 0.01);
        let middle = mesh.positions.iter().filter(|[x, y, z]| x.abs() < 0.1 && z.abs() < 0.1 && *y > -0.05);
        let heights: Vec<f64> = middle.map(|place| place[1]).collect();
        assert!(heights.len() > 1000 && heights.iter().all(|y| y.abs() < 0.001), "{heights:?}");
    }
}
