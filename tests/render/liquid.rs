//! Liquids: closed surfaces of particles, what is seen through them, and what they leave as it was.

use pliant::device::Gpu;
use pliant::model::{Body, Collider, Finish, Fluid, Shape};
use pliant::render::{Look, Picture};

use super::staging::{Staging, draw_look};
use super::{SIZE, brightness, camera, gpu, is_red, pixel};

const SPACING: f64 = 0.05;
const RED: [f32; 3] = [0.6, 0.02, 0.02];
const BLUE: [f32; 3] = [0.03, 0.15, 0.5];
const AMBER: [f32; 3] = [0.6, 0.3, 0.03];

/// A liquid of particles at these places.
fn liquid<'a>(staging: &'a mut Staging, places: &[[f64; 3]], colour: [f32; 3]) -> &'a mut Body {
    let first = staging.model.particles.len() as u32;
    let particles = first..first + places.len() as u32;
    staging.model.fluids.push(Fluid {
        particles,
        spacing: SPACING,
        viscosity: 0.0,
        surface_tension: 0.0,
        contact_angle: std::f64::consts::FRAC_PI_2,
        bulk_modulus: 0.0,
    });
    let body = staging.particles(places, 0.0, false);
    body.colour = Some(colour);
    body
}

/// A lattice of so many particles along each axis around a place, a share of a spacing wider than at rest.
fn block(counts: [u32; 3], centre: [f64; 3], wider: f64) -> Vec<[f64; 3]> {
    let at = |axis: usize, i: u32| {
        centre[axis] + (f64::from(i) - 0.5 * f64::from(counts[axis] - 1)) * SPACING * (1.0 + wider)
    };
    let row = |y: u32, z: u32| (0..counts[0]).map(move |x| [at(0, x), at(1, y), at(2, z)]);
    (0..counts[1]).flat_map(|y| (0..counts[2]).flat_map(move |z| row(y, z))).collect()
}

/// An upright sheet behind the origin, from `left` to `right` and 1.6 m high.
fn wall(staging: &mut Staging, left: f64, right: f64, colour: [f32; 3]) {
    let body = staging.sheet(5, |u, v| [left + (right - left) * u, 0.8 - 1.6 * v, -0.6]);
    (body.colour, body.look) = (Some(colour), Some(Finish::Plaster));
}

/// Seen from the front, 2 m away: 88 pixels a metre around (96, 64).
fn front(gpu: &Gpu, staging: Staging, balls: bool) -> Picture {
    let staged = staging.stage(&gpu.device);
    let camera = camera([0.0, 0.0, 2.0], [0.0; 3]);
    let look = Look { balls, stage: false, ..Look::default() };
    draw_look(gpu, &mut staged.renderer(&gpu.device), staged.surface(), SIZE, &camera, 0.0, look)
}

/// How many pixels of the middle of the picture, 36 × 36, are red.
fn reds(picture: &Picture) -> usize {
    let square = (78..114).flat_map(|x| (46..82).map(move |y| (x, y)));
    square.filter(|&(x, y)| is_red(pixel(picture, x, y))).count()
}

/// A layer of particles wider apart than at rest by 15 % leaves holes between its balls, and none in its surface; milk hides what
/// is behind it, and water does not.
#[test]
fn the_surface_is_closed() {
    let gpu = gpu();
    let layer = |look: Option<Finish>, balls: bool| {
        let mut staging = Staging::new();
        wall(&mut staging, -1.0, 1.0, RED);
        liquid(&mut staging, &block([12, 12, 1], [0.0; 3], 0.15), [0.8, 0.8, 0.8]).look = look;
        reds(&front(&gpu, staging, balls))
    };
    let milk = Some(Finish::Porcelain);
    let [holes, closed, water] = [layer(milk, true), layer(milk, false), layer(None, false)];
    assert!(holes > 10 && closed == 0 && water > 1000, "{holes} {closed} {water}");
}

/// What lies behind a block of liquid takes its colour, the more the deeper it is.
#[test]
fn what_is_behind_is_tinted() {
    let gpu = gpu();
    let behind = |layers: u32| {
        let mut staging = Staging::new();
        wall(&mut staging, -1.0, 1.0, [0.7, 0.7, 0.7]);
        // The rest above the picture, so that there is always as much of the liquid.
        let mut places = block([12, 12, layers], [0.0; 3], 0.0);
        places.resize(1728, [0.0, 1.4, 0.0]);
        liquid(&mut staging, &places, BLUE);
        pixel(&front(&gpu, staging, false), 96, 64)
    };
    let [none, thin, deep] = [0, 2, 10].map(behind);
    let blueness = |[r, _, b]: [i32; 3]| b - r;
    assert!(blueness(none).abs() < 12, "{none:?}");
    assert!(blueness(thin) > 8 && blueness(deep) > 2 * blueness(thin), "{none:?} {thin:?} {deep:?}");
    assert!(brightness(deep) < brightness(thin), "{thin:?} {deep:?}");
}

/// A drop bends what is seen through it: an edge behind its left half moves.
#[test]
fn what_is_behind_is_refracted() {
    let gpu = gpu();
    let inside = |[x, y, z]: &[f64; 3]| x * x + y * y + z * z < 0.09;
    let edge = |centre: f64| {
        let mut staging = Staging::new();
        wall(&mut staging, -1.0, 0.0, [0.02, 0.02, 0.02]);
        wall(&mut staging, 0.0, 1.0, [0.8, 0.8, 0.8]);
        let drop = block([14, 14, 14], [0.0; 3], 0.0).into_iter().filter(inside);
        let drop: Vec<_> = drop.map(|[x, y, z]| [x + centre, y, z]).collect();
        liquid(&mut staging, &drop, [0.7, 0.75, 0.8]);
        let picture = front(&gpu, staging, false);
        // From the left, where the brightness of the middle row first reaches a half.
        (70..122).find(|&x| brightness(pixel(&picture, x, 64)) > 330).unwrap_or(122)
    };
    let [away, before] = [5.0, -0.12].map(edge);
    assert!((94..99).contains(&away), "without a drop the edge is in the middle: {away}");
    assert!(before.abs_diff(away) >= 4, "{away} {before}");
}

/// Each of two liquids, one over the other, has its own colour.
#[test]
fn both_liquids_have_their_colours() {
    let gpu = gpu();
    let mut staging = Staging::new();
    wall(&mut staging, -1.0, 1.0, [0.7, 0.7, 0.7]);
    liquid(&mut staging, &block([12, 6, 6], [0.0, 0.15, 0.0], 0.0), AMBER);
    liquid(&mut staging, &block([12, 6, 6], [0.0, -0.15, 0.0], 0.0), BLUE);
    let picture = front(&gpu, staging, false);
    let [oil, water] = [50, 78].map(|y| pixel(&picture, 96, y));
    assert!(oil[0] > oil[2] + 30 && water[2] > water[0] + 30, "{oil:?} {water:?}");
}

/// A single particle is round: as wide as high, and somewhat smaller than its spacing.
#[test]
fn drops_are_round() {
    let gpu = gpu();
    let mut staging = Staging::new();
    liquid(&mut staging, &[[0.0, 0.0, 1.5]], RED).look = Some(Finish::Plaster);
    // 352 pixels a metre: 0.42 spacings of radius are 7.4 pixels. Those at the rim are red in part.
    let picture = front(&gpu, staging, false);
    let across = (0..SIZE[0]).filter(|&x| is_red(pixel(&picture, x, 64))).count();
    let down = (0..SIZE[1]).filter(|&y| is_red(pixel(&picture, 96, y))).count();
    assert!(across.abs_diff(down) <= 1 && (11..=15).contains(&across), "{across} {down}");
}

/// Water's shadow is lighter than that of its particles as balls, and darker than none.
#[test]
fn shadows_are_light() {
    let gpu = gpu();
    let floor = |centre: [f64; 3], balls: bool| {
        let mut staging = Staging::new();
        staging.plane([0.0, -0.4, 0.0], [0.0, 1.0, 0.0]);
        liquid(&mut staging, &block([8, 8, 8], centre, 0.0), BLUE);
        let staged = staging.stage(&gpu.device);
        let camera = camera([0.0, 0.8, 2.0], [0.3, -0.4, 0.0]);
        let look = Look { balls, ..Look::default() };
        let picture = draw_look(&gpu, &mut staged.renderer(&gpu.device), staged.surface(), SIZE, &camera, 0.0, look);
        // Below and to the right of the block, where its shadow falls.
        (84..110).map(|x| brightness(pixel(&picture, x, 60))).min().unwrap()
    };
    let [lit, water, balls] = [floor([0.0, 0.0, -40.0], false), floor([0.0; 3], false), floor([0.0; 3], true)];
    assert!(balls + 25 < water && water + 15 < lit, "{balls} {water} {lit}");
}

/// What a container holds does not show beside it, and ends at its glass: there, it is as flat.
#[test]
fn liquids_end_at_their_container() {
    let gpu = gpu();
    let filled = |contained: bool| {
        let mut staging = Staging::new();
        if contained {
            let glass = Collider { inside: true, ..Collider::new(Shape::Box { size: [0.57, 0.57, 0.57] }) };
            staging.model.colliders.push(glass);
        }
        liquid(&mut staging, &block([12, 12, 12], [0.0; 3], 0.0), RED).look = Some(Finish::Plaster);
        let picture = front(&gpu, staging, false);
        (0..SIZE[0]).filter(|&x| is_red(pixel(&picture, x, 64))).count()
    };
    // The glass is 58 pixels wide at its front, 1.715 m away; the particles' shapes go 0.015 m beyond it on either side.
    let [within, free] = [filled(true), filled(false)];
    assert!((56..=59).contains(&within) && free >= within + 2, "{within} {free}");
}

/// All else is as without a liquid: where one is hidden, no byte of the picture depends on how it is drawn.
#[test]
fn all_else_stays_as_it_was() {
    let gpu = gpu();
    let picture = |balls: bool| {
        let mut staging = Staging::new();
        staging.plane([0.0, -0.6, 0.0], [0.0, 1.0, 0.0]);
        staging.sphere([0.3, 0.0, 0.0], 0.25, false);
        staging.sphere([-0.4, 0.1, 0.3], 0.2, true);
        staging.model.colliders.push(Collider::new(Shape::Box { size: [0.3; 3] }));
        staging.particles(&[[-0.8, 0.0, 0.3], [-0.8, 0.5, 0.3]], 0.12, true);
        liquid(&mut staging, &[[0.3, 0.0, 0.0]], BLUE);
        front(&gpu, staging, balls)
    };
    assert!(picture(true).rgba == picture(false).rgba);
}
