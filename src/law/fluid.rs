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
//! Surface tension is the gradient of an energy, so that it adds none, and its forces go in pairs:
//!   U = Σᵢ σ a V √(|nᵢ|² + ε²) + Σᵢⱼ σ κ u(rᵢⱼ),   nᵢ = Σⱼ sⱼ ∇W(rᵢⱼ).
//! n, the gradient of what is filled, is large at the surface only, so that the first sum measures its area. By itself
//! it would rather have the fluid wider than smaller. The second holds it together, with u' = f = q(1 - q)²(q - q₀) and
//! q = r/H. (Akinci et al., Versatile Surface Tension and Adhesion for SPH Fluids, 2013, have two such forces, without
//! an energy.) a and κ are such that σ is the energy of the surface of drops at rest over their area.
//!
//! Before a wall the fluid goes on in its image, so that the wetted wall has no energy and the surface meets it at a
//! right angle. For a contact angle θ a wall has the energy -σ cos θ an area less than a dry one (Young, An Essay on
//! the Cohesion of Fluids, 1805; Dupré 1869):
//!   U = -Σᵢ σ cos θ V ψ(dᵢ),   ψ = p (1 - d/H)²,
//! with p such that the layers of the lattice have Δ Σ ψ = 1.
//!
//! Along a wall at the distance d fluids rub by Φ(d/H), the part of the integral that lies behind it, in closed form.
//!
//! All are solved at once, as by Jacobi, from λ = 0 in each substep:
//!   λᵢ ← max(0, λᵢ + ω (Cᵢ - α̃ λᵢ)/(Σₖ wₖ|∇ₖCᵢ|² + α̃)),   Δxₖ = -wₖ Σᵢ Δλᵢ ∇ₖCᵢ,   α̃ = 1/(K V h²).
//! The pressure is λ/(h² V). `shaders/law/fluid.wgsl` is the twin.

use std::f64::consts::PI;

use crate::math::mask::{clamp, greatest, least, zero};
use crate::math::{Real, Vec3};

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
    /// Δ Σ √(l² + ε²) - ε over the layers of a flat surface, with l the size of n.
    layers: f64,
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
            layers: spacing * layers_of_surface(spacing, &kernel, 1.0 / sum),
        }
    }

    /// What of [`Tension`] depends on the spacing.
    pub fn tension<R: Real>(&self) -> Tension<R> {
        let (volume, support) = (self.volume, self.support);
        let layers = (0..SUPPORT.ceil() as u32).map(|layer| (f64::from(layer) + 0.5) * self.spacing / support);
        let wetted = self.spacing * layers.map(|q| (1.0 - q).max(0.0).powi(2)).sum::<f64>();
        // ∫ q⁴ f dq: σ = (π/8) n² ∫ u' r⁴ dr (Fowler 1937, of a sharp surface).
        let moment = 1.0 / 252.0 - REPELLED / 168.0;
        let kappa = (1.0 - AREA) * 8.0 * volume * volume / (PI * support.powi(5) * moment);
        Tension {
            inverse: R::from_f64(1.0 / support),
            least: R::from_f64((1e-4 * support).powi(2)),
            steep: R::from_f64(630.0 * volume / (PI * support.powi(6))),
            cohesion: R::from_f64(GAIN * kappa / support),
            area: R::from_f64(GAIN * AREA / self.layers),
            softness: R::from_f64((SOFTNESS_OF_NORMALS / self.spacing).powi(2)),
            volume: R::from_f64(volume),
            wetting: R::from_f64(2.0 * volume / (wetted * support)),
        }
    }

    /// The energy by which a particle coheres with the undisturbed fluid around it, over σ, m².
    pub fn cohesion_of_bulk(&self) -> f64 {
        let (tension, reach) = (self.tension::<f64>(), SUPPORT.ceil() as i32);
        let side = 2 * reach + 1;
        let distance = |place: i32| {
            let steps = [place % side - reach, place / side % side - reach, place / side / side - reach];
            steps.iter().map(|step| (f64::from(*step) * self.spacing).powi(2)).sum::<f64>().sqrt()
        };
        let distances = (0..side.pow(3)).map(distance).filter(|distance| *distance > 0.0);
        distances.map(|distance| 0.5 * tension.of_pair(1.0, distance)).sum()
    }

    /// The largest surface tension that a substep of h takes of this density, N/m: beyond it drops would boil.
    pub fn most_tension(&self, density: f64, h: f64) -> f64 {
        STIFFEST * density * self.volume / (h * h)
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

/// Σ √(l² + ε²) - ε over the layers of a cubic lattice that ends with a plane, 1/m.
fn layers_of_surface(spacing: f64, kernel: &Kernel<f64>, share: f64) -> f64 {
    let reach = SUPPORT.ceil() as i32;
    let side = 2 * reach + 1;
    let of_layer = |layer: i32| {
        let below = (0..side.pow(3))
            .map(|place| [place % side - reach, place / side % side - reach, place / side / side - reach]);
        let inside = below.filter(|[_, _, z]| *z >= -layer);
        let slopes = inside.map(|steps| {
            let squared = steps.iter().map(|step| (f64::from(*step) * spacing).powi(2)).sum();
            share * kernel.at(squared).1 * f64::from(steps[2]) * spacing
        });
        slopes.sum::<f64>()
    };
    let softness = SOFTNESS_OF_NORMALS / spacing;
    (0..=reach).map(|layer| of_layer(layer).hypot(softness) - softness).sum()
}

/// The part of surface tension that is of the area, ε times the spacing, q₀, and by how much drops at rest have less
/// energy than the lattice says. So chosen, drops are round, neither boil nor are as solid as a crystal.
const AREA: f64 = 0.7;
const SOFTNESS_OF_NORMALS: f64 = 0.2;
const REPELLED: f64 = 0.4;
const GAIN: f64 = 1.056;

/// σ h²/(ρ V) up to which drops stay calm.
const STIFFEST: f64 = 0.015;

/// The root of the surface tension that a particle follows, of which this is the root, by its inverse mass and h²; of
/// solids, whose root is below 0, that.
#[inline(always)]
pub fn held_root<R: Real>(root: R, weight: R, squared: R) -> R {
    let most = R::from_f64(STIFFEST) / greatest(weight * squared, R::from_f64(1e-30));
    least(root, most.sqrt())
}

/// The forces of surface tension.
#[derive(Clone, Copy)]
pub struct Tension<R> {
    /// 1/H
    pub inverse: R,
    /// The least square of a distance, m².
    pub least: R,
    /// V · 3 · 210/(πH⁶): -V S' = this (1 - q)², with S = -W'/r.
    pub steep: R,
    /// κ/H
    pub cohesion: R,
    /// a
    pub area: R,
    /// ε², 1/m²
    pub softness: R,
    /// V, m³.
    pub volume: R,
    /// 2 V p/H, m.
    pub wetting: R,
}

impl<R: Real> Tension<R> {
    /// a σ n/√(|n|² + ε²), N/m: what a particle with the gradient n pulls by.
    #[inline(always)]
    pub fn pull(&self, sigma: R, n: Vec3<R>) -> Vec3<R> {
        n * (self.area * sigma / (n.dot(n) + self.softness).sqrt())
    }

    /// The force on a particle from another, N, by the way from that, the square of its length, and S at it; by the σ
    /// of their cohesion; and by what each pulls by, times the share of the other, of which this is the difference.
    #[inline(always)]
    pub fn force(&self, (way, squared, slope): (Vec3<R>, R, R), sigma: R, pull: Vec3<R>) -> Vec3<R> {
        let distance = greatest(squared, self.least).sqrt();
        let q = distance * self.inverse;
        let rest = greatest(R::from_f64(1.0) - q, zero());
        let square = rest * rest;
        let along = pull.dot(way) * (self.steep * square / distance);
        let cohesion = self.cohesion * sigma * square * (q - R::from_f64(REPELLED));
        pull * (slope * self.volume) - way * (along + cohesion)
    }

    /// The force out of a wall on a particle before it, N, by σ cos θ and its distance: below 0 where the wall is wet.
    #[inline(always)]
    pub fn wall_force(&self, wetted: R, distance: R) -> R {
        -(self.wetting * wetted * greatest(R::from_f64(1.0) - distance * self.inverse, zero()))
    }
}

impl Tension<f64> {
    /// All but 1/H, as `shaders/law/fluid.wgsl` has them.
    #[cfg(feature = "gpu")]
    pub fn numbers(&self) -> [f64; 7] {
        [self.least, self.steep, self.cohesion, self.area, self.softness, self.volume, self.wetting]
    }

    /// The energy of a particle before a wall, J, by σ cos θ and its distance.
    pub fn of_wall(&self, wetted: f64, distance: f64) -> f64 {
        -0.5 * self.wetting * wetted * (1.0 - distance * self.inverse).max(0.0).powi(2) / self.inverse
    }

    /// The energy of a particle with the gradient n, J.
    pub fn of_area(&self, sigma: f64, n: Vec3<f64>) -> f64 {
        self.area * sigma * self.volume * ((n.dot(n) + self.softness).sqrt() - self.softness.sqrt())
    }

    /// That of two particles which cohere with this σ at a distance, J; 0 at H, and below 0 nearer than that.
    pub fn of_pair(&self, sigma: f64, distance: f64) -> f64 {
        // ∫ f dq
        let sum = |q: f64| {
            let [second, third, fourth] = [-0.5 * REPELLED, (1.0 + 2.0 * REPELLED) / 3.0, -0.25 * (2.0 + REPELLED)];
            q * q * (second + q * (third + q * (fourth + 0.2 * q)))
        };
        let q = (distance * self.inverse).min(1.0);
        self.cohesion * sigma * (sum(q) - sum(1.0)) / (self.inverse * self.inverse)
    }
}

/// The σ by which two particles cohere, by the roots of their own: of two fluids the geometric mean, of a fluid and a
/// solid, whose root is below 0, that of the fluid; of two solids none.
#[inline(always)]
pub fn tension_between<R: Real>(a: R, b: R) -> R {
    let none = zero::<R>();
    let of_fluid = greatest(greatest(a, b), none);
    R::select(none.greater(least(a, b)), of_fluid * of_fluid, a * b)
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

    /// The forces of surface tension are the slopes of its energy, and go in pairs; of solids, too.
    #[test]
    fn tension_has_an_energy() {
        let scale = Scale::new(0.1);
        let (kernel, tension) = (Kernel::<f64>::new(scale.support), scale.tension::<f64>());
        let place = |k: usize| {
            let x = |axis: u32| 0.07 * f64::from((k as u32 * (7 + 5 * axis) + 3 * axis) % 11);
            Vec3 { x: x(0), y: x(1), z: x(2) }
        };
        let places: Vec<Vec3<f64>> = (0..24).map(place).collect();
        let root = |k: usize| if k < 20 { 0.2 + 0.01 * k as f64 } else { -1.0 };
        let share = |k: usize| scale.share * if k < 20 { 1.0 } else { 0.7 };
        let gradient = |places: &[Vec3<f64>], i: usize| {
            let mut n = Vec3::zero();
            for j in (0..24).filter(|j| *j != i) {
                let way = places[i] - places[j];
                n += way * (-share(j) * kernel.at(way.dot(way)).1);
            }
            n
        };
        // A solid takes part in cohesion by its share.
        let meets = |i: usize, j: usize| (i < 20 || j < 20).then(|| share(i).min(share(j)) / scale.share);
        let energy = |places: &[Vec3<f64>]| {
            let areas = (0..20).map(|i| tension.of_area(root(i) * root(i), gradient(places, i)));
            let pairs = (0..24).flat_map(|i| (0..i).map(move |j| (i, j)));
            let of_pair = |(i, j): (usize, usize)| {
                let part = meets(i, j).unwrap_or(0.0);
                part * tension.of_pair(tension_between(root(i), root(j)), (places[i] - places[j]).length())
            };
            areas.sum::<f64>() + pairs.map(of_pair).sum::<f64>()
        };
        let pull = |i: usize| match i < 20 {
            true => tension.pull(root(i) * root(i), gradient(&places, i)),
            false => Vec3::zero(),
        };
        let mut all = Vec3::zero();
        for i in 0..24 {
            let mut force = Vec3::zero();
            for j in (0..24).filter(|j| *j != i) {
                let way = places[i] - places[j];
                let squared = way.dot(way);
                let sigma = tension_between(root(i), root(j)) * meets(i, j).unwrap_or(0.0);
                force +=
                    tension.force((way, squared, kernel.at(squared).1), sigma, pull(i) * share(j) - pull(j) * share(i));
            }
            all += force;
            for axis in 0..3 {
                let moved = |by: f64| {
                    let mut places = places.clone();
                    places[i] += Vec3::axis(axis) * by;
                    energy(&places)
                };
                let slope = (moved(1e-6) - moved(-1e-6)) / 2e-6;
                let along = Vec3::axis(axis).dot(force);
                assert!((slope + along).abs() < 1e-6 * (1.0 + along.abs()), "{i} {axis}: {along}, not {}", -slope);
            }
        }
        assert!(all.length() < 1e-12, "{all:?}");
    }

    /// The force of a wall is the slope of its energy, which is σ cos θ an area of the lattice's layers.
    #[test]
    fn walls_have_an_energy() {
        let scale = Scale::new(0.1);
        let tension = scale.tension::<f64>();
        for distance in [0.0, 0.03, 0.05, 0.15, 0.21, 0.3] {
            let slope = (tension.of_wall(0.7, distance + 1e-7) - tension.of_wall(0.7, distance - 1e-7)) / 2e-7;
            assert!((slope + tension.wall_force(0.7, distance)).abs() < 1e-9, "{distance}");
        }
        let layers = [0.05, 0.15, 0.25].map(|distance| tension.of_wall(0.7, distance));
        assert!((layers.iter().sum::<f64>() / (0.1 * 0.1) + 0.7).abs() < 1e-12);
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
