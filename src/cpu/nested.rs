//! Levels over sheets: once a substep, before the first sweep, in double precision by the functions of [`crate::reference`], one thread
//! for each sheet. See [`crate::plan::levels`].

use super::single::{double, single};
use super::solve::Points;
use crate::constraint::Vec3;
use crate::model::Material;
use crate::plan::levels::Sheet;
use crate::reference::levels;

/// Takes to all particles of a sheet what the levels over it correct, in a substep of `h` s. `pulled`: by [`levels::slack`], at the beginning of
/// a frame.
pub fn correct(
    sheet: &Sheet,
    pulled: &mut [Vec<f64>],
    materials: &[Material],
    points: &Points,
    slot_of: &[u32],
    h: f64,
) {
    let slots =
        || slot_of[sheet.particles.start as usize..sheet.particles.end as usize].iter().map(|&slot| slot as usize);
    let places: Vec<Vec3<f64>> =
        slots().map(|slot| double(points.x.read(slot)) + double(points.d.read(slot))).collect();
    let corrections = levels::corrections(&sheet.levels, materials, &places, pulled, h);
    for (slot, row) in slots().zip(sheet.levels[0].prolong.rows()) {
        if points.x.read(slot).to_array()[3] > 0.0 {
            points.d.write(slot, points.d.read(slot) + single(levels::sum(row, &corrections)));
        }
    }
}
