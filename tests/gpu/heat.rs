//! The heats of strain and stress as the device computes them, against their twins in double precision.

use pliant::constraint::kind;
use pliant::measure::elements::Fields;
use pliant::model::{Mode, Model, State};
use pliant::plan::Plan;
use pliant::render::{Camera, Colour, Look, Offscreen, Renderer, Shot, Surface};
use pliant::scene::{Body, Cuboid, Filling, Scene, Select, Soft, Sphere};
use pliant::solver::Solver;
use pliant::wgpu;

use crate::device::{Running, gpu};
use crate::kinds::Film;
use crate::models;

/// Of a heat of 0 to 1: WGSL lets acos err by 4,096 units in the last place, 5e-4, a third of which turns the lesser principal stretch by up
/// to 8e-5 at strains as they are here, and 0.1 is the full scale.
const PRECISION: f64 = 1e-3;

/// Two blocks of unlike stiffness, of which one is clamped and one flies apart from it, and a triangle of a film on a string of particles
/// that are no element.
fn model() -> Model {
    let cuboid = Cuboid { cells: [4, 2, 2], size: [0.4, 0.2, 0.2] };
    let block = |young_modulus| Body::soft(Soft::new(cuboid).young_modulus(young_modulus)).density(1000.0);
    let clamp = Select::Box { min: [-0.21, -1.0, -1.0], max: [-0.19, 1.0, 1.0] };
    let positions = [[1.0, 0.0, 0.0], [1.3, 0.0, 0.0], [1.1, 0.2, 0.1], [1.0, 0.5, 0.0]];
    let scene = Scene::new("heats")
        .with(block(5e4).pin(clamp))
        .with(block(2e5).position([0.0, 1.0, 0.0]).angular_velocity([0.0, 30.0, 5.0]))
        .with(Body::particles(positions));
    let mut model = scene.build().unwrap().model;
    let first = model.bodies[2].particles.start;
    models::connect(&mut model, kind::<Film>(), &[first, first + 1, first + 2], models::compliant(1e-3));
    let film = model.groups.len() - 1;
    // Smaller than it is placed.
    model.groups[film].rest[..4].iter_mut().for_each(|inverse| *inverse *= 1.05);
    model.materials.insert(pliant::model::Material { break_force: Some(1e12), ..models::compliant(1e-7) });
    model
}

/// The heats of a picture, by slots and then by vertices of skins.
fn heats_by_slot(renderer: &mut Renderer, solver: &Solver, colour: Colour) -> Vec<f32> {
    let (device, size) = (&gpu().device, [16, 16]);
    let offscreen = Offscreen::new(device, size).unwrap();
    let surface = Surface {
        positions: solver.positions(),
        normals: solver.normals(),
        indices: solver.indices(),
        velocities: solver.velocities(),
    };
    let camera =
        Camera { eye: [0.0, 0.0, 4.0], target: [0.0; 3], up: [0.0, 1.0, 0.0], vertical_field_of_view_degrees: 40.0 };
    let look = Look { colour, ..Look::default() };
    let shot = Shot {
        target: offscreen.view(),
        size,
        camera,
        seconds: 0.0,
        look,
        substep_seconds: 1.0 / 600.0,
        transparent: false,
    };
    let mut encoder = device.create_command_encoder(&Default::default());
    renderer.draw(device, &mut encoder, surface, &shot);
    let bytes = renderer.heats().size();
    let copy = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("heats"),
        size: bytes,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    encoder.copy_buffer_to_buffer(renderer.heats(), 0, &copy, 0, bytes);
    gpu().queue.submit([encoder.finish()]);
    copy.slice(..).map_async(wgpu::MapMode::Read, |result| result.unwrap());
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    let view = copy.slice(..).get_mapped_range().unwrap();
    pliant::bytemuck::pod_collect_to_vec(&view)
}

/// The same of particles, in the scene's order.
fn heats(renderer: &mut Renderer, solver: &Solver, plan: &Plan, colour: Colour) -> Vec<f32> {
    let heats = heats_by_slot(renderer, solver, colour);
    plan.slot_of.iter().map(|&slot| heats[slot as usize]).collect()
}

/// Each heat is the field in full scales, 1 above that, and below 0 where there is none. Returns how many there are between.
#[track_caller]
fn assert_heats(heats: &[f32], field: &[Option<f64>], full: f64) -> usize {
    assert_eq!(heats.len(), field.len());
    let mut between = 0;
    for (p, (&heat, value)) in heats.iter().zip(field).enumerate() {
        let expected = value.map_or(-1.0, |value| (value / full).min(1.0));
        assert!((f64::from(heat) - expected).abs() < PRECISION, "particle {p}: {heat}, not {expected}");
        between += usize::from((0.01..0.99).contains(&heat));
    }
    between
}

/// The heats of strain and stress that a picture shows are those of the elements in double precision, of tetrahedra and triangles, and
/// the same bits each time.
#[test]
fn heats_are_those_of_elements() {
    let (model, frames) = (model(), 12);
    let plan = Plan::new(&model);
    let mut running = Running::planned(&model, &plan);
    let state = running.run(frames);
    let fields = Fields::of(&model, &state);
    let mut renderer = Renderer::new(&gpu().device, &model, &plan, Offscreen::FORMAT).unwrap();
    for (colour, field) in [(Colour::Strain, &fields.strain), (Colour::Stress, &fields.stress)] {
        let found = heats(&mut renderer, &running.solver, &plan, colour);
        let between = assert_heats(&found, field, renderer.full(colour).unwrap());
        assert!(between > 20, "only {between} heats of {colour:?} tell anything");
        assert_eq!(found, heats(&mut renderer, &running.solver, &plan, colour));
    }
    // The film is stretched and tells no stress; the particle beside it is of no element.
    let [corner, beside] = [0, 3].map(|k| model.bodies[2].particles.start as usize + k);
    assert!(fields.strain[corner].unwrap() > 0.01 && fields.stress[corner].is_none());
    assert!(fields.strain[beside].is_none());
}

/// What has broken is heated no more, and by other materials stress is another; the scale stays.
#[test]
fn heats_follow_what_breaks_and_changes() {
    let mut model = model();
    let plan = Plan::new(&model);
    let mut running = Running::planned(&model, &plan);
    let mut state: State = running.run(6);
    let mut renderer = Renderer::new(&gpu().device, &model, &plan, Offscreen::FORMAT).unwrap();
    let full = renderer.full(Colour::Stress).unwrap();
    let solid = model.groups.iter().position(|group| group.kind.name() == "neo_hookean").unwrap();
    // The first half of the first block.
    let broken = 0..2 * 40;
    state.multipliers[solid][broken].iter_mut().for_each(|multiplier| multiplier.broken = true);
    renderer.follow(&gpu().device, &model, &plan, &state);
    let fields = Fields::of(&model, &state);
    assert!(fields.strain[..45].iter().any(Option::is_none) && fields.strain[..45].iter().any(Option::is_some));
    let found = heats(&mut renderer, &running.solver, &plan, Colour::Strain);
    assert_heats(&found, &fields.strain, renderer.full(Colour::Strain).unwrap());

    let mut materials: Vec<_> = model.materials.iter().copied().collect();
    materials.iter_mut().for_each(|material| material.compliance *= 2.0);
    renderer.set_materials(&gpu().device, Mode::Xpbd, &materials);
    let halved: Vec<_> = fields.stress.iter().map(|stress| stress.map(|stress| stress / 2.0)).collect();
    let found = heats(&mut renderer, &running.solver, &plan, Colour::Stress);
    assert_eq!(renderer.full(Colour::Stress), Some(full));
    assert_heats(&found, &halved, full);
    renderer.set_materials(&gpu().device, Mode::Pbd, &materials);
    model.settings.mode = Mode::Pbd;
    let none = heats(&mut renderer, &running.solver, &plan, Colour::Stress);
    assert_heats(&none, &Fields::of(&model, &state).stress, full);
    assert!(none.iter().all(|&heat| heat < 0.0));
}

/// Each vertex of a skin has the heat of the particles that carry it, by its weights, however many particles and vertices there are.
#[test]
fn a_skin_has_the_heat_of_what_carries_it() {
    for loose in 1..=4 {
        let ball = Soft::new(Filling::new(Sphere { radius: 0.15, segments: 12 }).cell(0.1)).young_modulus(2e4);
        let beside: Vec<[f64; 3]> = (0..loose).map(|k| [1.0 + f64::from(k), 0.0, 0.0]).collect();
        let ball = Body::soft(ball).density(300.0).angular_velocity([0.0, 5.0, 0.0]);
        let model = Scene::new("skins").with(ball).with(Body::particles(beside)).build().unwrap().model;
        let plan = Plan::new(&model);
        let mut running = Running::planned(&model, &plan);
        running.run(1);
        let mut renderer = Renderer::new(&gpu().device, &model, &plan, Offscreen::FORMAT).unwrap();
        let heats = heats_by_slot(&mut renderer, &running.solver, Colour::Speed);
        let (particles, vertices) = heats.split_at(model.particles.len());
        let skin = model.bodies[0].skin.as_ref().unwrap();
        assert_eq!(vertices.len(), skin.len());
        for (vertex, &heat) in vertices.iter().enumerate() {
            let own = skin.anchors[vertex].map(|particle| particles[plan.slot_of[particle as usize] as usize]);
            let mean: f64 = own.iter().zip(skin.weights[vertex]).map(|(&own, weight)| f64::from(own) * weight).sum();
            let [least, most] = [own.iter().copied().fold(1.0, f32::min), own.iter().copied().fold(0.0, f32::max)];
            let mean = mean.clamp(least.into(), most.into());
            assert!((f64::from(heat) - mean).abs() < 1e-6, "{loose} loose, vertex {vertex}: {heat}, not {mean}");
        }
        let unlike = |heat: &&f32| (**heat - vertices[0]).abs() > 0.01;
        assert!(vertices.iter().filter(unlike).count() > 10, "all are alike");
    }
}
