//! The scale of a picture whose colours stand for numbers.

use super::ink::{Area, Letters, PANEL, WORDS, fill, unit};
use crate::render::{Colour, Picture, heat};

/// Lengths in [`unit`]s.
const BAR: [f32; 2] = [220.0, 12.0];
const LETTERS: f32 = 18.0;
const GAP: f32 = 6.0;
/// Between the panel's edge and what is on it, and between it and the picture's edge.
const MARGIN: f32 = 14.0;
/// What a scale says.
#[derive(Clone, Debug, PartialEq)]
pub struct Legend {
    /// `Speed, m/s`
    title: String,
    /// From 0 to where the scale is full, evenly.
    numbers: Vec<String>,
}

impl Legend {
    /// Of a colour that is full at a value, in the colour's unit; `None` where colours are those of bodies.
    pub fn of(colour: Colour, full: f64) -> Option<Self> {
        let (name, unit, full) = match colour {
            Colour::Body => return None,
            Colour::Stretch => ("Stretch", "%".to_string(), 100.0 * full),
            Colour::Strain => ("Strain", "%".to_string(), 100.0 * full),
            Colour::Speed => ("Speed", "m/s".to_string(), full),
            Colour::Stress => {
                let prefixes = [("G", 1e9), ("M", 1e6), ("k", 1e3)];
                let (prefix, factor) = prefixes.into_iter().find(|(_, factor)| full >= *factor).unwrap_or(("", 1.0));
                ("Stress (von Mises)", format!("{prefix}Pa"), full / factor)
            }
        };
        Some(Self { title: format!("{name}, {unit}"), numbers: numbers(full) })
    }

    /// Draws the scale into the lower right corner.
    pub fn draw(&self, picture: &mut Picture) {
        let unit = unit(picture);
        let Some(letters) = Letters::of_size(LETTERS * unit) else { return };
        let [width, height] = BAR.map(|side| side * unit);
        let (line, gap, margin) = (LETTERS * unit, GAP * unit, MARGIN * unit);
        let panel = [width.max(letters.width(&self.title)) + 3.0 * margin, 2.0 * (line + gap + margin) + height];
        let corner = [picture.width as f32 - panel[0] - margin, picture.height as f32 - panel[1] - margin];
        fill(picture, Area::new(corner, panel), |_| PANEL);
        let (left, top) = (corner[0] + 1.5 * margin, corner[1] + margin);
        letters.write(picture, &self.title, [left, top], WORDS);
        let top = top + line + gap;
        fill(picture, Area::new([left, top], [width, height]), |t| (heat(t).map(|c| (255.0 * c).round() as u8), 1.0));
        let last = (self.numbers.len() - 1).max(1) as f32;
        for (index, number) in self.numbers.iter().enumerate() {
            let middle = left + width * index as f32 / last;
            let at = [middle - 0.5 * letters.width(number), top + height + gap];
            letters.write(picture, number, at, WORDS);
        }
    }
}

/// Three to five numbers from 0 to a value, evenly: those with the fewest digits, and of these the most.
fn numbers(full: f64) -> Vec<String> {
    let evenly = |parts: u32| -> Vec<String> {
        (0..=parts).map(|part| short(full * f64::from(part) / f64::from(parts))).collect()
    };
    let longest = |numbers: &Vec<String>| numbers.iter().map(String::len).max().unwrap_or(0);
    [4, 3, 2].map(evenly).into_iter().min_by_key(longest).unwrap_or_default()
}

/// To four digits, without zeros at the end.
fn short(value: f64) -> String {
    let digits = if value > 0.0 { (3.0 - value.log10().floor()).clamp(0.0, 9.0) as usize } else { 0 };
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{FULL_SPEED, FULL_STRAIN, FULL_STRETCH};

    /// Scales have round numbers and units with prefixes.
    #[test]
    fn scales_are_round() {
        let said = |colour, full| Legend::of(colour, full).map(|legend| (legend.title, legend.numbers.join(" ")));
        let cases = [
            (Colour::Stretch, FULL_STRETCH, "Stretch, %", "0 2.5 5"),
            (Colour::Strain, FULL_STRAIN, "Strain, %", "0 5 10"),
            (Colour::Speed, FULL_SPEED, "Speed, m/s", "0 1 2 3"),
            (Colour::Stress, 2e6, "Stress (von Mises), MPa", "0 1 2"),
            (Colour::Stress, 5e4, "Stress (von Mises), kPa", "0 25 50"),
            (Colour::Stress, 1e3, "Stress (von Mises), kPa", "0 0.5 1"),
            (Colour::Stress, 200.0, "Stress (von Mises), Pa", "0 50 100 150 200"),
            (Colour::Stress, 1e10, "Stress (von Mises), GPa", "0 5 10"),
        ];
        for (colour, full, title, numbers) in cases {
            assert_eq!(said(colour, full), Some((title.to_string(), numbers.to_string())), "{colour:?} {full}");
        }
        assert_eq!(said(Colour::Body, 1.0), None);
    }

    /// The bar is in the lower right corner, goes through the whole scale, and grows with the picture; pictures too
    /// small for words have none.
    #[test]
    fn bars_are_drawn() {
        let legend = Legend::of(Colour::Speed, FULL_SPEED).expect("a scale");
        let grey = |width: u32, height: u32| Picture {
            width,
            height,
            rgba: [128, 128, 128, 255].repeat((width * height) as usize),
        };
        let width_of_bar = |width: u32, height: u32| {
            let mut picture = grey(width, height);
            legend.draw(&mut picture);
            let [cold, hot] = [0.0, 1.0].map(|t| heat(t).map(|c| (255.0 * c).round() as u8));
            let place = |colour: [u8; 3]| {
                let index = picture.rgba.chunks_exact(4).position(|pixel| pixel[..3] == colour);
                index.map(|index| [index as u32 % width, index as u32 / width])
            };
            let ([left, top], [right, _]) = (place(cold).expect("cold"), place(hot).expect("hot"));
            assert!(left > width / 2 && top > height * 3 / 4 && right < width, "{left} {top} {right}");
            right - left
        };
        assert_eq!(width_of_bar(960, 540), 219);
        assert_eq!(width_of_bar(1920, 1080), 439);
        let mut small = grey(64, 36);
        legend.draw(&mut small);
        assert_eq!(small, grey(64, 36));
    }
}
