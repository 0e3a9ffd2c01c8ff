//! Solids show the edges of their surfaces, cloth and round bodies none.

use pliant::Plan;
use pliant::mesh::generate::{Cuboid, Sphere};
use pliant::model::Finish;
use pliant::render::{Camera, Look, Offscreen, Picture, Renderer, Surface};
use pliant::scene::{Body, Cloth, Filling, Scene, Soft};
use pliant::solver::Solver;

use super::staging::draw_look;
use super::{SIZE, brightness, gpu, pixel};

/// A body as it begins, seen from above and beside.
fn picture(body: Body) -> Picture {
    let gpu = gpu();
    // Matt, so that brightness goes by the normal alone.
    let body = body.look(Finish::Plaster);
    let model = Scene::new("solid").with(body).build().unwrap_or_else(|error| panic!("{error}")).model;
    let plan = Plan::new(&model);
    let solver = Solver::sharing(&gpu.pipelines, &model, &plan).unwrap();
    let mut renderer = Renderer::new(&gpu.device, &model, &plan, Offscreen::FORMAT).unwrap();
    let mut commands = gpu.device.create_command_encoder(&Default::default());
    solver.update_normals(&mut commands);
    gpu.submit_and_wait(commands.finish()).unwrap();
    let (eye, target) = ([-1.5, 1.2, 1.9], [0.0; 3]);
    let camera = Camera { eye, target, up: [0.0, 1.0, 0.0], vertical_field_of_view_degrees: 40.0 };
    draw_look(&gpu, &mut renderer, Surface::of(&solver), SIZE, &camera, 0.0, Look::default())
}

const BOX: Cuboid = Cuboid { cells: [2; 3], size: [1.0; 3] };

/// Brightness along a row of the picture, across the edge between two faces of a box, which the sun lights.
fn across(body: Body) -> Vec<i32> {
    let picture = picture(body);
    (70..122).map(|x| brightness(pixel(&picture, x, 74))).collect()
}

/// The largest change from a pixel to the next, and where that is.
fn steepest(row: &[i32]) -> (i32, usize) {
    let change = |k: usize| (row[k + 1] - row[k]).abs();
    (0..row.len() - 1).map(|k| (change(k), k)).max().expect("pixels")
}

fn spread(row: &[i32]) -> i32 {
    row.iter().max().expect("pixels") - row.iter().min().expect("pixels")
}

/// The faces of a soft box are flat up to its edges, though it has two cells a side: else its normals would turn by 45° within a cell.
#[test]
fn boxes_have_edges() {
    let row = across(Body::soft(Soft::new(BOX).young_modulus(1e4)).mass(1.0));
    let (edge, at) = steepest(&row);
    let faces = [&row[..at - 1], &row[at + 3..]].map(spread);
    assert!(edge > 15 && faces.iter().all(|&spread| spread < 10), "{row:?}");
}

/// Where cloth is as a box, and where a solid is round, the surface is smooth.
#[test]
fn cloth_and_round_solids_are_smooth() {
    let cloth = Body::cloth(Cloth::new(BOX)).mass(1.0);
    let ball = Filling::new(Sphere { radius: 0.5, segments: 24 }).cell(0.2);
    for body in [cloth, Body::soft(Soft::new(ball).young_modulus(1e4)).mass(1.0)] {
        let row = across(body);
        // Brightness turns nowhere at once, as it does at an edge.
        let kink = row.windows(3).map(|three| (three[0] - 2 * three[1] + three[2]).abs()).max().expect("pixels");
        assert!(kink < 14 && spread(&row) > 30, "{row:?}");
    }
}
