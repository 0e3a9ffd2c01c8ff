//! What presses against what, at the end of a frame.

/// What a particle presses against, by its index in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Against {
    /// A collider of [`Model::colliders`](super::Model::colliders).
    Collider(u32),
    /// Another particle, which is told once, with the smaller of the two as [`Contact::particle`].
    Particle(u32),
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

    /// Of two particles with their centres and radii; the first is pushed along the normal.
    pub(crate) fn between(
        ends: [(u32, [f64; 3], f64); 2],
        normal: [f64; 3],
        (lambda, tangential): (f64, [f64; 3]),
        seconds: f64,
    ) -> Self {
        let in_order = ends[0].0 < ends[1].0;
        let ([one, other], sign) = if in_order { (ends, 1.0) } else { ([ends[1], ends[0]], -1.0) };
        let signed = |v: [f64; 3]| v.map(|value| sign * value);
        let particles = (one.0, Against::Particle(other.0));
        Self::of(particles, (one.1, one.2), signed(normal), (lambda, signed(tangential)), seconds)
    }
}
