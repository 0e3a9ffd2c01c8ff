//! A ball that is thrown into the scene: a collider on the way of a stone. It pushes what it meets and is not slowed by
//! it; from other colliders it rebounds.

use glam::DVec3;

use crate::model::Collider;
use crate::viewer::orbit::View;

/// Its radius as a share of the scene's diagonal.
const RADIUS: f64 = 0.055;
/// Speed over distance, 1/s: it reaches the middle of the scene in half a second.
const RATE: f64 = 2.0;
/// Speed kept in a rebound from a collider.
const REBOUND: f64 = 0.6;
/// How many diagonals it flies at most.
const FARTHEST: f64 = 30.0;

/// A ball in flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// m
    pub position: [f64; 3],
    /// m/s
    velocity: [f64; 3],
    /// m
    radius: f64,
    /// Where it was thrown, m, and how far from there it may go.
    start: [f64; 3],
    reach: f64,
}

impl Ball {
    /// From the eye to a point of the picture, in a scene of these bounds, m.
    pub fn thrown(view: &View, at: [f64; 2], (min, max): ([f64; 3], [f64; 3])) -> Self {
        let (min, max) = (DVec3::from(min), DVec3::from(max));
        let diagonal = (max - min).length();
        let (eye, direction) = view.ray(at);
        let distance = ((min + max) / 2.0 - eye).length().max(0.5 * diagonal);
        // Not in front of the eye, where it would hide everything.
        let position = (eye + direction * (0.2 * distance)).into();
        let velocity = (direction * (RATE * distance)).into();
        let reach = FARTHEST * diagonal + distance;
        Self { position, velocity, radius: Self::radius((min.into(), max.into())), start: position, reach }
    }

    /// That of the ball of a scene of these bounds, m.
    pub fn radius((min, max): ([f64; 3], [f64; 3])) -> f64 {
        let radius = RADIUS * (DVec3::from(max) - DVec3::from(min)).length();
        if radius.is_finite() && radius > 0.0 { radius } else { 0.05 }
    }

    /// Flies for a time, s, under gravity, m/s², among colliders as they are at a moment, s.
    pub fn fly(&mut self, seconds: f64, gravity: [f64; 3], colliders: &[Collider], moment: f64) {
        let mut position = DVec3::from(self.position);
        if (position - DVec3::from(self.start)).length() > self.reach {
            return;
        }
        let gravity = DVec3::from(gravity);
        let mut velocity = DVec3::from(self.velocity) + gravity * seconds;
        position += (velocity - gravity * (seconds / 2.0)) * seconds;
        for collider in colliders.iter().filter(|collider| !collider.trigger) {
            let (normal, distance) = collider.distance(moment, position.into());
            let (normal, depth) = (DVec3::from(normal), self.radius - distance);
            if depth > 0.0 && depth.is_finite() {
                position += normal * depth;
                let inwards = velocity.dot(normal).min(0.0);
                velocity -= normal * ((1.0 + REBOUND) * inwards);
            }
        }
        if position.is_finite() && velocity.is_finite() {
            (self.position, self.velocity) = (position.into(), velocity.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Camera;
    use crate::viewer::orbit::Orbit;

    const BOUNDS: ([f64; 3], [f64; 3]) = ([-0.5, 0.0, -0.5], [0.5, 1.0, 0.5]);

    fn thrown() -> Ball {
        let (eye, target, up) = ([0.0, 0.5, 3.0], [0.0, 0.5, 0.0], [0.0, 1.0, 0.0]);
        let camera = Camera { eye, target, up, vertical_field_of_view_degrees: 40.0 };
        Ball::thrown(&View::new(&Orbit::new(&camera), [800.0, 600.0]), [400.0, 300.0], BOUNDS)
    }

    /// A ball flies straight away from the eye, and falls as a stone does.
    #[test]
    fn flies_a_parabola() {
        let mut ball = thrown();
        let begin = ball;
        assert!(begin.velocity[2] < 0.0 && begin.velocity[0].abs() < 1e-12);
        let (steps, h) = (60, 1.0 / 60.0);
        (0..steps).for_each(|_| ball.fly(h, [0.0, -10.0, 0.0], &[], 0.0));
        let fallen = begin.position[1] - ball.position[1];
        assert!((fallen - 5.0).abs() < 1e-9, "{fallen}");
        assert!((ball.position[2] - begin.position[2] - begin.velocity[2]).abs() < 1e-9);
    }

    /// It rebounds from the ground lower each time and ends up on it, and does not fly for ever where there is none.
    #[test]
    fn rests_on_the_ground_or_stops() {
        let ground = [Collider::plane([0.0; 3], [0.0, 1.0, 0.0])];
        let mut ball = Ball { velocity: [0.0; 3], ..thrown() };
        (0..3_000).for_each(|_| ball.fly(1.0 / 60.0, [0.0, -10.0, 0.0], &ground, 0.0));
        assert!((ball.position[1] - ball.radius).abs() < 0.01 * ball.radius, "{ball:?}");
        let mut ball = thrown();
        (0..60_000).for_each(|_| ball.fly(1.0 / 60.0, [0.0, -10.0, 0.0], &[], 0.0));
        let gone = (DVec3::from(ball.position) - DVec3::from(ball.start)).length();
        assert!(gone < 2.0 * ball.reach, "{gone}");
    }
}
