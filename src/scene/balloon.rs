//! What a scene says of balloons.

use super::{Cloth, RestKeyframes};

/// A closed surface that holds the volume that it encloses. With V the volume as placed times the inflation and V(x)
/// what it encloses now, its pressure over that outside is p = (V - V(x))/α, linear in what is lacking; without
/// compliance it is whatever holds the volume. What it encloses weighs nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Balloon {
    /// Its skin: a closed mesh, wound counter-clockwise seen from outside. Parts that do not touch share one pressure.
    pub surface: Cloth,
    /// Inverse stiffness α of the volume, m⁵/N, at least 0: 0 is incompressible, raising it softens. A gas at the
    /// pressure p₀ has about V/p₀.
    pub volume_compliance: f64,
    /// PBD mode: share of the volume's error that an iteration removes, 0 to 1.
    pub volume_stiffness: f64,
    /// What the volume as placed is multiplied by to be the volume at rest, at least 0.
    pub inflation: f64,
    /// Multiplies the volume at rest over time: one number each, at least 0.
    pub keyframes: Option<RestKeyframes>,
    /// After which the keyframes repeat, s, above 0.
    pub period: Option<f64>,
    /// How much later than the keyframes' times it happens, s.
    pub delay: Option<f64>,
}

impl Balloon {
    /// An incompressible one, at rest as placed.
    pub fn new(surface: impl Into<Cloth>) -> Self {
        Self {
            surface: surface.into(),
            volume_compliance: 0.0,
            volume_stiffness: 1.0,
            inflation: 1.0,
            keyframes: None,
            period: None,
            delay: None,
        }
    }
    /// Inverse stiffness of the volume, m⁵/N, at least 0.
    pub fn compliance(self, compliance: f64) -> Self {
        Self { volume_compliance: compliance, ..self }
    }
    /// What the volume as placed is multiplied by, at least 0.
    pub fn inflation(self, factor: f64) -> Self {
        Self { inflation: factor, ..self }
    }
    /// Inflates and deflates: `(time in s, factor of the volume at rest)`.
    pub fn keyframes(self, keyframes: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let keyframes = keyframes.into_iter().map(|(time, factor)| (time, vec![factor]));
        Self { keyframes: Some(keyframes.collect()), ..self }
    }
}

impl<S: Into<Cloth>> From<S> for Balloon {
    fn from(surface: S) -> Self {
        Balloon::new(surface)
    }
}
