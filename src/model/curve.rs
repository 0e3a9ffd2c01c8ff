//! What drives rest values over time.

use super::Keyframes;

/// Values over time that may repeat and begin late: what actuates constraints.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Three numbers each, of which a kind with one rest value takes the first: a factor, or what is added; see
    /// [`RestChange`](crate::constraint::RestChange).
    pub keyframes: Keyframes,
    /// Time after which the keyframes repeat, s, above 0; they lie between 0 and it. Before their own time 0 the first
    /// is held. `None`: they do not repeat.
    pub period: Option<f64>,
    /// How much later than its keyframes' times it all happens, s.
    pub delay: f64,
}

impl Curve {
    /// The value at a time in s.
    pub fn at(&self, seconds: f64) -> [f64; 3] {
        let own = seconds - self.delay;
        self.keyframes.at(self.period.filter(|_| own > 0.0).map_or(own, |period| own % period))
    }

    /// Whether it jumps between two times as it repeats.
    pub(crate) fn jumps(&self, from: f64, to: f64) -> bool {
        let Some(period) = self.period else { return false };
        let turn = |seconds: f64| ((seconds - self.delay).max(0.0) / period).floor();
        turn(from) != turn(to) && self.keyframes.at(0.0) != self.keyframes.at(period)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A curve is late by its delay and repeats by its period from its beginning on.
    #[test]
    fn delays_and_repeats() {
        let keyframes = Keyframes::new(vec![(0.0, [1.0; 3]), (1.0, [3.0; 3]), (2.0, [1.0; 3])]).unwrap();
        let once = Curve { keyframes: keyframes.clone(), period: None, delay: 0.5 };
        assert_eq!([0.0, 1.0, 1.5, 9.0].map(|seconds| once.at(seconds)[0]), [1.0, 2.0, 3.0, 1.0]);
        let again = Curve { keyframes, period: Some(2.0), delay: 0.5 };
        assert_eq!([0.0, 1.0, 3.0, 8.5].map(|seconds| again.at(seconds)[0]), [1.0, 2.0, 2.0, 1.0]);
        let saw = Curve { period: Some(1.0), ..again.clone() };
        assert_eq!([(0.0, 1.4), (1.4, 1.6), (1.6, 2.4)].map(|(from, to)| saw.jumps(from, to)), [false, true, false]);
        assert!(!again.jumps(2.4, 2.6));
    }
}
