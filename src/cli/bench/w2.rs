//! The standard solid (W2) that solvers are compared by: a block of n × n × 3n cells of 5 cm, five tetrahedra each,
//! clamped at both ends of the long axis, stable neo-Hookean of 2e5 Pa and ν = 0.3, 1,000 kg/m³. W2 itself is n = 20:
//! 120,000 tetrahedra.

use crate::Model;
use crate::cli::failure::Failure;
use crate::scene::{Body, Cuboid, Scene, Select, Soft};

/// m
const CELL: f64 = 0.05;

pub fn model(n: u32) -> Result<Model, Failure> {
    let cells = [n, n, 3 * n];
    let size = cells.map(|count| f64::from(count) * CELL);
    let soft = Soft::new(Cuboid { cells, size }).young_modulus(2e5).poisson_ratio(0.3);
    let mut body = Body::soft(soft).density(1000.0);
    for end in [-0.5, 0.5].map(|end| end * size[2]) {
        let (min, max) = ([-size[0], -size[1], end - 0.1 * CELL], [size[0], size[1], end + 0.1 * CELL]);
        body = body.pin(Select::Box { min, max });
    }
    let mut model = Scene::new(format!("W2, {n} x {n} x {} cells", 3 * n)).with(body).build()?.model;
    model.settings.mean_forces = false;
    Ok(model)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It has the numbers of tetrahedra and particles that others count for it, and both ends are fixed.
    #[test]
    fn counts() {
        let model = model(20).unwrap_or_else(|_| panic!("a block"));
        assert_eq!(model.groups[0].len(), 120_000);
        assert_eq!(model.particles.len(), 26_901);
        assert_eq!(model.particles.inverse_masses.iter().filter(|&&w| w == 0.0).count(), 2 * 21 * 21);
    }
}
