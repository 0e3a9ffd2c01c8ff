//! The standard heap (W5): balls of 1 cm and 4 g that fall from a loose lattice into a box and settle, with friction
//! 0.3 and 20 substeps. Every ball touches up to a dozen others.

use crate::Model;
use crate::cli::failure::Failure;
use crate::scene::{Body, Collider, Scene};

/// m
const RADIUS: f64 = 0.01;
/// kg
const MASS: f64 = 0.004;
/// Between the middles of neighbours at the beginning, in radii.
const SPACING: f64 = 2.3;
const FRICTION: f64 = 0.3;

/// So many balls on a square, twice as high as it is wide.
pub fn model(n: u32) -> Result<Model, Failure> {
    let side = (f64::from(n) / 2.0).cbrt().ceil().max(1.0) as u32;
    let half = 0.5 * f64::from(side) * SPACING * RADIUS;
    let place = |k: u32| {
        let [column, row, layer] = [k % side, k / side % side, k / (side * side)];
        // Off the lattice by up to an eighth of a radius, each otherwise: balls right above each other would stay
        // there.
        let off = |by: f64| 0.125 * RADIUS * (by * f64::from(k)).sin();
        let at = |index: u32| (f64::from(index) + 0.5) * SPACING * RADIUS;
        [at(column) - half + off(1.3), at(layer) + off(2.1), at(row) - half + off(3.7)]
    };
    let positions: Vec<[f64; 3]> = (0..n).map(place).collect();
    let balls = Body::particles(positions).mass(MASS * f64::from(n)).radius(RADIUS).friction(FRICTION);
    let mut scene = Scene::new(format!("W5, {n} balls")).with(balls.self_collision());
    scene = scene.collider(Collider::plane([0.0, 1.0, 0.0], 0.0).friction(FRICTION));
    for normal in [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]] {
        scene = scene.collider(Collider::plane(normal, -half).friction(FRICTION));
    }
    let mut model = scene.build()?.model;
    model.settings.substeps = 20;
    model.settings.mean_forces = false;
    Ok(model)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All balls are there, inside of the box, and none touches another when it begins.
    #[test]
    fn begins_apart() {
        let model = model(1_000).unwrap_or_else(|_| panic!("a heap"));
        assert_eq!(model.particles.len(), 1_000);
        let places = &model.particles.positions;
        let wall = 0.5 * 8.0 * SPACING * RADIUS - RADIUS;
        assert!(places.iter().all(|x| x[0].abs() < wall && x[2].abs() < wall && x[1] > RADIUS));
        let apart = |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt();
        let nearest = (0..1_000).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| apart(&places[i], &places[j]));
        assert!(nearest.fold(f64::INFINITY, f64::min) > 2.0 * RADIUS);
    }
}
