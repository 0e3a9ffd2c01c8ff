//! Which pairs of features come near each other in a motion, in double precision: for the reference and for reports.

use super::features::{Pair, Surfaces};
use crate::math::Vec3;
#[cfg(any(test, feature = "cli"))]
use crate::model::Model;

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
/// `reach(body)`, meet; with their bodies.
pub fn near(
    surfaces: &Surfaces,
    begin: &[Vec3<f64>],
    end: &[Vec3<f64>],
    reach: impl Fn(u32) -> f64,
    mut each: impl FnMut([u32; 2], Pair),
) {
    near_faces(surfaces, begin, end, reach, |faces| {
        let (corners, bodies) = (surfaces.corners(faces), faces.map(|face| surfaces.body_of[face]));
        surfaces.pairs(faces, |features, pair| each(bodies, (features, pair.map(|corner| corners[corner]))));
    });
}

/// Calls for all pairs of faces whose boxes, over the whole motion and widened by `reach(body)`, meet. The tree over
/// the boxes is implicit: faces that are neighbours in the list are so on the surface, however that moves.
pub fn near_faces(
    surfaces: &Surfaces,
    begin: &[Vec3<f64>],
    end: &[Vec3<f64>],
    reach: impl Fn(u32) -> f64,
    mut each: impl FnMut([usize; 2]),
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
            each([face, node]);
        }
    }
}

/// How near the surfaces of a model are to each other.
#[cfg(feature = "cli")]
pub struct Proximity {
    surfaces: Surfaces,
    placed: Vec<[f64; 3]>,
}

#[cfg(feature = "cli")]
impl Proximity {
    /// `None` where no surfaces touch.
    pub fn new(model: &Model) -> Option<Self> {
        Some(Self { surfaces: Surfaces::new(model)?, placed: model.particles.positions.clone() })
    }

    /// At these positions: how many pairs of features are nearer than the sum of their radii, and the least distance of
    /// these, m. Left out are pairs that the model places nearer than that, such as neighbours on a fine mesh.
    pub fn of(&self, positions: &[[f64; 3]]) -> (u64, Option<f64>) {
        let Self { surfaces, placed } = self;
        let places: Vec<Vec3<f64>> = positions.iter().map(|&place| place.into()).collect();
        let (mut count, mut least) = (0, None::<f64>);
        near(
            surfaces,
            &places,
            &places,
            |body| surfaces.radius(body),
            |bodies, pair| {
                let sum = surfaces.radius(bodies[0]) + surfaces.radius(bodies[1]);
                let distance = pair.0.between(&pair.1.map(|vertex| places[vertex as usize])).length();
                if distance < sum && surfaces.distance(placed, bodies, pair) >= sum {
                    count += 1;
                    least = Some(least.map_or(distance, |least| least.min(distance)));
                }
            },
        );
        (count, least)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::law::surface::Features;
    use crate::model::{Body, Particles};

    /// Every pair of features that come near is found once, as by asking all of them.
    #[test]
    fn no_pair_is_missed() {
        let place = |k: u32, size: f64| {
            let digit = |of: u32| f64::from(k.wrapping_mul(of).wrapping_mul(2_654_435_761) >> 8) / f64::from(1 << 24);
            [digit(3), digit(5), digit(11)].map(|value| size * value)
        };
        let positions: Vec<[f64; 3]> = (0..120).map(|k| place(k + 1, 1.0)).collect();
        let triangles: Vec<[u32; 3]> = (0..40).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        let body = Body {
            particles: 0..120,
            triangles: triangles.clone(),
            radius: 0.025,
            self_collision: true,
            surface_contact: true,
            ..Body::default()
        };
        let particles = Particles::at_rest(positions, vec![1.0; 120]);
        let model = Model { particles, bodies: vec![body], ..Model::default() };
        let surfaces = Surfaces::new(&model).unwrap();
        let begin: Vec<Vec3<f64>> = model.particles.positions.iter().map(|&place| place.into()).collect();
        let end: Vec<Vec3<f64>> = (0..120).map(|k| begin[k as usize] + place(k + 500, 0.1).into()).collect();
        let mut found = Vec::new();
        let named = |(features, vertices): Pair| (features == Features::EdgeEdge, sorted(features, vertices));
        near(&surfaces, &begin, &end, |_| 0.025, |_, pair| found.push(named(pair)));
        let all: BTreeSet<_> = found.iter().copied().collect();
        assert_eq!(all.len(), found.len(), "pairs come up twice");
        let close = |(features, vertices): Pair| {
            features.between(&vertices.map(|vertex| begin[vertex as usize])).length() < 0.05
        };
        let mut wanted = 0;
        for (k, &[a, b, c]) in triangles.iter().enumerate() {
            for (l, &[d, e, f]) in triangles.iter().enumerate().filter(|(l, _)| *l != k) {
                let vertices = [a, b, c].map(|vertex| (Features::VertexFace, [vertex, d, e, f]));
                let sides = [[d, e], [e, f], [f, d]];
                let edges = [[a, b], [b, c], [c, a]].into_iter().flat_map(|[a, b]| {
                    sides.into_iter().filter(|_| l > k).map(move |[c, d]| (Features::EdgeEdge, [a, b, c, d]))
                });
                for pair in vertices.into_iter().chain(edges).filter(|&pair| close(pair)) {
                    wanted += 1;
                    assert!(all.contains(&named(pair)), "{pair:?}");
                }
            }
        }
        assert!(wanted > 20, "{wanted}");
    }

    /// One name for a pair, whichever edge comes first and whichever end of it.
    fn sorted(features: Features, [a, b, c, d]: [u32; 4]) -> [u32; 4] {
        if features == Features::VertexFace {
            let mut face = [b, c, d];
            face.sort_unstable();
            return [a, face[0], face[1], face[2]];
        }
        let (one, other) = ([a.min(b), a.max(b)], [c.min(d), c.max(d)]);
        let [first, second] = if one < other { [one, other] } else { [other, one] };
        [first[0], first[1], second[0], second[1]]
    }
}
