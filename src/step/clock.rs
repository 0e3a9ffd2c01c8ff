//! Fixed steps for hosts whose frames vary in length.

/// Turns the time that passed into a number of whole steps.
///
/// ```
/// let mut clock = pliant::step::FixedStep::new(60.0);
/// assert_eq!(clock.advance(0.040, 4), 2); // 40 ms hold two steps of 1/60 s
/// assert_eq!(clock.advance(0.011, 4), 1); // and what was left over counts
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FixedStep {
    period: f64,
    waiting: f64,
}

impl FixedStep {
    /// For a solver that does `frame_rate` steps a second.
    pub fn new(frame_rate: f64) -> Self {
        Self { period: 1.0 / frame_rate, waiting: 0.0 }
    }

    /// How many steps to record after `seconds` have passed, at most `most`: what cannot be caught up is dropped, so
    /// that the simulation slows down in place of the host. Negative and non-finite times count as none.
    pub fn advance(&mut self, seconds: f64, most: u32) -> u32 {
        if seconds.is_finite() && seconds > 0.0 {
            self.waiting += seconds;
        }
        // A step whose time is there but for rounding is due.
        let due = (self.waiting / self.period + 1e-9).floor();
        if due > f64::from(most) {
            self.waiting = 0.0;
            return most;
        }
        self.waiting = (self.waiting - due * self.period).max(0.0);
        due as u32
    }

    /// The share of a step that has passed since the last, 0 to 1: for drawing between two states.
    pub fn fraction(&self) -> f64 {
        self.waiting / self.period
    }
}

#[cfg(test)]
mod tests {
    use crate::step::clock::*;

    /// No time is lost or made up while the host keeps pace; what is beyond its reach is dropped.
    #[test]
    fn steps_follow_time() {
        let mut clock = FixedStep::new(60.0);
        let steps: u32 = (0..1000).map(|_| clock.advance(0.007, 4)).sum();
        assert_eq!(steps, 420);
        assert_eq!(clock.advance(10.0, 4), 4);
        assert_eq!(clock.advance(0.0, 4), 0);
        assert_eq!(clock.advance(f64::NAN, 4) + clock.advance(-1.0, 4), 0);
    }
}
