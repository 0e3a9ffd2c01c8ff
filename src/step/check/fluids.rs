//! What fluids must be.

use super::{Checked, demand, not_negative};
use crate::model::fluid::no_fluids;
use crate::model::{Fluid, Model};

/// Of all fluids.
pub(super) fn fluids(model: &Model) -> Checked {
    if model.fluids.is_empty() {
        return Ok(());
    }
    let problem = no_fluids(&model.settings);
    demand(problem.is_none(), || "fluids".into(), || problem.unwrap_or_default().into())?;
    for (i, each) in model.fluids.iter().enumerate() {
        fluid(&|| format!("fluids[{i}]"), each, model)?;
        let taken = model.fluids[..i].iter().any(|other| other.particles == each.particles);
        let problem = || format!("is {:?}, which another fluid has", each.particles);
        demand(!taken, || format!("fluids[{i}].particles"), problem)?;
    }
    Ok(())
}

fn fluid(place: &dyn Fn() -> String, fluid: &Fluid, model: &Model) -> Checked {
    let at = |what: &str| format!("{}.{what}", place());
    let is_body = model.bodies.iter().any(|body| body.particles == fluid.particles) && !fluid.particles.is_empty();
    let problem = || format!("is {:?}; a fluid has all particles of a body, and at least one", fluid.particles);
    demand(is_body, || at("particles"), problem)?;
    let spacing = fluid.spacing;
    let single = (spacing as f32).powi(5);
    let problem = || format!("is {spacing} m; it must be above 0, and its fifth power within single precision");
    demand(spacing > 0.0 && single > 1e-37 && single < 1e37, || at("spacing"), problem)?;
    let problem =
        || format!("is {spacing} m, and {} m in fluids[0]; all fluids must have the same", model.fluids[0].spacing);
    demand(spacing == model.fluids[0].spacing, || at("spacing"), problem)?;
    not_negative(place, &[("viscosity", fluid.viscosity), ("bulk_modulus", fluid.bulk_modulus)])
}

#[cfg(test)]
mod tests {
    use crate::model::{Integrator, Model};
    use crate::scene::{Body, Fluid, Scene};

    fn model() -> Model {
        let drop = |x: f64| Body::fluid(Fluid::cuboid([x, 0.0, 0.0], [x + 0.1, 0.1, 0.1]).spacing(0.05));
        let scene = Scene::new("drops").with(drop(0.0)).with(drop(1.0));
        scene.build().unwrap_or_else(|error| panic!("{error}")).model
    }

    #[test]
    fn faults_of_fluids_are_told_by_their_place() {
        assert_eq!(model().check(), Ok(()));
        type Change = fn(&mut Model);
        let faults: [(&str, Change); 8] = [
            ("fluids", |m| m.settings.integrator = Integrator::Bdf2),
            ("fluids[1].particles", |m| m.fluids[1].particles = 0..8),
            ("fluids[1].particles", |m| m.fluids[1].particles = 3..9),
            ("fluids[0].particles", |m| m.fluids[0].particles = 70..80),
            ("fluids[0].spacing", |m| m.fluids[0].spacing = f64::NAN),
            ("fluids[1].spacing", |m| m.fluids[1].spacing = 0.06),
            ("fluids[1].viscosity", |m| m.fluids[1].viscosity = -1.0),
            ("fluids[0].bulk_modulus", |m| m.fluids[0].bulk_modulus = f64::INFINITY),
        ];
        for (place, change) in faults {
            let mut model = model();
            change(&mut model);
            let error = model.check().expect_err(place);
            assert_eq!(error.place, place, "{error}");
        }
    }
}
