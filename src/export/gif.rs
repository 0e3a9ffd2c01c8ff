//! Animated GIFs: small, and shown by everything that shows pictures.

use std::path::{Path, PathBuf};

use gif::{Encoder, EncodingError, Frame, Repeat};

use super::atomic::{AtomicFile, FileError};
use super::picture::{PictureError, Rate, changed_rectangle};

/// Wider pictures are averaged down to this width, pixels.
pub const MOST_WIDTH: u32 = 480;
/// Frames beyond this rate are left out, Hz: viewers slow down animations that are much faster.
pub const MOST_RATE: f64 = 25.0;

/// A palette is learnt from one pixel in so many.
const LEARNING_STEP: i32 = 4;
/// Pixels that stay are transparent where they are at least this share: of fewer, no entry of the palette would be
/// learnt, and transparent pixels would share one with a colour.
const LEAST_STAYING: usize = 10;

/// Writes an animated GIF frame by frame, in constant memory. Each frame has a palette of its own, and only what has
/// changed. Dropped before [`AnimatedGif::finish`], it leaves nothing behind.
pub struct AnimatedGif {
    encoder: Encoder<AtomicFile>,
    path: PathBuf,
    /// Of what comes, and of what is written, pixels.
    from: [u32; 2],
    to: [u32; 2],
    rate: Rate,
    /// One in so many frames is written.
    stride: u64,
    /// How many frames came.
    frames: u64,
    /// As written, before its colours were reduced.
    previous: Vec<u8>,
}

impl AnimatedGif {
    /// Begins an animation that repeats for ever. `width` and `height` of what will be pushed are in pixels, and
    /// `frame_rate` is in Hz; what is written is at most [`MOST_WIDTH`] wide and has at most [`MOST_RATE`] frames a
    /// second.
    ///
    /// # Errors
    /// If a side is 0 or the file cannot be made.
    pub fn create(path: &Path, width: u32, height: u32, frame_rate: f64) -> Result<Self, PictureError> {
        let to_width = width.min(MOST_WIDTH);
        let to_height = (u64::from(height) * u64::from(to_width)).div_ceil(u64::from(width.max(1)));
        let (Ok(columns @ 1..), Ok(rows @ 1..)) = (u16::try_from(to_width), u16::try_from(to_height)) else {
            let reason = format!("{width} x {height} pixels are no size of a GIF");
            return Err(PictureError::Content { path: path.to_path_buf(), reason });
        };
        let begin = |file| {
            let mut encoder = Encoder::new(file, columns, rows, &[])?;
            encoder.set_repeat(Repeat::Infinite)?;
            Ok(encoder)
        };
        let rate = Rate::of(frame_rate);
        Ok(Self {
            encoder: begin(AtomicFile::create(path)?).map_err(|error| explain(path, error))?,
            path: path.to_path_buf(),
            from: [width, height],
            to: [columns, rows].map(u32::from),
            // A rate of 25.0000001 Hz is one of 25 Hz.
            stride: (rate.hertz() / MOST_RATE - 1e-6).ceil().max(1.0) as u64,
            rate,
            frames: 0,
            previous: Vec::new(),
        })
    }

    /// Adds a frame, in the form that [`write_png`](super::picture::write_png) takes; of its alpha only 0 counts.
    ///
    /// # Errors
    /// If it has another size, or cannot be written.
    pub fn push(&mut self, rgba: &[u8]) -> Result<(), PictureError> {
        let [width, height] = self.from.map(|side| side as usize);
        if rgba.len() != 4 * width * height {
            let reason = format!("a frame has {} bytes, and {width} x {height} pixels have 4 each", rgba.len());
            return Err(PictureError::Content { path: self.path.clone(), reason });
        }
        let index = self.frames;
        self.frames += 1;
        if !index.is_multiple_of(self.stride) {
            return Ok(());
        }
        let small = if self.from == self.to { rgba.to_vec() } else { shrunk(rgba, self.from, self.to) };
        let frame = Frame { delay: self.delay(index), ..self.reduced(&small) };
        self.encoder.write_frame(&frame).map_err(|error| explain(&self.path, error))?;
        self.previous = small;
        Ok(())
    }

    /// What has changed, in 256 colours.
    fn reduced(&self, small: &[u8]) -> Frame<'static> {
        let columns = self.to[0] as usize;
        if self.previous.is_empty() {
            let [columns, rows] = self.to.map(|side| side as u16);
            return Frame::from_rgba_speed(columns, rows, &mut small.to_vec(), LEARNING_STEP);
        }
        let changed = changed_rectangle(&self.previous, small, columns);
        let place = |y: usize| 4 * (y * columns + changed.x)..4 * (y * columns + changed.x + changed.width);
        let rows = changed.y..changed.y + changed.height;
        let mut part: Vec<u8> = rows.clone().flat_map(|y| &small[place(y)]).copied().collect();
        let before: Vec<u8> = rows.flat_map(|y| &self.previous[place(y)]).copied().collect();
        let staying = part.chunks_exact(4).zip(before.chunks_exact(4)).filter(|(now, before)| now == before).count();
        if LEAST_STAYING * staying >= part.len() / 4 {
            for (now, before) in part.chunks_exact_mut(4).zip(before.chunks_exact(4)) {
                if now == before {
                    now.fill(0);
                }
            }
        }
        let [left, top, width, height] = [changed.x, changed.y, changed.width, changed.height].map(|side| side as u16);
        Frame { left, top, ..Frame::from_rgba_speed(width, height, &mut part, LEARNING_STEP) }
    }

    /// For how long a frame is shown, hundredths of a second: rounded so that errors do not add up.
    fn delay(&self, index: u64) -> u16 {
        let begin = |index: u64| (100.0 * index as f64 / self.rate.hertz()).round();
        // A cast from a float saturates.
        (begin(index + self.stride) - begin(index)) as u16
    }

    /// Completes the file. Without any frames there is none.
    ///
    /// # Errors
    /// If the file cannot be completed or named.
    pub fn finish(self) -> Result<(), PictureError> {
        let Self { encoder, path, frames, .. } = self;
        if frames == 0 {
            return Ok(());
        }
        let file = encoder.into_inner().map_err(|error| explain(&path, error))?;
        Ok(file.commit()?)
    }
}

fn explain(path: &Path, error: EncodingError) -> PictureError {
    let path = path.to_path_buf();
    match error {
        EncodingError::Io(source) => FileError { path, source }.into(),
        other => PictureError::Content { path, reason: other.to_string() },
    }
}

/// A picture in a smaller size: each pixel has the mean light of those that it covers.
fn shrunk(rgba: &[u8], from: [u32; 2], to: [u32; 2]) -> Vec<u8> {
    let light: [f32; 256] = std::array::from_fn(|byte| decode(byte as f32 / 255.0));
    let [across, down] = [0, 1].map(|axis| shares(from[axis], to[axis]));
    let width = from[0] as usize;
    let mut small = Vec::with_capacity(4 * across.len() * down.len());
    for rows in &down {
        for columns in &across {
            let mut sum = [0.0_f32; 4];
            for &(y, row_share) in rows {
                for &(x, share) in columns {
                    let pixel = &rgba[4 * (y * width + x)..][..4];
                    let share = share * row_share;
                    (0..3).for_each(|channel| sum[channel] += share * light[pixel[channel] as usize]);
                    sum[3] += share * f32::from(pixel[3]);
                }
            }
            let [red, green, blue] = [sum[0], sum[1], sum[2]].map(|light| (255.0 * encode(light)).round() as u8);
            small.extend([red, green, blue, sum[3].round() as u8]);
        }
    }
    small
}

/// Of each of so many pixels along a side: which of the larger side's it covers, and which share of it each is.
fn shares(from: u32, to: u32) -> Vec<Vec<(usize, f32)>> {
    let size = f64::from(from) / f64::from(to);
    let of_pixel = |pixel: u32| {
        let (begin, end) = (size * f64::from(pixel), (size * f64::from(pixel + 1)).min(f64::from(from)));
        let overlap = |other: u32| (end.min(f64::from(other + 1)) - begin.max(f64::from(other))) / (end - begin);
        let covered = begin.floor() as u32..(end.ceil() as u32).min(from);
        covered.map(|other| (other as usize, overlap(other) as f32)).filter(|(_, share)| *share > 0.0).collect()
    };
    (0..to).map(of_pixel).collect()
}

/// From sRGB to light, and back.
fn decode(srgb: f32) -> f32 {
    if srgb <= 0.040_45 { srgb / 12.92 } else { ((srgb + 0.055) / 1.055).powf(2.4) }
}

fn encode(light: f32) -> f32 {
    if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.min(1.0).powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grey of some noise whose middle is of a colour.
    fn picture(width: u32, height: u32, middle: [u8; 3]) -> Vec<u8> {
        let inner = |x: u32, side: u32| (side / 4..side * 3 / 4).contains(&x);
        let pixel = |i: u32| {
            let (x, y) = (i % width, i / width);
            let noise = (x * 7 + y * 13) as u8;
            let [r, g, b] = if inner(x, width) && inner(y, height) { middle } else { [noise, noise / 2, 128] };
            [r, g, b, 255]
        };
        (0..width * height).flat_map(pixel).collect()
    }

    /// What a decoder shows of a file: each frame's delay and whole picture.
    fn shown(path: &Path) -> Vec<(u16, Vec<u8>)> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(std::fs::File::open(path).unwrap()).unwrap();
        assert_eq!(decoder.repeat(), Repeat::Infinite);
        let [width, height] = [decoder.width(), decoder.height()].map(usize::from);
        let mut screen = vec![0; 4 * width * height];
        let mut all = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            for (row, pixels) in frame.buffer.chunks_exact(4 * usize::from(frame.width)).enumerate() {
                for (column, pixel) in pixels.chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] != 0) {
                    let at = 4 * ((usize::from(frame.top) + row) * width + usize::from(frame.left) + column);
                    screen[at..at + 4].copy_from_slice(pixel);
                }
            }
            all.push((frame.delay, screen.clone()));
        }
        all
    }

    /// Every frame comes back near to what was pushed, what stays in the very colours of before.
    #[test]
    fn frames_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gif");
        let mut animation = AnimatedGif::create(&path, 64, 36, 25.0).unwrap();
        let pictures = [[250, 40, 40], [40, 200, 40], [40, 200, 40], [0, 0, 0]].map(|middle| picture(64, 36, middle));
        pictures.iter().for_each(|picture| animation.push(picture).unwrap());
        animation.finish().unwrap();
        let shown = shown(&path);
        assert_eq!(shown.iter().map(|(delay, _)| *delay).collect::<Vec<_>>(), [4; 4]);
        for ((_, shown), pushed) in shown.iter().zip(&pictures) {
            let error: u32 = shown.iter().zip(pushed).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
            assert!(error < 6 * shown.len() as u32, "{} on the mean", f64::from(error) / shown.len() as f64);
        }
        assert_eq!(shown[1].1[..4 * 64 * 8], shown[0].1[..4 * 64 * 8], "what stays");
        assert_eq!(shown[2].1, shown[1].1);
    }

    /// Fast simulations are shown at 25 frames a second at most, at the right speed in the sum.
    #[test]
    fn plays_at_the_right_speed() {
        let folder = tempfile::tempdir().unwrap();
        for (rate, pushed) in [(60.0, 120), (24.0, 120), (240.0, 200), (1.0, 6), (50.0, 100)] {
            let path = folder.path().join("a.gif");
            let mut animation = AnimatedGif::create(&path, 8, 8, rate).unwrap();
            (0..pushed).for_each(|number: u8| animation.push(&picture(8, 8, [number; 3])).unwrap());
            animation.finish().unwrap();
            let delays: Vec<f64> = shown(&path).iter().map(|(delay, _)| f64::from(*delay) / 100.0).collect();
            let seconds: f64 = delays.iter().sum();
            // The last frame may stand for some that were left out.
            assert!((seconds - f64::from(pushed) / rate).abs() < 0.051, "{rate} Hz: {seconds} s");
            assert!(delays.iter().all(|delay| *delay >= 0.04), "{rate} Hz: {delays:?}");
        }
    }

    /// Wide pictures are averaged down, by light: black beside white is not the middle of the numbers.
    #[test]
    fn wide_pictures_are_averaged() {
        let stripes: Vec<u8> = (0..960 * 4).flat_map(|i| [[0, 0, 0, 255], [255, 255, 255, 255]][i % 2]).collect();
        let small = shrunk(&stripes, [960, 4], [480, 2]);
        assert_eq!((small.len(), &small[..4]), (4 * 480 * 2, &[188, 188, 188, 255][..]));
        let grey = shrunk(&[77; 4 * 7 * 5], [7, 5], [3, 2]);
        assert_eq!(grey, [77; 4 * 3 * 2]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gif");
        let mut animation = AnimatedGif::create(&path, 960, 540, 25.0).unwrap();
        animation.push(&picture(960, 540, [250, 40, 40])).unwrap();
        animation.finish().unwrap();
        assert_eq!(shown(&path)[0].1.len(), 4 * 480 * 270);
    }

    /// Without frames there is no file, nor of one that is abandoned; a frame of another size is told.
    #[test]
    fn faults() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gif");
        AnimatedGif::create(&path, 8, 8, 60.0).unwrap().finish().unwrap();
        let mut animation = AnimatedGif::create(&path, 8, 8, 60.0).unwrap();
        animation.push(&picture(8, 8, [1; 3])).unwrap();
        let message = animation.push(&[0; 4]).unwrap_err().to_string();
        assert!(message.contains("a.gif") && message.contains("8 x 8"), "{message}");
        drop(animation);
        assert!(AnimatedGif::create(&path, 0, 8, 60.0).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
