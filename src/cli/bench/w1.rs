//! The standard cloth (W1) that solvers are compared by: n × n particles, 1 m × 1 m, 1 kg, hanging at rest by its two
//! top corners, distance constraints only.

use crate::Model;
use crate::constraint::{Distance, kind};
use crate::model::{Body, Group, Material, Materials, Particles, Settings};

/// Steps along (columns, rows) and compliance in m/N of each family of constraints.
const FAMILIES: [([i64; 2], f64); 6] =
    [([1, 0], 1e-8), ([0, 1], 1e-8), ([1, 1], 1e-6), ([-1, 1], 1e-6), ([2, 0], 1e-4), ([0, 2], 1e-4)];

/// Builds it for n ≥ 2 particles along each side: row 0 on top at y = 0, centred on x, facing +z.
pub fn model(n: u32) -> Model {
    let n = n.max(2);
    let spacing = 1.0 / f64::from(n - 1);
    let count = (n * n) as usize;
    let positions = (0..n * n).map(|p| [f64::from(p % n) * spacing - 0.5, -f64::from(p / n) * spacing, 0.0]).collect();
    let mut inverse_masses = vec![count as f64; count];
    inverse_masses[0] = 0.0;
    inverse_masses[n as usize - 1] = 0.0;
    let (materials, group) = constraints(n, spacing);
    let stretches = 2 * n * (n - 1) + 2 * (n - 1) * (n - 1);
    Model {
        name: format!("W1, {n} x {n}"),
        settings: Settings { mean_forces: false, nested: Some(false), ..Settings::default() },
        particles: Particles::at_rest(positions, inverse_masses),
        bodies: vec![Body {
            name: "cloth".to_string(),
            particles: 0..n * n,
            triangles: triangles(n),
            // The first four families, and the last two.
            stretch: Some(0..stretches),
            bend: Some(stretches..group.len() as u32),
            ..Body::default()
        }],
        groups: vec![group],
        materials,
        ..Model::default()
    }
}

fn constraints(n: u32, spacing: f64) -> (Materials, Group) {
    let mut materials = Materials::default();
    let mut group = Group::new(kind::<Distance>());
    for ([right, down], compliance) in FAMILIES {
        let material = materials.insert(Material { compliance, ..Material::default() });
        let rest = spacing * ((right * right + down * down) as f64).sqrt();
        for row in 0..i64::from(n) - down {
            for column in 0..i64::from(n) {
                if (0..i64::from(n)).contains(&(column + right)) {
                    let a = row * i64::from(n) + column;
                    let b = (row + down) * i64::from(n) + column + right;
                    group.push(&[a as u32, b as u32], &[rest], material);
                }
            }
        }
    }
    (materials, group)
}

/// Two per cell, counter-clockwise seen from +z.
fn triangles(n: u32) -> Vec<[u32; 3]> {
    let corners = (0..n - 1).flat_map(|row| (0..n - 1).map(move |column| row * n + column));
    corners.flat_map(|a| [[a, a + n, a + 1], [a + 1, a + n, a + n + 1]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It has the number of constraints that others count for it.
    #[test]
    fn counts() {
        assert_eq!(model(64).groups[0].len(), 23_938);
        assert_eq!(model(256).groups[0].len(), 390_658);
    }
}
