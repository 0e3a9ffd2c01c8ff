//! What stands around the bodies and what they are made of: the stage, pegs and rails, thickness, strands, looks, marks.

use pliant::device::Gpu;
use pliant::model::{Body, Collider, Finish, Shape};
use pliant::render::{Look, Picture};

use super::staging::{Staging, draw, draw_look};
use super::{SIZE, brightness, camera, gpu, is_red, pixel, upright_sheet};

const RED: [f32; 3] = [0.6, 0.02, 0.02];

/// Seen from the front, 2 m away: 88 pixels a metre around (96, 64).
fn front(gpu: &Gpu, staging: Staging) -> Picture {
    staging.stage(&gpu.device).picture(gpu, SIZE, &camera([0.0, 0.0, 2.0], [0.0; 3]))
}

fn with_look(gpu: &Gpu, staging: Staging, look: Look) -> Picture {
    let staged = staging.stage(&gpu.device);
    let camera = camera([0.0, 0.4, 2.0], [0.0; 3]);
    draw_look(gpu, &mut staged.renderer(&gpu.device), staged.surface(), SIZE, &camera, 0.0, look)
}

/// A scene without ground stands over a stage, which is darker than the sky and where the sheet keeps the sun away darker
/// still; one with ground has none, and whoever wants none has none.
#[test]
fn scenes_without_ground_have_a_stage() {
    let gpu = gpu();
    let bare = Look { stage: false, ..Look::default() };
    let [on_stage, without] = [Look::default(), bare].map(|look| with_look(&gpu, upright_sheet(), look));
    let below = (8, 122);
    let [floor, sky] = [&on_stage, &without].map(|picture| brightness(pixel(picture, below.0, below.1)));
    assert!(floor + 60 < sky, "{floor} {sky}");
    // The sun comes from the left and in front: the shadow falls behind the sheet and to its right.
    let row: Vec<i32> = (141..188).map(|x| brightness(pixel(&on_stage, x, 96))).collect();
    let (dark, light) = (row.iter().min().unwrap(), row.iter().max().unwrap());
    assert!(dark * 5 < light * 4, "no shadow: {row:?}");
    let grounded = || {
        let mut staging = upright_sheet();
        staging.plane([0.0, -0.7, 0.0], [0.0, 1.0, 0.0]);
        staging
    };
    assert!(with_look(&gpu, grounded(), Look::default()).rgba == with_look(&gpu, grounded(), bare).rgba);
}

/// How many pixels of a column or row are red.
fn reds(picture: &Picture, pixels: impl Iterator<Item = (u32, u32)>) -> usize {
    pixels.filter(|&(x, y)| is_red(pixel(picture, x, y))).count()
}

fn rope(points: &[[f64; 3]], radius: f64, look: Finish) -> Staging {
    let mut staging = Staging::new();
    let body = staging.particles(points, radius, true);
    (body.colour, body.look, body.strand) = (Some(RED), Some(look), Some(points.len() as u32));
    staging
}

/// A rope is a tube of one width, at its particles as between them, whatever the distance of these.
#[test]
fn ropes_are_smooth() {
    let gpu = gpu();
    let points: Vec<[f64; 3]> = (-2..=2).map(|i| [0.4 * f64::from(i), 0.0, 0.0]).collect();
    let picture = front(&gpu, rope(&points, 0.06, Finish::Cloth));
    let widths: Vec<usize> = (40..152).map(|x| reds(&picture, (0..SIZE[1]).map(|y| (x, y)))).collect();
    let (least, most) = (*widths.iter().min().unwrap(), *widths.iter().max().unwrap());
    assert!(most - least <= 1 && (9..=12).contains(&most), "{widths:?}");
}

/// A blade of grass is flat and tapers; a strip of paper keeps its width, whichever way one looks at it.
#[test]
fn flat_strands_are_ribbons() {
    let gpu = gpu();
    // They curve in the plane of the picture's depth, and so are as wide as the picture shows them.
    let points: Vec<[f64; 3]> = (0..8).map(|i| f64::from(i) / 7.0).map(|t| [0.0, t - 0.5, -0.2 * t * t]).collect();
    let width = |picture: &Picture, y: u32| reds(picture, (0..SIZE[0]).map(|x| (x, y)));
    let blade = front(&gpu, rope(&points, 0.06, Finish::Grass));
    let (root, tip) = (width(&blade, 100), width(&blade, 28));
    assert!(root >= 8 && tip < root / 2 && tip > 0, "{root} {tip}");
    let strip = front(&gpu, rope(&points, 0.02, Finish::Paper));
    let (root, tip) = (width(&strip, 100), width(&strip, 28));
    assert!(root >= 8 && root.abs_diff(tip) <= 2, "{root} {tip}");
}

/// Between two strands of hair there are more, and between two ropes none.
#[test]
fn hair_is_filled_in() {
    let gpu = gpu();
    let strands = |look| {
        let column = |x: f64| (0..6).map(move |i| [x, 0.4 - 0.16 * f64::from(i), 0.0]);
        let points: Vec<[f64; 3]> = column(-0.06).chain(column(0.06)).collect();
        let mut staging = Staging::new();
        let body = staging.particles(&points, 0.012, false);
        (body.colour, body.look, body.strand) = (Some(RED), Some(look), Some(6));
        front(&gpu, staging)
    };
    let middle = |picture: &Picture| reds(picture, (94..99).map(|x| (x, 64)));
    assert!(middle(&strands(Finish::Hair)) >= 3 && middle(&strands(Finish::Cloth)) == 0);
}

/// A sheet that touches others at a distance is drawn as thick as that, and its rim is round.
#[test]
fn sheets_have_a_thickness() {
    let gpu = gpu();
    let seen_from_the_side = |radius: f64| {
        let mut staging = Staging::new();
        let body = staging.sheet(9, |u, v| [0.0, 0.5 - v, u - 0.5]);
        (body.colour, body.radius) = (Some(RED), radius);
        let picture = front(&gpu, staging);
        reds(&picture, (0..SIZE[0]).map(|x| (x, 64)))
    };
    // 0.1 m are 9 pixels at the middle, and 12 where the sheet is nearest, 0.5 m before it.
    assert!(seen_from_the_side(0.0) <= 2);
    assert!((9..=14).contains(&seen_from_the_side(0.05)), "{}", seen_from_the_side(0.05));
}

/// A single pin of a sheet is a peg, a row of them a rail, both dark; of what is held wholly one sees neither.
#[test]
fn pins_are_seen() {
    let gpu = gpu();
    let held = |pins: &[usize]| {
        let mut staging = upright_sheet();
        pins.iter().for_each(|&p| staging.model.particles.inverse_masses[p] = 0.0);
        front(&gpu, staging)
    };
    let is_dark = |colour: [i32; 3]| brightness(colour) < 450 && !is_red(colour);
    let dark = |picture: &Picture| (54..138).filter(|&x| (18..22).any(|y| is_dark(pixel(picture, x, y)))).count();
    let free = dark(&held(&[]));
    let [corner, row] = [&[0][..], &[0, 1, 2, 3, 4, 5, 6, 7, 8]].map(|pins| dark(&held(pins)));
    assert!(row > free + 40, "a rail: {free} {row}");
    assert!(corner < row, "{corner} {row}");
    let all: Vec<usize> = (0..81).collect();
    assert!(held(&all).rgba == held(&[]).rgba);
}

/// Every look is drawn, on colliders and on bodies: nothing is black or left out.
#[test]
fn every_look_is_drawn() {
    let gpu = gpu();
    let mut staging = Staging::new();
    // Six columns and three rows of boxes, and a sheet before the lower half of each.
    let place = |i: usize| [0.22 * (i % 6) as f64 - 0.55, 0.3 - 0.3 * (i / 6) as f64, 0.0];
    for (i, look) in Finish::ALL.into_iter().enumerate() {
        let position = place(i);
        let collider = Collider::new(Shape::Box { size: [0.16, 0.2, 0.1] });
        staging.model.colliders.push(Collider { look: Some(look), position, ..collider });
        let [x, y, _] = position;
        let body = staging.sheet(3, |u, v| [x + 0.16 * (u - 0.5), y - 0.1 * v, 0.08]);
        (body.look, body.colour) = (Some(look), Some([0.3, 0.5, 0.2]));
    }
    let bare = front(&gpu, Staging::new());
    let picture = front(&gpu, staging);
    for (i, look) in Finish::ALL.into_iter().enumerate() {
        let [x, y, _] = place(i).map(|metres| 88.0 * metres);
        for up in [5.0, -4.0] {
            let (x, y) = ((96.0 + x) as u32, (64.0 - y - up) as u32);
            let [shown, sky] = [&picture, &bare].map(|picture| pixel(picture, x, y));
            assert!(brightness(shown) > 12 && shown != sky, "{look:?} at {x}, {y}: {shown:?}");
        }
    }
}

/// One sees that a belt runs: its stripes move with time, and stand where it stands.
#[test]
fn belts_are_seen_to_run() {
    let gpu = gpu();
    let moves = |speed: f64| {
        let mut staging = Staging::new();
        let shape = Shape::Box { size: [1.0, 0.2, 0.4] };
        staging.model.colliders.push(Collider { belt: [speed, 0.0, 0.0], ..Collider::new(shape) });
        let staged = staging.stage(&gpu.device);
        let mut renderer = staged.renderer(&gpu.device);
        let [before, after] = [0.0, 0.2].map(|seconds| {
            draw(&gpu, &mut renderer, staged.surface(), SIZE, &camera([0.0, 0.8, 1.6], [0.0; 3]), seconds)
        });
        before.rgba != after.rgba
    };
    assert!(moves(0.3) && !moves(0.0));
}

/// Solids that rest on each other by their particles' radii are drawn without a gap between them.
#[test]
fn stacked_boxes_touch() {
    let gpu = gpu();
    let stack = |radius: f64| {
        let mut staging = Staging::new();
        for base in [-0.44, 0.04] {
            let body = cube(&mut staging, [0.0, base, 0.0], 0.4);
            (body.colour, body.radius) = (Some(RED), radius);
        }
        let picture = front(&gpu, staging);
        (60..68).filter(|&y| !is_red(pixel(&picture, 96, y))).count()
    };
    // 0.08 m lie between them: 7 pixels.
    assert!(stack(0.0) >= 4, "{}", stack(0.0));
    assert_eq!(stack(0.041), 0);
}

/// A cube over a place, of a side in m, whose surface is closed.
fn cube(staging: &mut Staging, base: [f64; 3], side: f64) -> &mut Body {
    let mesh = pliant::mesh::generate::Cuboid { cells: [4; 3], size: [side; 3] }.mesh();
    let centre = [base[0], base[1] + side / 2.0, base[2]];
    let points: Vec<[f64; 3]> = mesh.positions.iter().map(|p| std::array::from_fn(|k| p[k] + centre[k])).collect();
    let first = staging.model.particles.len() as u32;
    let body = staging.particles(&points, 0.0, false);
    body.triangles = mesh.triangles.iter().map(|triangle| triangle.map(|p| first + p)).collect();
    body
}
