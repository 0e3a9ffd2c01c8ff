//! Particles that follow an animation.

use std::sync::Arc;

use super::Model;
use crate::math::rotation::{IDENTITY, Quaternion, about, inverse, product, vector};

/// Where some fixed particles are over time: samples at equal distances in time.
///
/// Between two samples each particle goes straight. An engine reads the animation at the beginning and at the end of
/// each frame, and goes straight between the two. Before [`Animation::start`] the particles are where the model placed
/// them; after the last sample they stand still, or begin anew.
#[derive(Clone, Debug, PartialEq)]
pub struct Animation {
    /// The particles of the model that follow it. They are fixed, and follow no other animation.
    pub particles: Vec<u32>,
    /// Displacement of each of these particles from where the model placed it, m, sample after sample. In the first
    /// sample it is 0.
    pub displacements: Arc<[[f64; 3]]>,
    /// How each of these particles is turned from how the model placed it, as unit quaternions x, y, z, w in axes of
    /// the world, sample after sample; in the first sample it is not. By it turns the clamp of a rod whose end the
    /// particle is. Empty where nothing is turned.
    pub turns: Arc<[[f64; 4]]>,
    /// Samples per second, Hz, above 0. Raising it makes the motion faster.
    pub rate: f64,
    /// When the particles leave the first sample, s, at least 0.
    pub start: f64,
    /// Whether the animation begins anew at its last sample, which should be equal to the first one.
    pub repeats: bool,
}

impl Animation {
    /// How many samples there are.
    pub fn samples(&self) -> usize {
        self.displacements.len() / self.particles.len().max(1)
    }

    /// How far each of its particles is at a time from where the model placed it, m.
    pub fn at(&self, seconds: f64) -> impl Iterator<Item = [f64; 3]> + '_ {
        let (before, share) = self.moment(seconds);
        let after = (before + 1).min(self.samples().saturating_sub(1));
        let pairs = self.sample(before).iter().zip(self.sample(after));
        pairs.map(move |(a, b)| std::array::from_fn(|i| a[i] + share * (b[i] - a[i])))
    }

    /// How one of its particles, counted from 0, is turned at a time from how the model placed it. Between two samples
    /// it turns by the shortest way.
    pub(crate) fn turned_at(&self, one: usize, seconds: f64) -> Quaternion {
        let (before, share) = self.moment(seconds);
        let after = (before + 1).min(self.samples().saturating_sub(1));
        let of = |sample: usize| self.turns.get(sample * self.particles.len() + one).copied().unwrap_or(IDENTITY);
        let between = vector(product(of(after), inverse(of(before))));
        product(about(between.map(|angle| share * angle)), of(before))
    }

    /// The turn of one of its particles from one time to another, as an axis times an angle, rad.
    pub(crate) fn turn(&self, one: usize, [from, to]: [f64; 2]) -> [f64; 3] {
        if self.turns.is_empty() {
            return [0.0; 3];
        }
        vector(product(self.turned_at(one, to), inverse(self.turned_at(one, from))))
    }

    /// The displacements of all its particles in a sample, m.
    pub fn sample(&self, index: usize) -> &[[f64; 3]] {
        let count = self.particles.len();
        self.displacements.get(index * count..(index + 1) * count).unwrap_or(&[])
    }

    /// The sample before a time, and which share of the way to the next one is done.
    fn moment(&self, seconds: f64) -> (usize, f64) {
        let last = self.samples().saturating_sub(1) as f64;
        let moment = ((seconds - self.start) * self.rate).max(0.0);
        let moment = if self.repeats && last > 0.0 { moment % last } else { moment.min(last) };
        (moment as usize, moment.fract())
    }
}

impl Model {
    /// The particles that follow an animation, animation after animation.
    pub(crate) fn animated(&self) -> impl Iterator<Item = u32> + '_ {
        self.animations.iter().flat_map(|animation| animation.particles.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of one particle along x, with samples at 1 s, 1.5 s and 2 s.
    fn animation(repeats: bool) -> Animation {
        let displacements = [0.0, 2.0, 3.0].map(|x| [x, 0.0, 0.0]).into();
        Animation { particles: vec![7], displacements, turns: [].into(), rate: 2.0, start: 1.0, repeats }
    }

    fn at(animation: &Animation, seconds: f64) -> f64 {
        animation.at(seconds).next().map_or(f64::NAN, |way| way[0])
    }

    /// It waits for its start, is linear between samples, and stands still after the last one.
    #[test]
    fn goes_from_sample_to_sample() {
        let animation = animation(false);
        let found = [0.0, 1.0, 1.25, 1.5, 1.75, 2.0, 9.0].map(|seconds| at(&animation, seconds));
        assert_eq!(found, [0.0, 0.0, 1.0, 2.0, 2.5, 3.0, 3.0]);
    }

    /// It begins anew at its last sample.
    #[test]
    fn repeats() {
        let animation = animation(true);
        let found = [0.0, 1.75, 2.0, 2.25, 3.5].map(|seconds| at(&animation, seconds));
        assert_eq!(found, [0.0, 2.5, 0.0, 1.0, 2.0]);
    }

    /// Between two samples it turns by the shortest way, and where there is no turn by none.
    #[test]
    fn turns_between_samples() {
        let quarter = about([0.0, 0.0, std::f64::consts::FRAC_PI_2]);
        let turning = Animation { turns: [IDENTITY, quarter.map(|value| -value), quarter].into(), ..animation(false) };
        let angle = |animation: &Animation, seconds| vector(animation.turned_at(0, seconds));
        for (seconds, eighths) in [(0.5, 0.0), (1.0, 0.0), (1.25, 1.0), (1.5, 2.0), (1.75, 2.0), (9.0, 2.0)] {
            let [x, y, z] = angle(&turning, seconds);
            let expected = eighths * std::f64::consts::FRAC_PI_4;
            assert!(x.abs() + y.abs() + (z - expected).abs() < 1e-12, "{seconds} s: {z}");
        }
        assert_eq!(angle(&animation(false), 1.25), [0.0; 3]);
    }

    /// One sample is a place.
    #[test]
    fn one_sample_stands() {
        let stands = Animation { displacements: [[0.0; 3]].into(), ..animation(true) };
        assert_eq!([0.0, 5.0].map(|seconds| at(&stands, seconds)), [0.0, 0.0]);
    }
}
