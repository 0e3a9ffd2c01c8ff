//! What pours fluids into a scene, and takes them away.

use super::Keyframes;

/// A nozzle that pours a fluid, as a round jet of particles at rest to each other.
///
/// ```
/// use pliant::scene::{Body, Drain, Emitter, Fluid, Scene};
///
/// let tap = Emitter::new("water", [0.0, 0.5, 0.0], [0.0, -1.0, 0.0]).radius(0.01).speed(1.0).until(2.0);
/// let scene = Scene::new("a tap")
///     .with(Body::fluid(Fluid::poured(0.01)).name("water"))
///     .emitter(tap)
///     .drain(Drain { min: [-0.2, -1.0, -0.2], max: [0.2, 0.0, 0.2] });
/// assert_eq!(scene.build()?.model.emitters[0].layers(), 200); // one each 10 ms
/// # Ok::<(), pliant::scene::SceneError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Emitter {
    /// The name of the fluid that it pours.
    pub body: String,
    /// The middle of its mouth, m.
    pub position: [f64; 3],
    /// Where it points; of any length but 0.
    pub direction: [f64; 3],
    /// Of the jet, m, above 0. Below half a spacing it is one particle wide.
    pub radius: f64,
    /// Of the jet, m/s, above 0.
    pub speed: f64,
    /// When it stops, s; `None` for never.
    pub until: Option<f64>,
    /// How far it has moved over time, `(time in s, displacement in m)`: what it pours goes on with its velocity.
    /// `None`: it stands still.
    pub keyframes: Option<Keyframes>,
    /// How many particles it has at most, in whole layers. When all have been poured it takes those back that it poured
    /// first. `None` for as many as it pours until it stops.
    pub particles: Option<u32>,
}

impl Emitter {
    /// A jet of 1 m/s with a radius of 2 cm, for ever, by 10,000 particles.
    pub fn new(body: impl Into<String>, position: [f64; 3], direction: [f64; 3]) -> Self {
        let (radius, speed, until, particles) = (0.02, 1.0, None, Some(10_000));
        Self { body: body.into(), position, direction, radius, speed, until, keyframes: None, particles }
    }
    /// m
    pub fn radius(self, radius: f64) -> Self {
        Self { radius, ..self }
    }
    /// m/s
    pub fn speed(self, speed: f64) -> Self {
        Self { speed, ..self }
    }
    /// Stops at this time, s, and has as many particles as it pours until then.
    pub fn until(self, seconds: f64) -> Self {
        Self { until: Some(seconds), particles: None, ..self }
    }
    /// Moves it: `(time in s, displacement in m)`.
    pub fn keyframes(self, keyframes: impl Into<Keyframes>) -> Self {
        Self { keyframes: Some(keyframes.into()), ..self }
    }
    /// How many particles it has at most.
    pub fn particles(self, particles: u32) -> Self {
        Self { particles: Some(particles), ..self }
    }
}
