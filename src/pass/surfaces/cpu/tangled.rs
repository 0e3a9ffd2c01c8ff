//! Surfaces that pierce each other, by one thread while the others wait: see [`Tangle`].

use std::sync::{PoisonError, RwLockReadGuard, RwLockWriteGuard};

use super::{Now, View};
use crate::cpu::particles::{double, four, three};
use crate::cpu::shared::Shared;
use crate::cpu::team::Member;
use crate::math::Vec3;
use crate::pass::surfaces::tangle::{Tangle, Ways};
use wide::f32x4;

/// h times the velocities by slot, m.
struct Moving<'a>(Shared<'a, f32x4>);

impl Ways for Moving<'_> {
    fn of(&self, slot: u32) -> Vec3<f64> {
        in_double(self.0.read(slot as usize))
    }

    fn add(&mut self, slot: u32, change: Vec3<f64>) {
        add(&self.0, slot, change);
    }
}

fn in_double(v: f32x4) -> Vec3<f64> {
    double(three(v)).into()
}

fn add(list: &Shared<f32x4>, slot: u32, change: Vec3<f64>) {
    let Vec3 { x, y, z } = change;
    let change = four(Vec3 { x: x as f32, y: y as f32, z: z as f32 });
    list.write(slot as usize, list.read(slot as usize) + change);
}

impl View<'_> {
    pub fn tangle(&self) -> RwLockReadGuard<'_, Tangle> {
        self.tangle.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn tangle_mut(&self) -> RwLockWriteGuard<'_, Tangle> {
        self.tangle.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds what pierces where the substep begins. Others may read it after a meeting.
    pub fn find_tangle(&self, member: &Member, now: &Now) {
        if member.index > 0 || !self.tangle().may_be() {
            return;
        }
        let mut places = vec![Vec3::zero(); now.points.x.len()];
        for &slot in self.vertices {
            let at = slot as usize;
            places[at] = in_double(now.points.x.read(at)) + in_double(now.points.e.read(at));
        }
        self.tangle_mut().find(self.surfaces, &places, |slot| now.mass(slot));
    }

    /// Moves apart what pierces. Ends with a meeting if anything does.
    pub fn part_tangle(&self, member: &Member, now: &Now) {
        let tangle = self.tangle();
        if !tangle.is_empty() {
            if member.index == 0 {
                tangle.shifts().iter().for_each(|&(slot, shift)| add(&now.points.d, slot, shift));
            }
            member.meet();
        }
    }

    /// Leaves no velocity of these moves. Ends with a meeting if anything was moved.
    pub fn leave_tangle(&self, member: &Member, now: &Now) {
        let tangle = self.tangle();
        if !tangle.is_empty() {
            if member.index == 0 {
                tangle.leave(|slot| now.mass(slot), &mut Moving(now.u));
            }
            member.meet();
        }
    }
}
