//! Frames, poses, limits and joints that mimic others.

use super::{body, built, cube, joint, moments, near, robot};
use pliant::model::JointKind;
use pliant::scene::{Base, JointMotor};

/// Links without a body are frames: their joints hang on the link that carries them, in place.
#[test]
fn frames_are_merged() {
    let offset = "<origin xyz=\"0 0 0.2\"/>";
    let text = [
        "<link name=\"world\"/><link name=\"flange\"/><link name=\"tip\"/>".to_string(),
        cube("base") + &cube("upper") + &cube("fore"),
        joint("fixed", "stand", ["world", "base"], offset),
        joint("continuous", "turn", ["base", "upper"], offset),
        joint("fixed", "mount", ["upper", "flange"], offset),
        joint("continuous", "elbow", ["flange", "fore"], offset),
        joint("fixed", "end", ["fore", "tip"], offset),
    ]
    .concat();
    let model = built(robot(&text)).model;
    let names: Vec<&str> = model.bodies.iter().map(|body| body.name.as_str()).take(3).collect();
    assert_eq!(names, ["arm/base", "arm/upper", "arm/fore"]);
    // The base is pinned whole, so joints to it are joints to the world.
    assert_eq!(
        model.joints.iter().map(|joint| joint.bodies).collect::<Vec<_>>(),
        [[None, Some(1)], [Some(1), Some(2)]]
    );
    let heights: Vec<f64> = model.joints.iter().map(|joint| joint.positions[0][1]).collect();
    assert!(near(heights[0], 0.4) && near(heights[1], 0.8), "{heights:?}");
    let fixed = &model.rigid[0].particles;
    assert!(fixed.iter().all(|&p| model.particles.inverse_masses[p as usize] == 0.0));
    let model = built(robot(&text).base(Base::Free)).model;
    assert_eq!(
        model.joints.iter().map(|joint| joint.bodies).collect::<Vec<_>>(),
        [[Some(0), Some(1)], [Some(1), Some(2)]]
    );
    assert!(model.particles.inverse_masses.iter().all(|&w| w > 0.0));
}

/// What is fixed to a fixed base is pinned too; what is fixed to a moving link is held by a joint; what floats by none.
#[test]
fn fixed_and_floating_joints() {
    let text = cube("a")
        + &cube("b")
        + &cube("c")
        + &cube("d")
        + &cube("e")
        + &joint("fixed", "ab", ["a", "b"], "")
        + &joint("continuous", "bc", ["b", "c"], "<origin xyz=\"0 0 1\"/>")
        + &joint("fixed", "cd", ["c", "d"], "<origin xyz=\"0 0 1\"/>")
        + &joint("floating", "ce", ["c", "e"], "<origin xyz=\"0 0 3\"/>");
    let model = built(robot(&text)).model;
    let kinds: Vec<JointKind> = model.joints.iter().map(|joint| joint.kind).collect();
    assert_eq!(kinds, [JointKind::Hinge, JointKind::Fixed]);
    let is_pinned = |name: &str| {
        let first = model.bodies[body(&model, name)].particles.start;
        model.particles.inverse_masses[first as usize] == 0.0
    };
    assert_eq!(
        ["a", "b", "c", "d", "e"].map(|name| is_pinned(&format!("arm/{name}"))),
        [true, true, false, false, false]
    );
    let (_, centre, _) = moments(&model, "arm/e");
    assert!(near(centre[1], 4.0), "{centre:?}");
}

/// A joint without a pose is at 0, or at the limit next to 0; limits and targets are counted from there.
#[test]
fn limits_and_targets_are_counted_from_the_pose() {
    let limit = |low: f64, high: f64| format!("<axis xyz=\"0 0 1\"/><limit lower=\"{low}\" upper=\"{high}\"/>");
    let text = |low, high| cube("a") + &cube("b") + &joint("revolute", "turn", ["a", "b"], &limit(low, high));
    let limits = |robot| built(robot).model.joints[0].limits;
    let close = |found: Option<[f64; 2]>, wanted: [f64; 2]| {
        found.is_some_and(|found| (0..2).all(|i| near(found[i], wanted[i])))
    };
    assert!(close(limits(robot(&text(-1.0, 2.0))), [-1.0, 2.0]));
    assert!(close(limits(robot(&text(0.5, 2.0))), [0.0, 1.5]));
    assert!(close(limits(robot(&text(-2.0, -0.25))), [-1.75, 0.0]));
    assert!(close(limits(robot(&text(-1.0, 2.0)).pose("turn", 1.5)), [-2.5, 0.5]));
    // A file's π has few digits.
    assert!(close(limits(robot(&text(-3.1417, 3.1417))), [-std::f64::consts::PI, std::f64::consts::PI]));
    let wide = built(robot(&text(-3.0, 3.0)).pose("turn", 1.0).motor("turn", JointMotor::target(2.5)));
    assert_eq!(wide.model.joints[0].limits, None);
    assert!(wide.notes[0].contains("arm.urdf: joint 'turn' gets no limits"), "{:?}", wide.notes);
    assert!(near(wide.model.curves[0].at(0.0)[0], 1.5));
}

/// A joint that mimics another is placed and driven by it, also by way of a third; without a motor that is told.
#[test]
fn mimics_follow_their_masters() {
    let slide = |mimic: &str| format!("<axis xyz=\"0 1 0\"/><limit lower=\"-9\" upper=\"9\"/>{mimic}");
    let text = cube("a")
        + &cube("b")
        + &cube("c")
        + &cube("d")
        + &joint("prismatic", "third", ["a", "d"], &slide("<mimic joint=\"second\" multiplier=\"3\"/>"))
        + &joint(
            "prismatic",
            "second",
            ["a", "c"],
            &slide("<mimic joint=\"first\" multiplier=\"-2\" offset=\"0.5\"/>"),
        )
        + &joint("prismatic", "first", ["a", "b"], &slide(""));
    let motor = JointMotor { period: Some(2.0), ..JointMotor::keyframes([(0.0, 1.0), (1.0, 2.0)]).compliance(1e-3) };
    let model = built(robot(&text).pose("first", 1.0).motor("first", motor)).model;
    // y of the file is -z of the scene.
    let centre = |name: &str| moments(&model, name).1[2];
    assert!(near(centre("arm/b"), -1.0) && near(centre("arm/c"), 1.5) && near(centre("arm/d"), 4.5));
    let target = |joint: usize, time: f64| {
        let motor = model.joints[joint].motor.expect("a motor");
        assert_eq!((motor.compliance, model.curves[motor.curve as usize].period), (1e-3, Some(2.0)));
        model.curves[motor.curve as usize].at(time)[0]
    };
    // Joints are in the file's order, and targets are counted from where they are placed.
    assert!(near(target(2, 1.0), 1.0) && near(target(1, 1.0), -2.0) && near(target(0, 1.0), -6.0));
    let loose = built(robot(&text));
    assert!(loose.model.joints.iter().all(|joint| joint.motor.is_none()));
    assert!(loose.notes.iter().any(|note| note.contains("joint 'third' moves freely: it mimics 'second'")));
    assert!(near(moments(&loose.model, "arm/d").1[2], -1.5));
}

/// What is not simulated is told once, and what does nothing is not.
#[test]
fn what_is_ignored_is_told() {
    let keys = |velocity: &str| {
        format!(
            "<limit lower=\"-1\" upper=\"1\" effort=\"0\" velocity=\"{velocity}\"/><dynamics damping=\"0.5\" friction=\"0.1\"/><safety_controller/>"
        )
    };
    let text = cube("a")
        + &cube("b")
        + &cube("c")
        + &joint("revolute", "ab", ["a", "b"], &keys("2"))
        + &joint("revolute", "bc", ["b", "c"], &keys("0"))
        + "<transmission name=\"t\"/><gazebo/>";
    let built = built(robot(&text));
    assert_eq!(built.notes, ["arm.urdf: the joints' friction, velocity limits are not simulated"]);
    assert_eq!(built.model.joints.iter().map(|joint| joint.damping).collect::<Vec<f64>>(), [0.5, 0.5]);
}
