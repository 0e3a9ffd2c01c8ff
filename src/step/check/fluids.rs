//! What fluids must be.

use std::f64::consts::PI;

use super::{Checked, demand, not_negative};
use crate::model::fluid::no_fluids;
use crate::model::{Drain, Emitter, Fluid, Model};

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

/// Of all that pours fluids, and takes them away.
pub(super) fn flows(model: &Model) -> Checked {
    for (i, each) in model.emitters.iter().enumerate() {
        emitter(&|| format!("emitters[{i}]"), each, model)?;
        let overlaps =
            |other: &Emitter| other.particles.start < each.particles.end && each.particles.start < other.particles.end;
        let problem = || format!("is {:?}, some of which another emitter has", each.particles);
        demand(!model.emitters[..i].iter().any(overlaps), || format!("emitters[{i}].particles"), problem)?;
    }
    for (i, Drain { min, max }) in model.drains.iter().enumerate() {
        let is_box = (0..3).all(|axis| min[axis].is_finite() && max[axis].is_finite() && min[axis] < max[axis]);
        let problem = || format!("is from {min:?} to {max:?} m; it must be finite, and max above min");
        demand(is_box, || format!("drains[{i}]"), problem)?;
    }
    Ok(())
}

fn emitter(place: &dyn Fn() -> String, emitter: &Emitter, model: &Model) -> Checked {
    let at = |what: &str| format!("{}.{what}", place());
    let Emitter { particles, places, each, velocity, spacing, mass, until, motion: _ } = emitter;
    let of_fluid = |fluid: &Fluid| fluid.particles.start <= particles.start && particles.end <= fluid.particles.end;
    let whole = *each > 0 && !particles.is_empty() && particles.len().is_multiple_of(*each as usize);
    let problem = || {
        format!("is {particles:?}; an emitter has particles of one fluid, in whole layers of {each}, and at least one")
    };
    demand(whole && model.fluids.iter().any(of_fluid), || at("particles"), problem)?;
    let finite = places.as_flattened().iter().all(|value| value.is_finite());
    let problem = || format!("has {} places; it must have one for each particle, all finite", places.len());
    demand(finite && places.len() == particles.len(), || at("places"), problem)?;
    let speed = velocity.iter().map(|v| v * v).sum::<f64>().sqrt();
    let problem = || format!("is {velocity:?} m/s; it must be finite, and not zero");
    demand(speed > 0.0 && speed.is_finite(), || at("velocity"), problem)?;
    for (what, value) in [("spacing", *spacing), ("mass", *mass)] {
        let problem = || format!("is {value}; it must be finite and above 0");
        demand(value > 0.0 && value.is_finite(), || at(what), problem)?;
    }
    let problem = || format!("is {until:?} s; it must be a number");
    demand(until.is_none_or(|until| !until.is_nan()), || at("until"), problem)
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
    let Fluid { viscosity, surface_tension, contact_angle, bulk_modulus, .. } = *fluid;
    let problem = || format!("is {contact_angle} rad; it must be between 0 and π");
    demand((0.0..=PI).contains(&contact_angle), || at("contact_angle"), problem)?;
    let numbers = [("viscosity", viscosity), ("surface_tension", surface_tension), ("bulk_modulus", bulk_modulus)];
    not_negative(place, &numbers)
}

#[cfg(test)]
mod tests {
    use crate::model::{Integrator, Model};
    use crate::scene::{Body, Drain, Emitter, Fluid, Scene};

    /// Where it is, and what makes it.
    type Fault = (&'static str, fn(&mut Model));

    fn model() -> Model {
        let drop = |x: f64| Body::fluid(Fluid::cuboid([x, 0.0, 0.0], [x + 0.1, 0.1, 0.1]).spacing(0.05));
        let scene = Scene::new("drops").with(drop(0.0)).with(drop(1.0));
        scene.build().unwrap_or_else(|error| panic!("{error}")).model
    }

    #[test]
    fn faults_of_flows_are_told_by_their_place() {
        let tap = Emitter::new("drop", [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]).particles(50);
        let drain = Drain { min: [0.0; 3], max: [1.0; 3] };
        let body = Body::fluid(Fluid::poured(0.01)).name("drop");
        let scene = Scene::new("a tap").with(body).emitter(tap.clone()).emitter(tap).drain(drain);
        let model = scene.build().unwrap_or_else(|error| panic!("{error}")).model;
        let faults: [Fault; 12] = [
            ("emitters[0].particles", |m| m.emitters[0].particles.end -= 1),
            ("emitters[0].particles", |m| m.emitters[0].each = 0),
            ("emitters[1].particles", |m| m.emitters[1].particles = m.emitters[0].particles.clone()),
            ("emitters[1].particles", |m| m.emitters[1].particles = 1000..1000 + m.emitters[1].particles.len() as u32),
            ("emitters[0].places", |m| m.emitters[0].places[2][1] = f64::NAN),
            ("emitters[0].places", |m| m.emitters[0].places.truncate(3)),
            ("emitters[0].velocity", |m| m.emitters[0].velocity = [0.0; 3]),
            ("emitters[0].spacing", |m| m.emitters[0].spacing = 0.0),
            ("emitters[1].mass", |m| m.emitters[1].mass = f64::INFINITY),
            ("emitters[1].until", |m| m.emitters[1].until = Some(f64::NAN)),
            ("drains[0]", |m| m.drains[0].max[2] = 0.0),
            ("drains[0]", |m| m.drains[0].min[0] = f64::NEG_INFINITY),
        ];
        assert_eq!(model.check(), Ok(()));
        for (place, change) in faults {
            let mut model = model.clone();
            change(&mut model);
            let error = model.check().expect_err(place);
            assert_eq!(error.place, place, "{error}");
        }
    }

    #[test]
    fn faults_of_fluids_are_told_by_their_place() {
        assert_eq!(model().check(), Ok(()));
        type Change = fn(&mut Model);
        let faults: [(&str, Change); 11] = [
            ("fluids[0].contact_angle", |m| m.fluids[0].contact_angle = -0.1),
            ("fluids[1].contact_angle", |m| m.fluids[1].contact_angle = f64::NAN),
            ("fluids", |m| m.settings.integrator = Integrator::Bdf2),
            ("fluids[1].particles", |m| m.fluids[1].particles = 0..8),
            ("fluids[1].particles", |m| m.fluids[1].particles = 3..9),
            ("fluids[0].particles", |m| m.fluids[0].particles = 70..80),
            ("fluids[0].spacing", |m| m.fluids[0].spacing = f64::NAN),
            ("fluids[1].spacing", |m| m.fluids[1].spacing = 0.06),
            ("fluids[1].viscosity", |m| m.fluids[1].viscosity = -1.0),
            ("fluids[0].surface_tension", |m| m.fluids[0].surface_tension = f64::NAN),
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
