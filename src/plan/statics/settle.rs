//! Finds where nodes come to rest by dynamic relaxation with adaptive damping (Underwood, Dynamic relaxation, 1983).
//!
//! Nodes of fictitious masses move under loads and tensions with time steps of 1. The masses make all springs equally
//! fast. The damping is critical for the mode of the motion: its squared frequency is the stiffness along the
//! velocities over their inertia.

use super::field::{Field, Spring};
use crate::math::Vec3;

/// Of the loads what may be left unbalanced, as a share.
const UNBALANCED: f64 = 0.01;
/// Steps at most.
const MOST_STEPS: usize = 20_000;
/// Stretch by all loads together below which a spring counts as rigid: stiffer ones would take many steps, and their
/// stretch does not matter.
const RIGID: f64 = 2e-3;

/// The tension of each spring of a field at rest, N.
pub fn tensions(field: &Field) -> Vec<f64> {
    let loads: f64 = field.nodes.iter().map(|node| node.load.length()).sum();
    let largest = field.nodes.iter().map(|node| node.load.dot(node.load)).sum::<f64>().sqrt();
    let stiffness = |spring: &Spring| {
        let [a, b] = spring.ends.map(|end| field.nodes[end as usize].position);
        1.0 / spring.yields.total().max(RIGID * spring.rest.max((a - b).length()) / loads)
    };
    let stiffnesses: Vec<f64> = field.springs.iter().map(stiffness).collect();
    let mut masses = vec![0.0; field.nodes.len()];
    for (spring, stiffness) in field.springs.iter().zip(&stiffnesses) {
        spring.ends.iter().for_each(|&end| masses[end as usize] += stiffness);
    }
    let mut tensions = vec![0.0; field.springs.len()];
    let mut positions: Vec<Vec3<f64>> = field.nodes.iter().map(|node| node.position).collect();
    let mut velocities = vec![Vec3::zero(); masses.len()];
    let mut before = vec![Vec3::zero(); masses.len()];
    for _ in 0..MOST_STEPS {
        let forces = forces(field, &stiffnesses, &positions, &mut tensions);
        let left: f64 = forces.iter().map(|force| force.dot(*force)).sum::<f64>().sqrt();
        if left < UNBALANCED * largest {
            break;
        }
        let (mut stiffness, mut inertia) = (0.0, 0.0);
        for (node, velocity) in velocities.iter().enumerate() {
            stiffness += velocity.dot(before[node] + -forces[node]);
            inertia += masses[node] * velocity.dot(*velocity);
        }
        let squared = if inertia > 0.0 { (stiffness / inertia).max(0.0) } else { 0.0 };
        let damping = 2.0 * squared.sqrt().min(0.9);
        for (node, force) in forces.iter().enumerate().filter(|(node, _)| masses[*node] > 0.0) {
            let velocity = &mut velocities[node];
            *velocity = (*velocity * (2.0 - damping) + *force * (2.0 / masses[node])) * (1.0 / (2.0 + damping));
            positions[node] += *velocity;
        }
        before = forces;
    }
    tensions
}

/// On each node, N; on fixed ones nothing. The tensions become those at the positions.
fn forces(field: &Field, stiffnesses: &[f64], positions: &[Vec3<f64>], tensions: &mut [f64]) -> Vec<Vec3<f64>> {
    let mut forces: Vec<Vec3<f64>> = field.nodes.iter().map(|node| node.load).collect();
    for ((spring, stiffness), tension) in field.springs.iter().zip(stiffnesses).zip(tensions) {
        let [a, b] = spring.ends.map(|end| end as usize);
        let (along, length) = (positions[b] - positions[a]).direction_and_length();
        let pull = stiffness * (length - spring.rest);
        *tension = if spring.pushes { pull } else { pull.max(0.0) };
        forces[a] += along * *tension;
        forces[b] += along * -*tension;
    }
    forces.iter_mut().zip(&field.nodes).filter(|(_, node)| node.fixed).for_each(|(force, _)| *force = Vec3::zero());
    forces
}
