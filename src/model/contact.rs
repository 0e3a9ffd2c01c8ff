//! What presses against what, at the end of a frame.

/// What a particle presses against, by its index in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Against {
    /// A collider of [`Model::colliders`](super::Model::colliders).
    Collider(u32),
}

/// A contact that pressed in the last substep of a frame, or held by adhesion: what solvers give on request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Index of the particle in the model.
    pub particle: u32,
    /// What it presses against.
    pub against: Against,
    /// Where they touch, m: on the particle's ball, its radius below its centre.
    pub point: [f64; 3],
    /// From the other to the particle, of length 1.
    pub normal: [f64; 3],
    /// With which it is pushed along the normal, N, or held, below 0; in the last substep alone: while it rebounds that is in pulses.
    pub force: f64,
    /// With which it is held back across the normal, N.
    pub friction: [f64; 3],
}

impl Contact {
    /// From what a solver keeps: the multipliers are forces times the square of `seconds`.
    pub(crate) fn of(
        (particle, against): (u32, Against),
        (centre, radius): ([f64; 3], f64),
        normal: [f64; 3],
        (lambda, tangential): (f64, [f64; 3]),
        seconds: f64,
    ) -> Self {
        let per_square = 1.0 / (seconds * seconds);
        Self {
            particle,
            against,
            point: std::array::from_fn(|i| centre[i] - radius * normal[i]),
            normal,
            force: lambda * per_square,
            friction: tangential.map(|multiplier| multiplier * per_square),
        }
    }
}
