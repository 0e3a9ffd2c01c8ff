//! The law of fluids: particles of one volume V keep their density by a one-sided constraint each,
//!   C = Σⱼ sⱼ W(rᵢⱼ) - 1 ≤ 0,   sⱼ = cV,
//! over all within H, itself included and what walls mirror (`walls.rs`), with c such that C = 0 on a cubic lattice.
//! Only the inverse masses know the density, so phases of unlike density keep a sharp interface (Solenthaler and
//! Pajarola, Density Contrast SPH Interfaces, 2008), and particles of solids take part with shares of their own (Akinci
//! et al., Versatile Rigid-Fluid Coupling for Incompressible SPH, 2012).
//!
//! W is Wendland's C² kernel, and the gradient is its own: with q = r/H
//!   W = 21/(2πH³) (1 - q)⁴ (4q + 1),   ∇W = -210/(πH⁵) (1 - q)³ r.
//! It has no root but one, no division by r, and its Fourier transform is positive, so that particles do not pair
//! (Dehnen and Aly, Improving convergence in smoothed particle hydrodynamics simulations without pairing instability,
//! 2012).
//!
//! Along a wall at the distance d fluids rub by Φ(d/H), the part of the integral that lies behind it, in closed form.
//!
//! All are solved at once, as by Jacobi, from λ = 0 in each substep:
//!   λᵢ ← max(0, λᵢ + ω (Cᵢ - α̃ λᵢ)/(Σₖ wₖ|∇ₖCᵢ|² + α̃)),   Δxₖ = -wₖ Σᵢ Δλᵢ ∇ₖCᵢ,   α̃ = 1/(K V h²).
//! The pressure is λ/(h² V). `shaders/law/fluid.wgsl` is the twin.

use std::f64::consts::PI;

use crate::math::Real;
use crate::math::mask::{clamp, greatest, zero};

/// H over the spacing: with it the product of error and neighbours is least.
pub const SUPPORT: f64 = 2.2;

/// ω: on the lattice sweeps converge up to 0.66. Two thirds of that leave room for disorder.
pub const RELAXATION: f64 = 0.45;

/// S: what sweeps leave of slow waves, over the square of spacings.
const SOFTNESS: f64 = 0.337;

/// The bulk modulus that so many sweeps amount to, Pa, of a fluid of this density: K = ω n ρ (Δ/h)²/S.
pub fn bulk_modulus_of_sweeps(density: f64, spacing: f64, h: f64, iterations: u32) -> f64 {
    RELAXATION * f64::from(iterations) * density * (spacing / h).powi(2) / SOFTNESS
}

/// What comes of the spacing of particles, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pub spacing: f64,
    /// H, m.
    pub support: f64,
    /// V, m³.
    pub volume: f64,
    /// cV, m³.
    pub share: f64,
    /// What presses across a plane over what does in a continuum, of cV = V.
    pressing: f64,
    /// Of a pair's viscosity over that of a continuum.
    viscous: f64,
    /// Of a wall's.
    wall_viscous: f64,
}

impl Scale {
    pub fn new(spacing: f64) -> Self {
        let support = SUPPORT * spacing;
        let kernel = Kernel::<f64>::new(support);
        let core = CORE * support * support;
        let (mut sum, mut moment, mut rubbed) = (0.0, 0.0, 0.0);
        let reach = SUPPORT.ceil() as i32;
        for place in 0..(2 * reach + 1).pow(3) {
            let side = 2 * reach + 1;
            let steps = [place % side - reach, place / side % side - reach, place / side / side - reach];
            let squared = steps.iter().map(|step| (f64::from(*step) * spacing).powi(2)).sum();
            let (value, slope) = kernel.at(squared);
            sum += value;
            moment += slope * squared;
            rubbed += rubbing(slope, squared, core) * squared;
        }
        let volume = spacing.powi(3);
        let layers = (0..SUPPORT.ceil() as u32).map(|layer| (f64::from(layer) + 0.5) * spacing);
        let wall_moment: f64 = layers.map(|d| wall(d / support).0 * d).sum();
        Self {
            spacing,
            support,
            volume,
            share: 1.0 / sum,
            // In a continuum ∫ -W' r dV = 3.
            pressing: volume * moment / 3.0,
            viscous: 3.0 / (volume * rubbed),
            wall_viscous: spacing * spacing / wall_moment,
        }
    }

    /// The pressure over λ/h², 1/m³: 1/V in a continuum. On the lattice the forces across a plane, which are what
    /// presses, are a little less.
    pub fn pressure_per_lambda(&self) -> f64 {
        self.pressing * self.share / (self.volume * self.volume)
    }

    /// κ of two particles over their volumes in V and over what [`Kernel::at`] says of the slope, 1/Pa s: a pair pushes
    /// by -κ (v·n) n. Simple shear then has the stress of the viscosity, and momentum stays to the last bit (Monaghan,
    /// Smoothed particle hydrodynamics, 2005, section 8.3).
    pub fn pair_viscosity(&self, viscosity: f64) -> f64 {
        10.0 * viscosity * self.volume * self.volume * self.viscous
    }

    /// κ of a wall over Φ, N s/m: it takes κ Φ times the velocity along it, so that in simple shear nothing slips at
    /// the wall.
    pub fn wall_viscosity(&self, viscosity: f64) -> f64 {
        viscosity * self.wall_viscous
    }

    /// Σ κ of a particle's pairs in undisturbed fluid, N s/m: ∫ -W'/r dV = 14/H².
    pub fn viscous_sum(&self, viscosity: f64) -> f64 {
        14.0 / (self.support * self.support) * self.pair_viscosity(viscosity) / self.volume
    }
}

/// W by its support.
#[derive(Clone, Copy)]
pub struct Kernel<R> {
    /// 1/H
    pub inverse: R,
    /// 21/(2πH³)
    pub peak: R,
    /// 210/(πH⁵)
    pub steep: R,
}

impl<R: Real> Kernel<R> {
    pub fn new(support: f64) -> Self {
        Self {
            inverse: R::from_f64(1.0 / support),
            peak: R::from_f64(21.0 / (2.0 * PI * support.powi(3))),
            steep: R::from_f64(210.0 / (PI * support.powi(5))),
        }
    }

    /// W and -W'/r at the square of a distance: ∇W is the vector from the other times -(the second).
    #[inline(always)]
    pub fn at(&self, squared: R) -> (R, R) {
        let one = R::from_f64(1.0);
        let q = squared.sqrt() * self.inverse;
        let rest = greatest(one - q, zero());
        let square = rest * rest;
        (self.peak * (square * square) * (R::from_f64(4.0) * q + one), self.steep * (square * rest))
    }
}

/// Φ and -Φ' at s = d/H; in the wall as at its surface.
#[inline(always)]
pub fn wall<R: Real>(s: R) -> (R, R) {
    let (one, three) = (R::from_f64(1.0), R::from_f64(3.0));
    let s = clamp(s, zero(), one);
    let rest = one - s;
    let square = rest * rest;
    let fourth = square * square;
    let value = R::from_f64(0.5) * (fourth * square) * (one + three * s * (one + s));
    let slope = R::from_f64(1.5) * (fourth * rest) * (one + s * (R::from_f64(5.0) + R::from_f64(8.0) * s));
    (value, slope)
}

/// The least Σ|∇C|², over that of squared spacings: on the lattice it is 0.33, at a free surface half of that. What
/// lies in one place, or in a corner, has next to none, and would be thrown off; so it moves by a spacing or two.
pub const LEAST_SLOPE: f64 = 0.04;

/// λ after a sweep, by C, by Σ w|∇C|² and α̃; `least` is [`LEAST_SLOPE`] times w/Δ².
#[inline(always)]
pub fn pressed<R: Real>(lambda: R, value: R, [weight, least]: [R; 2], softness: R) -> R {
    let weight = greatest(greatest(weight, least), R::from_f64(1e-20));
    let change = R::from_f64(RELAXATION) * (value - softness * lambda) / (weight + softness);
    greatest(lambda + change, zero())
}

/// Whose square keeps κ finite where particles meet, over H².
pub const CORE: f64 = 0.01;

/// What of a pair's κ depends on its distance: -W' r/(r² + 0.01 H²), by what [`Kernel::at`] says and the core.
#[inline(always)]
pub fn rubbing<R: Real>(slope: R, squared: R, core: R) -> R {
    slope * squared / (squared + core)
}

/// The viscosity of a pair, Pa s: of two fluids the harmonic mean, of a fluid and a solid, whose own is below 0, that
/// of the fluid.
#[inline(always)]
pub fn viscosity_between<R: Real>(a: R, b: R) -> R {
    let none = zero::<R>();
    let sum = greatest(a + b, R::from_f64(f32::MIN_POSITIVE.into()));
    let mean = R::from_f64(2.0) * a * b / sum;
    let of_solid = R::select(none.greater(a), greatest(b, none), a);
    R::select(none.greater(a), of_solid, R::select(none.greater(b), a, mean))
}

/// Steps of an iteration that solves (1 + hM⁻¹L) v = v₀ with eigenvalues from 1 to 1 + Λ: Chebyshev's, each of which
/// keeps momentum and takes energy only (Saad, Iterative Methods for Sparse Linear Systems, algorithm 12.1).
#[derive(Clone, Copy, Debug)]
pub struct Chebyshev {
    theta: f64,
    delta: f64,
    rho: f64,
}

impl Chebyshev {
    /// Share of the error that is left.
    const LEFT: f64 = 0.01;
    /// A very stiff fluid takes so many steps at most: what is left then acts as less viscosity.
    const MOST: u32 = 40;

    /// For a Λ that is no less than the true one.
    pub fn new(largest: f64) -> Self {
        let delta = (0.5 * largest).max(1e-12);
        Self { theta: 1.0 + delta, delta, rho: delta / (1.0 + delta) }
    }

    /// How many steps leave a hundredth of the error.
    pub fn steps(largest: f64) -> u32 {
        let root = (1.0 + largest).sqrt();
        let each = ((root - 1.0) / (root + 1.0)).max(1e-12);
        ((2.0 / Self::LEFT).ln() / -each.ln()).ceil().clamp(1.0, f64::from(Self::MOST)) as u32
    }

    /// By how much the change before, and by how much what is left of the equation, make the next change.
    pub fn step(&mut self, first: bool) -> [f64; 2] {
        if first {
            return [0.0, 1.0 / self.theta];
        }
        let rho = 1.0 / (2.0 * self.theta / self.delta - self.rho);
        let factors = [rho * self.rho, 2.0 * rho / self.delta];
        self.rho = rho;
        factors
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Dual;

    /// The kernel's slope is the derivative of its value, and so is the wall's.
    #[test]
    fn gradients_are_those_of_the_values() {
        let kernel = Kernel::<Dual>::new(0.22);
        for r in [0.01, 0.05, 0.1, 0.15, 0.2, 0.219, 0.3] {
            let distance = Dual::new(r, 1.0);
            let (value, slope) = kernel.at(distance * distance);
            let difference = value.derivative + slope.value * r;
            assert!(difference.abs() < 1e-9 * slope.value.max(1.0), "{r}: {value:?} {slope:?}");
        }
        for s in [0.01, 0.1, 0.4, 0.7, 0.99, 1.5] {
            let (value, slope) = wall(Dual::new(s, 1.0));
            assert!((value.derivative + slope.value).abs() < 1e-12, "{s}: {value:?} {slope:?}");
        }
    }

    /// The kernel's integral is one; a wall's part is that of the half-space behind it.
    #[test]
    fn integrals_are_closed() {
        let kernel = Kernel::<f64>::new(1.0);
        let steps = 2000;
        let radius = |i: u32| (f64::from(i) + 0.5) / f64::from(steps);
        let shell = |r: f64| 4.0 * PI * r * r / f64::from(steps);
        let whole: f64 = (0..steps).map(radius).map(|r| kernel.at(r * r).0 * shell(r)).sum();
        assert!((whole - 1.0).abs() < 1e-6, "{whole}");
        for d in [0.0, 0.1, 0.3, 0.6, 0.9] {
            // Of a sphere of radius r the share (1 - d/r)/2 lies beyond the plane.
            let beyond = |r: f64| if r > d { 0.5 * (1.0 - d / r) } else { 0.0 };
            let part: f64 = (0..steps).map(radius).map(|r| kernel.at(r * r).0 * shell(r) * beyond(r)).sum();
            assert!((part - wall(d).0).abs() < 1e-6, "{d}: {part} and {}", wall(d).0);
        }
    }

    /// A lattice is at rest.
    #[test]
    fn a_lattice_is_at_rest() {
        let scale = Scale::new(0.1);
        let kernel = Kernel::<f64>::new(scale.support);
        let squared = |place: i32| {
            let steps = [place % 7 - 3, place / 7 % 7 - 3, place / 49 - 3];
            0.01 * f64::from(steps.iter().map(|step| step * step).sum::<i32>())
        };
        let sum: f64 = (0..343).map(|place| kernel.at(squared(place)).0).sum();
        assert!((scale.share * sum - 1.0).abs() < 1e-12, "{sum}");
    }

    /// Simple shear takes μ γ̇² of power a volume, in the mean over all directions of a lattice.
    #[test]
    fn shear_has_the_power_of_the_viscosity() {
        let (scale, viscosity) = (Scale::new(0.1), 3.0);
        let (kernel, core) = (Kernel::<f64>::new(scale.support), CORE * scale.support * scale.support);
        let (mut power, mut turns) = (0.0, 0.0);
        for turn in 0..400 {
            // Two directions across each other, evenly over the sphere and about themselves.
            let (z, angle) = (2.0 * (f64::from(turn) + 0.5) / 400.0 - 1.0, 2.4 * f64::from(turn));
            let ring = (1.0 - z * z).sqrt();
            let along = [ring * angle.cos(), ring * angle.sin(), z];
            let (one, two) = ([-angle.sin(), angle.cos(), 0.0], [-z * angle.cos(), -z * angle.sin(), ring]);
            let (sin, cos) = (1.7 * f64::from(turn)).sin_cos();
            let across: [f64; 3] = std::array::from_fn(|k| cos * one[k] + sin * two[k]);
            for place in 0..343 {
                let way = [place % 7 - 3, place / 7 % 7 - 3, place / 49 - 3].map(|step| 0.1 * f64::from(step));
                let dot = |v: [f64; 3]| (0..3).map(|k| v[k] * way[k]).sum::<f64>();
                let squared = dot(way);
                if squared > 0.0 {
                    let kappa = scale.pair_viscosity(viscosity) * rubbing(kernel.at(squared).1, squared, core);
                    // Half of each pair, with v·n = γ̇ (r·along)(n·across).
                    power += 0.5 * kappa * (dot(along) * dot(across)).powi(2) / squared / scale.volume;
                }
            }
            turns += 1.0;
        }
        assert!((power / turns / viscosity - 1.0).abs() < 0.01, "{}", power / turns);
    }

    /// Chebyshev's steps solve within their bound, of the slowest part of the spectrum and the fastest.
    #[test]
    fn viscous_steps_converge() {
        for largest in [1e-3, 0.5, 10.0, 100.0] {
            for part in [0.0, 0.3, 1.0] {
                let (exact, mut v, mut change) = (1.0 / (1.0 + part * largest), 1.0, 0.0);
                let mut chebyshev = Chebyshev::new(largest);
                for step in 0..Chebyshev::steps(largest) {
                    let [kept, added] = chebyshev.step(step == 0);
                    change = kept * change + added * (1.0 - v - part * largest * v);
                    v += change;
                }
                assert!((v - exact).abs() < 0.011, "{largest} {part}: {v}, not {exact}");
            }
        }
    }
}
