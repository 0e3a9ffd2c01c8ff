//! What rigid bodies and joints must be.

use super::{Checked, all_below, all_finite, below, demand, not_negative};
use crate::model::joint::no_joints;
use crate::model::{Joint, Model, Rigid};

/// Of all rigid bodies and joints.
pub(super) fn joints(model: &Model) -> Checked {
    for (i, each) in model.rigid.iter().enumerate() {
        rigid(|| format!("rigid[{i}]"), each, model)?;
    }
    if model.joints.is_empty() {
        return Ok(());
    }
    let problem = no_joints(&model.settings);
    demand(problem.is_none(), || "joints".into(), || problem.unwrap_or_default().into())?;
    model.joints.iter().enumerate().try_for_each(|(i, each)| joint(|| format!("joints[{i}]"), each, model))
}

fn rigid(place: impl Fn() -> String, rigid: &Rigid, model: &Model) -> Checked {
    let at = |what: &str| format!("{}.{what}", place());
    below(|| at("body"), rigid.body, model.bodies.len(), "body")?;
    all_below(|| at("particles"), &rigid.particles, model.particles.len(), "particle")?;
    let particles = &rigid.particles;
    demand(particles.len() >= 2, || at("particles"), || format!("has {}; a body has two at least", particles.len()))?;
    let mut sorted = particles.clone();
    sorted.sort_unstable();
    let twice = sorted.windows(2).find(|pair| pair[0] == pair[1]);
    demand(twice.is_none(), || at("particles"), || format!("names particle {} twice", twice.map_or(0, |pair| pair[0])))
}

fn joint(place: impl Fn() -> String, joint: &Joint, model: &Model) -> Checked {
    let at = |what: &str| format!("{}.{what}", place());
    for &body in joint.bodies.iter().flatten() {
        below(|| at("bodies"), body, model.rigid.len(), "rigid body")?;
        let mass = |&particle: &u32| model.particles.inverse_masses[particle as usize] > 0.0;
        let particles = &model.rigid[body as usize].particles;
        let free = particles.iter().filter(|particle| mass(particle)).count();
        let problem = || format!("names rigid body {body}, of which some particles are fixed: fix all or none");
        demand(free == 0 || free == particles.len(), || at("bodies"), problem)?;
    }
    let [a, b] = joint.bodies;
    demand(a != b, || at("bodies"), || "are the same: a joint holds two, or one and the world".into())?;
    all_finite(&at("positions"), &joint.positions)?;
    let unit = (joint.axes.iter().map(|c| c * c).sum::<f64>() - 1.0).abs() < 1e-6;
    demand(unit, || at("axes"), || format!("is {:?}, which is no unit quaternion", joint.axes))?;
    not_negative(&place, &[("compliance", joint.compliance), ("damping", joint.damping)])?;
    let breaks = joint.break_force;
    demand(breaks > 0.0, || at("break_force"), || format!("is {breaks} N; it must be above 0"))?;
    let breaks = joint.break_moment;
    demand(breaks > 0.0, || at("break_moment"), || format!("is {breaks} N m; it must be above 0"))?;
    let (coordinate, driven) = (joint.kind.has_coordinate(), joint.kind.is_driven());
    let none = || format!("does not apply to a {} joint", joint.kind.name());
    demand(joint.limits.is_none() || coordinate, || at("limits"), none)?;
    demand(joint.motor.is_none() || driven, || at("motor"), none)?;
    demand(joint.damping == 0.0 || driven, || at("damping"), none)?;
    if let Some([low, high]) = joint.limits {
        let ordered = low.is_finite() && high.is_finite() && low <= high;
        demand(ordered, || at("limits"), || format!("are {low} and {high}; the first must not be above the second"))?;
    }
    let Some(motor) = joint.motor else { return Ok(()) };
    below(|| at("motor.curve"), motor.curve, model.curves.len(), "curve")?;
    not_negative(|| at("motor"), &[("compliance", motor.compliance)])
}

#[cfg(test)]
mod tests {
    use crate::model::{Integrator, JointKind, Model, Motor};
    use crate::scene::{Body, Cuboid, Joint, Scene};

    fn model() -> Model {
        let cuboid = |name: &str| Body::rigid(Cuboid { cells: [1, 1, 1], size: [1.0; 3] }).name(name);
        let joint = Joint::hinge("b", [0.5, 0.0, 0.0], [0.0, 0.0, 1.0]).to("a");
        let scene = Scene::new("joints").with(cuboid("a")).with(cuboid("b").position([1.0, 0.0, 0.0])).joint(joint);
        scene.build().unwrap_or_else(|error| panic!("{error}")).model
    }

    #[test]
    fn faults_of_joints_are_told_by_their_place() {
        assert_eq!(model().check(), Ok(()));
        type Change = fn(&mut Model);
        let faults: [(&str, Change); 15] = [
            ("joints[0].break_moment", |m| m.joints[0].break_moment = f64::NAN),
            ("joints", |m| m.settings.integrator = Integrator::Bdf2),
            ("rigid[0].body", |m| m.rigid[0].body = 9),
            ("rigid[1].particles", |m| m.rigid[1].particles.truncate(1)),
            ("rigid[1].particles", |m| m.rigid[1].particles[0] = m.rigid[1].particles[1]),
            ("joints[0].bodies", |m| m.joints[0].bodies = [Some(1), Some(1)]),
            ("joints[0].bodies", |m| m.joints[0].bodies = [Some(7), None]),
            ("joints[0].bodies", |m| m.particles.inverse_masses[0] = 0.0),
            ("joints[0].positions[1]", |m| m.joints[0].positions[1][0] = f64::NAN),
            ("joints[0].axes", |m| m.joints[0].axes = [0.0; 4]),
            ("joints[0].compliance", |m| m.joints[0].compliance = -1.0),
            ("joints[0].break_force", |m| m.joints[0].break_force = 0.0),
            ("joints[0].limits", |m| m.joints[0].limits = Some([1.0, 0.0])),
            ("joints[0].motor.curve", |m| m.joints[0].motor = Some(Motor { curve: 3, compliance: 0.0 })),
            ("joints[0].limits", |m| {
                (m.joints[0].kind, m.joints[0].limits) = (JointKind::Fixed, Some([0.0, 1.0]));
            }),
        ];
        for (place, change) in faults {
            let mut model = model();
            change(&mut model);
            let error = model.check().expect_err(place);
            assert_eq!(error.place, place, "{error}");
        }
    }
}
