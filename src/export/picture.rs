//! Pictures as PNG files, and a run of them as an animated PNG.
//!
//! They are whole or absent, as all files here: see [`AtomicFile`].

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use png::{BitDepth, BlendOp, ColorType, Compression, DisposeOp, Encoder, EncodingError, SrgbRenderingIntent, Writer};
use thiserror::Error;

use super::atomic::{AtomicFile, FileError};

/// Why a picture could not be written.
#[derive(Debug, Error)]
pub enum PictureError {
    /// The file could not be made or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// What was given is no picture of that size, or the encoder failed.
    #[error("the picture {} cannot be written: {reason}", path.display())]
    Content {
        /// The file that was to be.
        path: PathBuf,
        /// What the encoder said.
        reason: String,
    },
}

/// Writes one picture: sRGB, 4 bytes a pixel (red, green, blue, alpha), row by row from the top; `width` and `height`
/// in pixels.
///
/// # Errors
/// If `rgba` is not `4 * width * height` bytes long, either side is 0, or the file cannot be written.
pub fn write_png(path: &Path, width: u32, height: u32, rgba: &[u8]) -> Result<(), PictureError> {
    let mut file = AtomicFile::create(path)?;
    let write = |file: &mut AtomicFile| {
        let mut writer = encoder(file, width, height).write_header()?;
        writer.write_image_data(rgba)?;
        writer.finish()
    };
    write(&mut file).map_err(|error| explain(path, error))?;
    Ok(file.commit()?)
}

/// Writes an animated PNG frame by frame, in constant memory. How many frames there will be need not be known: a run
/// may end early. Dropped before [`AnimatedPng::finish`], it leaves nothing behind.
pub struct AnimatedPng {
    writer: Writer<BufWriter<File>>,
    /// The same file: the number of frames is put in behind the writer's back.
    file: AtomicFile,
    path: PathBuf,
    width: u32,
    frames: u32,
    /// The frame before, of which only what changed is written again.
    previous: Vec<u8>,
}

impl AnimatedPng {
    /// Begins an animation that repeats for ever. `width` and `height` are in pixels; `frame_rate` is in Hz, and kept
    /// as a [`Rate`].
    ///
    /// # Errors
    /// If either side is 0 or the file cannot be made.
    pub fn create(path: &Path, width: u32, height: u32, frame_rate: f64) -> Result<Self, PictureError> {
        let mut file = AtomicFile::create(path)?;
        let mut writer = || {
            let mut encoder = encoder(BufWriter::new(file.file()?.try_clone()?), width, height);
            encoder.set_animated(MOST_FRAMES, 0)?;
            let Rate { frames, seconds } = Rate::of(frame_rate);
            encoder.set_frame_delay(seconds, frames)?;
            encoder.set_blend_op(BlendOp::Source)?;
            encoder.set_dispose_op(DisposeOp::None)?;
            encoder.write_header()
        };
        let writer = writer().map_err(|error| explain(path, error))?;
        Ok(Self { writer, file, path: path.to_path_buf(), width, frames: 0, previous: Vec::new() })
    }

    /// Adds a frame, in the form that [`write_png`] takes.
    ///
    /// # Errors
    /// If it has another size, or cannot be written.
    pub fn push(&mut self, rgba: &[u8]) -> Result<(), PictureError> {
        self.encode(rgba).map_err(|error| explain(&self.path, error))?;
        self.frames += 1;
        self.previous.clear();
        self.previous.extend_from_slice(rgba);
        Ok(())
    }

    fn encode(&mut self, rgba: &[u8]) -> Result<(), EncodingError> {
        if self.frames == 0 || rgba.len() != self.previous.len() {
            // The writer refuses a frame of the wrong size.
            return self.writer.write_image_data(rgba);
        }
        let changed = changed_rectangle(&self.previous, rgba, self.width as usize);
        self.writer.set_frame_position(0, 0)?;
        self.writer.set_frame_dimension(changed.width as u32, changed.height as u32)?;
        self.writer.set_frame_position(changed.x as u32, changed.y as u32)?;
        let rows = rgba.chunks_exact(4 * self.width as usize).skip(changed.y).take(changed.height);
        let part: Vec<u8> =
            rows.flat_map(|row| &row[4 * changed.x..4 * (changed.x + changed.width)]).copied().collect();
        self.writer.write_image_data(&part)
    }

    /// Completes the file with the number of frames that came. Without any there is no picture, and no file.
    ///
    /// # Errors
    /// If the file cannot be completed or named.
    pub fn finish(self) -> Result<(), PictureError> {
        let Self { writer, mut file, path, frames, .. } = self;
        if frames == 0 {
            return Ok(());
        }
        let complete = |file: &mut AtomicFile| {
            writer.finish()?;
            Ok(write_frame_count(file.file()?, frames)?)
        };
        complete(&mut file).map_err(|error| explain(&path, error))?;
        Ok(file.commit()?)
    }
}

/// How fast an animation plays, as the files of animations say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// So many frames, at least 1.
    pub frames: u16,
    /// In so many seconds, at least 1.
    pub seconds: u16,
}

impl Rate {
    /// The nearest to a frame rate in Hz.
    pub fn of(frame_rate: f64) -> Self {
        let most = f64::from(u16::MAX);
        let nearest = |seconds: u16| {
            // A cast from a float saturates.
            let frames = (frame_rate * f64::from(seconds)).round().clamp(1.0, most) as u16;
            (Self { frames, seconds }, (f64::from(frames) / f64::from(seconds) / frame_rate - 1.0).abs())
        };
        let mut best = nearest(1);
        for seconds in 2..=u16::MAX {
            // A fraction that is as good has the smaller numbers.
            if best.1 < 1e-9 {
                break;
            }
            let next = nearest(seconds);
            if next.1 < best.1 {
                best = next;
            }
        }
        best.0
    }

    /// Hz
    pub fn hertz(self) -> f64 {
        f64::from(self.frames) / f64::from(self.seconds)
    }
}

/// What the header says until the number of frames is known: the most that the format allows.
const MOST_FRAMES: u32 = i32::MAX as u32;

/// Puts the true number of frames into a finished file's `acTL` chunk: name, frames, plays, check sum.
fn write_frame_count(file: &mut File, frames: u32) -> io::Result<()> {
    let mut chunk = *b"acTL\0\0\0\0\0\0\0\0";
    chunk[4..8].copy_from_slice(&frames.to_be_bytes());
    seek_name(file, b"acTL")?;
    file.write_all(&chunk)?;
    file.write_all(&check_sum(&chunk).to_be_bytes())
}

/// Goes to the name of the first chunk that bears it. A chunk is length, name, contents and check sum.
fn seek_name(file: &mut File, wanted: &[u8; 4]) -> io::Result<()> {
    const SIGNATURE_BYTES: u64 = 8;
    file.seek(SeekFrom::Start(SIGNATURE_BYTES))?;
    loop {
        let (mut length, mut name) = ([0; 4], [0; 4]);
        file.read_exact(&mut length)?;
        file.read_exact(&mut name)?;
        if name == *wanted {
            return file.seek_relative(-4);
        }
        file.seek_relative(i64::from(u32::from_be_bytes(length)) + 4)?;
    }
}

/// CRC-32 as PNG defines it (ISO 3309).
fn check_sum(bytes: &[u8]) -> u32 {
    let shift = |crc: u32| (crc >> 1) ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
    !bytes.iter().fold(u32::MAX, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| shift(crc)))
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rectangle {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
}

/// The smallest rectangle outside of which two pictures are the same; one pixel if they are wholly the same.
pub(super) fn changed_rectangle(before: &[u8], after: &[u8], width: usize) -> Rectangle {
    let rows = before.chunks_exact(4 * width).zip(after.chunks_exact(4 * width)).enumerate();
    let mut edges: Option<[usize; 4]> = None;
    for (y, (before, after)) in rows.filter(|(_, (before, after))| before != after) {
        let differs = |x: &usize| before[4 * x..4 * x + 4] != after[4 * x..4 * x + 4];
        let left = (0..width).find(differs).unwrap_or(0);
        let right = (0..width).rfind(differs).unwrap_or(0);
        let [x0, y0, x1, _] = edges.unwrap_or([left, y, right, y]);
        edges = Some([x0.min(left), y0, x1.max(right), y]);
    }
    let [x0, y0, x1, y1] = edges.unwrap_or_default();
    Rectangle { x: x0, y: y0, width: x1 - x0 + 1, height: y1 - y0 + 1 }
}

fn encoder<W: Write>(file: W, width: u32, height: u32) -> Encoder<'static, W> {
    let mut encoder = Encoder::new(file, width, height);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
    encoder
}

fn explain(path: &Path, error: EncodingError) -> PictureError {
    let path = path.to_path_buf();
    match error {
        EncodingError::IoError(source) => FileError { path, source }.into(),
        other => PictureError::Content { path, reason: other.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whole rates, those of every N-th frame, and slow ones are exact; others are as near as the numbers allow.
    #[test]
    fn rates_are_kept() {
        let rate = |hertz: f64| {
            let Rate { frames, seconds } = Rate::of(hertz);
            (frames, seconds)
        };
        let exact =
            [(60.0, (60, 1)), (60.0 / 7.0, (60, 7)), (0.01, (1, 100)), (29.97, (2997, 100)), (1e5, (65_535, 1))];
        exact.into_iter().for_each(|(hertz, expected)| assert_eq!(rate(hertz), expected, "{hertz}"));
        let near = Rate::of(59.123_456_789).hertz();
        assert!((near - 59.123_456_789).abs() < 1e-3, "{near}");
    }
}
