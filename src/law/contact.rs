//! The law of contact: one-sided, with compliance, adhesion and friction in positions. Müller et al., Detailed Rigid
//! Body Simulation with Extended Position Based Dynamics, 2020, section 3.5. A contact is
//!   C = n·Σ bᵢ xᵢ - D
//! over the particles that it holds apart, each with a weight bᵢ: 1 and -1 of two balls, 1, s - 1 and -s of a ball and
//! a segment, 1 of a ball and a collider, whose D moves. With w = Σ bᵢ² wᵢ
//!   λ' = max(λ - (C + α̃ λ)/(w + α̃), -A),   A what adhesion holds,
//!   λt' = λt - slip/w, cut to Coulomb's cone: |λt| ≤ μs N holds, else |λt| = μd N,   N what presses.
//! What detects contacts gives n, bᵢ and D, and nothing else of it differs. On the device `shaders/law/contact.wgsl`.

use super::friction::combined;
use super::impact::Impact;
use crate::math::{Real, Vec3};
use crate::model::{Body, Collider, FrictionCombine};

/// Share of their number by which masses are split. All of it would suit contacts that pull the same way, but those of
/// a particle point in all directions: corrections then are larger by 3/2. Above 2 sums of them no longer converge.
pub const SPLIT: f64 = 2.0 / 3.0;

/// The inverse mass that each of `count` pairs sees of a particle.
#[inline(always)]
pub fn split<R: Real>(inverse_mass: R, count: u32) -> R {
    inverse_mass * R::from_f64((f64::from(count) * SPLIT).max(1.0))
}

/// The direction in which two balls push each other in a substep, from the second to the first: where they first touch
/// on their way, from `start` by `ahead`, both relative; where they get to if they do not touch; where they are if they
/// touch from the beginning. Centres in one place are parted along y: `upper` is 1 for the one up, and -1.
#[inline(always)]
pub fn meeting_normal<R: Real>(start: Vec3<R>, ahead: Vec3<R>, distance: R, upper: R) -> Vec3<R> {
    let (zero, one) = (R::from_f64(0.0), R::from_f64(1.0));
    let apart = start.dot(start) - distance * distance;
    let closing = start.dot(ahead);
    let squared = closing * closing - ahead.dot(ahead) * apart;
    // Of the two roots of |start + t ahead| = distance the first, in the form that does not cancel.
    let time = apart / (R::select(zero.greater(squared), one, squared).sqrt() - closing);
    let time = R::select(zero.greater(squared), one, R::select(time.greater(one), one, time));
    let part = R::select(apart.greater(zero), R::select(zero.greater(closing), time, one), zero);
    let (direction, length) = (start + ahead * part).direction_and_length();
    Vec3 { y: R::select(length.greater(zero), direction.y, upper), ..direction }
}

/// What the contacts of two surfaces have in common.
#[derive(Clone, Copy)]
pub struct Touch<R> {
    /// m/N. Contacts with colliders are rigid and do not read it.
    pub compliance: R,
    pub friction: R,
    pub dynamic_friction: R,
    pub restitution: R,
}

impl<R: Real> Touch<R> {
    /// Of two surfaces whose friction a rule combines.
    #[inline(always)]
    pub fn mixed(rule: FrictionCombine, a: &Skin<R>, b: &Skin<R>) -> Self {
        Self {
            compliance: a.compliance + b.compliance,
            friction: combined(rule, a.friction, b.friction),
            dynamic_friction: combined(rule, a.dynamic_friction, b.dynamic_friction),
            restitution: R::from_f64(0.5) * (a.restitution + b.restitution),
        }
    }
}

/// How a surface touches any other.
#[derive(Clone, Copy, PartialEq)]
pub struct Skin<R> {
    /// m/N; 0 of a collider.
    pub compliance: R,
    /// Coefficients of static and dynamic friction.
    pub friction: R,
    pub dynamic_friction: R,
    pub restitution: R,
}

impl<R: Real> Skin<R> {
    pub fn of_body(body: &Body) -> Self {
        Self {
            compliance: R::from_f64(body.contact_compliance),
            friction: R::from_f64(body.friction),
            dynamic_friction: R::from_f64(body.dynamic_friction),
            restitution: R::from_f64(body.restitution),
        }
    }
}

impl Skin<f64> {
    pub fn of_collider(collider: &Collider) -> Self {
        let Collider { friction, dynamic_friction, restitution, .. } = *collider;
        Self { compliance: 0.0, friction, dynamic_friction, restitution }
    }
}

/// Two that touch, as a sweep finds them.
#[derive(Clone, Copy)]
pub struct PairState<R> {
    pub normal: Vec3<R>,
    /// C, m.
    pub value: R,
    /// The relative way since the substep began, m.
    pub slip: Vec3<R>,
    /// Sum of the inverse masses as they are split.
    pub weight: R,
    /// α̃
    pub softness: R,
}

/// A particle and the plane of a collider that it meets, as a sweep finds them.
#[derive(Clone, Copy)]
pub struct Wall<R> {
    /// Out of the collider.
    pub normal: Vec3<R>,
    /// C, m.
    pub value: R,
    /// The particle's inverse mass, 1/kg.
    pub weight: R,
    /// The largest force of adhesion times H²; 0 without.
    pub hold: R,
    /// From where the particle's way is measured, m.
    pub start: Vec3<R>,
    /// How far the collider's surface moves in the time of that way, m.
    pub carried: Vec3<R>,
    /// H/h
    pub share: R,
}

/// λ and that of friction, such that w λ is a displacement and λ/H² a force.
#[derive(Clone, Copy)]
pub struct Impulse<R> {
    pub normal: R,
    pub tangential: Vec3<R>,
}

impl<R: Real> Impulse<R> {
    #[inline(always)]
    pub fn none() -> Self {
        Self { normal: R::from_f64(0.0), tangential: Vec3::zero() }
    }

    /// λ after a sweep, at least so much, by C and w with what compliance adds to both.
    #[inline(always)]
    pub fn normal_after(self, value: R, weight: R, least: R) -> R {
        let lambda = self.normal - value / weight;
        R::select(lambda.greater(least), lambda, least)
    }

    /// Friction's λ after a sweep that undoes what slipped, in the cone of what presses.
    #[inline(always)]
    pub fn tangential_after(self, slip: Vec3<R>, weight: R, touch: &Touch<R>, pressed: R) -> Vec3<R> {
        let tangential = self.tangential - slip * (R::from_f64(1.0) / weight);
        let size = tangential.length();
        let slips = size.greater(touch.friction * pressed);
        tangential * R::select(slips, touch.dynamic_friction * pressed / size, R::from_f64(1.0))
    }

    /// After one more sweep over particles that all move.
    #[inline(always)]
    pub fn solved(self, touch: &Touch<R>, impact: &Impact<R>, now: &PairState<R>) -> Self {
        let PairState { normal, value, slip, weight, softness } = *now;
        let lambda = self.normal_after(value + softness * self.normal, weight + softness, R::from_f64(0.0));
        let along = normal.dot(slip);
        let pressed = impact.bound(lambda, weight, along + weight * (lambda - self.normal));
        let tangential = self.tangential_after(slip - normal * along, weight, touch, pressed);
        Self { normal: lambda, tangential }
    }

    /// After one more sweep over a particle and a collider, which moves the particle on from where it has come to.
    #[inline(always)]
    pub fn held(self, touch: &Touch<R>, impact: &Impact<R>, wall: &Wall<R>, moved: &mut Vec3<R>) -> Self {
        let Wall { normal, value, weight, hold, start, carried, share } = *wall;
        let lambda = self.normal_after(value, weight, -hold);
        *moved += normal * (weight * (lambda - self.normal));
        let slip = *moved - start - carried;
        let along = normal.dot(slip);
        let presses = lambda.greater(R::from_f64(0.0));
        let pressed = R::select(presses, impact.pressed(lambda * weight, along / share) / weight, lambda) + hold;
        let tangential = self.tangential_after(slip - normal * along, weight, touch, pressed);
        *moved += (tangential - self.tangential) * weight;
        Self { normal: lambda, tangential }
    }

    /// By how much the velocity along the normal changes when all sweeps are over, times h, by that which it is; and
    /// what is reported of the contact then.
    #[inline(always)]
    pub fn parted(self, impact: &Impact<R>, weight: R, now: R) -> (R, Self) {
        (impact.change(self.normal * weight, now), self.told(impact, weight, now))
    }

    /// What is told of it, by the sum of the split inverse masses and the relative way along the normal before
    /// velocities change.
    #[inline(always)]
    pub fn told(self, impact: &Impact<R>, weight: R, now: R) -> Self {
        Self { normal: impact.told(self.normal * weight, now) / weight, tangential: self.tangential * impact.part() }
    }
}

/// Pairs that overlap when a substep begins by more than this part of their distance, and by more than [`FRESH`] of
/// their ways of approach, do not rebound in it: that they did when they met. What parts them now is the push, which
/// would be thrown back from neighbour to neighbour for ever.
pub const SETTLED: f64 = 1e-3;

/// What strikes a row of touching balls pushes the first into the second by up to one way of approach; the second then
/// has to take all of the speed. A substep of BDF2 begins a third of a way ahead.
pub const FRESH: f64 = 2.0;

/// The relative normal way with which two meet, if they do in this substep, by that before it; they are `apart` when it
/// begins.
#[inline(always)]
pub fn approach<R: Real>(apart: R, distance: R, along: R) -> R {
    let (settled, fresh) = (distance * R::from_f64(SETTLED), along * R::from_f64(-FRESH));
    let deep = R::select(fresh.greater(settled), fresh, settled);
    R::select((distance - apart).greater(deep), R::from_f64(0.0), along)
}
