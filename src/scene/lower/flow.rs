//! Emitters and drains of a scene, made into those of the model.

use super::super::error::{Path, SceneError};
use super::super::{Body, Drain, Emitter, check};
use super::{Builder, MAX_PARTICLES, ROOT, place};
use crate::math::Vec3;
use crate::model;

/// An emitter that knows all but its particles.
pub struct Spout(model::Emitter);

impl Spout {
    /// How many spare particles it has.
    pub fn particles(&self) -> usize {
        self.0.places.len()
    }

    /// Where they wait to be poured, m.
    pub fn places(&self) -> impl Iterator<Item = [f64; 3]> {
        self.0.places.iter().copied()
    }

    /// With its particles, from the first on, of so much each, kg.
    pub fn with_particles(self, first: u32, mass: f64) -> model::Emitter {
        let particles = first..first + self.particles() as u32;
        model::Emitter { particles, mass, ..self.0 }
    }
}

impl Builder<'_> {
    /// Refuses emitters of what is no fluid, and what cannot be where fluids flow.
    pub fn check_emitters(&self) -> Result<(), SceneError> {
        let (scene, at) = (self.scene, ROOT.key("emitter"));
        for (index, emitter) in scene.emitters.iter().enumerate() {
            let at = at.index(index);
            let at = at.key("body");
            let body = self.body_named(&at, &emitter.body)?;
            if scene.bodies[body].content.kind().poured_by().is_none() {
                let message = format!("'{}' is no fluid, and emitters pour fluids; name a fluid", emitter.body);
                return Err(SceneError::new(&at, message));
            }
        }
        let flows = !scene.emitters.is_empty() || !scene.drains.is_empty();
        let at = ROOT.key("body");
        let pinned = |body: &Body| body.content.kind().poured_by().is_some() && !body.pins.is_empty();
        match scene.bodies.iter().position(|body| flows && pinned(body)) {
            Some(index) => {
                let message = "cannot hold a fluid where emitters or drains are; remove it, and hold the fluid by \
                               colliders";
                Err(SceneError::new(&at.index(index).key("pin"), message))
            }
            None => Ok(()),
        }
    }

    /// What pours a fluid that has so many particles without.
    pub fn spouts(&self, index: usize, body: &Body, filled: usize) -> Result<Vec<Spout>, SceneError> {
        let Some(spacing) = body.content.kind().poured_by() else { return Ok(Vec::new()) };
        let own = |(_, emitter): &(usize, &Emitter)| self.names.get(&emitter.body) == Some(&index);
        let emitters = self.scene.emitters.iter().enumerate().filter(own);
        let at = ROOT.key("emitter");
        let spouts: Vec<Spout> =
            emitters.map(|(k, emitter)| spout(&at.index(k), emitter, spacing)).collect::<Result<_, _>>()?;
        let at = ROOT.key("body");
        if spouts.is_empty() && filled == 0 {
            let message = "has no particle; say what it fills (fill = ...), or let an [[emitter]] pour it";
            return Err(SceneError::new(&at.index(index), message));
        }
        if !spouts.is_empty() && body.mass.is_some() {
            let message = "is of the whole body, and emitters add to it; give the density";
            return Err(SceneError::new(&at.index(index).key("mass"), message));
        }
        Ok(spouts)
    }

    pub fn drain(&mut self, at: &Path, drain: &Drain) -> Result<(), SceneError> {
        let at = at.key("box");
        let min = check::vector(&at.key("min"), drain.min, &check::COORDINATE)?;
        let max = check::vector(&at.key("max"), drain.max, &check::COORDINATE)?;
        if let Some(axis) = (0..3).find(|&axis| max[axis] <= min[axis]) {
            let message = "must be above min along every axis; exchange the two, or give a larger box";
            return Err(SceneError::new(&at.key("max").index(axis), message));
        }
        if self.model.fluids.is_empty() {
            return Err(SceneError::new(&at, "takes fluids away, and the scene has none; remove it, or add a fluid"));
        }
        self.model.drains.push(*drain);
        Ok(())
    }
}

fn spout(at: &Path, emitter: &Emitter, spacing: f64) -> Result<Spout, SceneError> {
    let position = check::vector(&at.key("position"), emitter.position, &check::COORDINATE)?;
    let direction = Vec3::from(check::unit(&at.key("direction"), emitter.direction)?);
    let radius = check::number(&at.key("radius"), emitter.radius, &check::LENGTH)?;
    let speed = check::number(&at.key("speed"), emitter.speed, &check::SPEED_LIMIT)?;
    let until = emitter.until.map(|until| check::number(&at.key("until"), until, &check::DURATION)).transpose()?;
    let motion = place::motion(at, &emitter.keyframes)?;
    let area = std::f64::consts::PI * (radius / spacing).powi(2);
    let poured = until.map(|until| (until * speed / spacing).ceil());
    let most = emitter.particles.map(|most| check::number(&at.key("particles"), most.into(), &check::SPARES));
    let least = f64::min;
    // Before anything is made of these numbers.
    let asked = most.transpose()?.into_iter().chain(poured.map(|layers| layers * area.max(1.0))).reduce(least);
    let Some(asked) = asked else {
        let message = "pours for ever: say until when (until = 10.0), or how many particles it has (particles = 10000)";
        return Err(SceneError::new(at, message));
    };
    if asked.max(area) > MAX_PARTICLES as f64 {
        let message = format!(
            "needs {} particles, and a scene can have at most {MAX_PARTICLES}; give particles = 10000, a smaller \
             radius, or a larger spacing",
            check::display(asked.max(area).round())
        );
        return Err(SceneError::new(&at.key("radius"), message));
    }
    let layer = mouth(radius, spacing);
    let most_layers = emitter.particles.map(|most| f64::from(most) / layer.len() as f64);
    let layers = most_layers.into_iter().chain(poured).reduce(least).unwrap_or(1.0).floor().max(1.0) as u32;
    let (one, two) = across(direction);
    let place = |(turn, [a, b]): (u32, &[f64; 2])| {
        let (sin, cos) = (f64::from(turn) * TWIST).sin_cos();
        (Vec3::from(position) + one * (a * cos - b * sin) + two * (a * sin + b * cos)).into()
    };
    let places = (0..layers).flat_map(|turn| layer.iter().map(move |place| (turn, place))).map(place).collect();
    let velocity = (direction * speed).into();
    let (particles, each, mass) = (0..0, layer.len() as u32, 0.0);
    Ok(Spout(model::Emitter { particles, places, each, velocity, spacing, mass, until, motion }))
}

/// By how much each layer is turned from the one before, rad: without that a jet parts along the axes of its lattice.
const TWIST: f64 = 0.127;

/// The places of a layer from its middle, across the jet: those of a square lattice within the radius, m. The lattice
/// has a point in the middle, or four about it, whichever comes nearer to the area.
fn mouth(radius: f64, spacing: f64) -> Vec<[f64; 2]> {
    let reach = (radius / spacing).ceil() as i64 + 1;
    let places = |shift: f64| {
        let steps = || (-reach..=reach).map(move |step| (step as f64 + shift) * spacing);
        let all = steps().flat_map(move |b| steps().map(move |a| [a, b]));
        all.filter(move |[a, b]| a * a + b * b <= radius * radius * (1.0 + 1e-9)).collect::<Vec<_>>()
    };
    let area = std::f64::consts::PI * (radius / spacing).powi(2);
    let error = |places: &[[f64; 2]]| (places.len() as f64 - area).abs();
    let (about, between) = (places(0.0), places(0.5));
    if between.is_empty() || error(&about) <= error(&between) { about } else { between }
}

/// Two directions across one of length 1 and each other.
fn across(direction: Vec3<f64>) -> (Vec3<f64>, Vec3<f64>) {
    let least = [direction.x, direction.y, direction.z].map(f64::abs);
    let axis = (0..3).min_by(|&a, &b| least[a].total_cmp(&least[b])).unwrap_or(0);
    let one = direction.cross(Vec3::axis(axis)).direction_and_length().0;
    (one, direction.cross(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mouth has the particles of its area, and its directions are across the jet.
    #[test]
    fn mouths_are_round() {
        for radius in [0.001, 0.006, 0.01, 0.02, 0.05] {
            let places = mouth(radius, 0.01);
            let area = std::f64::consts::PI * (radius / 0.01_f64).powi(2);
            assert!((places.len() as f64 - area).abs() <= 1.0 + 0.2 * area, "{radius}: {}", places.len());
        }
        for direction in [[0.0, -1.0, 0.0], [0.6, 0.0, 0.8], [1.0, 0.0, 0.0]] {
            let (direction, (one, two)) = (direction.into(), across(direction.into()));
            let products =
                [one.dot(two), one.dot(direction), two.dot(direction), one.dot(one) - 1.0, two.dot(two) - 1.0];
            assert!(products.iter().all(|product| product.abs() < 1e-12), "{products:?}");
        }
    }
}
