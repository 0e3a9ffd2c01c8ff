//! Levels over sheets: once a substep, before the first sweep, in double precision as in [`crate::reference`], one thread for each
//! sheet. See [`crate::plan::levels`].

use super::single::{double, single};
use super::solve::Points;
use crate::constraint::Vec3;
use crate::model::Material;
use crate::plan::levels::Sheet;
use crate::reference::{level_corrections, weighted_sum};

/// Takes to all particles of a sheet what the levels over it correct, in a substep of `h` s.
pub fn correct(sheet: &Sheet, materials: &[Material], points: &Points, slot_of: &[u32], h: f64) {
    let slots = &slot_of[sheet.particles.start as usize..sheet.particles.end as usize];
    let place = |&slot: &u32| double(points.x.read(slot as usize)) + double(points.d.read(slot as usize));
    let places: Vec<Vec3<f64>> = slots.iter().map(place).collect();
    let corrections = level_corrections(&sheet.levels, materials, &places, h);
    for (slot, row) in slots.iter().map(|&slot| slot as usize).zip(sheet.levels[0].prolong.rows()) {
        if points.x.read(slot).to_array()[3] > 0.0 {
            points.d.write(slot, points.d.read(slot) + single(weighted_sum(row, &corrections)));
        }
    }
}
