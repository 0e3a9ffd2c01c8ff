//! Colliders of every shape against theory: friction, rebound, motion, turning, belts, containers, adhesion, groups. Run on the GPU, on the
//! CPU engine and in double precision, with the bounds of single precision.

use pliant::constraint::Vec3;
use pliant::model::{Body, Collider, Groups, Keyframes, Model, Rotations, Shape, Turning};

use crate::device::{Running, run};
use crate::models::{self, GRAVITY};
use crate::proof;

/// m
const RADIUS: f64 = 0.05;

/// Turns y to x.
fn lying(shape: Shape) -> Collider {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    Collider { rotation: [0.0, 0.0, -half, half], ..Collider::new(shape) }
}

/// Every shape, solid or a container, so that its surface goes through the origin with the normal +y: those on which one can go straight
/// along x, and those that are round there.
fn shapes() -> [Vec<Collider>; 2] {
    let (capsule, cylinder) =
        (Shape::Capsule { radius: 0.3, length: 4.0 }, Shape::Cylinder { radius: 0.3, length: 4.0 });
    let (disc, cuboid) = (Shape::Cylinder { radius: 2.0, length: 0.4 }, Shape::Box { size: [4.0, 1.0, 3.0] });
    let ball = Shape::Sphere { radius: 0.5 };
    let at = |y: f64, inside: bool, collider: Collider| Collider { position: [0.0, y, 0.0], inside, ..collider };
    let straight = vec![
        Collider::new(Shape::Plane),
        at(-0.5, false, Collider::new(cuboid.clone())),
        at(-0.3, false, lying(capsule.clone())),
        at(-0.3, false, lying(cylinder.clone())),
        at(-0.2, false, Collider::new(disc.clone())),
        at(0.5, true, Collider::new(cuboid)),
        at(0.3, true, lying(capsule.clone())),
        at(0.3, true, lying(cylinder)),
        at(0.2, true, Collider::new(disc)),
    ];
    let round = vec![
        at(-0.5, false, Collider::new(ball.clone())),
        at(-2.3, false, Collider::new(capsule.clone())),
        at(0.5, true, Collider::new(ball)),
        at(2.3, true, Collider::new(capsule)),
    ];
    [straight, round]
}

/// A ball of 2 kg and the one collider that it meets.
struct Case {
    collider: Collider,
    /// Static and dynamic friction and restitution of the two.
    touch: [f64; 3],
    place: [f64; 3],
    velocity: [f64; 3],
}

impl Case {
    /// At rest where it touches the surface at the origin.
    fn new(collider: Collider, touch: [f64; 3]) -> Self {
        Self { collider, touch, place: [0.0, RADIUS, 0.0], velocity: [0.0; 3] }
    }
}

/// All cases at once, each in a group of its own.
fn model(cases: &[Case], gravity: [f64; 3]) -> Model {
    let places: Vec<[f64; 3]> = cases.iter().map(|case| case.place).collect();
    let mut model = models::particles(&places, &vec![2.0; cases.len()]);
    model.world.gravity = gravity;
    let body = Body { radius: RADIUS, ..model.bodies.remove(0) };
    for (i, case) in (0..).zip(cases) {
        let groups = Groups { of: 1 << i, with: 1 << i };
        model.particles.velocities[i as usize] = case.velocity;
        model.particles.bodies[i as usize] = i;
        // The mean with those of the collider, which are zero.
        let [friction, dynamic_friction, restitution] = case.touch.map(|value| 2.0 * value);
        model.bodies.push(Body {
            particles: i..i + 1,
            friction,
            dynamic_friction,
            restitution,
            groups,
            ..body.clone()
        });
        model.colliders.push(Collider { groups, ..case.collider.clone() });
    }
    model
}

/// Place and velocity of each case's ball after so many frames.
fn outcome(cases: &[Case], gravity: [f64; 3], frames: u32) -> Vec<(Vec3<f64>, Vec3<f64>)> {
    let run = |cases: &[Case]| {
        let state = run(&model(cases, gravity), frames);
        state
            .positions
            .into_iter()
            .map(Vec3::from)
            .zip(state.velocities.into_iter().map(Vec3::from))
            .collect::<Vec<_>>()
    };
    cases.chunks(32).flat_map(run).collect()
}

/// A steady velocity, for colliders that move.
fn steady(velocity: [f64; 3]) -> Option<Keyframes> {
    Some(models::linear(10.0, velocity.map(|v| 10.0 * v)))
}

/// On every shape, still or carried along, a ball sticks where static friction is above the slope, 0.5, and slides with
/// g (sin θ - μ cos θ) to 1 % where μ is half of it.
#[test]
fn balls_stick_and_slide_on_every_shape() {
    let (sin, cos) = (0.5 / 1.25_f64.sqrt(), 1.0 / 1.25_f64.sqrt());
    let [straight, round] = shapes();
    for (velocity, touch) in [[0.0; 3], [1.0, 0.5, -0.3]].into_iter().flat_map(|v| [(v, STICKS), (v, SLIDES)]) {
        let colliders = if touch == SLIDES { straight.clone() } else { [straight.clone(), round.clone()].concat() };
        let case = |collider| Case { velocity, ..Case::new(Collider { motion: steady(velocity), ..collider }, touch) };
        let cases: Vec<Case> = colliders.into_iter().map(case).collect();
        let outcome = outcome(&cases, [GRAVITY * sin, -GRAVITY * cos, 0.0], 30);
        let ways = outcome.iter().map(|(place, _)| *place - Vec3::from(velocity) * 0.5 - Vec3::new(0.0, RADIUS, 0.0));
        let moving = if velocity == [0.0; 3] { "a slope" } else { "a moving slope" };
        if touch == STICKS {
            let claim = format!("a ball sticks on {moving} of every shape");
            proof::row(&claim, "where it was", proof::largest(ways.map(|way| way.length())), 1e-4, "m");
        } else {
            let expected = GRAVITY * (sin - 0.25 * cos) / 8.0;
            let errors = ways.map(|way| 100.0 * (way - Vec3::new(expected, 0.0, 0.0)).length() / expected);
            // Of the way ½ a t² the first of 300 substeps makes one part in 300 more.
            let claim = format!("a ball slides down {moving} of every shape");
            proof::row(&claim, "½ g (sin θ - μ cos θ) t²", proof::largest(errors), 1.0, "%");
        }
    }
}

const STICKS: [f64; 3] = [0.51, 0.1, 0.0];
const SLIDES: [f64; 3] = [0.4, 0.25, 0.0];

/// From every shape, still or coming towards it, a ball leaves with e times the speed with which they met.
#[test]
fn balls_rebound_from_every_shape() {
    let settings = [0.0, 1.0].into_iter().flat_map(|rising| [0.0, 0.5, 1.0].map(|e| (rising, e)));
    let (mut cases, mut expected) = (Vec::new(), Vec::new());
    for (rising, e) in settings {
        for collider in shapes().concat() {
            let collider = Collider { motion: steady([0.0, rising, 0.0]), ..collider };
            let (place, velocity) = ([0.0, RADIUS + 0.1, 0.0], [0.0, -2.0, 0.0]);
            cases.push(Case { place, velocity, ..Case::new(collider, [0.0, 0.0, e]) });
            expected.push(Vec3::new(0.0, rising + e * (2.0 + rising), 0.0));
        }
    }
    let errors =
        outcome(&cases, [0.0; 3], 5).into_iter().zip(expected).map(|((_, velocity), v)| (velocity - v).length());
    proof::row(
        "a ball rebounds from every shape, still or moving",
        "e (v + V) + V",
        proof::largest(errors),
        1e-3,
        "m/s",
    );
}

/// The friction on a resting ball is μ times the force with which it is pressed. On a belt it is dragged with μ g, so that this force is the
/// weight, until it is as fast as the belt. So it is on what moves.
#[test]
fn belts_drag_by_weight() {
    let [straight, _] = shapes();
    let mut cases = Vec::new();
    for collider in straight {
        let belt = if collider.rotation[3] == 1.0 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        let motion = steady([1.0, 0.0, 0.0]);
        cases.push(Case::new(Collider { belt, ..collider.clone() }, [0.2, 0.2, 0.0]));
        cases.push(Case::new(Collider { motion, ..collider }, [0.2, 0.2, 0.0]));
    }
    let along = |frames| outcome(&cases, [0.0, -GRAVITY, 0.0], frames).into_iter().map(|(_, velocity)| velocity.x);
    let errors = along(15).map(|speed| speed / (0.2 * GRAVITY * 0.25) - 1.0).chain(along(60).map(|speed| speed - 1.0));
    proof::row("force that presses a resting ball on every shape", "m g", 100.0 * proof::largest(errors), 1.0, "%");
}

/// Rollers of every round shape give what lies on them their surface's speed, where friction is large.
#[test]
fn rollers_carry_along() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let rollers = [
        Shape::Sphere { radius: 0.3 },
        Shape::Capsule { radius: 0.3, length: 1.0 },
        Shape::Cylinder { radius: 0.3, length: 1.0 },
    ];
    // About its own axis, which lies along z; that of a ball may be any.
    let roller = |shape| Collider {
        position: [0.0, -0.3, 0.0],
        rotation: [half, 0.0, 0.0, half],
        turning: Some(Turning { spin: [0.0, -2.0, 0.0], rotations: None }),
        ..Collider::new(shape)
    };
    let cases = rollers.map(|shape| Case::new(roller(shape), [100.0, 100.0, 0.0]));
    for (_, velocity) in outcome(&cases, [0.0, -GRAVITY, 0.0], 1) {
        // It has gone 1 cm over the top, 2° of the way round.
        assert!((velocity.x - 0.6).abs() < 0.006, "{velocity:?}");
    }
}

/// What sticks to a turntable goes round with it: after a turn it is where it was. So it does where keyframes turn the table.
#[test]
fn turntables_carry_round() {
    let turn = std::f64::consts::TAU;
    let disc = Shape::Cylinder { radius: 2.0, length: 0.4 };
    let quarters =
        (0..=4).map(|i| f64::from(i) / 4.0).map(|t| (t, [0.0, (0.5 * t * turn).sin(), 0.0, (0.5 * t * turn).cos()]));
    let turnings = [
        Turning { spin: [0.0, turn, 0.0], rotations: None },
        Turning { spin: [0.0; 3], rotations: Rotations::new(quarters.collect()) },
    ];
    let tables = [
        Collider::new(Shape::Plane),
        Collider { position: [0.0, -0.1, 0.0], ..Collider::new(Shape::Box { size: [4.0, 0.2, 3.0] }) },
        Collider { position: [0.0, -0.2, 0.0], ..Collider::new(disc) },
    ];
    let mut cases = Vec::new();
    for (table, turning) in tables.iter().flat_map(|table| turnings.clone().map(|turning| (table.clone(), turning))) {
        let (place, velocity) = ([0.4, RADIUS, 0.0], [0.0, 0.0, -0.4 * turn]);
        let collider = Collider { turning: Some(turning), ..table };
        cases.push(Case { place, velocity, ..Case::new(collider, [2.0, 2.0, 0.0]) });
    }
    let ends = outcome(&cases, [0.0, -GRAVITY, 0.0], 60);
    let errors = ends.iter().map(|(place, _)| (*place - Vec3::new(0.4, RADIUS, 0.0)).length());
    proof::row("a ball on a turntable, after a turn", "where it was", proof::largest(errors), 1e-3, "m");
}

/// A ball that slides without friction in a bowl, round in one direction or both, swings there with the period 2π√(R/g) of a pendulum.
#[test]
fn balls_swing_in_bowls() {
    let radius = 0.5 - RADIUS;
    let bowl = |collider| Collider { position: [0.0, 0.5, 0.0], inside: true, ..collider };
    let bowls = [
        Collider::new(Shape::Sphere { radius: 0.5 }),
        lying(Shape::Capsule { radius: 0.5, length: 1.0 }),
        lying(Shape::Cylinder { radius: 0.5, length: 1.0 }),
    ];
    // Let go at 0.05 rad: the period is longer by 1.6e-4 of it.
    let (sin, cos) = 0.05_f64.sin_cos();
    let place = [0.0, RADIUS + radius * (1.0 - cos), radius * sin];
    let cases = bowls.map(|collider| Case { place, ..Case::new(bowl(collider), [0.0; 3]) });
    let mut running = Running::new(&model(&cases, [0.0, -GRAVITY, 0.0]));
    let mut before = [radius * sin; 3];
    let mut crossings = [const { Vec::new() }; 3];
    for _ in 0..90 {
        let state = running.run(1);
        for (i, &[_, _, z]) in state.positions.iter().enumerate() {
            if z * before[i] < 0.0 {
                crossings[i].push(state.seconds - z / (z - before[i]) / 60.0);
            }
            before[i] = z;
        }
    }
    let expected = std::f64::consts::PI * (radius / GRAVITY).sqrt();
    let errors = crossings.map(|crossings| 100.0 * ((crossings[1] - crossings[0]) / expected - 1.0));
    proof::row("half a period of a ball in a bowl", "π√(R/g)", proof::largest(errors), 0.5, "%");
}

/// Thrown about, balls stay in containers and out of solids of every shape.
#[test]
fn every_shape_keeps_in_or_out() {
    let shapes = [
        Shape::Sphere { radius: 0.6 },
        Shape::Capsule { radius: 0.4, length: 0.5 },
        Shape::Box { size: [0.8, 1.0, 1.2] },
        Shape::Cylinder { radius: 0.5, length: 0.9 },
    ];
    for (shape, inside) in shapes.iter().flat_map(|shape| [(shape, true), (shape, false)]) {
        let turning = Some(Turning { spin: [1.0, 2.0, -1.5], rotations: None });
        let motion = steady([0.2, -0.1, 0.3]);
        let collider = Collider { inside, motion, turning, ..Collider::new(shape.clone()) };
        // Inside in a small ball about the middle, outside on a large one, and aimed at the middle from there.
        let count = 24;
        let direction = |i: usize| {
            let (y, angle) = (1.0 - (2 * i + 1) as f64 / count as f64, 2.4 * i as f64);
            Vec3::new((1.0 - y * y).sqrt() * angle.cos(), y, (1.0 - y * y).sqrt() * angle.sin())
        };
        let reach = if inside { 0.2 } else { 1.2 };
        let places: Vec<[f64; 3]> = (0..count).map(|i| (direction(i) * reach).into()).collect();
        let mut model = models::particles(&places, &vec![1.0; count]);
        (model.bodies[0].radius, model.bodies[0].restitution) = (RADIUS, 1.0);
        let speed = if inside { 5.0 } else { -5.0 };
        model.particles.velocities = (0..count).map(|i| (direction(i) * speed).into()).collect();
        model.colliders.push(collider);
        let mut running = Running::new(&model);
        for _ in 0..60 {
            let state = running.run(1);
            for place in &state.positions {
                let (_, distance) = model.colliders[0].distance(state.seconds, *place);
                // A turn of 2.7 rad/s and a way of 5 m/s, each straight in a substep, bend by 2e-5 m.
                assert!(distance > RADIUS - 1e-4, "{shape:?} {inside}: {distance} m");
            }
        }
        let turned = |(now, before): (&[f64; 3], &[f64; 3])| (Vec3::from(*now) - Vec3::from(*before)).length() > 1.0;
        let state = running.state();
        let touched = state.velocities.iter().zip(&model.particles.velocities).filter(|pair| turned(*pair));
        assert_eq!(touched.count(), count, "{shape:?} {inside}");
    }
}

/// Thickness is added to the radius.
#[test]
fn thickness_is_distance() {
    let thick = |collider| Collider { thickness: 0.02, ..collider };
    let case = |collider| Case { place: [0.0, 0.08, 0.0], ..Case::new(thick(collider), [0.0; 3]) };
    let cases: Vec<Case> = shapes().concat().into_iter().map(case).collect();
    for (case, (place, _)) in cases.iter().zip(outcome(&cases, [0.0, -GRAVITY, 0.0], 30)) {
        assert!((place.y - RADIUS - 0.02).abs() < 1e-5, "{:?}: {place:?}", case.collider.shape);
    }
}

/// Adhesion holds a hanging ball of 19.62 N where it is 1 % more than that, and not where it is 1 % less; on a wall it presses, so that
/// friction holds it.
#[test]
fn adhesion_holds_up_to_its_force() {
    let weight = 2.0 * GRAVITY;
    let ways = |gravity: [f64; 3], friction: f64, adhesion: f64| {
        let case = |collider| Case::new(Collider { adhesion, ..collider }, [friction, friction, 0.0]);
        let cases: Vec<Case> = shapes().concat().into_iter().map(case).collect();
        let outcome = outcome(&cases, gravity, 12).into_iter();
        outcome.map(|(place, _)| (place - Vec3::new(0.0, RADIUS, 0.0)).length()).collect::<Vec<_>>()
    };
    let (hanging, wall) = ([0.0, GRAVITY, 0.0], [GRAVITY, 0.0, 0.0]);
    assert!(ways(hanging, 0.0, 1.01 * weight).iter().all(|way| *way < 1e-5));
    assert!(ways(wall, 0.5, 2.02 * weight).iter().all(|way| *way < 1e-4));
    // 1 % of g leads 1.96 mm far.
    assert!(ways(hanging, 0.0, 0.99 * weight).iter().all(|way| *way > 1e-3));
    assert!(ways(wall, 0.5, 1.98 * weight).iter().all(|way| *way > 1e-3));
}

/// Bodies and colliders pass through each other unless each is in a group with which the other collides.
#[test]
fn groups_tell_who_collides() {
    let group = |of: u32, with: u32| Groups { of: 1 << of, with };
    let cases: Vec<Case> = (0..4).map(|_| Case::new(Collider::new(Shape::Plane), [0.0; 3])).collect();
    let mut model = model(&cases, [0.0, -GRAVITY, 0.0]);
    let groups = [Groups::default(), group(3, u32::MAX), group(0, 1 << 5), group(31, 1 << 6)];
    model.bodies.iter_mut().zip(groups).for_each(|(body, groups)| body.groups = groups);
    model.colliders.truncate(1);
    model.colliders[0].groups = group(5, 1 | 1 << 31);
    let state = run(&model, 12);
    let fell: Vec<bool> = state.positions.iter().map(|[_, y, _]| *y < 0.0).collect();
    assert_eq!((fell, state.contacts), (vec![false, true, false, true], 2));
}
