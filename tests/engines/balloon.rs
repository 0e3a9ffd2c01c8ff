//! Volumes: a tetrahedron's and closed surfaces', against their twin and against theory.

use pliant::constraint::{SurfaceVolume, Vec3, Volume, kind};

use pliant::model::Model;
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
pub fn volume(model: &Model, positions: &[[f64; 3]]) -> f64 {
    volume_of(model, 0, positions)
}

pub fn sphere(radius: f64, segments: u32) -> Cloth {
    Cloth::new(Sphere { radius, segments })
}

pub fn scene(body: Body) -> Scene {
    Scene::new("balloon").with(body)
}

pub fn built(scene: &Scene) -> Model {
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

/// Contacts come after the volume and push back what it moved at the contact: p h² Σ w|∇V|² of the volume. A few times the default
/// number of substeps makes that small.
pub const SUBSTEPS: u32 = 60;

/// A balloon that bounces off the ground at 2 m/s keeps its volume to 0.1 %, and as well a kilometre away.
#[test]
fn a_bouncing_ball_keeps_its_volume() {
    for away in [0.0, 1000.0] {
        let largest = 100.0 * proof::largest(bounce(away).into_iter().map(|share| share - 1.0));
        let claim = format!("a balloon that bounces at 2 m/s, {away:.0} m from the origin");
        proof::row(&claim, "its volume", largest, 0.1, "%");
    }
}
