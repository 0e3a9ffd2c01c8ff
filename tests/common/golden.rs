//! Comparison of pictures with those kept beside the tests.

use std::path::Path;

use image::RgbaImage;

/// How far a picture may be from the one that is kept: the root mean square over all channels, of 255. Drivers differ in
/// the last bit of a colour (about 0.3 everywhere) and in which samples of a pixel an edge covers (a quarter of the
/// contrast of those pixels, under 1 % of a picture: about 1.5). A missing shadow or a shifted body gives 5 and more.
pub const TOLERANCE: f64 = 2.0;

/// Compares with `tests/golden/NAME.png` under `root`, the folder of the package. If they differ, writes both and their
/// difference (amplified) to `target/golden/` and says where. With `PLIANT_GOLDEN=write` in the environment it is the
/// kept picture that is written: look at it before you commit it.
pub fn check(root: &Path, name: &str, actual: &RgbaImage) -> Result<(), String> {
    let kept = root.join("tests/golden").join(format!("{name}.png"));
    if std::env::var("PLIANT_GOLDEN").is_ok_and(|value| value == "write") {
        save(&kept, actual);
        return Ok(());
    }
    let failures = root.join("target/golden");
    let place = |what: &str| failures.join(format!("{name}-{what}.png"));
    let expected = match image::open(&kept) {
        Ok(picture) => picture.to_rgba8(),
        Err(error) => {
            save(&place("actual"), actual);
            return Err(format!(
                "{}: {error}. The picture drawn is {}; look at it, then run the test with PLIANT_GOLDEN=write",
                kept.display(),
                place("actual").display()
            ));
        }
    };
    let distance = if expected.dimensions() == actual.dimensions() { rms(&expected, actual) } else { f64::INFINITY };
    if distance <= TOLERANCE {
        return Ok(());
    }
    save(&place("expected"), &expected);
    save(&place("actual"), actual);
    save(&place("difference"), &difference(&expected, actual));
    Err(format!(
        "{name} differs from {} by {distance:.2} of 255 (allowed: {TOLERANCE}). Expected, actual and difference are {}",
        kept.display(),
        place("*").display()
    ))
}

/// Root mean square of the difference of two pictures of one size, over all channels, of 255.
pub fn rms(a: &RgbaImage, b: &RgbaImage) -> f64 {
    let squares = a.as_raw().iter().zip(b.as_raw()).map(|(&a, &b)| (f64::from(a) - f64::from(b)).powi(2));
    (squares.sum::<f64>() / a.as_raw().len() as f64).sqrt()
}

/// The difference of each channel, 8 times over, on the part that both pictures have.
fn difference(a: &RgbaImage, b: &RgbaImage) -> RgbaImage {
    let (width, height) = (a.width().min(b.width()), a.height().min(b.height()));
    RgbaImage::from_fn(width, height, |x, y| {
        let (a, b) = (a.get_pixel(x, y).0, b.get_pixel(x, y).0);
        let [red, green, blue] = [0, 1, 2].map(|c| a[c].abs_diff(b[c]).saturating_mul(8));
        image::Rgba([red, green, blue, 255])
    })
}

fn save(path: &Path, picture: &RgbaImage) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    picture.save(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
