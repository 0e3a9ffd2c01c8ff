//! How what presses leaves a surface, and what it pressed with in all. For any kind of number; on the device
//! `shaders/law/impact.wgsl`.
//!
//! Positions take back only what lies beyond the surface where a substep ends, p = wλ: half of what bends a way along a
//! curve, and any share of an impact, by when in the substep it came. The rest is what the change of the velocity adds
//! (Müller et al., Detailed Rigid Body Simulation with Extended Position Based Dynamics, 2020, section 3.6). Let v be h
//! times the velocity along the normal, relative to the surface: v₀ before the substep, v as positions leave it, v₁ at
//! last; s = H/h, and N the force on a mass of 1:
//!
//!   impact, v₀ < -2gh²:   v₁ = -e v₀,           hH N = p + s (v₁ - v)
//!   else:                 v₁ = min(0, v + p),   H² N = p + s (v₁ - v) - s (1 - s)(v₁ - v₀)
//!
//! Without an impact forces f act: v₁ - v₀ = h² (N - f). BDF2, which learns from contacts that the velocity along the
//! normal was steady (`Points::strike`), has v - v₀ = hH (p/H² - f); the last term is what is left of f then. With
//! s = 1 the two are one formula. Where N is below zero the surface would pull: there v₁ is such that N is zero, as
//! where a way leaves a curve, or a particle was inside to begin with. And N is no more than is left of p as that goes
//! to zero, or a rounding would decide about whole forces where a surface hardly touches; what that leaves of v the
//! next substep takes, so that the mean is the same. Two particles take all of v at once ([`Impact::of_two`]).

use crate::math::{Real, Vec3};

/// 2gh²: a particle that comes in by less in a substep does so by gravity alone, and would never come to rest if it
/// rebounded.
#[inline(always)]
pub fn calm_way<R: Real>(gravity: Vec3<R>, h: R) -> R {
    R::from_f64(2.0) * gravity.length() * h * h
}

/// What presses.
#[derive(Clone, Copy)]
pub struct Impact<R: Real> {
    /// Faster than what gravity does in two substeps.
    pub is_one: R::Mask,
    /// Whether the velocity takes more than positions did.
    takes_all: R::Mask,
    /// -e v₀ or 0, and v₀, m.
    wanted: R,
    approach: R,
    share: R,
    /// 1 - s where it is no impact.
    left: R,
}

impl<R: Real> Impact<R> {
    /// By v₀, the restitution, 2gh² and s.
    #[inline(always)]
    pub fn new(approach: R, restitution: R, calm: R, share: R) -> Self {
        let (zero, one) = (R::from_f64(0.0), R::from_f64(1.0));
        let is_one = (-calm).greater(approach);
        let wanted = R::select(is_one, -restitution * approach, zero);
        Self { is_one, takes_all: is_one, wanted, approach, share, left: R::select(is_one, zero, one - share) }
    }

    /// Of two particles. What others do to them is in v, and p is small beside it where many push at once: what p
    /// leaves of v would keep a heap awake (the kinetic energy of `balls` in its 40th to 50th second, medians of six:
    /// 3e-4 J in place of 3e-5).
    #[inline(always)]
    pub fn of_two(approach: R, restitution: R, calm: R, share: R) -> Self {
        let (zero, one) = (R::from_f64(0.0), R::from_f64(1.0));
        Self { takes_all: one.greater(zero), ..Self::new(approach, restitution, calm, share) }
    }

    /// v₁ - v by p and v, m, if nothing pulls.
    #[inline(always)]
    fn pushed(&self, push: R, way: R) -> R {
        let change = self.wanted - way;
        R::select(self.takes_all, change, R::select(change.greater(push), push, change))
    }

    /// H² N, of an impact hH N, m, below zero where the surface would pull.
    #[inline(always)]
    fn force(&self, push: R, way: R, change: R) -> R {
        push + self.share * (change - self.left * (way + change - self.approach))
    }

    /// λ that bounds friction of two that others push in the same sweep: by the λ of their own, the sum of the inverse
    /// masses as they are split, and the relative way along the normal with that λ. Of an impact it is what presses in
    /// all. Of what rests it is λ: that others push the two back in the same sweep is not seen here, and p + v₁ - v,
    /// with the v that their own λ would leave, would be nothing.
    #[inline(always)]
    pub fn bound(&self, lambda: R, weight: R, along: R) -> R {
        R::select(self.is_one, self.pressed(lambda * weight, along / self.share) / weight, lambda)
    }

    /// H² N, of an impact hH N, m, by p and v.
    #[inline(always)]
    pub fn pressed(&self, push: R, way: R) -> R {
        let (zero, force) = (R::from_f64(0.0), self.force(push, way, self.pushed(push, way)));
        R::select(force.greater(zero), force, zero)
    }

    /// v₁ - v, m.
    #[inline(always)]
    pub fn change(&self, push: R, way: R) -> R {
        let (zero, one) = (R::from_f64(0.0), R::from_f64(1.0));
        let change = self.pushed(push, way);
        let free = (self.left * (way - self.approach) - push / self.share) / (one - self.left);
        R::select(zero.greater(self.force(push, way, change)), free, change)
    }

    /// H² N, m: the force reported for a substep.
    #[inline(always)]
    pub fn told(&self, push: R, way: R) -> R {
        self.pressed(push, way) * self.part()
    }

    /// The share of friction's λ that is reported: an impact's force is that of its whole substep.
    #[inline(always)]
    pub fn part(&self) -> R {
        R::select(self.is_one, self.share, R::from_f64(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const H: f64 = 1e-3;
    const G: f64 = 9.81;

    fn close(actual: f64, expected: f64) {
        assert!((actual - expected).abs() < 1e-12 * (1.0 + expected.abs()), "{actual}, not {expected}");
    }

    /// A mass of 1 that is pressed by f and has the normal acceleration a, N = f + a: along the inside of a curve,
    /// whose surface rises by half of a h² in a substep, and on a lift, which has risen by all of it. As positions
    /// leave it, by Euler's substeps and BDF2's.
    #[test]
    fn steady_forces_are_told() {
        for share in [1.0, 2.0 / 3.0] {
            let implicit: f64 = share * H;
            for (a, rise) in [(3.0, 0.5), (3.0, 1.0), (40.0, 0.5), (0.0, 0.5), (-4.0, 0.5)] {
                // Its velocity before, relative to where the surface then goes.
                let approach = -a * H * H;
                let push = implicit * implicit * G + rise * a * H * H;
                let way = approach + H * (push / implicit - implicit * G);
                let impact = Impact::new(approach, 0.5, 1.0, share);
                close(impact.told(push, way) / (implicit * implicit), G + a);
                close(impact.change(push, way), -way);
                close(impact.pressed(push, way), impact.told(push, way));
            }
        }
    }

    /// Where a surface falls away faster than f follows nothing pulls: a particle leaves as if there were no surface.
    /// (BDF2's is off it by then.)
    #[test]
    fn nothing_pulls() {
        let a = -1.05 * G;
        let push = H * H * (G + 0.5 * a);
        assert!(push > 0.0);
        let approach = -a * H * H;
        let way = approach + push - H * H * G;
        let impact = Impact::new(approach, 0.5, 1.0, 1.0);
        close(impact.told(push, way), 0.0);
        close(way + impact.change(push, way), approach - H * H * G);
    }

    /// What hardly lies beyond the surface hardly presses, and in the mean of many substeps as forces say: along the
    /// inside of a curve from which f pulls away.
    #[test]
    fn what_hardly_touches_presses_in_the_mean() {
        let (a, f) = (1.5 * G, -G);
        let (mut rest, mut sum) = (0.0, 0.0);
        for _ in 0..1000 {
            let approach = -a * H * H + rest;
            let push = (H * H * (f + 0.5 * a) - rest).max(0.0);
            let way = approach + push - H * H * f;
            let impact = Impact::new(approach, 0.5, 1.0, 1.0);
            let change = if push > 0.0 { impact.change(push, way) } else { 0.0 };
            sum += if push > 0.0 { impact.told(push, way) } else { 0.0 };
            rest = way + change;
        }
        assert!((sum / (1000.0 * H * H) / (f + a) - 1.0).abs() < 5e-3, "{} N", sum / (1000.0 * H * H));
        let impact = Impact::new(-1e-6, 0.5, 1.0, 1.0);
        assert!(impact.told(1e-12, -1e-6) < 1e-11);
    }

    /// What was inside to begin with is put out and stays, and presses with nothing.
    #[test]
    fn what_is_put_out_stays() {
        for share in [1.0, 2.0 / 3.0] {
            let impact = Impact::new(0.0, 0.5, 1e-5, share);
            let (push, way) = (0.1, 0.1 / share);
            close(way + impact.change(push, way), 0.0);
            close(impact.told(push, way), 0.0);
        }
    }

    /// An impact's impulse is (1 + e) m v, whenever in a substep it comes.
    #[test]
    fn impacts_are_whole() {
        for share in [1.0, 2.0 / 3.0] {
            for part in [0.01, 0.3, 0.99] {
                let (approach, restitution) = (-4.0 * H, 0.5);
                let impact = Impact::new(approach, restitution, 2.0 * G * H * H, share);
                let push = -approach * part;
                let way = approach + push / share;
                close(way + impact.change(push, way), 2.0 * H);
                close(impact.told(push, way) / (share * share * H), 6.0);
            }
        }
    }
}
