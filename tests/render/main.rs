//! The renderer: its shaders and its camera without a GPU, its pictures with one; and the files that they are written to.
#![cfg(feature = "cli")]

mod edges;
mod gallery;
#[path = "../common/golden.rs"]
mod golden;
mod liquid;
mod look;
mod picture;
mod stage;
#[path = "../common/staging.rs"]
mod staging;
mod transparent;
mod uploaded;

use std::collections::BTreeSet;
use std::path::Path;

use image::RgbaImage;
use pliant::device::Gpu;
use pliant::model::{Keyframes, Material, Materials, Multiplier, State};
use pliant::render::{Camera, Look, MODULES, Offscreen, Picture, RECORDS, RenderError, Renderer, Shot};
use pliant::wgpu;
use staging::{Staged, Staging, draw};

const SIZE: [u32; 2] = [192, 128];

fn gpu() -> Gpu {
    pollster::block_on(Gpu::open(None, wgpu::Limits::default())).unwrap()
}

/// One message a fault, with what naga says about it.
fn faults_of_modules() -> Vec<String> {
    let mut faults = Vec::new();
    for module in MODULES {
        let checked = naga::front::wgsl::parse_str(module.source).map_err(|error| error.emit_to_string(module.source));
        let checked = checked.and_then(|parsed| {
            let mut validator = naga::valid::Validator::new(Default::default(), naga::valid::Capabilities::default());
            validator.validate(&parsed).map_err(|error| error.emit_to_string(module.source)).map(|_| parsed)
        });
        match checked {
            Err(error) => faults.push(format!("{} ({}): {error}", module.name, module.files.join(" + "))),
            Ok(parsed) if parsed.entry_points.is_empty() => faults.push(format!("{}: no entry point", module.name)),
            Ok(_) => {}
        }
    }
    faults
}

/// Every module is valid WGSL, and every file of the folder is in one, and short.
#[test]
fn shaders_are_valid() {
    let mut faults = faults_of_modules();
    // What is shared with the solver lies elsewhere, and is checked there.
    let own = |file: &&str| !file.starts_with("../");
    let files = MODULES.iter().flat_map(|module| module.files).copied();
    let used: BTreeSet<_> = files.filter(own).map(str::to_string).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders/render");
    let mut present = BTreeSet::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        if lines >= 150 {
            faults.push(format!("{} has {lines} lines", path.display()));
        }
        present.insert(path.file_name().unwrap().to_string_lossy().into_owned());
    }
    assert!(!present.is_empty(), "no shaders in {}", folder.display());
    assert_eq!(used, present, "files in a module and files in {}", folder.display());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Every struct that Rust and WGSL share has the same fields at the same places in both.
#[test]
fn structs_equal_their_wgsl() {
    assert!(!RECORDS.is_empty());
    for record in RECORDS {
        let module = naga::front::wgsl::parse_str(record.module.source).unwrap();
        let mut structs = module.types.iter().filter(|(_, ty)| ty.name.as_deref() == Some(record.name));
        let Some((_, naga::Type { inner: naga::TypeInner::Struct { members, span }, .. })) = structs.next() else {
            panic!("{}: no struct {}", record.module.name, record.name);
        };
        let theirs: Vec<_> = members.iter().map(|m| (m.name.clone().unwrap(), m.offset as usize)).collect();
        let ours: Vec<_> = record.fields.iter().map(|f| (f.name.to_string(), f.offset)).collect();
        assert_eq!(ours, theirs, "{}", record.name);
        assert_eq!(record.size, *span as usize, "{}", record.name);
    }
}

/// Distance from the middle of the picture, 1 at its edge, in x and y; `None` behind the eye.
fn place_in_picture(camera: &Camera, aspect: f64, point: [f64; 3]) -> Option<[f64; 2]> {
    let dot = |a: [f64; 3], b: [f64; 3]| (0..3).map(|i| a[i] * b[i]).sum::<f64>();
    let minus = |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|i| a[i] - b[i]);
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let unit = |a: [f64; 3]| a.map(|v| v / dot(a, a).sqrt());
    let back = unit(minus(camera.eye, camera.target));
    let right = unit(cross(camera.up, back));
    let up = cross(back, right);
    let from_eye = minus(point, camera.eye);
    let depth = -dot(from_eye, back);
    let height = depth * (camera.vertical_field_of_view_degrees.to_radians() / 2.0).tan();
    (depth > 0.0).then(|| [dot(from_eye, right) / (height * aspect), dot(from_eye, up) / height])
}

/// A framed box is in the picture with all corners and fills more than half of it, for wide and tall pictures, flat and
/// long boxes, and either axis up.
#[test]
fn framing_holds_the_box() {
    let boxes = [([-0.5; 3], [0.5; 3]), ([-2.0, 0.0, -2.0], [2.0, 0.0, 2.0]), ([990.0, 0.0, 5.0], [991.0, 8.0, 5.5])];
    for (min, max) in boxes {
        for aspect in [0.4, 1.0, 16.0 / 9.0, 3.5] {
            for up in [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]] {
                let camera = Camera::framing(min, max, up, aspect);
                let mut farthest: f64 = 0.0;
                for corner in 0..8 {
                    let point = [0, 1, 2].map(|i| if corner >> i & 1 == 0 { min[i] } else { max[i] });
                    let [x, y] = place_in_picture(&camera, aspect, point).expect("in front of the eye");
                    assert!(x.abs() < 0.95 && y.abs() < 0.95, "{point:?} at {x}, {y}: {camera:?}");
                    farthest = farthest.max(x.abs()).max(y.abs());
                }
                assert!(farthest > 0.5, "{min:?} {max:?} {aspect}: only {farthest}");
            }
        }
    }
}

/// A box without size, upside down or not finite still gives a camera that sees something.
#[test]
fn framing_survives_odd_boxes() {
    for (min, max) in
        [([1.0; 3], [1.0; 3]), ([1.0; 3], [-1.0; 3]), ([f64::NAN; 3], [1.0; 3]), ([0.0; 3], [f64::INFINITY; 3])]
    {
        for (up, aspect) in [([0.0, 1.0, 0.0], 1.5), ([0.0; 3], f64::NAN), ([0.0, 0.0, 1.0], 0.0)] {
            let camera = Camera::framing(min, max, up, aspect);
            assert!(camera.eye.iter().chain(&camera.target).chain(&camera.up).all(|v| v.is_finite()), "{camera:?}");
            assert_ne!(camera.eye, camera.target);
        }
    }
}

fn pixel(picture: &Picture, x: u32, y: u32) -> [i32; 3] {
    let first = 4 * (y * picture.width + x) as usize;
    [0, 1, 2].map(|channel| i32::from(picture.rgba[first + channel]))
}

fn brightness(colour: [i32; 3]) -> i32 {
    colour.iter().sum()
}

/// A camera that looks from `eye` to `target`.
fn camera(eye: [f64; 3], target: [f64; 3]) -> Camera {
    Camera { eye, target, up: [0.0, 1.0, 0.0], vertical_field_of_view_degrees: 40.0 }
}

/// An upright red sheet of 1 m x 1 m in the plane z = 0, facing +z.
fn upright_sheet() -> Staging {
    let mut staging = Staging::new();
    staging.sheet(9, |u, v| [u - 0.5, 0.5 - v, 0.0]).colour = Some([0.6, 0.02, 0.02]);
    staging
}

fn shot(target: &wgpu::TextureView, size: [u32; 2], camera: Camera) -> Shot<'_> {
    Shot {
        target,
        size,
        camera,
        seconds: 0.0,
        look: Look { stage: false, ..Look::default() },
        substep_seconds: 1.0 / 600.0,
        transparent: false,
    }
}

fn is_red([red, green, blue]: [i32; 3]) -> bool {
    red > 60 && red > 2 * green && red > 2 * blue
}

/// A sheet covers the pixels that it should with its own colour and leaves the others to the sky.
#[test]
fn a_sheet_covers_its_pixels() {
    let gpu = gpu();
    let staged = upright_sheet().stage(&gpu.device);
    // The picture is 1.456 m high at the sheet: the sheet reaches from 20 to 108 in y, from 52 to 140 in x.
    let picture = staged.picture(&gpu, SIZE, &camera([0.0, 0.0, 2.0], [0.0; 3]));
    for (x, y) in [(96, 64), (55, 23), (137, 23), (55, 105), (137, 105)] {
        assert!(is_red(pixel(&picture, x, y)), "sheet at {x}, {y}: {:?}", pixel(&picture, x, y));
    }
    for (x, y) in [(1, 1), (190, 1), (1, 126), (190, 126), (49, 64), (143, 64), (96, 16), (96, 111)] {
        let [red, green, blue] = pixel(&picture, x, y);
        assert!(red > 100 && green >= red && blue >= green, "sky at {x}, {y}: {red} {green} {blue}");
    }
    assert!(picture.rgba.chunks_exact(4).all(|pixel| pixel[3] == 255), "the picture is opaque");
}

/// A sheet is lit on the side that the sun shines on and on the other, where it is darker but not black.
#[test]
fn both_sides_are_lit() {
    let gpu = gpu();
    let staged = upright_sheet().stage(&gpu.device);
    let [front, back] =
        [2.0, -2.0].map(|z| pixel(&staged.picture(&gpu, SIZE, &camera([0.0, 0.0, z], [0.0; 3])), 96, 64));
    assert!(is_red(front) && is_red(back), "{front:?} {back:?}");
    assert!(front[0] > back[0] + 30 && back[0] > 80, "{front:?} {back:?}");
}

/// A particle buffer whose normals are all zero still gives a lit sheet: the normal comes from the triangle itself.
#[test]
fn a_sheet_without_normals_is_lit() {
    let gpu = gpu();
    let staged = upright_sheet().stage(&gpu.device);
    let camera = camera([0.0, 0.0, 2.0], [0.0; 3]);
    let smooth = staged.picture(&gpu, SIZE, &camera);
    let zero = staged.without_normals(&gpu.device);
    let flat = draw(&gpu, &mut staged.renderer(&gpu.device), zero.surface(&staged), SIZE, &camera, 0.0);
    // Rounding of the derivatives turns the normal by less than a thousandth.
    let difference = golden::rms(&image(&smooth), &image(&flat));
    assert!(difference < 1.0, "{difference}");
}

/// A level sheet 0.5 m above the ground, seen from far enough that its shadow lies beside it.
fn floating_sheet(with_sheet: bool) -> Staging {
    let mut staging = Staging::new();
    if with_sheet {
        staging.sheet(9, |u, v| [u - 0.5, 0.5, v - 0.5]);
    }
    staging.plane([0.0; 3], [0.0, 1.0, 0.0]);
    staging
}

/// A sheet throws a shadow on the ground where the sun is hidden by it, and nowhere else.
#[test]
fn a_sheet_throws_a_shadow() {
    let gpu = gpu();
    let camera = camera([0.0, 6.0, 0.01], [0.0; 3]);
    let [with, without] =
        [true, false].map(|with_sheet| floating_sheet(with_sheet).stage(&gpu.device).picture(&gpu, SIZE, &camera));
    // Seen from above, 29 pixels a metre on the ground: the sun comes from -x and +z, the shadow's middle is moved by
    // 0.5 m (0.55, -0.42) and reaches to x = 0.775 m; the sheet, nearer to the eye, to 0.545 m.
    let (x, y) = (96 + 19, 64 - 4);
    let (dark, light) = (brightness(pixel(&with, x, y)), brightness(pixel(&without, x, y)));
    assert!(dark < light * 3 / 4, "in the shadow {dark}, without it {light}");
    for (x, y) in [(60, 64), (96, 100), (150, 64)] {
        assert_eq!(pixel(&with, x, y), pixel(&without, x, y), "in the sun at {x}, {y}");
    }
}

/// A flat lit ground and a flat lit sheet have no pattern of false shadow.
#[test]
fn nothing_shadows_itself() {
    let gpu = gpu();
    let mut staging = Staging::new();
    staging.sheet(33, |u, v| [4.0 * (u - 0.5), 0.2 * u, 4.0 * (v - 0.5)]);
    let picture = staging.stage(&gpu.device).picture(&gpu, SIZE, &camera([0.0, 3.0, 2.0], [0.0; 3]));
    let row: Vec<_> = (60..130).map(|x| brightness(pixel(&picture, x, 64))).collect();
    // Shading of a flat sheet changes slowly; a false shadow takes away half of the light.
    assert!(row.windows(2).all(|pair| (pair[0] - pair[1]).abs() <= 6), "{row:?}");
}

/// Particles without triangles are round balls, their constraints are links, and fixed particles are dark.
#[test]
fn balls_and_links_appear() {
    let gpu = gpu();
    let mut staging = Staging::new();
    staging.particles(&[[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]], 0.1, true).colour = Some([0.6, 0.02, 0.02]);
    staging.model.particles.inverse_masses[1] = 0.0;
    let staged = staging.stage(&gpu.device);
    let picture = staged.picture(&gpu, SIZE, &camera([0.0, 0.0, 2.0], [0.0; 3]));
    // 88 pixels a metre: balls of radius 8.8 pixels at x = 52 and 140, the link at 40 % of that between them.
    for (x, y) in [(52, 64), (52, 57), (52, 71), (45, 64), (96, 64), (96, 62), (80, 66)] {
        assert!(is_red(pixel(&picture, x, y)), "{x}, {y}: {:?}", pixel(&picture, x, y));
    }
    assert!(brightness(pixel(&picture, 140, 69)) < 200, "a fixed particle is dark: {:?}", pixel(&picture, 140, 69));
    for (x, y) in [(45, 57), (59, 71), (52, 53), (96, 58), (96, 70), (140, 53), (30, 64)] {
        assert!(!is_red(pixel(&picture, x, y)), "beside it at {x}, {y}: {:?}", pixel(&picture, x, y));
        assert!(brightness(pixel(&picture, x, y)) > 300, "sky at {x}, {y}: {:?}", pixel(&picture, x, y));
    }
}

/// A link whose constraint has broken is not drawn any more; the others stay.
#[test]
fn broken_links_disappear() {
    let gpu = gpu();
    let mut staging = Staging::new();
    // At y = 1, 0, -1: the picture is 4 m high, so that links cross it at a quarter above and below its middle.
    staging.particles(&[[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, -1.0, 0.0]], 0.2, true);
    let mut staged = staging.stage(&gpu.device);
    staged.model.materials = Materials::default();
    staged.model.materials.insert(Material { break_force: Some(1.0), ..Material::default() });
    let camera = camera([0.0, 0.0, 4.0 / 0.728], [0.0; 3]);
    let mut renderer = staged.renderer(&gpu.device);
    let mut is_drawn = |broken: [bool; 2]| {
        let multipliers = vec![broken.map(|broken| Multiplier { broken, ..Multiplier::default() }).to_vec()];
        let state = State { multipliers, ..State::default() };
        renderer.follow(&gpu.device, &staged.model, &staged.plan, &state);
        let picture = draw(&gpu, &mut renderer, staged.surface(), SIZE, &camera, 0.0);
        let [sky, above, below] = [(60, 64), (96, 48), (96, 80)].map(|(x, y)| pixel(&picture, x, y));
        [above, below].map(|link| (0..3).any(|c| (link[c] - sky[c]).abs() > 40))
    };
    assert_eq!(is_drawn([false, false]), [true, true]);
    assert_eq!(is_drawn([false, true]), [true, false]);
    assert_eq!(is_drawn([true, true]), [false, false]);
}

/// A sphere collider is where its keyframes move it at that time.
#[test]
fn colliders_move() {
    let gpu = gpu();
    let mut staging = upright_sheet();
    staging.sphere([0.0, 0.0, 1.0], 0.2, false);
    let motion = Keyframes::new(vec![(0.0, [0.0; 3]), (1.0, [5.0, 0.0, 0.0])]);
    staging.model.colliders[0].motion = motion;
    let staged = staging.stage(&gpu.device);
    let mut renderer = staged.renderer(&gpu.device);
    let [before, after] = [0.0, 1.0].map(|seconds| {
        let camera = camera([0.0, 0.0, 2.0], [0.0; 3]);
        pixel(&draw(&gpu, &mut renderer, staged.surface(), SIZE, &camera, seconds), 96, 64)
    });
    assert!(!is_red(before), "the ball hides the sheet: {before:?}");
    assert!(is_red(after), "the ball has gone: {after:?}");
}

/// What is in a container is seen through its glass.
#[test]
fn containers_are_transparent() {
    let gpu = gpu();
    let mut staging = upright_sheet();
    staging.sphere([0.0; 3], 0.9, true);
    let staged = staging.stage(&gpu.device);
    let picture = staged.picture(&gpu, SIZE, &camera([0.0, 0.0, 4.0], [0.0; 3]));
    assert!(is_red(pixel(&picture, 96, 64)), "{:?}", pixel(&picture, 96, 64));
}

/// A sheet that lies on a sphere collider without any distance covers it: no speckles of the sphere, none at its rim.
#[test]
fn cloth_covers_what_it_lies_on() {
    let gpu = gpu();
    let mut staging = Staging::new();
    let sheet = staging.sheet(25, |u, v| {
        let (x, z) = (u - 0.5, v - 0.5);
        let length = (x * x + 0.09 + z * z).sqrt();
        [0.5 * x / length, 0.5 * 0.3 / length, 0.5 * z / length]
    });
    sheet.colour = Some([0.6, 0.02, 0.02]);
    staging.sphere([0.0; 3], 0.5, false);
    let staged = staging.stage(&gpu.device);
    let picture = staged.picture(&gpu, SIZE, &camera([0.0, 2.0, 0.5], [0.0; 3]));
    let grey = (80..112).flat_map(|x| (44..76).map(move |y| (x, y))).filter(|&(x, y)| !is_red(pixel(&picture, x, y)));
    assert_eq!(grey.collect::<Vec<_>>(), []);
}

/// The picture of a scene is the same wherever the scene lies: a kilometre away nothing trembles.
#[test]
fn far_scenes_look_the_same() {
    let gpu = gpu();
    let [near, far] = [0.0, 1024.0].map(|x| {
        let mut staging = Staging::new();
        staging.sheet(9, |u, v| [x + u - 0.5, 1.0 + 0.25 * u, v - 0.5]);
        staging.plane([x, 0.0, 0.0], [0.0, 1.0, 0.0]);
        let staged = staging.stage(&gpu.device);
        staged.picture(&gpu, SIZE, &camera([x + 1.0, 2.0, 2.5], [x, 0.5, 0.0]))
    });
    // At 1,024 m neighbouring f32 are 0.1 mm apart, a hundredth of a pixel: edges change by as much.
    let difference = golden::rms(&image(&near), &image(&far));
    assert!(difference < 1.0, "{difference}");
}

/// The same scene drawn twice gives the same bits, with one renderer or two.
#[test]
fn the_same_scene_gives_the_same_picture() {
    let gpu = gpu();
    let mut staging = floating_sheet(true);
    staging.particles(&[[1.0, 0.2, 0.0], [1.2, 0.4, 0.1]], 0.05, true);
    staging.sphere([-1.0, 0.3, 0.0], 0.3, false);
    let staged = staging.stage(&gpu.device);
    let camera = staged.camera(SIZE);
    let mut renderer = staged.renderer(&gpu.device);
    let once = draw(&gpu, &mut renderer, staged.surface(), SIZE, &camera, 0.0);
    // Another size in between makes the renderer build its targets anew.
    draw(&gpu, &mut renderer, staged.surface(), [31, 17], &camera, 0.0);
    assert_eq!(once, draw(&gpu, &mut renderer, staged.surface(), SIZE, &camera, 0.0));
    assert_eq!(once, staged.picture(&gpu, SIZE, &camera));
}

/// The bytes of a target that does not encode sRGB. Its rows need no padding: 192 pixels are 3 times 256 bytes.
fn draw_plain(gpu: &Gpu, staged: &Staged, camera: &Camera) -> Vec<u8> {
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let extent = wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("plain"),
        size: extent,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("plain"),
        size: u64::from(4 * SIZE[0] * SIZE[1]),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut renderer = Renderer::new(&gpu.device, &staged.model, &staged.plan, format).unwrap();
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let target = texture.create_view(&Default::default());
    let shot = shot(&target, SIZE, *camera);
    renderer.draw(&gpu.device, &mut encoder, staged.surface(), &shot);
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * SIZE[0]), rows_per_image: None };
    let copy = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), copy, extent);
    gpu.queue.submit([encoder.finish()]);
    buffer.map_async(wgpu::MapMode::Read, .., |mapped| mapped.unwrap());
    gpu.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    buffer.get_mapped_range(..).unwrap().to_vec()
}

/// A target whose view does not encode sRGB gets the same bytes: the shader encodes.
#[test]
fn plain_targets_get_the_same_colours() {
    let gpu = gpu();
    let staged = floating_sheet(true).stage(&gpu.device);
    let camera = staged.camera(SIZE);
    let encoded = staged.picture(&gpu, SIZE, &camera);
    let plain = draw_plain(&gpu, &staged, &camera);
    // Samples are averaged before or after the encoding: edges differ, flat parts only by rounding.
    let differing = encoded.rgba.iter().zip(&plain).filter(|(a, b)| a.abs_diff(**b) > 2).count();
    assert!(differing * 20 < plain.len(), "{differing} of {}", plain.len());
}

/// Scenes with nothing to draw, or with one point, give the sky and no fault; a target of no size is left alone.
#[test]
fn empty_scenes_and_targets() {
    let gpu = gpu();
    let empty = Staging::new().stage(&gpu.device);
    let mut one = Staging::new();
    one.particles(&[[3.0, 4.0, 5.0]], 0.0, false);
    for staged in [empty, one.stage(&gpu.device)] {
        let picture = staged.picture(&gpu, SIZE, &staged.camera(SIZE));
        assert!(brightness(pixel(&picture, 5, 5)) > 300, "{:?}", pixel(&picture, 5, 5));
        let target = Offscreen::new(&gpu.device, [8, 8]).unwrap();
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        for size in [[0, 0], [0, 5], [5, 0]] {
            let shot = shot(target.view(), size, staged.camera(SIZE));
            staged.renderer(&gpu.device).draw(&gpu.device, &mut encoder, staged.surface(), &shot);
        }
        gpu.queue.submit([encoder.finish()]);
    }
}

/// Pictures of an impossible size are refused with the limit.
#[test]
fn impossible_pictures_are_refused() {
    let gpu = gpu();
    for size in [[0, 10], [10, 0], [1 << 20, 10]] {
        let error = Offscreen::new(&gpu.device, size).err().unwrap();
        assert!(matches!(error, RenderError::PictureSize { .. }), "{error}");
        assert!(error.to_string().contains("each side must be from 1 to"), "{error}");
    }
}

/// A scene whose balls the device cannot bind is refused with both numbers.
#[test]
fn too_many_balls_are_refused() {
    let limits = wgpu::Limits { max_storage_buffer_binding_size: 1 << 16, ..wgpu::Limits::default() };
    let gpu = pollster::block_on(Gpu::open(None, limits)).unwrap();
    let mut staging = Staging::new();
    staging.particles(&vec![[0.0; 3]; 5000], 0.1, false);
    let Staged { model, plan, .. } = staging.stage(&gpu.device);
    let error = Renderer::new(&gpu.device, &model, &plan, Offscreen::FORMAT).err().unwrap().to_string();
    assert!(error.contains("80000") && error.contains("65536"), "{error}");
}

fn image(picture: &Picture) -> RgbaImage {
    RgbaImage::from_raw(picture.width, picture.height, picture.rgba.clone()).unwrap()
}

/// The comparison with kept pictures accepts what is equal, and writes three pictures where something is not.
#[test]
fn golden_comparison_reports_differences() {
    let root = tempfile::tempdir().unwrap();
    let picture = RgbaImage::from_fn(40, 30, |x, y| image::Rgba([x as u8, y as u8, 7, 255]));
    assert!(golden::check(root.path(), "a", &picture).unwrap_err().contains("PLIANT_GOLDEN=write"));
    std::fs::create_dir_all(root.path().join("tests/golden")).unwrap();
    picture.save(root.path().join("tests/golden/a.png")).unwrap();
    assert_eq!(golden::check(root.path(), "a", &picture), Ok(()));
    let other = RgbaImage::from_fn(40, 30, |x, _| image::Rgba([x as u8, 99, 7, 255]));
    let message = golden::check(root.path(), "a", &other).unwrap_err();
    assert!(message.contains("differs"), "{message}");
    for what in ["expected", "actual", "difference"] {
        assert!(root.path().join(format!("target/golden/a-{what}.png")).exists(), "{what}");
    }
}
