//! What rods must be.

use std::ops::Range;

use super::{Checked, all_below, all_finite, as_many, below, demand, not_negative};
use crate::model::rod::no_rods;
use crate::model::{Model, Orientations, Rod};

/// Of all rods and orientations.
pub(super) fn rods(model: &Model) -> Checked {
    orientations(&model.orientations, model.bodies.len())?;
    if model.rods.is_empty() {
        return Ok(());
    }
    let problem = no_rods(&model.settings);
    demand(problem.is_none(), || "rods".into(), || problem.unwrap_or_default().into())?;
    let (mut held, mut turned) = (vec![false; model.particles.len()], vec![false; model.orientations.len()]);
    for (i, each) in model.rods.iter().enumerate() {
        let place = || format!("rods[{i}]");
        rod(place, each)?;
        for (k, joint) in each.bends.iter().enumerate() {
            let at = || format!("{}.bends[{k}]", place());
            joint.curve.map_or(Ok(()), |curve| below(at, curve, model.curves.len(), "curve"))?;
        }
        let lists = [("particles", &each.particles, &mut held), ("orientations", &each.orientations, &mut turned)];
        for (what, range, taken) in lists {
            taken_once(|| format!("{}.{what}", place()), range, taken)?;
        }
    }
    Ok(())
}

/// Whether a range is one of a list, and no rod before has any of it.
fn taken_once(place: impl Fn() -> String, range: &Range<u32>, taken: &mut [bool]) -> Checked {
    let count = taken.len();
    let own = taken.get_mut(range.start as usize..range.end as usize);
    demand(own.is_some(), &place, || format!("is {range:?}, and there are {count}"))?;
    let own = own.unwrap_or_default();
    demand(!own.contains(&true), place, || format!("is {range:?}, of which another rod has some"))?;
    own.fill(true);
    Ok(())
}

fn orientations(all: &Orientations, bodies: usize) -> Checked {
    let count = all.len();
    for (place, length) in [
        ("orientations.angular_velocities", all.angular_velocities.len()),
        ("orientations.inverse_inertias", all.inverse_inertias.len()),
        ("orientations.bodies", all.bodies.len()),
    ] {
        as_many(place, length, count, "placed orientations")?;
    }
    let is_unit = |q: &[f64; 4]| (q.iter().map(|c| c * c).sum::<f64>() - 1.0).abs() < 1e-6;
    let wrong = all.placed.iter().position(|q| !is_unit(q));
    if let Some(i) = wrong {
        let problem = || format!("is {:?}, which is no unit quaternion", all.placed[i]);
        demand(false, || format!("orientations.placed[{i}]"), problem)?;
    }
    all_finite("orientations.angular_velocities", &all.angular_velocities)?;
    for (i, &w) in all.inverse_inertias.iter().enumerate() {
        not_negative(|| format!("orientations.inverse_inertias[{i}]"), &[("value", w)])?;
    }
    all_below(|| "orientations.bodies".into(), &all.bodies, bodies, "body")
}

fn rod(place: impl Fn() -> String, rod: &Rod) -> Checked {
    let at = |what: &str| format!("{}.{what}", place());
    let particles = rod.particles.len();
    demand(particles >= 2, || at("particles"), || format!("is {:?}: a rod has two at least", rod.particles))?;
    as_many(&at("segments"), rod.segments.len(), particles - 1, "gaps between its particles")?;
    let walls = rod.clamped.iter().filter(|clamped| **clamped).count();
    as_many(&at("orientations"), rod.orientations.len(), particles - 1 + walls, "segments and clamps")?;
    as_many(&at("bends"), rod.bends.len(), rod.orientations.len() - 1, "gaps between its orientations")?;
    not_negative(&place, &[("damping", rod.damping)])?;
    let positive = |what: &str, i: usize, values: &[f64]| {
        let wrong =
            values.iter().find(|value| !(**value > 0.0 && (**value as f32).is_finite() && **value as f32 > 0.0));
        let problem = || format!("has {}; lengths and compliances must be finite and above 0", wrong.unwrap_or(&0.0));
        demand(wrong.is_none(), || format!("{}[{i}]", at(what)), problem)
    };
    for (i, segment) in rod.segments.iter().enumerate() {
        positive("segments", i, &[&[segment.length][..], &segment.compliances].concat())?;
    }
    for (i, joint) in rod.bends.iter().enumerate() {
        positive("bends", i, &[&[joint.length][..], &joint.compliances].concat())?;
        all_finite(&format!("{}[{i}].rest", at("bends")), &[joint.rest])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::mesh::generate::Line;
    use crate::model::{Integrator, Model};
    use crate::scene::{Body, Rod, Scene};

    fn model() -> Model {
        let line = Line { from: [0.0; 3], to: [1.0, 0.0, 0.0], segments: 4 };
        let body = Body::rod(Rod::new(line, 1e6).clamp(false).strands(2, [0.0, 0.0, 1.0])).radius(0.01);
        Scene::new("rods").with(body).build().unwrap_or_else(|error| panic!("{error}")).model
    }

    #[test]
    fn faults_of_rods_are_told_by_their_place() {
        assert_eq!(model().check(), Ok(()));
        type Change = fn(&mut Model);
        let faults: [(&str, Change); 13] = [
            ("rods", |m| m.settings.integrator = Integrator::Bdf2),
            ("orientations.bodies", |m| m.orientations.bodies.truncate(2)),
            ("orientations.placed[1]", |m| m.orientations.placed[1] = [0.0; 4]),
            ("orientations.inverse_inertias[2].value", |m| m.orientations.inverse_inertias[2] = -1.0),
            ("rods[1].particles", |m| m.rods[1].particles = 9..14),
            ("rods[1].particles", |m| m.rods[1].particles = 4..9),
            ("rods[0].segments", |m| m.rods[0].segments.truncate(3)),
            ("rods[0].orientations", |m| m.rods[0].clamped[0] = false),
            ("rods[0].segments[2]", |m| m.rods[0].segments[2].length = 0.0),
            ("rods[1].bends[3]", |m| m.rods[1].bends[3].compliances[1] = f64::NAN),
            ("rods[1].bends[2]", |m| m.rods[1].bends[2].length = 0.0),
            ("rods[1].bends[0]", |m| m.rods[1].bends[0].curve = Some(0)),
            ("rods[1].damping", |m| m.rods[1].damping = -1.0),
        ];
        for (place, change) in faults {
            let mut model = model();
            change(&mut model);
            let error = model.check().expect_err(place);
            assert_eq!(error.place, place, "{error}");
        }
    }
}
