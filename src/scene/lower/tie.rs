//! Pins that a driven body leads.

use super::super::error::{Path, SceneError};
use super::Builder;
use crate::math::rotation::{IDENTITY, Quaternion, between_axes};
use crate::math::{Vec3, closest};
use crate::model::{Animation, Body, Model};

/// Particles that a pin holds to the surface of another body.
pub struct Tie {
    /// Whose pin it is, and which of its pins or clamps.
    pub body: usize,
    pub pin: usize,
    /// The name of the body that leads it.
    pub to: String,
    pub particles: Vec<u32>,
    /// Whether it is the clamp of a rod, which is led in its direction, too.
    pub clamps: bool,
}

/// A place over a triangle, which moves and turns with it.
struct Seat {
    corners: [u32; 3],
    /// Of the corners, at the nearest place on the triangle.
    weights: [f64; 3],
    /// From there to the particle, along the triangle's axes, m.
    offset: [f64; 3],
    /// The triangle's axes as placed.
    axes: [Vec3<f64>; 3],
}

impl Builder<'_> {
    /// Lets driven bodies lead what is pinned to them, once all bodies are there.
    pub fn tie(&mut self) -> Result<(), SceneError> {
        let (scene, at) = (self.scene, Path::ROOT.key("body"));
        let driven = self.model.animations.len();
        for tie in std::mem::take(&mut self.ties).into_iter().filter(|tie| !tie.particles.is_empty()) {
            let at = at.index(tie.body);
            let at = at.key(if tie.clamps { "clamp" } else { "pin" });
            let at = at.index(tie.pin);
            let at = at.key("to");
            let leader = &self.model.bodies[self.body_named(&at, &tie.to)?];
            let Some(animation) =
                self.model.animations[..driven].iter().find(|one| one.particles[0] == leader.particles.start)
            else {
                let name = &tie.to;
                let message = format!("'{name}' is no driven body; name one of kind = \"driven\", or remove it");
                return Err(SceneError::new(&at, message));
            };
            if scene.bodies[tie.body].content.kind().tears_by().is_some() {
                let message = "cannot follow a tear, and the body can tear; pin it without `to`, or let it not tear";
                return Err(SceneError::key(&at, message));
            }
            let tied = tied(&self.model, (leader, animation), tie);
            self.model.animations.push(tied);
        }
        Ok(())
    }
}

/// How particles move that are tied to a body, and the clamps at them turn.
fn tied(model: &Model, (leader, animation): (&Body, &Animation), tie: Tie) -> Animation {
    let Tie { particles, clamps, .. } = tie;
    let placed = |particle: u32| Vec3::from(model.particles.positions[particle as usize]);
    let seats: Vec<Seat> =
        particles.iter().filter_map(|&particle| seat(placed(particle), &leader.triangles, placed)).collect();
    let starts: Vec<Vec3<f64>> = seats.iter().map(|seat| seat.place(placed)).collect();
    let begin = leader.particles.start;
    let corner = move |index: usize| {
        let sample = animation.sample(index);
        move |corner: u32| placed(corner) + Vec3::from(sample[(corner - begin) as usize])
    };
    let displacements = (0..animation.samples()).flat_map(|index| {
        let ways = seats.iter().zip(&starts);
        ways.map(move |(seat, &start)| <[f64; 3]>::from(seat.place(corner(index)) - start))
    });
    let turned = if clamps { 0..animation.samples() } else { 0..0 };
    let turns = turned.flat_map(|index| seats.iter().map(move |seat| seat.turn(corner(index))));
    Animation { displacements: displacements.collect(), turns: turns.collect(), particles, ..*animation }
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
    let axes = axes(corners.map(&at));
    Some(Seat { corners, weights, offset: axes.map(|axis| axis.dot(offset)), axes })
}

impl Seat {
    fn place(&self, at: impl Fn(u32) -> Vec3<f64>) -> Vec3<f64> {
        let corners = self.corners.map(at);
        let along = axes(corners).into_iter().zip(self.offset);
        along.fold(weighted(self.weights, corners), |place, (axis, way)| place + axis * way)
    }

    /// How the triangle has turned since it was placed; not at all where it has, or had, no area.
    fn turn(&self, at: impl Fn(u32) -> Vec3<f64>) -> Quaternion {
        let now = axes(self.corners.map(at));
        let whole = |axes: &[Vec3<f64>; 3]| axes.iter().all(|axis| axis.dot(*axis) > 0.5);
        if whole(&now) && whole(&self.axes) { between_axes(self.axes, now) } else { IDENTITY }
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
