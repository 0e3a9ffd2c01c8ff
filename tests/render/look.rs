//! What pictures show: the weave of cloth, the occlusion of the sky, and the looks that show numbers.

use pliant::constraint::{NeoHookean, Vec3, kind};
use pliant::device::Gpu;
use pliant::model::{Group, Material, State};
use pliant::render::{Camera, Colour, Constraints, Look, Picture};
use pliant::render::{FULL_SPEED, FULL_STRAIN, FULL_STRETCH, batch_colour, heat};
use pliant::scene::Cuboid;

use super::staging::{Staged, Staging, draw, draw_look};
use super::{SIZE, brightness, camera, golden, gpu, image, pixel};

fn look_at(gpu: &Gpu, staged: &Staged, camera: &Camera, look: Look) -> Picture {
    draw_look(gpu, &mut staged.renderer(&gpu.device), staged.surface(), SIZE, camera, 0.0, look)
}

/// The largest difference of a channel from a colour of sRGB values 0 to 1.
fn off(pixel: [i32; 3], colour: [f32; 3]) -> i32 {
    (0..3).map(|i| (pixel[i] - (255.0 * colour[i]).round() as i32).abs()).max().unwrap()
}

/// Upright, a sheet of 1 m x 1 m in the plane z = 0, facing +z.
fn upright(u: f64, v: f64) -> [f64; 3] {
    [u - 0.5, 0.5 - v, 0.0]
}

/// How much the pixels of a row of the picture's middle differ from their mean, root mean square of brightness.
fn roughness(picture: &Picture) -> f64 {
    let row: Vec<f64> = (80..112).map(|x| f64::from(brightness(pixel(picture, x, 64)))).collect();
    let mean = row.iter().sum::<f64>() / row.len() as f64;
    (row.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / row.len() as f64).sqrt()
}

/// Cloth near the eye shows its threads; from where they are smaller than a pixel it has their mean colour, without moiré.
#[test]
fn the_weave_fades_with_distance() {
    let gpu = gpu();
    let mut staging = Staging::new();
    staging.sheet(9, upright).colour = Some([0.5, 0.4, 0.3]);
    let staged = staging.stage(&gpu.device);
    // Pixels of 0.2 mm, 0.9 mm and 2 mm on threads of 0.7 mm.
    let [near, middle, far] =
        [0.04, 0.16, 0.35].map(|z| roughness(&staged.picture(&gpu, SIZE, &camera([0.0, 0.0, z], [0.0; 3]))));
    assert!(near > 12.0, "{near}");
    // A flat sheet under one light is even but for what 8 bits and the slow change of the view leave.
    assert!(middle < 4.0 && far < 4.0, "{middle} {far}");
}

/// The weave belongs to the cloth, not to space: wherever and however turned the cloth was at rest, the same cloth in the same
/// place looks the same.
#[test]
fn the_weave_moves_with_the_cloth() {
    let gpu = gpu();
    let drawn = |rest: fn([f64; 3]) -> [f64; 3]| {
        let mut staging = Staging::new();
        staging.sheet(9, |u, v| rest(upright(u, v)));
        let staged = staging.stage(&gpu.device);
        let mut moved = Staging::new();
        moved.sheet(9, upright);
        let moved = moved.stage(&gpu.device);
        // The particles' order follows their place at rest: bring the moved ones into it.
        let positions: Vec<[f32; 4]> = staged
            .plan
            .particle_of
            .iter()
            .map(|&p| {
                let [x, y, z] = moved.model.particles.positions[p as usize].map(|value| value as f32);
                [x, y, z, 1.0]
            })
            .collect();
        let normals = vec![[0.0_f32, 0.0, 1.0, 0.0]; positions.len()];
        gpu.queue.write_buffer(&staged.positions, 0, pliant::bytemuck::cast_slice(&positions));
        gpu.queue.write_buffer(&staged.normals, 0, pliant::bytemuck::cast_slice(&normals));
        let camera = camera([0.008, 0.016, 0.04], [0.0; 3]);
        draw(&gpu, &mut staged.renderer(&gpu.device), staged.surface(), SIZE, &camera, 0.0)
    };
    let still = drawn(|x| x);
    assert!(roughness(&still) > 12.0);
    // Where f32 rounds the places in the material, pixels differ in the last bit.
    let moved = golden::rms(&image(&still), &image(&drawn(|[x, y, z]| [x + 3.0, y - 1.0, z + 0.5])));
    let turned = golden::rms(&image(&still), &image(&drawn(|[x, y, z]| [0.6 * x - 0.8 * y, z, -0.8 * x - 0.6 * y])));
    assert!(moved < 0.5 && turned < 0.5, "moved {moved}, turned {turned}");
}

/// In the shadow of a ball that rests on the ground only the sky lights it, from the same normal: it is the darker the nearer
/// the ball, which hides the sky.
#[test]
fn a_ball_hides_the_sky_from_the_ground() {
    let gpu = gpu();
    let mut staging = Staging::new();
    staging.plane([0.0; 3], [0.0, 1.0, 0.0]);
    staging.sphere([0.0, 0.5, 0.0], 0.5, false);
    let picture = staging.stage(&gpu.device).picture(&gpu, SIZE, &camera([0.0, 0.7, 3.0], [0.0, 0.2, 0.0]));
    // The ball touches the ground at (96, 75), hidden by its own front; the shadow reaches from there to (140, 72).
    let along = [(98, 75), (106, 75), (116, 75), (128, 74)].map(|(x, y)| brightness(pixel(&picture, x, y)));
    assert!(along.windows(2).all(|pair| pair[0] <= pair[1] + 1), "{along:?}");
    assert!(along[0] * 10 < along[3] * 9, "{along:?}");
}

/// Nothing darkens the sky: beside what stands before it, it is as without.
#[test]
fn silhouettes_leave_the_sky_alone() {
    let gpu = gpu();
    let mut staging = Staging::new();
    staging.sheet(9, upright);
    let camera = camera([0.0, 0.0, 2.0], [0.0; 3]);
    let sheet = staging.stage(&gpu.device).picture(&gpu, SIZE, &camera);
    let empty = Staging::new().stage(&gpu.device).picture(&gpu, SIZE, &camera);
    // The sheet reaches from 52 to 140 in x and from 20 to 108 in y.
    for (x, y) in (0..SIZE[0]).flat_map(|x| (0..SIZE[1]).map(move |y| (x, y))) {
        if !((51..=140).contains(&x) && (19..=108).contains(&y)) {
            assert_eq!(pixel(&sheet, x, y), pixel(&empty, x, y), "{x}, {y}");
        }
    }
}

/// A sheet whose constraints are stretched to where heat is full shows the top of the scale, one at rest its bottom, one half
/// stretched or squeezed its middle.
#[test]
fn stretch_is_shown_as_heat() {
    let gpu = gpu();
    for (stretch, t) in [(0.0, 0.0), (FULL_STRETCH, 1.0), (2.0, 1.0), (FULL_STRETCH / 2.0, 0.5), (-0.025, 0.5)] {
        let mut staging = Staging::new();
        staging.stretched_sheet(9, stretch, upright);
        let staged = staging.stage(&gpu.device);
        let look = Look { colour: Colour::Stretch, ..Look::default() };
        let picture = look_at(&gpu, &staged, &camera([0.0, 0.0, 2.0], [0.0; 3]), look);
        // A flat sheet is known to be open to the sky to about 1 %, which is 1 of 255, and is lit with 8 bits.
        let seen = pixel(&picture, 96, 64);
        assert!(off(seen, heat(t)) <= 3, "{stretch}: {seen:?} for {:?}", heat(t).map(|value| 255.0 * value));
    }
}

/// Heat goes by the rest lengths in effect: a sheet at rest as built is hot where curves or flow have made its rest lengths shorter,
/// and one that is stretched as far as they have grown is not.
#[test]
fn heat_goes_by_rest_lengths_in_effect() {
    let gpu = gpu();
    for (stretch, grown, t) in [(0.0, 1.0, 0.0), (0.0, 1.0 / (1.0 + FULL_STRETCH), 1.0), (0.25, 1.25, 0.0)] {
        let mut staging = Staging::new();
        staging.stretched_sheet(9, stretch, upright);
        let mut staged = staging.stage(&gpu.device);
        staged.model.materials.insert(Material { yield_point: Some(0.1), ..Material::default() });
        let rest = staged.model.groups[0].rest.iter().map(|rest| grown * rest).collect();
        let mut renderer = staged.renderer(&gpu.device);
        renderer.follow(&gpu.device, &staged.model, &staged.plan, &State { rest: vec![rest], ..State::default() });
        let (camera, look) = (camera([0.0, 0.0, 2.0], [0.0; 3]), Look { colour: Colour::Stretch, ..Look::default() });
        let picture = draw_look(&gpu, &mut renderer, staged.surface(), SIZE, &camera, 0.0, look);
        // As in `stretch_is_shown_as_heat`.
        let seen = pixel(&picture, 96, 64);
        assert!(off(seen, heat(t)) <= 3, "{stretch}, {grown}: {seen:?} for {:?}", heat(t).map(|value| 255.0 * value));
    }
}

/// Bodies that move at the speed where heat is full show the top of the scale, at rest its bottom; surfaces and balls alike.
#[test]
fn speed_is_shown_as_heat() {
    let gpu = gpu();
    for (speed, t) in [(0.0, 0.0), (FULL_SPEED / 2.0, 0.5), (FULL_SPEED, 1.0)] {
        let mut staging = Staging::new();
        staging.sheet(9, upright);
        staging.particles(&[[0.7, 0.0, 0.0]], 0.15, false);
        staging.model.particles.velocities.fill([0.0, speed, 0.0]);
        let staged = staging.stage(&gpu.device);
        let look = Look { colour: Colour::Speed, ..Look::default() };
        let picture = look_at(&gpu, &staged, &camera([0.0, 0.0, 2.0], [0.0; 3]), look);
        // 88 pixels a metre. A ball faces the eye in its middle only to within a pixel.
        for (x, y) in [(96, 64), (158, 64)] {
            assert!(off(pixel(&picture, x, y), heat(t)) <= 4, "{speed} at {x}: {:?}", pixel(&picture, x, y));
        }
    }
}

/// A block of one cell of 0.6 m whose rest shape is shorter along x by this share, and a red sheet beside it.
fn stretched_block(stretch: f64) -> Staging {
    let solid = Cuboid { cells: [1; 3], size: [0.6; 3] }.solid();
    let mut staging = Staging::new();
    staging.particles(&solid.positions, 0.0, false).triangles = solid.surface().triangles;
    staging.sheet(5, |u, v| [0.5 + 0.4 * u, 0.2 - 0.4 * v, 0.3]).colour = Some([0.6, 0.02, 0.02]);
    let compliance = NeoHookean::compliance(1e5, NeoHookean::DEFAULT_POISSON_RATIO);
    let material = staging.model.materials.insert(Material { compliance, ..Material::default() });
    let mut group = Group::new(kind::<NeoHookean>());
    for tetrahedron in &solid.tetrahedra {
        let shorter = |[x, y, z]: [f64; 3]| Vec3::new(x / (1.0 + stretch), y, z);
        let rest = group.kind.measure(&tetrahedron.map(|p| shorter(solid.positions[p as usize])));
        group.push(tetrahedron, &rest, material);
    }
    staging.model.groups.push(group);
    staging
}

/// A solid that is strained to where heat is full shows the top of the scale, one at rest its bottom, and so with stress, which the
/// scale of Young's modulus measures; what is no such solid keeps its own colour.
#[test]
fn strain_and_stress_are_shown_as_heat() {
    let gpu = gpu();
    let camera = camera([0.0, 0.0, 2.3], [0.0, 0.0, 0.3]);
    for stretch in [0.0, FULL_STRAIN / 2.0, FULL_STRAIN, 0.4] {
        let staged = stretched_block(stretch).stage(&gpu.device);
        let renderer = staged.renderer(&gpu.device);
        assert_eq!(renderer.full(Colour::Strain), Some(FULL_STRAIN));
        // 0.3 of the shear modulus of 38.5 kPa are 11.5 kPa.
        assert_eq!(renderer.full(Colour::Stress), Some(1e4));
        let shear_modulus = 1e5 / 2.6;
        let stress = shear_modulus * ((1.0 + stretch).powi(2) - 1.0) / (1.0 + stretch);
        let plain = look_at(&gpu, &staged, &camera, Look::default());
        for (colour, t) in [(Colour::Strain, stretch / FULL_STRAIN), (Colour::Stress, stress / 1e4)] {
            let picture = look_at(&gpu, &staged, &camera, Look { colour, ..Look::default() });
            // As in `stretch_is_shown_as_heat`.
            let seen = pixel(&picture, 96, 64);
            assert!(off(seen, heat(t as f32)) <= 4, "{colour:?} of {stretch}: {seen:?} for {t}");
            // The sheet is 77 pixels a metre to the right, and 2 m away.
            assert_eq!(pixel(&picture, 158, 64), pixel(&plain, 158, 64));
            assert_ne!(pixel(&plain, 158, 64), pixel(&plain, 188, 5), "no sheet there");
        }
    }
}

/// In a scene without such solids strain and stress show what is shown without them.
#[test]
fn scenes_without_solids_keep_their_colours() {
    let gpu = gpu();
    let mut staging = Staging::new();
    staging.stretched_sheet(9, FULL_STRETCH, upright);
    let staged = staging.stage(&gpu.device);
    let camera = camera([0.0, 0.0, 2.0], [0.0; 3]);
    let plain = look_at(&gpu, &staged, &camera, Look::default());
    for colour in [Colour::Strain, Colour::Stress] {
        assert_eq!(staged.renderer(&gpu.device).full(colour), None);
        assert!(look_at(&gpu, &staged, &camera, Look { colour, ..Look::default() }).rgba == plain.rgba, "{colour:?}");
    }
}

/// Colours of the picture that are this colour of a line, as far as lines of a pixel are.
fn count_like(picture: &Picture, colour: [f32; 3]) -> usize {
    let pixels = (0..SIZE[0]).flat_map(|x| (0..SIZE[1]).map(move |y| (x, y)));
    pixels.filter(|&(x, y)| off(pixel(picture, x, y), colour) <= 24).count()
}

/// Each batch of constraints is drawn in its own colour, and with the look of stretch in that of its heat.
#[test]
fn constraints_show_their_batch_or_stretch() {
    let gpu = gpu();
    let mut staging = Staging::new();
    // A row of five constraints takes two colours.
    staging.stretched_sheet(6, FULL_STRETCH, upright);
    let staged = staging.stage(&gpu.device);
    assert_eq!(staged.plan.groups[0].batches.len(), 2);
    let camera = camera([0.0, 0.0, 2.0], [0.0; 3]);
    let [plain, batches, stretch] = [Constraints::Hidden, Constraints::Batches, Constraints::Stretch]
        .map(|constraints| look_at(&gpu, &staged, &camera, Look { constraints, ..Look::default() }));
    // Six rows of 3 x 18 pixels in one colour, of 2 x 18 in the other.
    for colour in [batch_colour(0), batch_colour(1)] {
        assert!(count_like(&batches, colour) > 100, "{}", count_like(&batches, colour));
        assert_eq!(count_like(&plain, colour), 0);
    }
    assert!(count_like(&stretch, heat(1.0)) > 200, "{}", count_like(&stretch, heat(1.0)));
}

/// The wireframe draws the edges of triangles dark over the surface and leaves the rest.
#[test]
fn wireframe_draws_edges() {
    let gpu = gpu();
    let mut staging = Staging::new();
    staging.sheet(5, upright).colour = Some([0.6, 0.55, 0.5]);
    let staged = staging.stage(&gpu.device);
    let camera = camera([0.0, 0.0, 2.0], [0.0; 3]);
    let plain = look_at(&gpu, &staged, &camera, Look::default());
    let wires = look_at(&gpu, &staged, &camera, Look { wireframe: true, ..Look::default() });
    // The middle column is at x = 96, on the border of two pixels; the diagonals of its neighbours are far from (87, 66).
    let darker = |x: u32, y: u32| brightness(pixel(&plain, x, y)) - brightness(pixel(&wires, x, y));
    assert!(darker(95, 70) > 80 && darker(96, 70) > 80, "{} {}", darker(95, 70), darker(96, 70));
    assert_eq!(darker(92, 80), 0);
}

/// With balls a sheet is its particles: round where they are, and between them one sees through.
#[test]
fn balls_replace_surfaces() {
    let gpu = gpu();
    let mut staging = Staging::new();
    staging.sheet(5, upright).colour = Some([0.6, 0.02, 0.02]);
    let staged = staging.stage(&gpu.device);
    let look = Look { balls: true, ..Look::default() };
    let picture = look_at(&gpu, &staged, &camera([0.0, 0.0, 2.0], [0.0; 3]), look);
    // 22 pixels from ball to ball, the middle one at (96, 64).
    let red = |x, y| pixel(&picture, x, y)[0] > 2 * pixel(&picture, x, y)[2];
    assert!(red(96, 64) && red(118, 64) && red(96, 42));
    assert!(!red(107, 53) && !red(85, 75));
}

/// A particle's velocity is a line as long as the way that it goes in a thirtieth of a second.
#[test]
fn velocities_are_lines() {
    let gpu = gpu();
    let mut staging = Staging::new();
    staging.particles(&[[0.0, 0.0, 0.0]], 0.02, false);
    staging.model.particles.velocities[0] = [12.0, 0.0, 0.0];
    let staged = staging.stage(&gpu.device);
    let camera = camera([0.0, 0.0, 2.0], [0.0; 3]);
    let plain = look_at(&gpu, &staged, &camera, Look::default());
    let lines = look_at(&gpu, &staged, &camera, Look { velocities: true, ..Look::default() });
    // 0.4 m are 35 pixels; the row's middle is between two pixels.
    let changed = |x: u32| (63..=64).any(|y| pixel(&plain, x, y)[2] - pixel(&lines, x, y)[2] > 50);
    assert!(changed(105) && changed(127), "yellow on the sky: {:?}", pixel(&lines, 110, 63));
    assert!((136..190).all(|x| pixel(&lines, x, 64) == pixel(&plain, x, 64)));
}
