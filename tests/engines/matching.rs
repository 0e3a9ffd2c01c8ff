//! Shape matching against its twin and against theory: rigid bodies, modes, statics, momentum.

use pliant::constraint::{ShapeMatching, Vec3, kind};
use pliant::measure::{Measurement, constraint_force};
use pliant::model::{Drive, Integrator, Mode, Model, State};
use pliant::scene::{Body, Cuboid, Matching, Mesh, Scene, Sphere, Torus};

use crate::device::{Running, WATCHED, run};
use crate::kernels::{Random, difference};
use crate::models::{self, GRAVITY};
use crate::proof;

/// After so many frames.
pub type Run = fn(&Model, u32) -> State;

const SUBSTEPS_A_SECOND: f64 = 6000.0;

pub fn built(body: Body) -> Model {
    let mut model = Scene::new("shapes").with(body).build().unwrap_or_else(|error| panic!("{error}")).model;
    model.world.gravity = [0.0; 3];
    model.settings.substeps = (SUBSTEPS_A_SECOND / 60.0) as u32;
    model
}

/// A box of 2 kg along the axes whose three moments of inertia differ.
fn brick(compliance: f64) -> Body {
    let mesh = Cuboid { cells: [6, 4, 2], size: [0.6, 0.4, 0.2] };
    Body::shape(Matching::new(mesh).compliance(compliance)).mass(2.0).position([0.3, 0.1, -0.2])
}

/// The model of a brick with the same mass in all particles: by the areas of its triangles their axes of inertia would lie aslant.
pub fn even(body: Body) -> Model {
    let mut model = built(body);
    let count = model.particles.len() as f64;
    model.particles.inverse_masses.fill(count / 2.0);
    let weights = model.groups.iter_mut().flat_map(|group| group.member_rest.iter_mut().skip(3).step_by(4));
    weights.for_each(|weight| *weight = 2.0 / count);
    model
}

fn ring() -> Matching {
    let mesh = Mesh::Torus(Torus { radius: 0.28, tube_radius: 0.09, segments: 40, tube_segments: 14 });
    Matching::new(mesh).compliance(2e-4).regions(0.2)
}

/// A shape of more particles than a workgroup has threads, and overlapping regions, are solved as by their twins.
#[test]
fn large_shapes_equal_their_twins() {
    let sphere = Mesh::Sphere(Sphere { radius: 0.5, segments: 40 });
    for matching in [Matching::new(sphere.clone()), Matching::new(sphere).compliance(1e-3).regions(0.3)] {
        let regions = matching.region_radius.is_some();
        let mut model = built(Body::shape(matching).mass(1.0));
        assert!(model.particles.len() > 512 && (model.groups[0].len() > 20) == regions);
        let mut random = Random::new(3);
        model.particles.velocities = (0..model.particles.len()).map(|_| random.vector(-3.0, 3.0)).collect();
        (model.settings.substeps, model.settings.iterations) = (1, 3);
        let (positions, multipliers) = difference(&run(&model, 1), &models::run(&model, 1));
        // Places of half a metre are rounded at 3e-8 m, by each of up to ten regions that a particle is in.
        assert!(positions < 1e-6 && multipliers < 2e-5, "{regions}: {positions:.2e} m, λ {multipliers:.2e}");
    }
}

/// A rigid body that turns about an axis of its own: what goes along a chord lands beside the circle, and brought back to it it has turned by
/// θ' = atan(sin θ/(2 - cos θ)), θ the angle of the substep before, hω = tan θ of the first.
#[test]
fn a_spin_slows_as_the_formula_has_it() {
    let mut model = even(brick(0.0).angular_velocity([0.0, 0.0, 6.0]));
    (model.settings.frame_rate, model.settings.substeps) = (60.0, 20);
    let mut step = (6.0_f64 / 1200.0).atan();
    let mut angle = 0.0;
    for _ in 0..1200 {
        angle += step;
        step = (step.sin() / (2.0 - step.cos())).atan();
    }
    let cases: [(&str, Run, f64); 2] = [("engine", run, 2e-6), ("reference", models::run, 1e-9)];
    for (who, run, bound) in cases {
        let state = run(&model, 60);
        let centre = Vec3::from(Measurement::of(&model, &models::run(&model, 0)).centroid);
        let turned = |(&x, &y): (&[f64; 3], &[f64; 3])| {
            let (a, b) = (Vec3::from(x) - centre, Vec3::from(y) - centre);
            let (c, s) = (angle.cos(), angle.sin());
            (Vec3::new(c * a.x - s * a.y, s * a.x + c * a.y, a.z) - b).length()
        };
        let error = proof::largest(model.particles.positions.iter().zip(&state.positions).map(turned));
        let claim = format!("{who}: a rigid shape that turns once in a second");
        proof::row(&claim, "θ' = atan(sin θ/(2 - cos θ))", error, bound, "m");
    }
}

/// Where a free rigid body is after a second by Euler's equations, its particles as placed at the beginning: Runge-Kutta in 20,000 steps.
fn by_euler(model: &Model, spin: Vec3<f64>) -> Vec<Vec3<f64>> {
    let masses: Vec<f64> = model.particles.inverse_masses.iter().map(|w| 1.0 / w).collect();
    let whole: f64 = masses.iter().sum();
    let places: Vec<Vec3<f64>> = model.particles.positions.iter().map(|&x| x.into()).collect();
    let centre = places.iter().zip(&masses).fold(Vec3::zero(), |sum, (&x, &m)| sum + x * (m / whole));
    // The box lies along the axes, so its inertia is diagonal.
    let mut inertia = Vec3::zero();
    for (&x, &m) in places.iter().zip(&masses) {
        let r = x - centre;
        inertia += Vec3::new(r.y * r.y + r.z * r.z, r.x * r.x + r.z * r.z, r.x * r.x + r.y * r.y) * m;
    }
    // The axes of the body, and its angular momentum, which stays; ω in the world from both.
    let momentum = Vec3::new(inertia.x * spin.x, inertia.y * spin.y, inertia.z * spin.z);
    let slope = |axes: [Vec3<f64>; 3]| {
        let moments = [inertia.x, inertia.y, inertia.z];
        let omega = (0..3).fold(Vec3::zero(), |sum, k| sum + axes[k] * (axes[k].dot(momentum) / moments[k]));
        axes.map(|axis| omega.cross(axis))
    };
    let ahead = |axes: [Vec3<f64>; 3], slope: [Vec3<f64>; 3], by: f64| std::array::from_fn(|k| axes[k] + slope[k] * by);
    let mut axes = [0, 1, 2].map(Vec3::axis);
    let h = 1.0 / 20_000.0;
    for _ in 0..20_000 {
        let a = slope(axes);
        let b = slope(ahead(axes, a, h / 2.0));
        let c = slope(ahead(axes, b, h / 2.0));
        let d = slope(ahead(axes, c, h));
        axes = std::array::from_fn(|k| axes[k] + (a[k] + (b[k] + c[k]) * 2.0 + d[k]) * (h / 6.0));
    }
    let placed = |x: Vec3<f64>| centre + axes[0] * (x - centre).x + axes[1] * (x - centre).y + axes[2] * (x - centre).z;
    places.into_iter().map(placed).collect()
}

/// A rigid shape thrown about its middle axis tumbles over as Euler's equations have it, with an error of second order by BDF2.
#[test]
fn a_rigid_shape_tumbles_as_a_rigid_body() {
    let spin = [1.0, 8.0, 0.5];
    let mut model = even(brick(0.0).angular_velocity(spin));
    model.settings.integrator = Integrator::Bdf2;
    let expected = by_euler(&model, spin.into());
    // It has turned over: the way of the box's long axis, which would have stayed in a plane.
    let aside = proof::largest(model.particles.positions.iter().zip(&expected).map(|(x, y)| x[1] - y.y));
    assert!(aside > 0.2, "it tumbles by {aside} m");
    let off = |run: Run, substeps: u32| {
        let mut model = model.clone();
        model.settings.substeps = substeps;
        let places = run(&model, 60).positions;
        proof::largest(places.iter().zip(&expected).map(|(&x, &y)| (Vec3::from(x) - y).length()))
    };
    let fine = off(models::run, 100);
    let claim = "a rigid brick that tumbles about its middle axis for a second";
    proof::row(&format!("reference: {claim}"), "Euler's equations", fine, 3e-5, "m");
    proof::row(&format!("engine: {claim}"), "Euler's equations", off(run, 100), 3e-5, "m");
    let order = (off(models::run, 50) / fine).log2();
    proof::row("the order of that error by substeps", "2", (order - 2.0).abs(), 0.05, "");
}

/// Whatever a free shape is deformed to, it swings with ω² = 1/(α Σ m): implicit Euler's numbers of that, in all three directions.
#[test]
fn deformations_swing_at_one_frequency() {
    let compliance = 1e-3;
    let mut model = even(brick(compliance));
    model.settings.substeps = 20;
    let centre = Vec3::from(Measurement::of(&model, &models::run(&model, 0)).centroid);
    let rest = model.particles.positions.clone();
    // A stretch along two axes that neither turns nor moves it; the shape is that before.
    let stretched = |s: f64, x: [f64; 3]| {
        let r = Vec3::from(x) - centre;
        <[f64; 3]>::from(Vec3::new(r.x * (1.0 + s), r.y * (1.0 - 0.5 * s), r.z) + centre)
    };
    model.particles.positions = rest.iter().map(|&x| stretched(0.05, x)).collect();
    let square = 1.0 / (compliance * 2.0 * 1200.0 * 1200.0);
    let (mut before, mut now) = (0.05, 0.05);
    for _ in 0..1200 {
        (before, now) = (now, (2.0 * now - before) / (1.0 + square));
    }
    assert!(now.abs() > 1e-3, "nothing is left of it: {now}");
    let cases: [(&str, Run, f64); 2] = [("engine", run, 2e-6), ("reference", models::run, 1e-9)];
    for (who, run, bound) in cases {
        let state = run(&model, 60);
        let off = |(&x, &y): (&[f64; 3], &[f64; 3])| (Vec3::from(stretched(now, x)) - Vec3::from(y)).length();
        let error = proof::largest(rest.iter().zip(&state.positions).map(off));
        let claim = format!("{who}: a free shape of 1e-3 m/N and 2 kg, stretched and let go");
        proof::row(&claim, "implicit Euler of ω² = 1/(α Σ m)", error, bound, "m");
    }
}

/// What holds a shape at one particle bears the weight of all others and what they are slowed down by, in each frame of its bouncing.
#[test]
fn what_holds_a_shape_bears_its_weight() {
    for (compliance, substeps) in [(1e-4, 10), (1e-4, 40), (1e-6, 40)] {
        let mut model = even(brick(compliance));
        model.world.gravity = [0.0, -GRAVITY, 0.0];
        model.settings.substeps = substeps;
        // The middle of its top: it bounces straight up and down.
        let top = [0.3, 0.3, -0.2];
        let distance = |x: &[f64; 3]| (Vec3::from(*x) - Vec3::from(top)).length();
        let places = model.particles.positions.iter().enumerate();
        let (pin, _) = places.min_by(|a, b| distance(a.1).total_cmp(&distance(b.1))).expect("particles");
        let mass = 2.0 - 1.0 / std::mem::take(&mut model.particles.inverse_masses[pin]);
        let mut running = Running::new(&model);
        let mut before = 0.0;
        let errors = (0..60).map(|_| {
            let state = running.run(1);
            let now = Measurement::of(&model, &state).momentum[1];
            let expected = mass * GRAVITY + 60.0 * (now - std::mem::replace(&mut before, now));
            (constraint_force(&model, &state, 0, 0) - expected) / (mass * GRAVITY)
        });
        let error = proof::largest(errors);
        let claim = format!("force at the pin of a shape of {compliance:?} m/N that bounces, {substeps} substeps");
        proof::row(&claim, "m (g + dv/dt)", error, 1e-4, "of m g");
    }
}

/// Shapes that are let alone keep their momenta, and what rests does not start to move or turn: rounding has no direction.
#[test]
fn free_shapes_keep_their_momenta() {
    let frames = 10 * WATCHED.min(9);
    let squashy = Matching::new(Sphere { radius: 0.3, segments: 12 }).quadratic(1e-4).linear(1e-3);
    for (name, body) in [
        ("a rigid brick", brick(0.0)),
        ("a soft ring of regions", Body::shape(ring()).mass(2.0)),
        ("a ball that stretches and bends", Body::shape(squashy).mass(2.0)),
    ] {
        let mut model = built(body.clone().velocity([0.5, 0.2, -0.3]).angular_velocity([1.0, 3.0, 2.0]));
        let kept = |model: &Model, of: fn(&Measurement) -> [f64; 3]| {
            let mut running = Running::new(model);
            let [a, b] = [1, frames].map(|frames| Vec3::from(of(&Measurement::of(model, &running.run(frames)))));
            (a - b).length() / a.length()
        };
        model.settings.substeps = 20;
        let claim = format!("{name} flies and turns for {frames} frames");
        proof::row(&claim, "its momentum", kept(&model, |measured| measured.momentum), 2e-6, "of it");
        // Euler takes ω² h of a spin away in a second, as a_spin_slows_as_the_formula_has_it tells.
        model.settings.integrator = Integrator::Bdf2;
        let claim = format!("{claim}, BDF2");
        proof::row(&claim, "its angular momentum", kept(&model, |measured| measured.angular_momentum), 2e-5, "of it");

        // Turned, so that nothing is a round number.
        let mut model = built(body.rotation([0.1, 0.3, 0.2, 1.0]));
        model.settings.substeps = 40;
        let before = model.particles.positions.clone();
        let after = run(&model, frames).positions;
        let moved = proof::largest(before.iter().zip(&after).map(|(&a, &b)| (Vec3::from(a) - Vec3::from(b)).length()));
        proof::row(&format!("{name} rests for {frames} frames"), "its place", moved, 1e-5, "m");
    }
}

/// A shape turned inside out through itself comes back, which no element would.
#[test]
fn what_is_inside_out_comes_back() {
    let mut model = built(brick(0.0));
    let placed = model.particles.positions.clone();
    for x in &mut model.particles.positions {
        x[0] = -x[0];
    }
    let state = run(&model, 1);
    let group = &model.groups[0];
    assert_eq!(group.kind, kind::<ShapeMatching>());
    let mut gradient = Vec::new();
    let off = group.evaluate(0, 0, &[], &state.positions, &mut gradient);
    proof::row("a rigid shape whose particles were mirrored, after a frame", "its shape", off, 1e-6, "m");
    // What it came back to is a turn of the shape as placed, not its mirror image.
    let [a, b, c, d] = [0, 1, 3, 40].map(|p| Vec3::from(state.positions[p]));
    let [e, f, g, h] = [0, 1, 3, 40].map(|p| Vec3::from(placed[p]));
    let volume = |a: Vec3<f64>, b: Vec3<f64>, c: Vec3<f64>, d: Vec3<f64>| (b - a).cross(c - a).dot(d - a);
    let share = volume(a, b, c, d) / volume(e, f, g, h);
    assert!((share - 1.0).abs() < 1e-3, "four of its particles span {share} of what they spanned");
}

/// Pins that a rigid or stiff shape cannot follow, one end drawn out by a sixth of its length, do it no harm: it comes to rest between them.
#[test]
fn pins_that_contradict_a_shape_do_no_harm() {
    for (compliance, mode) in [(0.0, Mode::Xpbd), (1e-7, Mode::Xpbd), (1e-5, Mode::Xpbd), (0.0, Mode::Pbd)] {
        let mut model = built(brick(compliance));
        model.world.gravity = [0.0, -GRAVITY, 0.0];
        (model.settings.substeps, model.settings.mode) = (20, mode);
        let [left, right] = [-0.299, 0.299].map(|x| 0.3 + x);
        let ends = model.particles.positions.iter().map(|x| x[0]).enumerate().filter(|&(_, x)| x < left || x > right);
        let ends: Vec<(usize, f64)> = ends.collect();
        assert_eq!(ends.len(), 2 * 15);
        models::drive(
            &mut model,
            ends[0].0,
            Drive { motion: Some(models::linear(0.5, [0.1, 0.0, 0.0])), ..Drive::default() },
        );
        let drawn = model.particles.drives[ends[0].0];
        for (particle, x) in ends {
            model.particles.inverse_masses[particle] = 0.0;
            model.particles.drives[particle] = if x > right { drawn } else { 0 };
        }
        let mut running = Running::new(&model);
        let speeds = (0..90).map(|_| Measurement::of(&model, &running.run(1)).max_speed);
        let speeds: Vec<f64> = speeds.collect();
        // The free particles follow their middle, at half the speed of the end that is drawn.
        let claim = format!(
            "a shape of {compliance:?} m/N ({mode:?}) drawn out at 0.2 m/s by an end, the other held: its speed"
        );
        proof::row(
            &claim,
            "no more than the end's",
            (proof::largest(speeds[..30].to_vec()) - 0.2).max(0.0),
            0.01,
            "m/s",
        );
        // What gravity adds in a substep and the next correction takes is at most twice g h.
        let fall = 2.0 * GRAVITY / 1200.0;
        proof::row(&format!("{claim}, a second after it stopped"), "less than 2 g h", speeds[89], fall, "m/s");
    }
}
