//! What colliders and what drives particles must be.

use std::f64::consts::PI;

use crate::model::{Collider, Drive, Keyframes, Settings, Shape};
use crate::step::check::{Checked, all_finite, demand, not_negative};

/// A collider, which turns by less than half a turn in a substep: beyond, its direction is lost.
pub(crate) fn collider(place: impl Fn() -> String, collider: &Collider, settings: &Settings) -> Checked {
    shape(|| format!("{}.shape", place()), &collider.shape)?;
    all_finite(&format!("{}.position", place()), &[collider.position])?;
    let length = collider.rotation.iter().map(|value| value * value).sum::<f64>().sqrt();
    let problem = || format!("has the length {length}; a unit quaternion has 1");
    demand((length - 1.0).abs() < 1e-3, || format!("{}.rotation", place()), problem)?;
    all_finite(&format!("{}.belt", place()), &[collider.belt])?;
    collider.motion.as_ref().map_or(Ok(()), |motion| keyframes(|| format!("{}.motion", place()), motion))?;
    if let Some(turning) = &collider.turning {
        let at = || format!("{}.turning.spin", place());
        all_finite(&at(), &[turning.spin])?;
        let turn = turning.spin.iter().map(|rate| rate * rate).sum::<f64>().sqrt() * settings.substep_seconds();
        demand(turn < PI, at, || format!("turns it by {turn} rad in a substep; it must be less than half a turn"))?;
    }
    let numbers = [
        ("friction", collider.friction),
        ("dynamic_friction", collider.dynamic_friction),
        ("restitution", collider.restitution),
        ("thickness", collider.thickness),
        ("adhesion", collider.adhesion),
    ];
    not_negative(place, &numbers)
}

fn shape(place: impl FnOnce() -> String, shape: &Shape) -> Checked {
    // Of a capsule the segment may be a point.
    let (sizes, least): (Vec<f64>, Option<f64>) = match *shape {
        Shape::Plane | Shape::Mesh(_) | Shape::Heights(_) => (Vec::new(), None),
        Shape::Sphere { radius } => (vec![radius], None),
        Shape::Capsule { radius, length } => (vec![radius], Some(length)),
        Shape::Box { size } => (size.to_vec(), None),
        Shape::Cylinder { radius, length } => (vec![radius, length], None),
    };
    let is_finite = |size: f64| (size as f32).is_finite();
    let solid = sizes.iter().all(|&size| size > 0.0 && is_finite(size));
    let long = least.is_none_or(|length| length >= 0.0 && is_finite(length));
    demand(solid && long, place, || match least {
        Some(length) => format!(
            "has a radius of {} m and a length of {length} m; both must be finite, the radius above 0, the length at \
             least 0",
            sizes[0]
        ),
        None => format!("has a size of {sizes:?} m; each must be finite and above 0"),
    })
}

/// What acts on particles.
pub(crate) fn drive(place: impl Fn() -> String, drive: &Drive) -> Checked {
    drive.motion.as_ref().map_or(Ok(()), |motion| keyframes(|| format!("{}.motion", place()), motion))?;
    if let Some(spin) = &drive.spin {
        let at = || format!("{}.spin", place());
        all_finite(&at(), &[spin.axis, spin.arm])?;
        let turn = |value: f64| value.is_finite() && value >= 0.0;
        let problem = || format!("is {spin:?}; the rate must be finite, and the end at least 0");
        demand(spin.rate.is_finite() && turn(spin.until), at, problem)?;
    }
    if let Some(turn) = &drive.turn {
        all_finite(&format!("{}.turn.arm", place()), &[turn.arm])?;
    }
    let force = |(i, force)| keyframes(|| format!("{}.forces[{i}]", place()), force);
    drive.forces.iter().enumerate().try_for_each(force)
}

/// Values that single precision has room for.
pub(crate) fn keyframes(place: impl Fn() -> String, keyframes: &Keyframes) -> Checked {
    all_finite(&place(), &keyframes.values().collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use crate::model::{Curve, Model, Rotations, Turning};
    use crate::step::check::surroundings::*;

    /// A ball that spins and is moved, a capsule whose segment is a point, and a particle that is pushed.
    fn model() -> Model {
        let turning = Turning { spin: [0.0, 100.0, 0.0], rotations: Rotations::new(vec![(0.0, [0.0, 0.0, 0.0, 1.0])]) };
        let ball = Collider {
            motion: Some(Keyframes::constant([1.0; 3])),
            turning: Some(turning),
            ..Collider::sphere([0.0; 3], 1.0)
        };
        let round = Collider::new(Shape::Capsule { radius: 1.0, length: 0.0 });
        let push = Keyframes::constant([0.0, 1.0, 0.0]);
        let drives = vec![
            Drive::default(),
            Drive { motion: Some(push.clone()), forces: vec![push.clone(); 2], ..Drive::default() },
        ];
        let curves = vec![Curve { keyframes: push, period: None, delay: 0.0 }];
        Model { colliders: vec![ball, round], drives, curves, ..Model::default() }
    }

    #[test]
    fn faults_are_told_by_their_place() {
        assert_eq!(model().check(), Ok(()));
        fn capsule(model: &mut Model, radius: f64, length: f64) {
            model.colliders[1].shape = Shape::Capsule { radius, length };
        }
        fn spin(model: &mut Model, rate: f64) {
            model.colliders[0].turning.as_mut().expect("it turns").spin[1] = rate;
        }
        fn endless() -> Keyframes {
            Keyframes::constant([0.0, f64::NAN, 0.0])
        }
        type Change = fn(&mut Model);
        let faults: [(&str, Change); 12] = [
            ("colliders[1].shape", |m| capsule(m, 1.0, -1.0)),
            ("colliders[1].shape", |m| capsule(m, 1.0, f64::NAN)),
            ("colliders[1].shape", |m| capsule(m, 1.0, f64::INFINITY)),
            ("colliders[1].shape", |m| capsule(m, 0.0, 1.0)),
            ("colliders[0].turning.spin[0]", |m| spin(m, f64::NAN)),
            // Substeps are 1/600 s.
            ("colliders[0].turning.spin", |m| spin(m, 601.0 * PI)),
            ("colliders[0].belt[0]", |m| m.colliders[0].belt[2] = f64::INFINITY),
            ("colliders[0].motion[0]", |m| m.colliders[0].motion = Some(endless())),
            ("colliders[0].motion[0]", |m| m.colliders[0].motion = Some(Keyframes::constant([1e39; 3]))),
            ("drives[1].motion[0]", |m| m.drives[1].motion = Some(endless())),
            ("drives[1].forces[1][0]", |m| m.drives[1].forces[1] = endless()),
            ("curves[0].keyframes[0]", |m| m.curves[0].keyframes = endless()),
        ];
        for (place, change) in faults {
            let mut model = model();
            change(&mut model);
            let error = model.check().expect_err(place);
            assert_eq!(error.place, place, "{error}");
        }
    }
}
