//! The force of the air in double precision: drag and lift of triangles, drag of cylinders along strands and of balls.
//! The same formulas as `shaders/air/accelerate.wgsl`, which has their reasons.

use std::f64::consts::PI;

use crate::math::Vec3;
use crate::model::{Body, Model, World};

/// Whether the air acts on anything.
pub fn acts(model: &Model) -> bool {
    model.bodies.iter().any(|body| body.drag > 0.0 || body.lift > 0.0)
}

/// Of each particle the force of the air, N, and the bound on how fast it acts, kg/s.
pub fn forces(model: &Model, positions: &[Vec3<f64>], velocities: &[Vec3<f64>]) -> Vec<(Vec3<f64>, f64)> {
    let mut forces = vec![(Vec3::zero(), 0.0); positions.len()];
    for body in &model.bodies {
        match body.triangles.is_empty() {
            true => strands(&model.world, body, positions, velocities, &mut forces),
            false => plates(&model.world, body, positions, velocities, &mut forces),
        }
    }
    forces
}

/// Cylinders along the segments, and a ball for each particle that none has.
fn strands(
    world: &World,
    body: &Body,
    positions: &[Vec3<f64>],
    velocities: &[Vec3<f64>],
    forces: &mut [(Vec3<f64>, f64)],
) {
    let cylinders = body.cylinders();
    let first = body.particles.start;
    let mut alone = vec![true; body.particles.len()];
    cylinders.as_flattened().iter().for_each(|end| alone[(end - first) as usize] = false);
    for ends in cylinders.into_iter().map(|ends| ends.map(|end| end as usize)) {
        let [a, b] = ends;
        let v = (velocities[a] + velocities[b]) * 0.5 - Vec3::from(world.wind);
        let (axis, length) = (positions[b] - positions[a]).direction_and_length();
        let across = v - axis * axis.dot(v);
        let resistance = world.air_density * body.radius * length * body.drag * across.length();
        for end in ends {
            forces[end].0 += v * (-0.5 * resistance);
            forces[end].1 += 0.5 * resistance;
        }
    }
    let is_alone = |&particle: &u32| alone[(particle - first) as usize];
    balls(world, body, body.particles.clone().filter(is_alone), velocities, forces);
}

fn balls(
    world: &World,
    body: &Body,
    particles: impl Iterator<Item = u32>,
    velocities: &[Vec3<f64>],
    forces: &mut [(Vec3<f64>, f64)],
) {
    for particle in particles.map(|particle| particle as usize) {
        let v = velocities[particle] - Vec3::from(world.wind);
        let resistance = 0.5 * world.air_density * PI * body.radius * body.radius * body.drag * v.length();
        forces[particle] = (v * -resistance, resistance);
    }
}

fn plates(
    world: &World,
    body: &Body,
    positions: &[Vec3<f64>],
    velocities: &[Vec3<f64>],
    forces: &mut [(Vec3<f64>, f64)],
) {
    for triangle in &body.triangles {
        let corners = triangle.map(|corner| corner as usize);
        let [a, b, c] = corners.map(|corner| positions[corner]);
        let sum = corners.iter().fold(Vec3::zero(), |sum, &corner| sum + velocities[corner]);
        let v = sum * (1.0 / 3.0) - Vec3::from(world.wind);
        let (n, doubled) = (b - a).cross(c - a).direction_and_length();
        let (direction, speed) = v.direction_and_length();
        let (across, pressure) = (v.dot(n), 0.25 * world.air_density * doubled);
        let lift = n * across.signum() - direction * n.dot(direction).abs();
        let force = (v * body.drag + lift * (body.lift * speed)) * (-pressure * across.abs());
        for corner in corners {
            forces[corner].0 += force * (1.0 / 3.0);
            forces[corner].1 += pressure * speed * (body.drag + body.lift) / 3.0;
        }
    }
}
