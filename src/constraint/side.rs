//! In which direction a constraint acts.

/// The direction in which a constraint may act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    #[default]
    /// Against either sign of C.
    Both,
    /// Only against C > 0: a string, which may go slack.
    Pull,
    /// Only against C < 0: a stop, which may part.
    Push,
}

impl Side {
    /// Range that the accumulated multiplier is clamped to.
    pub fn multiplier_range(self) -> (f64, f64) {
        match self {
            Side::Both => (-f64::from(f32::MAX), f64::from(f32::MAX)),
            Side::Pull => (-f64::from(f32::MAX), 0.0),
            Side::Push => (0.0, f64::from(f32::MAX)),
        }
    }
}
