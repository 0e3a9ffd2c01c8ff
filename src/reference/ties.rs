//! The edges of a level as sweeps go over them: four of a colour at once, which share no node. See [`super::nested`].

use super::doubles::{COUNT, Doubles};
use crate::constraint::Vec3;
use crate::model::Material;
use crate::plan::levels::{Edge, Level, Net, SWEEPS};

/// The edges of a level in a frame: what they are in a substep of `h` s, and what they pulled by in the one before.
#[derive(Clone, Default)]
pub struct Ties {
    fours: Vec<Four>,
    h: f64,
}

/// Edges of a colour, or fewer, the first ones.
#[derive(Clone)]
struct Four {
    ends: [[u32; COUNT]; 2],
    count: usize,
    /// L
    length: Doubles,
    /// W
    weights: [Doubles; 2],
    /// 1 / (W + W + α̃)
    yielding: Doubles,
    /// α̃
    soft: Doubles,
    /// g
    gate: Doubles,
    /// F h²
    strength: Doubles,
    /// λ₀
    pulled: Doubles,
    /// λ
    multiplier: Doubles,
}

impl Ties {
    /// Those of a level in substeps of `h` s. What they pulled by stays.
    pub fn fit(&mut self, level: &Level, materials: &[Material], h: f64) {
        if self.h == h {
            return;
        }
        self.h = h;
        let before = std::mem::take(&mut self.fours);
        let Level { net, colours, .. } = level;
        for colour in colours {
            let edges = net.edges[colour.start as usize..colour.end as usize].iter();
            // Less than nothing: switched off.
            let on: Vec<&Edge> = edges.filter(|edge| weights(edge, net).iter().sum::<f64>() > 0.0).collect();
            self.fours.extend(on.chunks(COUNT).map(|edges| Four::new(edges, net, materials, h)));
        }
        self.fours.iter_mut().zip(before).for_each(|(four, before)| four.pulled = before.pulled);
    }

    /// Sweeps over the edges. Inlined always, so that who calls it decides for which instructions it is compiled.
    #[inline(always)]
    pub fn pull(&mut self, places: &mut [Vec3<f64>], moves: &mut [Vec3<f64>]) {
        self.fours.iter_mut().for_each(|four| four.multiplier = Doubles::default());
        for _ in 0..SWEEPS {
            for four in &mut self.fours {
                four.pull(places, moves);
            }
        }
        for four in &mut self.fours {
            four.pulled = (-four.multiplier).max(Doubles::default());
        }
    }
}

fn weights(edge: &Edge, net: &Net) -> [f64; 2] {
    edge.ends.map(|end| net.inverse_masses[end as usize])
}

impl Four {
    fn new(edges: &[&Edge], net: &Net, materials: &[Material], h: f64) -> Self {
        // What is beyond the last edge is not written.
        let each = |of: &dyn Fn(&Edge) -> f64| {
            Doubles(std::array::from_fn(|lane| edges.get(lane).map_or(0.0, |edge| of(edge))))
        };
        let soft = |edge: &Edge| edge.compliance(materials) / (h * h);
        Self {
            ends: [0, 1].map(|end| std::array::from_fn(|lane| edges.get(lane).map_or(0, |edge| edge.ends[end]))),
            count: edges.len(),
            length: each(&|edge| edge.length),
            weights: [0, 1].map(|end| each(&|edge| weights(edge, net)[end])),
            yielding: each(&|edge| (weights(edge, net).iter().sum::<f64>() + soft(edge)).recip()),
            soft: each(&soft),
            gate: each(&|edge| edge.gate(soft(edge))),
            strength: each(&|edge| edge.bending.now(materials) * h * h),
            pulled: Doubles::default(),
            multiplier: Doubles::default(),
        }
    }

    #[inline(always)]
    fn pull(&mut self, places: &mut [Vec3<f64>], moves: &mut [Vec3<f64>]) {
        let Self { ends: [a, b], count, length, weights: [wa, wb], yielding, soft, gate, strength, pulled, multiplier } =
            self;
        let (along, apart) = (gathered(places, a) - gathered(places, b)).direction_and_length();
        let next = (*multiplier - (apart - *length + *soft * *multiplier) * *yielding).min(pulled.max(*strength));
        let push = along * (next - *multiplier);
        *multiplier = next;
        add(places, a, *count, push * *wa);
        add(places, b, *count, push * -*wb);
        add(moves, a, *count, push * (*gate * *wa));
        add(moves, b, *count, push * (-*gate * *wb));
    }
}

#[inline(always)]
fn gathered(list: &[Vec3<f64>], nodes: &[u32; COUNT]) -> Vec3<Doubles> {
    let zero = Doubles::default();
    let mut vectors = Vec3 { x: zero, y: zero, z: zero };
    for lane in 0..COUNT {
        let Vec3 { x, y, z } = list[nodes[lane] as usize];
        (vectors.x.0[lane], vectors.y.0[lane], vectors.z.0[lane]) = (x, y, z);
    }
    vectors
}

/// To the first of some nodes.
#[inline(always)]
fn add(list: &mut [Vec3<f64>], nodes: &[u32; COUNT], count: usize, vectors: Vec3<Doubles>) {
    let Vec3 { x, y, z } = vectors;
    for lane in 0..COUNT {
        if lane < count {
            list[nodes[lane] as usize] += Vec3 { x: x.0[lane], y: y.0[lane], z: z.0[lane] };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;
    use crate::scene::{Body, Cloth, Grid, Scene};

    /// Several edges at once do to the bit what each does by itself, one after another.
    #[test]
    fn side_by_side_is_one_by_one() {
        let grid = Grid { columns: 40, rows: 40, width: 1.0, height: 1.0 };
        let cloth = Body::cloth(Cloth::new(grid).stretch(1e-6).shear(1e-6)).pin("top-left").pin("top-right");
        let model = Scene::new("sheet").with(cloth).build().unwrap().model;
        let plan = Plan::new(&model);
        let mut level = plan.sheets[0].levels[0].clone();
        // Two nodes are switched off.
        [7, 20].into_iter().for_each(|node: usize| level.net.inverse_masses[node] = f64::NEG_INFINITY);
        let level = &level;
        assert!(level.colours.iter().any(|colour| colour.len() > COUNT && colour.len() % COUNT > 0));
        let count = level.net.edges.len() as u32;
        let alone = Level { colours: (0..count).map(|edge| edge..edge + 1).collect(), ..level.clone() };
        let stretched = |place: &Vec3<f64>| *place * 1.1 + Vec3 { x: place.y * place.y, y: 0.0, z: 0.1 * place.x };
        let [together, apart] = [level, &alone].map(|level| {
            let mut ties = Ties::default();
            let mut places: Vec<Vec3<f64>> = level.net.positions.iter().map(stretched).collect();
            let mut moves = vec![Vec3::zero(); places.len()];
            for h in [0.01, 0.01, 0.02] {
                ties.fit(level, &model.materials, h);
                ties.pull(&mut places, &mut moves);
            }
            (places, moves)
        });
        assert!(together.1.iter().filter(|step| step.length() > 1e-3).count() > 50);
        assert!(together == apart);
    }
}
