//! What was measured over time, for the plots.

use super::observer::Observation;

/// Samples that are kept; the oldest go.
const SAMPLES: usize = 2000;

/// Curves over the simulated time, `[seconds, value]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    pub kinetic: Vec<[f64; 2]>,
    /// Less what it was at first: the zero of a height is nobody's business.
    pub gravity: Vec<[f64; 2]>,
    pub elastic: Vec<[f64; 2]>,
    pub total: Vec<[f64; 2]>,
    /// Largest stretch, as a share.
    pub stretch: Vec<[f64; 2]>,
    /// By kind, in the unit of C.
    pub residual: Vec<(&'static str, Vec<[f64; 2]>)>,
    first_gravity: Option<f64>,
    /// s
    latest: Option<f64>,
}

impl History {
    /// Adds what was observed if it is later than what is there: what was gone back to is there already.
    pub fn push(&mut self, observation: &Observation) {
        let seconds = observation.state.seconds;
        if self.latest.is_some_and(|latest| seconds <= latest) {
            return;
        }
        self.latest = Some(seconds);
        let measured = &observation.measurement;
        let gravity = measured.gravity_energy_j - *self.first_gravity.get_or_insert(measured.gravity_energy_j);
        let (kinetic, elastic) = (measured.kinetic_energy_j, measured.elastic_energy_j);
        append(&mut self.kinetic, seconds, kinetic);
        append(&mut self.gravity, seconds, gravity);
        append(&mut self.elastic, seconds, elastic);
        append(&mut self.total, seconds, kinetic + gravity + elastic);
        append(&mut self.stretch, seconds, measured.max_stretch);
        for (index, &(kind, value)) in measured.residual.iter().enumerate() {
            if self.residual.len() <= index {
                self.residual.push((kind, Vec::new()));
            }
            append(&mut self.residual[index].1, seconds, value);
        }
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Forgets what came after a time, s.
    pub fn cut(&mut self, seconds: f64) {
        let Self { kinetic, gravity, elastic, total, stretch, residual, latest, first_gravity: _ } = self;
        let residual = residual.iter_mut().map(|(_, curve)| curve);
        for curve in [kinetic, gravity, elastic, total, stretch].into_iter().chain(residual) {
            curve.truncate(curve.partition_point(|&[time, _]| time <= seconds));
        }
        *latest = latest.map(|latest| latest.min(seconds));
    }
}

/// What is not finite is left out: a plot cannot show it, and the status says it.
fn append(curve: &mut Vec<[f64; 2]>, seconds: f64, value: f64) {
    if !value.is_finite() {
        return;
    }
    if curve.len() == SAMPLES {
        curve.remove(0);
    }
    curve.push([seconds, value]);
}
