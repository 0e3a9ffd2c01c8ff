//! Which pairs of features come near each other in a motion, in double precision: for the reference and for reports.

use super::features::{Pair, Surfaces};
use crate::math::Vec3;

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

/// Calls for all pairs of features that may touch and whose faces' boxes, over the whole motion and widened by
/// `reach(body)`, meet; with their bodies. The tree over the boxes is implicit: faces that are neighbours in the list
/// are so on the surface, however that moves.
pub fn near(
    surfaces: &Surfaces,
    begin: &[Vec3<f64>],
    end: &[Vec3<f64>],
    reach: impl Fn(u32) -> f64,
    mut each: impl FnMut([u32; 2], Pair),
) {
    let Surfaces { faces, body_of, .. } = surfaces;
    let swept = |(face, &body): (&super::features::Face, &u32)| {
        let places = face.corners.into_iter().flat_map(|vertex| [begin[vertex as usize], end[vertex as usize]]);
        let hull = places.map(<[f64; 3]>::from).fold(NOTHING, |hull, place| joined(hull, [place; 2]));
        let reach = reach(body);
        [hull[0].map(|least| least - reach), hull[1].map(|most| most + reach)]
    };
    let mut levels: Vec<Vec<Extent>> = vec![faces.iter().zip(body_of).map(swept).collect()];
    while let Some(below) = levels.last().filter(|below| below.len() > 1) {
        levels.push(below.chunks(ARITY).map(|children| children.iter().copied().fold(NOTHING, joined)).collect());
    }
    let mut waiting = Vec::new();
    for (face, extent) in levels[0].iter().enumerate() {
        waiting.push((levels.len() - 1, 0));
        while let Some((level, node)) = waiting.pop() {
            let beyond = (node + 1) * ARITY.pow(level as u32);
            if beyond <= face + 1 || !meet(extent, &levels[level][node]) {
                continue;
            }
            if level > 0 {
                let children = ARITY * node..(ARITY * (node + 1)).min(levels[level - 1].len());
                waiting.extend(children.map(|child| (level - 1, child)));
                continue;
            }
            let corners = surfaces.corners([face, node]);
            surfaces.pairs([face, node], |features, pair| {
                each([body_of[face], body_of[node]], (features, pair.map(|corner| corners[corner])));
            });
        }
    }
}
