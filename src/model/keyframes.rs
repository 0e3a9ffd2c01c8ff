//! Values over time: linear between keyframes, held before the first and after the last.

/// A vector that changes with time. At least one keyframe; times ascend.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyframes {
    /// (time in s, value)
    frames: Vec<(f64, [f64; 3])>,
}

impl Keyframes {
    /// From `(time in s, value)`; the unit of values is that of what they drive. `None` if there is no keyframe, a time
    /// or value is not finite, or times do not strictly ascend.
    pub fn new(frames: Vec<(f64, [f64; 3])>) -> Option<Self> {
        let finite = frames.iter().all(|(time, value)| time.is_finite() && value.iter().all(|v| v.is_finite()));
        let ascending = frames.windows(2).all(|pair| pair[0].0 < pair[1].0);
        (!frames.is_empty() && finite && ascending).then_some(Self { frames })
    }

    /// The same value at all times.
    pub fn constant(value: [f64; 3]) -> Self {
        Self { frames: vec![(0.0, value)] }
    }

    /// All values, in the order of their times; none in between is beyond them.
    pub fn values(&self) -> impl Iterator<Item = [f64; 3]> {
        self.frames.iter().map(|(_, value)| *value)
    }

    /// The same with all values multiplied by a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        let scaled = |&(time, value): &(f64, [f64; 3])| (time, value.map(|v| factor * v));
        Self { frames: self.frames.iter().map(scaled).collect() }
    }

    /// The value at a time in s.
    pub fn at(&self, seconds: f64) -> [f64; 3] {
        let after = self.frames.partition_point(|(time, _)| *time <= seconds);
        if after == 0 {
            return self.frames[0].1;
        }
        let (time0, value0) = self.frames[after - 1];
        match self.frames.get(after) {
            None => value0,
            Some(&(time1, value1)) => {
                let t = (seconds - time0) / (time1 - time0);
                std::array::from_fn(|i| value0[i] + t * (value1[i] - value0[i]))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keyframes are linear between, held outside, and refuse what has no order.
    #[test]
    fn interpolates_and_holds() {
        let keyframes = Keyframes::new(vec![(1.0, [0.0; 3]), (3.0, [2.0, 4.0, 0.0])]).unwrap();
        assert_eq!(keyframes.at(0.0), [0.0; 3]);
        assert_eq!(keyframes.at(2.0), [1.0, 2.0, 0.0]);
        assert_eq!(keyframes.scaled(2.0).at(2.0), [2.0, 4.0, 0.0]);
        assert_eq!(keyframes.at(9.0), [2.0, 4.0, 0.0]);
        assert_eq!(Keyframes::new(vec![]), None);
        assert_eq!(Keyframes::new(vec![(1.0, [0.0; 3]), (1.0, [0.0; 3])]), None);
        assert_eq!(Keyframes::new(vec![(f64::NAN, [0.0; 3])]), None);
    }
}
