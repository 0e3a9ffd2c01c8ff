//! Places that lie evenly on a surface.

use std::collections::HashMap;

use super::TriangleMesh;
use crate::math::Vec3;
use crate::math::random::Random;

/// A place on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Root {
    /// m
    pub position: [f64; 3],
    /// Out of the surface, of length 1: between the mean normals of the vertices.
    pub normal: [f64; 3],
}

/// Tries for each place before places may lie nearer to each other.
const TRIES: usize = 8;
/// The first distance that they keep, over that of places each in a square of its own.
const FIRST: f64 = 0.9;
/// By which the distance is multiplied when tries are used up.
const NARROWER: f64 = 0.85;

/// A part that is hit by less than one of so many tries is not searched.
const RAREST: usize = 1_000;

/// So many places on the part of a surface that is `within`, by area, each as far from the others as their number
/// allows (dart throwing: Cook, Stochastic Sampling in Computer Graphics, 1986). The same each time. `None` where tries
/// find next to no place.
pub(crate) fn scatter(
    surface: &TriangleMesh,
    count: usize,
    seed: u64,
    within: impl Fn([f64; 3]) -> bool,
) -> Option<Vec<Root>> {
    let normals = vertex_normals(surface);
    let mut areas = Vec::with_capacity(surface.triangles.len());
    let mut area = 0.0;
    for &triangle in &surface.triangles {
        area += surface.triangle_area(triangle);
        areas.push(area);
    }
    let mut random = Random(seed);
    let mut dart = || {
        let hit = area * random.share();
        let triangle = areas.partition_point(|&up_to| up_to <= hit).min(areas.len().checked_sub(1)?);
        let (root, along) = (random.share().sqrt(), random.share());
        let weights = [1.0 - root, root * (1.0 - along), root * along];
        let corners = surface.triangles[triangle];
        let at = |of: &dyn Fn(u32) -> Vec3<f64>| {
            corners.iter().zip(weights).fold(Vec3::zero(), |sum, (&corner, weight)| sum + of(corner) * weight)
        };
        let position = at(&|vertex| surface.positions[vertex as usize].into()).into();
        // Those of a sheet's two sides may cancel.
        let [a, b, c] = surface.corners(corners);
        let (mean, length) = at(&|vertex| normals[vertex as usize]).direction_and_length();
        let normal = if length > 0.0 { mean } else { (b - a).cross(c - a).direction_and_length().0 };
        Some(Root { position, normal: normal.into() })
    };
    // How much of the surface is within.
    let tries = TRIES * count + 1_000;
    let hits = (0..tries).filter(|_| dart().is_some_and(|root| within(root.position))).count();
    if hits * RAREST < tries || area <= 0.0 {
        return None;
    }
    let mut distance = FIRST * (area * hits as f64 / tries as f64 / count as f64).sqrt();
    let mut roots: Vec<Root> = Vec::with_capacity(count);
    while roots.len() < count {
        let mut cells = Cells::new(distance);
        roots.iter().for_each(|root| cells.put(root.position));
        for _ in 0..tries {
            let root = dart()?;
            if roots.len() < count && within(root.position) && cells.is_free(root.position) {
                cells.put(root.position);
                roots.push(root);
            }
        }
        distance *= NARROWER;
    }
    Some(roots)
}

/// The mean normal of the triangles at each vertex, by area.
fn vertex_normals(surface: &TriangleMesh) -> Vec<Vec3<f64>> {
    let mut normals = vec![Vec3::zero(); surface.positions.len()];
    for &triangle in &surface.triangles {
        let [a, b, c] = surface.corners(triangle);
        triangle.into_iter().for_each(|vertex| normals[vertex as usize] += (b - a).cross(c - a));
    }
    normals.into_iter().map(|normal| normal.direction_and_length().0).collect()
}

/// Places by the cells in which they lie.
struct Cells {
    distance: f64,
    places: HashMap<[i64; 3], Vec<[f64; 3]>>,
}

impl Cells {
    fn new(distance: f64) -> Self {
        Self { distance, places: HashMap::new() }
    }

    fn cell(&self, place: [f64; 3]) -> [i64; 3] {
        place.map(|x| (x / self.distance).floor() as i64)
    }

    fn put(&mut self, place: [f64; 3]) {
        self.places.entry(self.cell(place)).or_default().push(place);
    }

    /// Whether no place is nearer than the distance.
    fn is_free(&self, place: [f64; 3]) -> bool {
        let [i, j, k] = self.cell(place);
        let cells = (0..27).map(|n| [(i, n % 3), (j, n / 3 % 3), (k, n / 9)].map(|(at, n)| at.saturating_add(n - 1)));
        let mut near = cells.filter_map(|cell| self.places.get(&cell)).flatten();
        near.all(|&other| (Vec3::from(other) - Vec3::from(place)).length() >= self.distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::Sphere;

    /// On a ball they point outwards, are as many as asked for and the same each time; halves have their shares, and no
    /// two are nearer than half of what a square grid would keep.
    #[test]
    fn lie_evenly_on_a_ball() {
        let ball = Sphere { radius: 2.0, segments: 24 }.mesh();
        let roots = scatter(&ball, 500, 3, |_| true).unwrap();
        assert_eq!(Some(&roots), scatter(&ball, 500, 3, |_| true).as_ref());
        assert_eq!(roots.len(), 500);
        for Root { position, normal } in &roots {
            let (position, normal) = (Vec3::from(*position), Vec3::from(*normal));
            assert!(position.length() > 1.95 && position.dot(normal) > 1.94, "{position:?} {normal:?}");
        }
        for axis in 0..3 {
            let above = roots.iter().filter(|root| root.position[axis] > 0.0).count();
            assert!((235..=265).contains(&above), "{above} of 500 above 0");
        }
        let apart = |a: &Root, b: &Root| (Vec3::from(a.position) - Vec3::from(b.position)).length();
        let pairs = (0..500).flat_map(|i| (0..i).map(move |j| (i, j)));
        let nearest = pairs.map(|(i, j)| apart(&roots[i], &roots[j])).fold(f64::INFINITY, f64::min);
        let square = (ball.area() / 500.0).sqrt();
        assert!(nearest > 0.5 * square, "{nearest} of {square}");
    }

    /// They keep to the part that is asked for, and where there is none there are none.
    #[test]
    fn keep_within() {
        let ball = Sphere { radius: 1.0, segments: 16 }.mesh();
        let roots = scatter(&ball, 100, 0, |x| x[1] > 0.5).unwrap();
        assert!(roots.len() == 100 && roots.iter().all(|root| root.position[1] > 0.5));
        assert_eq!(scatter(&ball, 100, 0, |x| x[1] > 2.0), None);
        assert_eq!(scatter(&TriangleMesh::default(), 100, 0, |_| true), None);
    }
}
