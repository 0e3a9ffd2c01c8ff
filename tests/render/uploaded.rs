//! What is solved elsewhere, drawn: as the same on a device.

use pliant::Plan;
use pliant::model::State;
use pliant::render::{Camera, Look, Offscreen, Picture, Renderer, Surface, UploadedSurface, bounds, up};
use pliant::scene::Scene;
use pliant::solver::Solver;
use pliant::wgpu::CommandEncoder;

use super::staging::draw_look;
use super::{SIZE, gpu};

/// The share of the pixels of two pictures that differ by more than rounding.
fn difference(a: &Picture, b: &Picture) -> f64 {
    let differs = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 4);
    let pixels = a.rgba.chunks(4).zip(b.rgba.chunks(4));
    pixels.filter(differs).count() as f64 / (a.rgba.len() / 4) as f64
}

/// A state that is handed over gives the picture of the solver that it comes from: of what is torn, of skins and of bare particles, and of velocities. And
/// back at the beginning it is whole again.
#[test]
fn states_are_drawn_as_where_they_were_solved() {
    let gpu = gpu();
    let encoder = || gpu.device.create_command_encoder(&Default::default());
    let submit = |encoder: CommandEncoder| gpu.submit_and_wait(encoder.finish()).unwrap();
    for (scene, frames) in [("tests/scenes/torn_strip.toml", 40), ("doughnut", 30), ("chain", 20)] {
        let model = Scene::open(scene).unwrap().build().unwrap().model;
        let h = model.settings.substep_seconds();
        let plan = Plan::new(&model);
        let mut solver = Solver::sharing(&gpu.pipelines, &model, &plan).unwrap();
        let mut uploaded = UploadedSurface::new(&gpu.pipelines, &gpu.queue, &model, &plan).unwrap();
        let mut renderer = Renderer::new(&gpu.device, &model, &plan, Offscreen::FORMAT).unwrap();
        let (low, high) = bounds(&model).unwrap();
        let camera = Camera::framing(low, high, up(&model.world), f64::from(SIZE[0]) / f64::from(SIZE[1]));
        let mut picture = |surface: Surface, state: &State| {
            renderer.follow(&gpu.device, &model, &plan, state);
            let look = Look { velocities: true, ..Look::default() };
            draw_look(&gpu, &mut renderer, surface, SIZE, &camera, state.seconds, look)
        };
        let mut seen = Vec::new();
        for steps in [0, frames, 0] {
            let mut commands = encoder();
            if seen.len() == 2 {
                solver = Solver::sharing(&gpu.pipelines, &model, &plan).unwrap();
            }
            (0..steps).for_each(|_| solver.step(&mut commands));
            solver.update_normals(&mut commands);
            let download = solver.download(&mut commands);
            submit(commands);
            let state = download.state().unwrap();
            assert_eq!(state.torn.is_some(), steps > 0 && model.tearing.is_some());
            let expected = picture(Surface::of(&solver), &state);
            uploaded.take([&state.positions, &state.velocities], state.torn.as_ref(), &state.absent, h);
            let mut commands = encoder();
            let surface = uploaded.surface(&mut commands);
            submit(commands);
            let drawn = picture(surface, &state);
            let off = difference(&expected, &drawn);
            assert!(off < 2e-3, "{scene}, {steps} frames on: {off} of the pixels differ");
            seen.push(drawn);
        }
        let moved = difference(&seen[0], &seen[1]);
        assert!(moved > 0.02, "{scene}: only {moved} of the pixels have changed");
    }
}
