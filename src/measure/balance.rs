//! What constraints under levels bear in a state, found when somebody asks; see [`super::cords`] for how.

use super::cords::{Cord, Cords};
use super::smoother::Smoother;
use crate::constraint::Distance;
use crate::model::{Model, Multiplier, State};
use crate::plan::Plan;
use crate::plan::levels;

/// The multipliers of a state, with the means of what is under levels such that
/// [`constraint_force`](super::constraint_force) tells what it bears. `plan` is that of the model. Where the state has
/// no forces of levels, they are as they were.
///
/// # Panics
/// If the state is one of another model.
pub fn balanced(model: &Model, plan: &Plan, state: &State) -> Vec<Vec<Multiplier>> {
    let mut multipliers = state.multipliers.clone();
    let group = model.groups.iter().position(|group| group.kind.is::<Distance>());
    let Some(group) = group.filter(|_| !state.level_forces.is_empty()) else { return multipliers };
    // λ over this is a force.
    let scale = model.settings.implicit_seconds().powi(2);
    let ranges: Vec<_> = plan.sheets.iter().map(|sheet| sheet.particles.clone()).collect();
    for (sheet, bearing) in plan.sheets.iter().zip(levels::bearing(model, &ranges)) {
        let cords = Cords::of(model, group, sheet.particles.clone(), &bearing);
        let smoother = Smoother::new(&cords, &sheet.levels);
        let start = sheet.particles.start as usize;
        let place = |particle: usize| state.positions[start + particle].into();
        let pulls = cords.pulls(place, |constraint| !multipliers[group][constraint as usize].broken);
        let particles = sheet.particles.start as usize..sheet.particles.end as usize;
        let own = |cord: &Cord| multipliers[group][cord.constraint as usize].mean / scale;
        let own: Vec<f64> = cords.cords.iter().map(own).collect();
        let others = &state.level_forces[particles];
        let tensions = cords.tensions(&pulls, others, &own, &smoother);
        for (cord, tension) in cords.cords.iter().zip(tensions) {
            multipliers[group][cord.constraint as usize].mean = tension * scale;
        }
    }
    multipliers
}
