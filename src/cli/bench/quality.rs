//! The fewest substeps with which the standard cloth hangs as it should: what throughput alone does not tell.

use std::fmt;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::w1;
use crate::Plan;
use crate::cli::engine::{self, Device, Runner};
use crate::cli::failure::Failure;
use crate::cli::report::quantile;
use crate::model::Sweep;

/// The largest drop of the lowest point below its place that counts as good, of the cloth's height of 1 m. The exact
/// sag is 2e-6.
const GOOD: f64 = 0.01;

/// A sag in the first two seconds that no longer can become good: what swings up from rest swings to about twice what
/// it hangs at.
const HOPELESS: f64 = 10.0 * GOOD;

/// Frames before the sag counts, and in all.
const FRAMES: (u32, u32) = (120, 240);

/// Substeps beyond which nobody would go.
pub const MOST: u32 = 512;

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Quality {
    pub n: u32,
    /// Whether there were levels over the cloth.
    pub nested: bool,
    /// The fewest that were enough; none if the search ended before it found any.
    pub substeps: Option<u32>,
    /// The most that were not enough.
    pub more_than: Option<u32>,
    /// Largest during seconds 3 and 4, m, with these substeps.
    pub sag: Option<f64>,
    pub step_ms_median: Option<f64>,
    /// Whether time ran out before the search was done.
    pub stopped: bool,
}

/// What a number of substeps gave.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Trial {
    Good { sag: f64, step_ms_median: f64 },
    TooFew,
    OutOfTime,
}

impl Quality {
    pub const HEADER: &'static str = "     n  levels  substeps  sag m in s 3 and 4  median ms a frame";

    /// Searches for at most so long.
    pub fn find(n: u32, nested: bool, sweep: Sweep, patience: Duration, device: &Device) -> Result<Self, Failure> {
        let end = Instant::now() + patience;
        let mut model = w1::model(n);
        (model.settings.nested, model.settings.sweep) = (Some(nested), sweep);
        let plan = Plan::new(&model);
        let found = search(MOST, |substeps| {
            model.settings.substeps = substeps;
            let mut engine = engine::open(device, &model, &plan)?;
            run(&mut *engine, end)
        })?;
        Ok(Self { n, nested, ..found })
    }
}

/// Doubles the substeps until they are enough, then halves the range until its ends are within an eighth.
fn search(most: u32, mut run: impl FnMut(u32) -> Result<Trial, Failure>) -> Result<Quality, Failure> {
    let mut found = Quality {
        n: 0,
        nested: false,
        substeps: None,
        more_than: None,
        sag: None,
        step_ms_median: None,
        stopped: false,
    };
    let mut next = Some(1);
    while let Some(substeps) = next {
        match run(substeps)? {
            Trial::Good { sag, step_ms_median } => {
                (found.substeps, found.sag, found.step_ms_median) = (Some(substeps), Some(sag), Some(step_ms_median));
            }
            Trial::TooFew => found.more_than = Some(substeps),
            Trial::OutOfTime => {
                found.stopped = true;
                break;
            }
        }
        let few = found.more_than.unwrap_or(0);
        next = match found.substeps {
            Some(enough) => (enough - few > 1.max(few / 8)).then_some(few + (enough - few) / 2),
            None => (few < most).then_some((2 * few).min(most)),
        };
    }
    Ok(found)
}

/// Four seconds, or as many as it takes to see that there are too few substeps.
fn run(engine: &mut dyn Runner, end: Instant) -> Result<Trial, Failure> {
    let mut step_ms = Vec::new();
    let mut sag = 0.0_f64;
    for frame in 1..=FRAMES.1 {
        step_ms.push(engine.solve()?.step.as_secs_f64() * 1e3);
        let counts = frame > FRAMES.0;
        if counts || frame % 10 == 0 {
            let sags: Vec<f64> = engine.state()?.positions.iter().map(|x| -1.0 - x[1]).collect();
            let most = if counts { GOOD } else { HOPELESS };
            // What is not a number is no good either.
            if !sags.iter().all(|&sag| sag < most) {
                return Ok(Trial::TooFew);
            }
            sag = if counts { sags.into_iter().fold(sag, f64::max) } else { sag };
        }
        if Instant::now() > end {
            return Ok(Trial::OutOfTime);
        }
    }
    Ok(Trial::Good { sag, step_ms_median: quantile(&step_ms, 0.5) })
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let levels = if self.nested { "yes" } else { "no" };
        write!(f, "{:6} {levels:>7}", self.n)?;
        match (self.substeps, self.sag, self.step_ms_median) {
            (Some(substeps), Some(sag), Some(ms)) => write!(f, " {substeps:9} {sag:19.5} {ms:18.3}")?,
            _ => match self.more_than {
                Some(few) => write!(f, "  more than {few}")?,
                None => write!(f, "  unknown")?,
            },
        }
        match (self.stopped, self.more_than) {
            (true, Some(few)) => write!(f, "  (out of time; {few} are too few)"),
            (true, None) => write!(f, "  (out of time)"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever number is enough, the search ends within an eighth above it, after few runs, and knows one that is too
    /// few.
    #[test]
    fn finds_the_fewest() {
        for enough in 1..=MOST {
            let mut runs = 0;
            let found = search(MOST, |substeps| {
                runs += 1;
                let good = Trial::Good { sag: 0.001, step_ms_median: f64::from(substeps) };
                Ok(if substeps >= enough { good } else { Trial::TooFew })
            });
            let Ok(found) = found else { panic!("no failure") };
            let (substeps, few) = (found.substeps.unwrap_or(0), found.more_than.unwrap_or(0));
            assert!(few < enough && enough <= substeps, "{enough}: {few} to {substeps}");
            assert!(substeps - few <= 1.max(few / 8), "{enough}: {few} to {substeps}");
            assert_eq!(found.step_ms_median, Some(f64::from(substeps)));
            assert!(runs <= 14 && !found.stopped, "{enough}: {runs} runs");
        }
    }

    /// A search that finds none says how many are too few, and whether that was for want of time.
    #[test]
    fn says_more_than() {
        let none = search(MOST, |_| Ok(Trial::TooFew));
        let slow = search(MOST, |substeps| Ok(if substeps < 64 { Trial::TooFew } else { Trial::OutOfTime }));
        let (Ok(none), Ok(slow)) = (none, slow) else { panic!("no failure") };
        assert_eq!((none.substeps, none.more_than, none.stopped), (None, Some(MOST), false));
        assert_eq!((slow.substeps, slow.more_than, slow.stopped), (None, Some(32), true));
        assert!(none.to_string().contains("more than 512"), "{none}");
        assert!(slow.to_string().contains("more than 32  (out of time"), "{slow}");
        let Ok(slower) = search(MOST, |_| Ok(Trial::OutOfTime)) else { panic!("no failure") };
        assert!(slower.to_string().contains("unknown  (out of time)"), "{slower}");
    }
}
