//! Volumes: a tetrahedron's and closed surfaces', against their twin and against theory.

use pliant::constraint::{SurfaceVolume, Vec3, Volume, kind};
use pliant::measure::Measurement;
use pliant::model::{Model, State};
use pliant::scene::{Balloon, Body, Cloth, Collider, Scene, Sphere};

use crate::device::{Running, run};
use crate::kernels::difference;
use crate::models;
use crate::proof;

/// The index of the group of closed surfaces.
pub fn surfaces(model: &Model) -> usize {
    model.groups.iter().position(|group| group.kind == kind::<SurfaceVolume>()).unwrap()
}

/// What one of the model's closed surfaces encloses, m³.
pub fn volume_of(model: &Model, surface: usize, positions: &[[f64; 3]]) -> f64 {
    let group = &model.groups[surfaces(model)];
    let particles = group.particles_of(surface);
    let corner = |&corner: &u32| Vec3::from(positions[particles[corner as usize] as usize]);
    let corners: Vec<Vec3<f64>> = group.corners_of(surface).iter().map(corner).collect();
    kind::<SurfaceVolume>().measure(&corners)[0]
}

/// Of a model with one.
fn volume(model: &Model, positions: &[[f64; 3]]) -> f64 {
    volume_of(model, 0, positions)
}

fn sphere(radius: f64, segments: u32) -> Cloth {
    Cloth::new(Sphere { radius, segments })
}

fn scene(body: Body) -> Scene {
    Scene::new("balloon").with(body)
}

fn built(scene: &Scene) -> Model {
    scene.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// The tetrahedron's volume comes back from a mirror image, which encloses as much, but inside out: the volume is signed.
#[test]
fn an_inverted_tetrahedron_turns_back() {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]];
    let mut model = models::particles(&corners, &[1.0; 4]);
    model.world.gravity = [0.0; 3];
    (model.settings.substeps, model.settings.iterations) = (1, 10);
    models::connect_with_rest(&mut model, kind::<Volume>(), &[0, 1, 2, 3], &[1.0 / 6.0], models::compliant(0.0));
    let x: Vec<Vec3<f64>> = run(&model, 1).positions.into_iter().map(Into::into).collect();
    let volume = kind::<Volume>().measure(&x)[0];
    // Ten iterations of Newton's method, and single precision.
    assert!((volume * 6.0 - 1.0).abs() < 1e-5, "{volume} m³");
}

/// A surface of more particles than a workgroup has threads is solved as by its twin.
#[test]
fn a_large_surface_equals_its_twin() {
    let body = Body::balloon(Balloon::new(sphere(0.5, 40).stretch(1e-3)).compliance(1e-5).inflation(1.2));
    let mut model = built(&scene(body.mass(1.0)));
    assert!(model.particles.len() > 512);
    model.world.gravity = [0.0; 3];
    (model.settings.substeps, model.settings.iterations) = (1, 3);
    let (positions, multipliers) = difference(&run(&model, 1), &models::run(&model, 1));
    // Gradients between neighbours that are 0.08 m apart, whose places are rounded at 3e-8 m, are good to 1e-6; they move the skin by
    // centimetres. The volume is a sum of some thousand terms, rounded at 6e-8 by each of a dozen additions, and a fifth of it lacks.
    assert!(positions < 1e-6 && multipliers < 1e-5, "{positions:.2e} m, λ {multipliers:.2e}");
}

/// The volume of a balloon that bounces off the ground, frame by frame, as a share of what it was.
fn bounce(away: f64) -> Vec<f64> {
    let balloon = Balloon::new(sphere(0.3, 20).stretch(1e-3));
    let body = Body::balloon(balloon).mass(0.2).position([away, 0.32, -away]).velocity([0.0, -2.0, 0.0]);
    let mut model = built(&scene(body).collider(Collider::plane([0.0, 1.0, 0.0], 0.0)));
    model.settings.substeps = SUBSTEPS;
    let placed = volume(&model, &model.particles.positions);
    let mut running = Running::new(&model);
    (0..30).map(|_| volume(&model, &running.run(1).positions) / placed).collect()
}

/// A balloon that bounces off the ground at 2 m/s keeps its volume to 0.1 %, and as well a kilometre away.
#[test]
fn a_bouncing_ball_keeps_its_volume() {
    for away in [0.0, 1000.0] {
        let largest = 100.0 * proof::largest(bounce(away).into_iter().map(|share| share - 1.0));
        let claim = format!("a balloon that bounces at 2 m/s, {away:.0} m from the origin");
        proof::row(&claim, "its volume", largest, 0.1, "%");
    }
}

/// Contacts come after the volume and push back what it moved at the contact: p h² Σ w|∇V|² of the volume. A few times the default
/// number of substeps makes that small.
const SUBSTEPS: u32 = 60;

/// A ball of rubber between two planes that come together to three fifths of its height keeps its volume to 0.1 %, in each frame.
#[test]
fn a_pressed_ball_keeps_its_volume() {
    let balloon = Balloon::new(sphere(0.3, 20).stretch(1e-3));
    let body = Body::balloon(balloon).mass(0.3).damping(5.0);
    let press = |normal: f64| {
        let keyframes = vec![(0.0, [0.0; 3]), (1.0, [0.0, 0.12 * normal, 0.0])];
        Collider::plane([0.0, normal, 0.0], -0.3).keyframes(keyframes)
    };
    let mut model = built(&scene(body).collider(press(1.0)).collider(press(-1.0)));
    model.world.gravity = [0.0; 3];
    model.settings.substeps = SUBSTEPS;
    let placed = volume(&model, &model.particles.positions);
    let mut running = Running::new(&model);
    let mut height = 0.0;
    let errors: Vec<f64> = (0..90)
        .map(|_| {
            let state = running.run(1);
            height = Measurement::of(&model, &state).max[1] - Measurement::of(&model, &state).min[1];
            volume(&model, &state.positions) / placed - 1.0
        })
        .collect();
    assert!((height - 0.36).abs() < 1e-3, "the press leaves {height} m");
    let largest = 100.0 * proof::largest(errors);
    proof::row("a balloon pressed to 60 % of its height", "its volume", largest, 0.1, "%");
}

/// A thin shell of rubber under pressure, at rest: E = 1 MPa, t = 10 mm, r = 0.5 m.
fn shell(excess: f64, compliance: f64) -> (Model, State) {
    let balloon = Balloon::new(sphere(0.5, 20)).compliance(compliance).inflation(1.0 + excess);
    let body = Body::balloon(balloon).material("rubber").thickness(0.01).damping(40.0);
    let mut model = built(&scene(body));
    model.world.gravity = [0.0; 3];
    // An edge solved once yields as if its compliance, 1.15e-4 m/N, were larger by h² Σw/2: 0.5 % at this step.
    model.settings.substeps = 100;
    let state = run(&model, 40);
    (model, state)
}

/// A sphere's radius under pressure is that of the thin shell, Δr/r = p r (1 - ν)/(2 E t), to 3 %; and the pressure is linear in what
/// the volume lacks, p = (V - V(x))/α.
#[test]
fn a_pressurised_sphere_is_a_thin_shell() {
    // The mesh itself, a polyhedron, has a little less radius: by its volume.
    let radius = |volume: f64| (volume * 0.75 / std::f64::consts::PI).cbrt();
    let compliance = 1e-3;
    for excess in [0.3, 0.6] {
        let (model, state) = shell(excess, compliance);
        let [(0, pressure)] = Measurement::of(&model, &state).pressures[..] else { panic!("one surface") };
        let (placed, now) = (volume(&model, &model.particles.positions), volume(&model, &state.positions));
        let linear = ((1.0 + excess) * placed - now) / compliance;
        let claim = format!("pressure of a balloon of 1e-3 m⁵/N that lacks {:.0} litres", 1e3 * (excess * placed));
        // The volume is solved last: only what is quadratic in the way of a substep is left, and single precision.
        proof::relative(&claim, "p = (V - V(x))/α", pressure, linear, 1e-4);
        let stretch = radius(now) / radius(placed) - 1.0;
        let theory = pressure * radius(placed) * (1.0 - 1.0 / 3.0) / (2.0 * 1e6 * 0.01);
        let claim = format!("radius of a rubber sphere of 0.5 m by 10 mm at {pressure:.0} Pa");
        proof::relative(&claim, "thin shell, Δr/r = p r (1 - ν)/(2 E t)", stretch, theory, 0.03);
        let speed = Measurement::of(&model, &state).max_speed;
        assert!(speed < 1e-3, "it still moves at {speed} m/s");
    }
}
