//! Pins that a driven body leads.

use super::super::error::{Path, SceneError};
use super::Builder;
use crate::math::{Vec3, closest};
use crate::model::{Animation, Body, Model};

/// Particles that a pin holds to the surface of another body.
pub struct Tie {
    /// Whose pin it is, and which of its pins.
    pub body: usize,
    pub pin: usize,
    pub particles: Vec<u32>,
}

/// A place over a triangle, which moves and turns with it.
struct Seat {
    corners: [u32; 3],
    /// Of the corners, at the nearest place on the triangle.
    weights: [f64; 3],
    /// From there to the particle, along the triangle's axes, m.
    offset: [f64; 3],
}

impl Builder<'_> {
    /// Lets driven bodies lead what is pinned to them, once all bodies are there.
    pub fn tie(&mut self) -> Result<(), SceneError> {
        let (scene, at) = (self.scene, Path::ROOT.key("body"));
        let driven = self.model.animations.len();
        for tie in std::mem::take(&mut self.ties).into_iter().filter(|tie| !tie.particles.is_empty()) {
            let at = at.index(tie.body);
            let at = at.key("pin");
            let at = at.index(tie.pin);
            let at = at.key("to");
            let Some(name) = &scene.bodies[tie.body].pins[tie.pin].to else { continue };
            let leader = &self.model.bodies[self.body_named(&at, name)?];
            let Some(animation) =
                self.model.animations[..driven].iter().find(|one| one.particles[0] == leader.particles.start)
            else {
                let message = format!("'{name}' is no driven body; name one of kind = \"driven\", or remove it");
                return Err(SceneError::new(&at, message));
            };
            if scene.bodies[tie.body].content.kind().tears_by().is_some() {
                let message = "cannot follow a tear, and the body can tear; pin it without `to`, or let it not tear";
                return Err(SceneError::key(&at, message));
            }
            let tied = tied(&self.model, (leader, animation), tie.particles);
            self.model.animations.push(tied);
        }
        Ok(())
    }
}

/// How particles move that are tied to a body.
fn tied(model: &Model, (leader, animation): (&Body, &Animation), particles: Vec<u32>) -> Animation {
    let placed = |particle: u32| Vec3::from(model.particles.positions[particle as usize]);
    let seats: Vec<Seat> =
        particles.iter().filter_map(|&particle| seat(placed(particle), &leader.triangles, placed)).collect();
    let starts: Vec<Vec3<f64>> = seats.iter().map(|seat| seat.place(placed)).collect();
    let displacements = (0..animation.samples()).flat_map(|index| {
        let (sample, begin) = (animation.sample(index), leader.particles.start);
        let corner = move |corner: u32| placed(corner) + Vec3::from(sample[(corner - begin) as usize]);
        seats.iter().zip(&starts).map(move |(seat, &start)| <[f64; 3]>::from(seat.place(corner) - start))
    });
    Animation { displacements: displacements.collect(), particles, ..*animation }
}

/// Where a point sits over the nearest of some triangles; `None` where there are none.
fn seat(point: Vec3<f64>, triangles: &[[u32; 3]], at: impl Fn(u32) -> Vec3<f64>) -> Option<Seat> {
    let near = |&corners: &[u32; 3]| {
        let places = corners.map(&at);
        let weights = closest::on_triangle(point, places);
        let offset = point - weighted(weights, places);
        (offset.dot(offset), corners, weights, offset)
    };
    let nearest = triangles.iter().map(near).min_by(|a, b| a.0.total_cmp(&b.0));
    let (_, corners, weights, offset) = nearest?;
    Some(Seat { corners, weights, offset: axes(corners.map(&at)).map(|axis| axis.dot(offset)) })
}

impl Seat {
    fn place(&self, at: impl Fn(u32) -> Vec3<f64>) -> Vec3<f64> {
        let corners = self.corners.map(at);
        let along = axes(corners).into_iter().zip(self.offset);
        along.fold(weighted(self.weights, corners), |place, (axis, way)| place + axis * way)
    }
}

fn weighted(weights: [f64; 3], [a, b, c]: [Vec3<f64>; 3]) -> Vec3<f64> {
    a * weights[0] + b * weights[1] + c * weights[2]
}

/// Along the first edge of a triangle, in its plane across that, and out of the plane. Those that a triangle without
/// area has not are 0.
fn axes([a, b, c]: [Vec3<f64>; 3]) -> [Vec3<f64>; 3] {
    let (along, _) = (b - a).direction_and_length();
    let (out, _) = (b - a).cross(c - a).direction_and_length();
    [along, out.cross(along), out]
}
