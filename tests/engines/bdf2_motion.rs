//! Motion by substeps of BDF2: against its twin and against theory.

use pliant::Engine;
use pliant::constraint::{ALL, Arity, Distance, Kind, Vec3, kind};
use pliant::measure::{Measurement, constraint_force};
use pliant::model::{Body, Collider, Integrator, Keyframes, Material, Method, Mode, Model, State};

use crate::device::{Running, run};
use crate::kernels::{Random, difference, random_model};
use crate::models::{self, GRAVITY, compliant, linear};
use crate::proof;
use crate::sheets::{Held, laid_flat, sheet};

pub fn bdf2(mut model: Model) -> Model {
    model.settings.integrator = Integrator::Bdf2;
    model
}

/// Gives each particle of a model a drive, so that fixed ones move and free ones are pushed.
fn drive_all(model: &mut Model, random: &mut Random) {
    for particle in 0..model.particles.len() {
        let motion = linear(0.5, random.vector(-1.0, 1.0));
        let forces = vec![linear(0.1, random.vector(-3.0, 3.0))];
        models::drive(
            model,
            particle,
            pliant::model::Drive { motion: Some(motion), forces, ..pliant::model::Drive::default() },
        );
    }
}

/// A kind of each arity, damped and driven, on moving rough ground and in the wind, with bodies that are damped, does what its twin does:
/// coloured and by Jacobi, in XPBD and in PBD, the first substep and those that follow it.
#[test]
fn everything_equals_its_twin() {
    let of = |arity: Arity| ALL.iter().copied().find(|kind: &&'static dyn Kind| kind.arity() == arity && kind.pbd());
    let mut random = Random::new(3);
    let mut failures = Vec::new();
    for kind in [Arity::One, Arity::Two, Arity::Three, Arity::Four, Arity::Many].map(|arity| of(arity).expect("a kind"))
    {
        for (method, mode) in
            [(Method::GaussSeidel, Mode::Xpbd), (Method::Jacobi, Mode::Xpbd), (Method::GaussSeidel, Mode::Pbd)]
        {
            let material = Material { compliance: 1e-3, damping: 2.0, stiffness: 0.3, ..Material::default() };
            let mut model = bdf2(random_model(kind, material, 4));
            (model.settings.method, model.settings.mode) = (method, mode);
            (model.settings.substeps, model.settings.iterations) = (4, 2);
            drive_all(&mut model, &mut random);
            let body = &mut model.bodies[0];
            (body.radius, body.drag, body.damping) = (0.05, 0.5, 3.0);
            (body.friction, body.dynamic_friction, body.restitution) = (0.4, 0.3, 0.5);
            models::ground(&mut model, [0.0, 1.0, 0.0]);
            model.colliders[0].motion = Some(linear(1.0, [0.5, 0.3, 0.0]));
            (model.world.wind, model.world.max_speed) = ([2.0, 0.0, 1.0], Some(20.0));
            // The roundings of as many sweeps as in the test of every kind, and as much of what amplifies them.
            let (positions, multipliers) = difference(&run(&model, 2), &models::run(&model, 2));
            if !(positions < 2e-5 && multipliers < 2e-4) {
                failures.push(format!("{} {method:?} {mode:?}: {positions:.2e} m, λ {multipliers:.2e}", kind.name()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A cloth with levels let go from the horizontal, and one without them, after two frames.
#[test]
fn cloth_equals_its_twin() {
    for nested in [false, true] {
        let mut model = bdf2(laid_flat(sheet(32, true, Held::TopRow, 5, 1.0)));
        model.settings.nested = Some(nested);
        let (positions, _) = difference(&run(&model, 2), &models::run(&model, 2));
        let claim = format!("BDF2, a cloth let go{}, places after 2 frames", if nested { ", levels" } else { "" });
        proof::row(&claim, "in double precision", positions, 1e-5, "m");
    }
}

/// What flows, and what levels bear of the forces of a frame, do as their twins, from the first frame on, whose first substep has another H.
#[test]
fn what_goes_by_multipliers_equals_its_twin() {
    let material = Material { yield_point: Some(0.01), creep: Some(20.0), ..compliant(1e-3) };
    let mut flowing = bdf2(random_model(kind::<Distance>(), material, 6));
    (flowing.settings.substeps, flowing.settings.iterations) = (4, 2);
    for frames in [1, 2] {
        let (state, twin) = (run(&flowing, frames), models::run(&flowing, frames));
        let (positions, multipliers) = difference(&state, &twin);
        assert!(positions < 2e-5 && multipliers < 2e-4, "{positions:.2e} m, λ {multipliers:.2e}");
        let flowed = state.rest[0].iter().zip(&flowing.groups[0].rest).map(|(now, before)| now - before);
        assert!(proof::largest(flowed) > 1e-3, "nothing flows");
        let apart = state.rest[0].iter().zip(&twin.rest[0]).map(|(one, other)| one - other);
        assert!(proof::largest(apart) < 2e-5);
    }

    let mut hanging = bdf2(sheet(16, false, Held::Corners, 5, 1e4));
    hanging.settings.mean_forces = true;
    for frames in [1, 2] {
        let (positions, multipliers) = difference(&run(&hanging, frames), &models::run(&hanging, frames));
        assert!(positions < 1e-5 && multipliers < 1e-3, "{positions:.2e} m, λ {multipliers:.2e}");
    }
}

/// A weight hangs with its own force from the first frame on, whatever the substeps, and breaks what bears 0.1 % less.
#[test]
fn forces_do_not_depend_on_the_first_substep() {
    for (method, substeps) in [(Method::GaussSeidel, 1), (Method::Jacobi, 2), (Method::GaussSeidel, 10)] {
        for (share, breaks) in [(1.001, false), (0.999, true)] {
            let mut model = bdf2(models::particles(&[[0.0; 3], [0.0, -0.1, 0.0]], &[0.0, 1.0]));
            (model.settings.method, model.settings.substeps) = (method, substeps);
            let link = Material { break_force: Some(share * GRAVITY), ..Material::default() };
            models::spring(&mut model, 0, 1, link);
            let mut running = Running::new(&model);
            // The noise of a single substep, m ε L/H², is at most 5e-3 N of ten substeps, and less in their mean.
            let force = constraint_force(&model, &running.run(1), 0, 0);
            assert!((force - GRAVITY).abs() < 2e-3, "{force} N");
            let state = running.run(1);
            assert_eq!(state.multipliers[0][0].broken, breaks, "{substeps} substeps, bears {share} of the weight");
        }
    }
}

/// Momentum of a free, tumbling cloth that drifts: what it loses in so many frames, of Σ m|v|.
pub fn momentum_lost(frames: u32) -> f64 {
    let mut model = bdf2(models::cloth(16));
    model.world.gravity = [0.0; 3];
    for (velocity, place) in model.particles.velocities.iter_mut().zip(&model.particles.positions) {
        *velocity = [2.0 * (place[2] - 0.5) + 0.5, -0.3, -2.0 * (place[0] - 0.5) + 0.2];
    }
    let begun = Running::new(&model).state();
    let before = Measurement::of(&model, &begun);
    let speeds = begun.velocities.iter().map(|&v| Vec3::from(v).length());
    let scale: f64 = speeds.zip(&model.particles.inverse_masses).map(|(speed, w)| speed / w).sum();
    let after = Measurement::of(&model, &run(&model, frames));
    proof::largest((0..3).map(|k| (after.momentum[k] - before.momentum[k]) / scale))
}

/// What may be lost by chance: of Euler's substeps only those in which constraints act round a velocity, up or down alike. These round each, by 3.5e-8 (half of
/// the last digit, over √3), and the formula makes 9/4 of it: 1/s = 3/2 in the velocity, and 1/(1 - r) = 3/2 of that in the end. Particles that drift together
/// may round alike, so that it goes as in a flight of one, however many there are.
pub fn lost_by_chance(substeps: f64) -> f64 {
    3.5e-8 * 9.0 / 4.0 * substeps.sqrt()
}

#[test]
fn momentum_is_kept() {
    let (lost, bound) = (momentum_lost(100), lost_by_chance(1000.0));
    proof::row("momentum of a tumbling cloth, BDF2", "is conserved", lost, bound, "of Σ m|v|");
}

/// The block of eight corners, and the single particle, of the test of friction: half of them stick, the others slide.
fn on_incline(corners: &[[f64; 3]], sticks: f64) -> (Model, Vec3<f64>) {
    let (sin, cos) = (0.5 / 1.25_f64.sqrt(), 1.0 / 1.25_f64.sqrt());
    let (downhill, normal) = (Vec3::new(cos, -sin, 0.0), Vec3::new(sin, cos, 0.0));
    let each = corners.len();
    let place = |i: usize| {
        let [along, up, side] = corners[i % each];
        (downhill * along + normal * up + Vec3::new(0.0, 0.0, side + (i / each) as f64)).into()
    };
    let positions: Vec<[f64; 3]> = (0..2 * each).map(place).collect();
    let mut model = bdf2(models::particles(&positions, &vec![2.0 / each as f64; 2 * each]));
    for (a, b) in (0..each as u32).flat_map(|a| (a + 1..each as u32).map(move |b| (a, b))) {
        models::spring(&mut model, a, b, Material::default());
        models::spring(&mut model, each as u32 + a, each as u32 + b, Material::default());
    }
    let body = model.bodies.remove(0);
    for (i, [friction, dynamic_friction]) in [[sticks, sticks], [0.4, 0.25]].into_iter().enumerate() {
        let particles = (i * each) as u32..((i + 1) * each) as u32;
        model.particles.bodies[i * each..(i + 1) * each].fill(i as u32);
        model.bodies.push(Body { particles, friction, dynamic_friction, ..body.clone() });
    }
    for body in &mut model.bodies {
        (body.friction, body.dynamic_friction) = (2.0 * body.friction, 2.0 * body.dynamic_friction);
    }
    model.colliders.push(Collider::plane([0.0; 3], normal.into()));
    (model, downhill)
}

/// On an incline of tan θ = 0.5 blocks stick where static friction is above that and slide with g (sin θ - μ cos θ) to 3 %.
#[test]
fn blocks_stick_and_slide_by_friction() {
    let corner = |i: u32| {
        let side = |bit: u32| f64::from(i >> bit & 1);
        [0.3 * side(0), 0.1 * side(1), 0.2 * side(2)]
    };
    let block: Vec<[f64; 3]> = (0..8).map(corner).collect();
    for (what, corners, sticks) in [("a block of eight corners", &block[..], 0.55), ("a particle", &[[0.0; 3]], 0.51)] {
        let (model, downhill) = on_incline(corners, sticks);
        let state = run(&model, 60);
        let way = |body: &Body| {
            let of =
                |i: u32| Vec3::from(state.positions[i as usize]) - Vec3::from(model.particles.positions[i as usize]);
            body.particles.clone().map(|i| downhill.dot(of(i))).sum::<f64>() / corners.len() as f64
        };
        let [stays, slides] = [0, 1].map(|body| way(&model.bodies[body]));
        // While the load finds its shares, the block sinks onto its corners: 1e-4 of the way that the other one slides.
        assert!(stays.abs() < 1e-4, "{what} creeps by {stays} m");
        let expected = GRAVITY * (0.5 - 0.25) / 1.25_f64.sqrt() / 2.0;
        proof::relative(&format!("{what} slides down, BDF2"), "½ g (sin θ - μ cos θ) t²", slides, expected, 0.03);
    }
}

/// Balls that fall 1 m rebound to e² of it to 3 %, and stay down where e = 0.
#[test]
fn balls_rebound_by_restitution() {
    let restitutions = [0.0, 0.5, 0.7, 0.9];
    let mut model = bdf2(models::particles(&[[0.0, 1.0, 0.0]; 4], &[0.1, 1.0, 2.0, 5.0]));
    model.settings.substeps = 20;
    models::ground(&mut model, [0.0, 1.0, 0.0]);
    let body = model.bodies.remove(0);
    for (i, restitution) in (0..).zip(restitutions) {
        model.particles.bodies[i as usize] = i;
        // The mean with that of the ground, which is zero.
        model.bodies.push(Body { particles: i..i + 1, restitution: 2.0 * restitution, ..body.clone() });
    }
    let mut running = Running::new(&model);
    // They hit the ground after 0.45 s, 27 frames, and are highest e times as long after.
    running.run(28);
    let mut highest = [0.0_f64; 4];
    for _ in 28..56 {
        for (highest, position) in highest.iter_mut().zip(&running.run(1).positions) {
            *highest = highest.max(position[1]);
        }
    }
    assert!(highest[0] < 1e-6, "{} m", highest[0]);
    let errors = highest.into_iter().zip(restitutions).skip(1).map(|(highest, e)| highest / (e * e) - 1.0);
    proof::row("rebound of a ball that fell 1 m, BDF2", "e² · 1 m", 100.0 * proof::largest(errors), 3.0, "%");
}

/// What the air could stop many times over within a substep takes on its speed and goes no faster, in the first substep and after it.
#[test]
fn light_things_do_not_overshoot() {
    let mut model = bdf2(models::particles(&[[0.0; 3]], &[1e-9]));
    (model.settings.frame_rate, model.settings.substeps) = (600.0, 1);
    (model.bodies[0].drag, model.bodies[0].radius) = (1.0, 0.1);
    (model.world.wind, model.world.gravity) = ([30.0, 0.0, 0.0], [0.0; 3]);
    let mut running = Running::new(&model);
    for _ in 0..5 {
        let [x, y, z] = running.run(1).velocities[0];
        assert!((x - 30.0).abs() < 1e-3 && y == 0.0 && z == 0.0, "{x} m/s");
    }
}

/// Of motion and height, J. What is rigid to the eye stores next to nothing, and what one sweep leaves of it is no energy.
pub fn energy(model: &Model, state: &State) -> f64 {
    let measured = Measurement::of(model, state);
    measured.kinetic_energy_j + measured.gravity_energy_j
}

/// The state of a sheet that was yanked by 10 g for 6 frames and thrown up by -1 g for 6 more, 48 frames later.
pub fn yanked(model: &Model) -> State {
    let mut running = Running::new(model);
    running.run(30);
    for (gravity, frames) in [(-98.1, 6), (9.81, 6), (-9.81, 48)] {
        running.solver.world_mut().gravity[1] = gravity;
        running.run(frames);
    }
    assert!(running.status().is_good());
    running.state()
}

/// Sweeps there and back are symmetric, in whatever order colours are: what they leave of the constraints does not pump energy, with many
/// substeps either. There alone a sheet of 32 × 32 gains 13 J in a second at 20 substeps.
#[test]
fn symmetric_sweeps_do_not_pump() {
    for irregular in [false, true] {
        let mut model = bdf2(laid_flat(sheet(32, irregular, Held::TopRow, 20, 1.0)));
        model.settings.nested = Some(false);
        let mut running = Running::new(&model);
        let begin = energy(&model, &running.state());
        for _ in 0..4 {
            let gained = energy(&model, &running.run(15)) - begin;
            assert!(gained < 0.0, "gained {gained} J");
        }
    }
}

/// What sticks to a ceiling goes along when that begins to rise: it touched where it was as the substep began, not where BDF2 sees it from.
#[test]
fn what_sticks_goes_along() {
    let mut model = bdf2(models::particles(&[[0.0, -0.01, 0.0]], &[0.1]));
    model.bodies[0].radius = 0.01;
    let motion = Keyframes::new(vec![(0.5, [0.0; 3]), (1.5, [0.0, 0.1, 0.0])]);
    let ceiling = Collider::plane([0.0; 3], [0.0, -1.0, 0.0]);
    model.colliders = vec![Collider { adhesion: 10.0, motion: Some(motion.unwrap()), ..ceiling }];
    let place = run(&model, 90).positions[0];
    let claim = "a ball that sticks to a ceiling which begins to rise, BDF2: place after 1.5 s";
    proof::row(claim, "along with it", (place[1] - 0.09).abs(), 1e-4, "m");
}
