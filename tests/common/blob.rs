//! A closed surface that looks like a real mesh: irregular, with slivers, of a body with a head and two ears.

use std::collections::HashMap;

use pliant::mesh::TriangleMesh;

/// Centres and radii of the balls that flow together, m.
const BALLS: [([f64; 3], f64); 5] = [
    ([0.0, 0.3, 0.0], 0.25),
    ([0.18, 0.62, 0.0], 0.15),
    ([0.14, 0.88, 0.07], 0.06),
    ([0.14, 0.88, -0.07], 0.06),
    ([-0.25, 0.22, 0.0], 0.09),
];
/// The box that holds them, m.
const LOW: [f64; 3] = [-0.7, -0.3, -0.6];
const SIDE: f64 = 1.6;

/// Above 0 inside (Blinn, A Generalization of Algebraic Surface Drawing, 1982, with inverse fourth powers).
fn field(x: [f64; 3]) -> f64 {
    let term = |&(centre, radius): &([f64; 3], f64)| {
        let squared: f64 = (0..3).map(|k| (x[k] - centre[k]).powi(2)).sum();
        (radius * radius / squared.max(1e-9)).powi(2)
    };
    BALLS.iter().map(term).sum::<f64>() - 1.0
}

/// The surface where the field is 0 by marching tetrahedra (Doi and Koide, 1991), six in each of the cube's cells, so many along a side. Wound outwards.
pub fn blob(cells: usize) -> TriangleMesh {
    let nodes = cells + 1;
    let place = |node: usize| {
        let index = [node % nodes, node / nodes % nodes, node / nodes / nodes];
        std::array::from_fn(|k| LOW[k] + SIDE * index[k] as f64 / cells as f64)
    };
    let values: Vec<f64> = (0..nodes.pow(3)).map(|node| field(place(node))).collect();
    let mut surface =
        Surface { values: &values, place: &place, mesh: TriangleMesh::default(), vertices: HashMap::new() };
    let steps = [1, nodes, nodes * nodes];
    for cell in 0..cells.pow(3) {
        let corner = cell % cells + (cell / cells % cells) * nodes + (cell / cells / cells) * nodes * nodes;
        // Kuhn's six: from the lowest corner to the highest along the axes in every order.
        for [a, b, c] in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let first = corner + steps[a];
            let second = first + steps[b];
            surface.cut([corner, first, second, second + steps[c]]);
        }
    }
    surface.mesh
}

struct Surface<'a> {
    values: &'a [f64],
    place: &'a dyn Fn(usize) -> [f64; 3],
    mesh: TriangleMesh,
    /// By the two ends of the edge that the surface cuts.
    vertices: HashMap<[usize; 2], u32>,
}

impl Surface<'_> {
    fn cut(&mut self, corners: [usize; 4]) {
        let (inside, outside): (Vec<usize>, Vec<usize>) = corners.iter().partition(|&&node| self.values[node] > 0.0);
        match (inside[..].len(), outside[..].len()) {
            (1, 3) => self.triangle([[inside[0], outside[0]], [inside[0], outside[1]], [inside[0], outside[2]]]),
            (3, 1) => self.triangle([[inside[0], outside[0]], [inside[1], outside[0]], [inside[2], outside[0]]]),
            (2, 2) => {
                let [a, b, c, d] = [(0, 0), (0, 1), (1, 1), (1, 0)].map(|(i, o)| [inside[i], outside[o]]);
                self.triangle([a, b, c]);
                self.triangle([a, c, d]);
            }
            _ => {}
        }
    }

    /// Of three cut edges, each from inside to outside.
    fn triangle(&mut self, edges: [[usize; 2]; 3]) {
        let corners = edges.map(|edge| self.vertex(edge));
        let [a, b, c] = corners.map(|corner| self.mesh.positions[corner as usize]);
        let [u, v] = [b, c].map(|end| std::array::from_fn::<f64, 3, _>(|k| end[k] - a[k]));
        let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let outwards: f64 = edges
            .iter()
            .map(|&[from, to]| {
                let (from, to) = ((self.place)(from), (self.place)(to));
                (0..3).map(|k| normal[k] * (to[k] - from[k])).sum::<f64>()
            })
            .sum();
        let [a, b, c] = corners;
        self.mesh.triangles.push(if outwards > 0.0 { [a, b, c] } else { [a, c, b] });
    }

    /// Never nearer to an end than a twentieth of the edge: slivers, but no two vertices at one place.
    fn vertex(&mut self, [from, to]: [usize; 2]) -> u32 {
        let (values, place, positions) = (self.values, self.place, &mut self.mesh.positions);
        *self.vertices.entry([from.min(to), from.max(to)]).or_insert_with(|| {
            let share = (values[from] / (values[from] - values[to])).clamp(0.05, 0.95);
            let (from, to) = (place(from), place(to));
            positions.push(std::array::from_fn(|k| from[k] + share * (to[k] - from[k])));
            positions.len() as u32 - 1
        })
    }
}
