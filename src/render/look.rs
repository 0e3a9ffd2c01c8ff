//! What a picture shows: the bodies as they are, or the numbers behind them.

/// What a picture shows beside or in place of the plain bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// What the colours of bodies mean.
    pub colour: Colour,
    /// The edges of all triangles, over the surface.
    pub wireframe: bool,
    /// Particles of bodies with triangles and of liquids as balls, in place of their surface.
    pub balls: bool,
    /// Whether and how constraints are drawn.
    pub constraints: Constraints,
    /// A line from each particle to where it would be after [`VELOCITY_SECONDS`], coloured by its speed.
    pub velocities: bool,
    /// A floor under a scene that has no ground of its own. It is seen only, and nothing touches it.
    pub stage: bool,
}

impl Default for Look {
    /// The bodies as they are, on a stage.
    fn default() -> Self {
        Self {
            colour: Colour::Body,
            wireframe: false,
            balls: false,
            constraints: Constraints::Hidden,
            velocities: false,
            stage: true,
        }
    }
}

/// What the colours of bodies mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colour {
    /// Their own.
    #[default]
    Body,
    /// [`heat`] of the largest |length/rest - 1| of a particle's distance constraints, full at [`FULL_STRETCH`].
    Stretch,
    /// [`heat`] of a particle's speed, full at [`FULL_SPEED`].
    Speed,
    /// [`heat`] of the strain of the elements at a particle, the mean by volume, full at [`FULL_STRAIN`]. What is no
    /// corner of an element keeps its own colour. See [`crate::measure::elements`].
    Strain,
    /// [`heat`] of the von Mises stress of the elements at a particle, the mean by volume, full at
    /// [`Renderer::full`](super::Renderer::full). What is no corner of an element that tells a stress keeps its own
    /// colour.
    Stress,
}

/// Constraints as lines between their particles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Constraints {
    /// Only the links of bodies without triangles, as what they are.
    #[default]
    Hidden,
    /// Each in the colour of the batch in which it is solved: see [`batch_colour`]. Bodies are pale.
    Batches,
    /// Each in the [`heat`] of its |length/rest - 1|, full at [`FULL_STRETCH`]; other kinds than distances are cold.
    /// Bodies are pale.
    Stretch,
}

/// The stretch |length/rest - 1| at which heat is full.
pub const FULL_STRETCH: f64 = 0.05;
/// The strain at which heat is full.
pub const FULL_STRAIN: f64 = 0.1;
/// The stress at which heat is full, as a share of the mean of 1/α, which of neo-Hookean solids is their shear modulus:
/// at a Poisson's ratio of 0.3 to 0.5 that is a tenth of Young's modulus, the stress at a tension of [`FULL_STRAIN`].
pub const FULL_STRESS: f64 = 0.3;
/// The speed at which heat is full, m/s.
pub const FULL_SPEED: f64 = 3.0;
/// How far ahead the lines of velocities reach, s.
pub const VELOCITY_SECONDS: f64 = 1.0 / 30.0;

impl Look {
    /// Whether lines whose colours mean something are drawn over the bodies.
    pub(super) fn pale(&self) -> bool {
        self.constraints != Constraints::Hidden
    }

    /// Whether liquids are drawn by their surfaces: where their particles show no numbers.
    pub(super) fn shows_liquid(&self) -> bool {
        !self.balls && self.colour != Colour::Speed
    }

    pub(super) fn heated(&self) -> bool {
        self.colour != Colour::Body
    }
}

/// The colour of a heat from 0 to 1 (clamped), as sRGB values from 0 to 1: the scale "plasma", of even steps to the eye
/// and to those who see fewer colours, from blue by red to yellow. As a polynomial (Zucker, CC0).
pub fn heat(t: f32) -> [f32; 3] {
    const COEFFICIENTS: [[f32; 3]; 7] = [
        [0.058_732_34, 0.023_336_709, 0.543_340_2],
        [2.176_514_6, 0.238_383_41, 0.753_960_4],
        [-2.689_460_5, -7.455_851, 3.110_8],
        [6.130_348, 42.346_188, -28.518_854],
        [-11.107_436, -82.666_31, 60.139_85],
        [10.023_066, 71.413_62, -54.072_186],
        [-3.658_713_8, -22.931_535, 18.191_908],
    ];
    let t = if t > 0.0 { t.min(1.0) } else { 0.0 };
    std::array::from_fn(|channel| {
        let sum = COEFFICIENTS.iter().rev().fold(0.0, |sum, row| sum * t + row[channel]);
        sum.clamp(0.0, 1.0)
    })
}

/// The colour of the constraints of a batch of the plan, batches of all groups counted one after another: sRGB values
/// from 0 to 1. Neighbouring batches differ most in hue; all are of one lightness.
pub fn batch_colour(batch: usize) -> [f32; 3] {
    const GOLDEN_RATIO: f32 = 0.618_034;
    // Far batches differ in lightness too.
    let lightness = if (batch / 8).is_multiple_of(2) { 0.62 } else { 0.48 };
    let (sin, cos) = (std::f32::consts::TAU * (0.08 + GOLDEN_RATIO * (batch % 64) as f32).fract()).sin_cos();
    oklab(lightness, 0.15 * cos, 0.15 * sin).map(encode)
}

/// Linear colour of Oklab coordinates (Ottosson 2020).
fn oklab(lightness: f32, a: f32, b: f32) -> [f32; 3] {
    let l = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let s = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    let linear = [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_38 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ];
    linear.map(|channel: f32| channel.clamp(0.0, 1.0))
}

/// The greatest of 1, 2 and 5 times a power of ten that is not above a value, which is above 0.
pub(super) fn round_down(value: f64) -> f64 {
    let decade = 10f64.powf(value.log10().floor());
    decade * [5.0, 2.0, 1.0].into_iter().find(|step| step * decade <= value).unwrap_or(1.0)
}

pub(super) fn encode(linear: f32) -> f32 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

pub(super) fn decode(srgb: f32) -> f32 {
    if srgb <= 0.040_45 { srgb / 12.92 } else { ((srgb + 0.055) / 1.055).powf(2.4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scale of heat becomes lighter all the way, so that it reads in grey too, and clamps what is beyond it.
    #[test]
    fn heat_grows_lighter() {
        let lightness = |t: f32| {
            let [r, g, b] = heat(t).map(decode);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        assert!((0..100).all(|i| lightness((i + 1) as f32 / 100.0) > lightness(i as f32 / 100.0)));
        assert_eq!([heat(-1.0), heat(f32::NAN), heat(7.0)], [heat(0.0), heat(0.0), heat(1.0)]);
    }

    /// Liquids have surfaces unless their particles are to be seen, or a number that their particles have.
    #[test]
    fn particles_of_liquids_are_shown_on_request() {
        let plain = Look::default();
        assert!(plain.shows_liquid() && Look { colour: Colour::Stress, ..plain }.shows_liquid());
        assert!(
            ![Look { balls: true, ..plain }, Look { colour: Colour::Speed, ..plain }].iter().any(Look::shows_liquid)
        );
    }

    /// The colours of the first eight batches, as many as a cloth's stretch and shear take, can be told apart.
    #[test]
    fn batches_differ() {
        for (a, b) in (0..8).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let difference: f32 = (0..3).map(|i| (batch_colour(a)[i] - batch_colour(b)[i]).powi(2)).sum();
            assert!(difference > 0.02, "{a} {b}: {difference}");
        }
    }
}
