//! Pictures that are to be laid over others.

use pliant::model::{Collider, Shape};
use pliant::render::{Look, Picture, Shot};

use super::staging::{Staged, Staging, draw_shot};
use super::{SIZE, camera, gpu, shot, upright_sheet};

fn decode(byte: u8) -> f64 {
    let srgb = f64::from(byte) / 255.0;
    if srgb <= 0.04045 { srgb / 12.92 } else { ((srgb + 0.055) / 1.055).powf(2.4) }
}

fn encode(light: f64) -> f64 {
    255.0 * if light <= 0.0031308 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}

/// A sheet, balls, links and lines, and a container of glass before them.
fn all_sorts() -> Staging {
    let mut staging = upright_sheet();
    staging.particles(&[[-0.8, 0.0, 0.3], [-0.8, 0.5, 0.3], [-0.5, 0.6, 0.3]], 0.12, true);
    let glass = Collider { inside: true, position: [0.4, 0.1, 0.2], ..Collider::new(Shape::Sphere { radius: 0.5 }) };
    staging.model.colliders.push(glass);
    staging
}

/// The scene over the sky, transparent, and the sky alone.
fn pictures(staging: Staging) -> [Picture; 3] {
    let gpu = gpu();
    let staged = staging.stage(&gpu.device);
    let mut far = Staging::new();
    far.particles(&[[0.0, 0.0, 99.0]], 0.01, false);
    let far = far.stage(&gpu.device);
    let look = Look { wireframe: true, stage: false, ..Look::default() };
    let draw = |staged: &Staged, transparent| {
        draw_shot(&gpu, &mut staged.renderer(&gpu.device), staged.surface(), SIZE, |target| Shot {
            look,
            transparent,
            ..shot(target, SIZE, camera([0.0, 0.0, 2.5], [0.0; 3]))
        })
    };
    [draw(&staged, false), draw(&staged, true), draw(&far, false)]
}

/// Laid over the sky, a transparent picture is the one that has the sky: of surfaces, round bodies, lines and glass, at
/// their edges, too. So it is after its way to a file with colours that are not multiplied by alpha.
#[test]
fn laid_over_the_sky_it_is_the_same() {
    let [opaque, transparent, sky] = pictures(all_sorts());
    let straight = transparent.clone().into_straight_alpha();
    let (mut partly, mut worst) = (0, [0.0_f64; 2]);
    for (i, pixel) in transparent.rgba.chunks_exact(4).enumerate() {
        let alpha = f64::from(pixel[3]) / 255.0;
        partly += usize::from((0.1..0.9).contains(&alpha));
        for channel in 0..3 {
            let at = 4 * i + channel;
            let behind = (1.0 - alpha) * decode(sky.rgba[at]);
            let over =
                [decode(transparent.rgba[at]), alpha * decode(straight.rgba[at])].map(|own| encode(own + behind));
            for (worst, over) in worst.iter_mut().zip(over) {
                *worst = worst.max((over - f64::from(opaque.rgba[at])).abs());
            }
        }
    }
    assert!(partly > 300, "{partly} pixels are covered in part");
    assert!(worst.iter().all(|&difference| difference < 3.0), "{worst:?} of 255");
    assert!(opaque.rgba.chunks_exact(4).all(|pixel| pixel[3] == 255), "the picture with a sky is opaque");
}

/// Where nothing is, alpha is 0, ground or not; where something is, 255.
#[test]
fn ground_is_left_out() {
    let mut staging = upright_sheet();
    staging.model.colliders.push(Collider::plane([0.0, -0.6, 0.0], [0.0, 1.0, 0.0]));
    let [opaque, transparent, _] = pictures(staging);
    let at = |picture: &Picture, x: u32, y: u32| {
        let first = 4 * (y * picture.width + x) as usize;
        picture.rgba[first..first + 4].to_vec()
    };
    assert_eq!(at(&transparent, 96, 125), [0; 4], "ground");
    assert_eq!(at(&transparent, 2, 2), [0; 4], "sky");
    assert_eq!(at(&transparent, 90, 60), at(&opaque, 90, 60));
}
