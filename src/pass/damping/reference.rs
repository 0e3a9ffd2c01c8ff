//! Damping that keeps rigid motion: of each body's velocities, what is not its translation and rotation dies away.
//! Müller et al., Position Based Dynamics, 2007, section 3.5:
//!   v += (1 - e^(-k h)) (v_c + ω × (x - c) - v),   ω = I⁻¹ L,
//!   L = Σ (x - c) × m v,   I = Σ m (|x - c|² 1 - (x - c)(x - c)ᵀ),
//! with c and v_c the means of positions and velocities, weighted by mass, over the body's free particles. Linear and
//! angular momentum stay as they are, and the result after a time does not depend on the substeps.

use crate::law::rigid::angular_velocity;
use crate::math::Vec3;
use crate::model::{Body, Model};
use crate::reference::pass::{Pass, Substep};
use crate::reference::points::Points;

/// Damping as a pass.
pub struct Damping;

impl Pass for Damping {
    fn correct_velocities(&mut self, substep: &mut Substep) {
        damp(substep.model, substep.points, substep.h);
    }
}

/// Damps the velocities of all bodies at the end of a substep of `h` s.
fn damp(model: &Model, points: &mut Points, h: f64) {
    for body in model.bodies.iter().filter(|body| body.damping > 0.0) {
        damp_body(body, points, -(-body.damping * h).exp_m1(), h);
    }
}

fn damp_body(body: &Body, points: &mut Points, share: f64, h: f64) {
    let range = body.particles.start as usize..body.particles.end as usize;
    let free: Vec<usize> = range.filter(|&i| points.inverse_masses[i] > 0.0).collect();
    let mass = |i: usize| 1.0 / points.inverse_masses[i];
    let total: f64 = free.iter().map(|&i| mass(i)).sum();
    let mean = |of: &[Vec3<f64>]| free.iter().fold(Vec3::zero(), |sum, &i| sum + of[i] * (mass(i) / total));
    let (centre, way) = (mean(&points.positions), mean(&points.velocities));

    let mut momentum = Vec3::zero();
    let mut inertia = [Vec3::zero(); 3];
    for &i in &free {
        let (m, arm) = (mass(i), points.positions[i] - centre);
        momentum += arm.cross(points.velocities[i] - way) * m;
        let components: [f64; 3] = arm.into();
        for axis in 0..3 {
            inertia[axis] += (Vec3::axis(axis) * arm.dot(arm) - arm * components[axis]) * m;
        }
    }
    // Arms are differences of numbers as large as the centre's: those of a single particle, and of some in one place,
    // are what rounding left.
    let arm_rounding = f64::EPSILON * free.len() as f64 * centre.length();
    let turn = angular_velocity(inertia, momentum, total * arm_rounding.powi(2));
    for &i in &free {
        let rigid = way + turn.cross(points.positions[i] - centre);
        let velocity = points.velocities[i];
        points.push(i, (rigid - velocity) * share, h);
    }
}
