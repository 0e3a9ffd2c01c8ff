//! The animations of a glTF file: what they move, and how each number changes over time.

use serde::Deserialize;

use super::super::error::{Fault, Place};
use super::super::text::printable;
use super::accessor::Accessors;
use crate::math::rotation::{about, inverse, product, vector};

const EXPORT_AGAIN: &str = "export the animation again";

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Animation {
    pub name: Option<String>,
    pub channels: Vec<Channel>,
    pub samplers: Vec<Sampler>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Channel {
    pub sampler: usize,
    pub target: Target,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Target {
    pub node: Option<usize>,
    pub path: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Sampler {
    pub input: usize,
    pub output: usize,
    pub interpolation: Option<String>,
}

/// What of a node an animation moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    Translation,
    Rotation,
    Scale,
    /// Of morph targets.
    Weights,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Interpolation {
    Step,
    Linear,
    CubicSpline,
}

/// How some numbers of a node change over time.
pub struct Track {
    pub node: usize,
    pub moved: Moved,
    interpolation: Interpolation,
    /// s, ascending, at least one.
    times: Vec<f64>,
    /// `width` numbers for each time; of a spline the tangent in, the value, the tangent out.
    values: Vec<f64>,
    width: usize,
}

/// The animation that a name means; without a name the only one.
pub fn chosen<'a>(animations: &'a [Animation], name: Option<&str>) -> Result<(usize, &'a Animation), Fault> {
    let names = || {
        let names =
            animations.iter().map(|animation| format!("'{}'", printable(animation.name.as_deref().unwrap_or(""))));
        names.collect::<Vec<_>>().join(", ")
    };
    let found = match name {
        Some(name) => animations.iter().position(|animation| animation.name.as_deref() == Some(name)),
        None => (animations.len() == 1).then_some(0),
    };
    match (found, name) {
        (Some(index), _) => Ok((index, &animations[index])),
        (None, _) if animations.is_empty() => {
            Err(Fault::of_file("the file has no animation", "export the mesh with its animation"))
        }
        (None, Some(name)) => {
            Err(Fault::of_file(format!("there is no clip '{}'", printable(name)), format!("name one of {}", names())))
        }
        (None, None) => {
            let what = format!("the file has {} clips", animations.len());
            Err(Fault::of_file(what, format!("give `clip`, one of {}", names())))
        }
    }
}

/// What an animation moves.
pub fn tracks(accessors: &Accessors, (index, animation): (usize, &Animation)) -> Result<Vec<Track>, Fault> {
    let place = Place::Animation(index);
    let mut tracks = Vec::new();
    for channel in &animation.channels {
        let Some(sampler) = animation.samplers.get(channel.sampler) else {
            return Err(Fault::at(place, format!("sampler {} does not exist", channel.sampler), EXPORT_AGAIN));
        };
        let moved = match channel.target.path.as_str() {
            "translation" => Moved::Translation,
            "rotation" => Moved::Rotation,
            "scale" => Moved::Scale,
            "weights" => Moved::Weights,
            _ => continue,
        };
        let Some(node) = channel.target.node else { continue };
        if node >= accessors.document.nodes.len() {
            return Err(Fault::at(place, format!("node {node} does not exist"), EXPORT_AGAIN));
        }
        tracks.push(Track::read(accessors, sampler, (node, moved), place)?);
    }
    Ok(tracks)
}

impl Track {
    fn read(
        accessors: &Accessors,
        sampler: &Sampler,
        (node, moved): (usize, Moved),
        place: Place,
    ) -> Result<Self, Fault> {
        let interpolation = match sampler.interpolation.as_deref().unwrap_or("LINEAR") {
            "STEP" => Interpolation::Step,
            "LINEAR" => Interpolation::Linear,
            "CUBICSPLINE" => Interpolation::CubicSpline,
            other => {
                let what = format!("the interpolation {} is unknown", printable(other));
                return Err(Fault::at(place, what, EXPORT_AGAIN));
            }
        };
        let times: Vec<f64> = accessors.read::<1>(sampler.input, "SCALAR", place)?.into_iter().flatten().collect();
        let values: Vec<f64> = match moved {
            Moved::Translation | Moved::Scale => flat(accessors.read::<3>(sampler.output, "VEC3", place)?),
            Moved::Rotation => flat(accessors.read::<4>(sampler.output, "VEC4", place)?),
            Moved::Weights => flat(accessors.read::<1>(sampler.output, "SCALAR", place)?),
        };
        let each = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let keys = times.len() * each;
        let width = match moved {
            Moved::Translation | Moved::Scale => 3,
            Moved::Rotation => 4,
            Moved::Weights => values.len() / keys.max(1),
        };
        let refused = |what: &str| Err(Fault::at(place, what, EXPORT_AGAIN));
        if times.is_empty() || width == 0 || values.len() != keys * width {
            return refused("a sampler has another number of values than of times");
        }
        if !times.iter().all(|time| time.is_finite()) || times.windows(2).any(|pair| pair[0] >= pair[1]) {
            return refused("the times of a sampler do not ascend");
        }
        if !values.iter().all(|value| value.is_finite()) {
            return refused("a value of a sampler is not finite");
        }
        Ok(Self { node, moved, interpolation, times, values, width })
    }

    /// Its first and last time, s.
    pub fn ends(&self) -> [f64; 2] {
        [self.times[0], self.times[self.times.len() - 1]]
    }

    /// Its numbers at a time, s; before the first and after the last time those of these times.
    pub fn at(&self, seconds: f64) -> Vec<f64> {
        let after = self.times.partition_point(|&time| time <= seconds);
        let (before, next) = (after.saturating_sub(1), after.min(self.times.len() - 1));
        if before == next || after == 0 || self.interpolation == Interpolation::Step {
            return self.value(before).to_vec();
        }
        let duration = self.times[next] - self.times[before];
        let share = (seconds - self.times[before]) / duration;
        match (self.interpolation, self.moved) {
            (Interpolation::CubicSpline, _) => self.spline(before, duration, share),
            (_, Moved::Rotation) => between_rotations(self.value(before), self.value(next), share),
            _ => self.value(before).iter().zip(self.value(next)).map(|(a, b)| a + share * (b - a)).collect(),
        }
    }

    /// Between two keys by the formula of glTF 2.0, appendix C: Hermite's, with tangents per second.
    fn spline(&self, before: usize, duration: f64, t: f64) -> Vec<f64> {
        let (square, cube) = (t * t, t * t * t);
        let weights =
            [2.0 * cube - 3.0 * square + 1.0, cube - 2.0 * square + t, 3.0 * square - 2.0 * cube, cube - square];
        let parts = [self.part(before, 1), self.part(before, 2), self.part(before + 1, 1), self.part(before + 1, 0)];
        let factors = [weights[0], weights[1] * duration, weights[2], weights[3] * duration];
        (0..self.width).map(|i| (0..4).map(|k| factors[k] * parts[k][i]).sum()).collect()
    }

    fn value(&self, key: usize) -> &[f64] {
        self.part(key, usize::from(self.interpolation == Interpolation::CubicSpline))
    }

    /// The tangent in, the value or the tangent out of a key of a spline; of others the value alone.
    fn part(&self, key: usize, part: usize) -> &[f64] {
        let each = if self.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        &self.values[(key * each + part) * self.width..][..self.width]
    }
}

fn flat<const N: usize>(values: Vec<[f64; N]>) -> Vec<f64> {
    values.into_iter().flatten().collect()
}

/// By the shortest way. Quaternions have any length but 0; those of length 0 stay.
fn between_rotations(from: &[f64], to: &[f64], share: f64) -> Vec<f64> {
    let unit = |q: &[f64]| -> Option<[f64; 4]> {
        let length = q.iter().map(|value| value * value).sum::<f64>().sqrt();
        (length > 0.0).then(|| std::array::from_fn(|i| q[i] / length))
    };
    let (Some(from_unit), Some(to_unit)) = (unit(from), unit(to)) else { return from.to_vec() };
    let way = vector(product(to_unit, inverse(from_unit)));
    product(about(way.map(|angle| angle * share)), from_unit).to_vec()
}
