//! What BDF2 keeps of the substep before: what `shaders/step/past.wgsl` and `shaders/step/forget.wgsl` do, and there
//! is why.

use wide::f32x4;

use super::particles::Fall;
use super::shared::Shared;
use super::solve::Points;
use crate::step::records::{Properties, Substep};

/// The lists of all particles, m.
#[derive(Clone, Copy)]
pub struct Past<'a> {
    /// (x - x₋₁) - u
    pub lags: Shared<'a, f32x4>,
    /// u - h v₋₁
    pub changes: Shared<'a, f32x4>,
    /// h times the velocities that particles would have without forces, for what asks before a substep begins.
    pub free: Shared<'a, f32x4>,
}

impl Past<'_> {
    /// h v̄
    pub fn free_way(&self, substep: &Substep, slot: usize, way: f32x4) -> f32x4 {
        way + f32x4::splat(1.0 - substep.share) * self.changes.read(slot)
    }

    /// Begins a substep from where e and u are; `push`: what the air adds, m.
    pub fn begin(
        &self,
        slot: usize,
        substep: &Substep,
        (fall, properties): (&Fall, &Properties),
        points: &Points,
        way: f32x4,
        push: f32x4,
    ) {
        let w = points.x.read(slot).to_array()[3];
        let (share, rest) = (f32x4::splat(substep.share), f32x4::splat(1.0 - substep.share));
        let below = points.e.read(slot);
        let start = below + rest * self.lags.read(slot) + rest * way;
        let next = fall.predicted(properties, w, share * (way + rest * self.changes.read(slot)) + push);
        // Keyframes define the way from the place itself.
        points.d.write(slot, if w > 0.0 { start + next } else { below + next });
        points.e.write(slot, start);
    }

    /// Ends one: returns u by what it was before and the way d - e.
    pub fn end(&self, slot: usize, substep: &Substep, before: f32x4, way: f32x4) -> f32x4 {
        let (share, rest) = (f32x4::splat(substep.share), f32x4::splat(1.0 - substep.share));
        let kept = rest * self.changes.read(slot);
        let change = kept + (way - share * (before + kept)) / share;
        self.lags.write(slot, rest * (self.lags.read(slot) - change));
        self.changes.write(slot, change);
        before + change
    }

    /// What a contact leaves of it: nothing along the normal, and after an impact nothing but what `fall` is, by which
    /// ways grew in a substep.
    pub fn forget(&self, slot: usize, normal: f32x4, impact: bool, fall: f32x4) {
        for (list, fallen) in [(&self.lags, fall * f32x4::splat(-0.5)), (&self.changes, fall)] {
            let past = list.read(slot);
            let along = (normal * past).reduce_add();
            list.write(slot, if impact { fallen } else { past - normal * f32x4::splat(along) });
        }
    }
}
