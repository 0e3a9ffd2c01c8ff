//! Rods whose rest changes over time: what actuates them.

use std::collections::HashMap;

use crate::model::{self, Curve};
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Builder, check_period, keyframes};
use crate::scene::{Keyframes, check};

/// How a rod bends and twists at rest, over time: a vine that curls, a tentacle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curvature {
    /// Times, s, and what is added to the rest then: curvatures about the first two axes of its section, and twist,
    /// rad/m. In between it goes straight from one to the next.
    pub keyframes: Keyframes,
    /// Time after which the keyframes repeat, s; their times are from 0 to it. `None`: they do not repeat.
    pub period: Option<f64>,
    /// How much later it happens a metre farther along the rod, s/m. Below 0 it begins at the last end.
    pub delay: f64,
    /// How much later each rod does it than the one before, s.
    pub lag: f64,
}

/// The curves of a body's joints, whose keys were checked.
pub(super) struct Curves<'a> {
    of: &'a Curvature,
    keyframes: model::Keyframes,
    /// By the bits of their delays.
    known: HashMap<u64, u32>,
}

impl Curvature {
    pub(super) fn check(&self, at: &Path) -> Result<Curves<'_>, SceneError> {
        let frames = at.key("keyframes");
        let keyframes = keyframes(&frames, &self.keyframes, &check::OFFSET)?;
        let period = self.period.map(|period| check::number(&at.key("period"), period, &check::PERIOD)).transpose()?;
        check_period(&frames, self.keyframes.iter().map(|(time, _)| *time), period)?;
        check::number(&at.key("delay"), self.delay, &check::TIME)?;
        check::number(&at.key("lag"), self.lag, &check::TIME)?;
        Ok(Curves { of: self, keyframes, known: HashMap::new() })
    }
}

impl Curves<'_> {
    /// The curve of a joint so far along one of the rods, m, in the model.
    pub(super) fn at(&mut self, builder: &mut Builder, strand: u32, along: f64) -> u32 {
        let Curvature { period, delay, lag, .. } = *self.of;
        let delay = delay * along + lag * f64::from(strand);
        let curves = &mut builder.model.curves;
        *self.known.entry(delay.to_bits()).or_insert_with(|| {
            curves.push(Curve { keyframes: self.keyframes.clone(), period, delay });
            curves.len() as u32 - 1
        })
    }
}

#[cfg(feature = "scene-files")]
mod keys {
    use super::Curvature;
    use crate::scene::toml::parts;
    use crate::scene::toml::read::{Result, Value, number, table};

    impl Curvature {
        /// `{ keyframes = [{ time = 0, value = [0, 0, 0] }], period = 2.0, delay = 0.5, lag = 0.1 }`
        pub(in crate::scene) fn read(value: Value) -> Result<Self> {
            let read = table(value)?;
            let example = "[{ time = 0.0, value = [0, 0, 0] }, { time = 2.0, value = [10, 0, 0] }]";
            let mut curvature =
                Self { keyframes: read.required("keyframes", example, parts::keyframes)?, ..Self::default() };
            curvature.period = read.optional("period", number)?;
            read.set("delay", &mut curvature.delay, number)?;
            read.set("lag", &mut curvature.lag, number)?;
            read.finish()?;
            Ok(curvature)
        }
    }
}
