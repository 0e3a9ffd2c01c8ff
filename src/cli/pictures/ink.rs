//! Areas and words on pictures. Lengths are in pixels, from the upper left corner.

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use epaint_default_fonts::UBUNTU_LIGHT;

use crate::render::Picture;

/// Red, green and blue, sRGB, and how much of what is below they hide, 0 to 1.
pub type Ink = ([u8; 3], f32);

/// Behind words, and of words.
pub const PANEL: Ink = ([12, 14, 20], 0.62);
pub const WORDS: Ink = ([240, 242, 245], 1.0);

/// By what lengths are multiplied that are given for a picture 540 pixels high: what is written grows with the picture.
pub fn unit(picture: &Picture) -> f32 {
    picture.height as f32 / 540.0
}

/// Smaller letters cannot be read, and are left out.
const LEAST_LETTERS: f32 = 6.0;

/// Pixels from `from` on and before `to`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    pub from: [f32; 2],
    pub to: [f32; 2],
}

impl Area {
    pub fn new([x, y]: [f32; 2], [width, height]: [f32; 2]) -> Self {
        Self { from: [x, y], to: [x + width, y + height] }
    }
}

/// Puts colour on a pixel, if it is in the picture.
fn put(picture: &mut Picture, x: u32, y: u32, (colour, share): Ink) {
    if x >= picture.width || y >= picture.height || share <= 0.0 {
        return;
    }
    let first = 4 * (y as usize * picture.width as usize + x as usize);
    let Some(pixel) = picture.rgba.get_mut(first..first + 4) else { return };
    let share = share.min(1.0);
    let below = (1.0 - share) * f32::from(pixel[3]) / 255.0;
    let alpha = share + below;
    for (channel, own) in pixel.iter_mut().zip(colour) {
        *channel = ((share * f32::from(own) + below * f32::from(*channel)) / alpha).round() as u8;
    }
    pixel[3] = (255.0 * alpha).round() as u8;
}

/// Fills an area; its ink may change from left (0) to right (1).
pub fn fill(picture: &mut Picture, area: Area, ink: impl Fn(f32) -> Ink) {
    let [x0, y0] = area.from.map(|from| from.round().max(0.0) as u32);
    let [x1, y1] = area.to.map(|to| to.round().max(0.0) as u32);
    for x in x0..x1.min(picture.width) {
        let ink = ink((x - x0) as f32 / (x1 - x0 - 1).max(1) as f32);
        (y0..y1.min(picture.height)).for_each(|y| put(picture, x, y, ink));
    }
}

/// Letters of one size.
pub struct Letters {
    font: FontRef<'static>,
    scale: PxScale,
}

impl Letters {
    /// `size`: from the highest letter to the lowest. `None` if it is too small to read.
    pub fn of_size(size: f32) -> Option<Self> {
        if size < LEAST_LETTERS {
            return None;
        }
        let font = FontRef::try_from_slice(UBUNTU_LIGHT).ok()?;
        Some(Self { font, scale: PxScale::from(size) })
    }

    /// Each letter of a line with the place at which it begins, and how long the line is.
    fn places(&self, text: &str) -> (Vec<(ab_glyph::GlyphId, f32)>, f32) {
        let font = self.font.as_scaled(self.scale);
        let (mut x, mut last) = (0.0, None);
        let mut places = Vec::new();
        for letter in text.chars().map(|letter| font.glyph_id(letter)) {
            x += last.map_or(0.0, |last| font.kern(last, letter));
            places.push((letter, x));
            x += font.h_advance(letter);
            last = Some(letter);
        }
        (places, x)
    }

    /// How long a line is.
    pub fn width(&self, text: &str) -> f32 {
        self.places(text).1
    }

    /// Writes a line whose upper left corner is here.
    pub fn write(&self, picture: &mut Picture, text: &str, [left, top]: [f32; 2], (colour, share): Ink) {
        let baseline = top + self.font.as_scaled(self.scale).ascent();
        for (letter, x) in self.places(text).0 {
            let glyph = letter.with_scale_and_position(self.scale, point(left + x, baseline));
            // A space has no outline.
            let Some(outlined) = self.font.outline_glyph(glyph) else { continue };
            let bounds = outlined.px_bounds();
            outlined.draw(|x, y, covered| {
                let [x, y] = [bounds.min.x + x as f32, bounds.min.y + y as f32];
                if x >= 0.0 && y >= 0.0 {
                    put(picture, x as u32, y as u32, (colour, share * covered));
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Ink = ([255; 3], 1.0);

    fn black(width: u32, height: u32, alpha: u8) -> Picture {
        Picture { width, height, rgba: [0, 0, 0, alpha].repeat((width * height) as usize) }
    }

    /// Columns and rows that have anything bright, as ranges.
    fn written(picture: &Picture) -> [[u32; 2]; 2] {
        let bright = picture.rgba.chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[0] > 100);
        bright.fold([[u32::MAX, 0]; 2], |ranges, (i, _)| {
            let place = [i as u32 % picture.width, i as u32 / picture.width];
            std::array::from_fn(|axis| [ranges[axis][0].min(place[axis]), ranges[axis][1].max(place[axis])])
        })
    }

    /// A word is as long and as high as it says, and where it is to be.
    #[test]
    fn words_are_where_they_are_put() {
        let letters = Letters::of_size(24.0).expect("the font");
        let mut picture = black(200, 40, 255);
        letters.write(&mut picture, "Hm/s", [50.0, 8.0], WHITE);
        let [[left, right], [top, bottom]] = written(&picture);
        let width = letters.width("Hm/s");
        assert!((30.0..80.0).contains(&width));
        assert!((50..56).contains(&left) && (right as f32 - 50.0 - width).abs() < 6.0, "{left} to {right}: {width}");
        assert!(top >= 8 && bottom < 8 + 24 && bottom - top > 12, "{top} to {bottom}");
    }

    /// All letters that are needed have a shape, and what lies beyond the picture is left out.
    #[test]
    fn letters_are_there() {
        let letters = Letters::of_size(20.0).expect("the font");
        for letter in "0123456789.,%/()-+ABCDXPkMGPamsonditerlv".chars() {
            let mut picture = black(30, 30, 255);
            letters.write(&mut picture, &letter.to_string(), [5.0, 4.0], WHITE);
            let [columns, _] = written(&picture);
            assert!(columns[0] < columns[1] || letter == ',' || letter == '.', "{letter}");
        }
        let mut picture = black(8, 8, 255);
        letters.write(&mut picture, "Speed", [-30.0, -12.0], WHITE);
        fill(&mut picture, Area::new([-5.0, -5.0], [100.0, 100.0]), |_| WHITE);
        assert!(picture.rgba.iter().all(|&byte| byte == 255));
    }

    /// Ink covers its share, of transparent pictures too, whose colours it then replaces.
    #[test]
    fn ink_covers_its_share() {
        let mut picture = black(2, 1, 255);
        fill(&mut picture, Area::new([1.0, 0.0], [1.0, 1.0]), |_| ([200, 100, 0], 0.5));
        assert_eq!(picture.rgba, [0, 0, 0, 255, 100, 50, 0, 255]);
        let mut clear = black(1, 1, 0);
        fill(&mut clear, Area::new([0.0, 0.0], [1.0, 1.0]), |_| ([200, 100, 0], 0.5));
        assert_eq!(clear.rgba, [200, 100, 0, 128]);
    }
}
