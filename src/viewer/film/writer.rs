//! The files that films are written to. Another format is another [`FilmWriter`] and a line in [`create`].

use std::path::{Path, PathBuf};

use crate::export::picture::{AnimatedPng, PictureError};
use crate::viewer::naming::Names;

/// Pictures of a film in a second.
pub const RATE: f64 = 30.0;

/// What takes the pictures of a film, one after another, each of 1/[`RATE`] s.
pub trait FilmWriter: Send {
    /// sRGB, 4 bytes a pixel, row by row from the top.
    fn push(&mut self, rgba: &[u8]) -> Result<(), PictureError>;

    /// Completes the file.
    fn finish(self: Box<Self>) -> Result<(), PictureError>;
}

impl FilmWriter for AnimatedPng {
    fn push(&mut self, rgba: &[u8]) -> Result<(), PictureError> {
        AnimatedPng::push(self, rgba)
    }

    fn finish(self: Box<Self>) -> Result<(), PictureError> {
        AnimatedPng::finish(*self)
    }
}

/// A new film of pictures of this size, in a folder, called after a scene.
pub fn create(
    folder: &Path,
    names: &mut Names,
    scene: &str,
    [width, height]: [u32; 2],
) -> Result<(PathBuf, Box<dyn FilmWriter>), PictureError> {
    let path = names.free(folder, &format!("{scene}-film"), "png");
    let writer = AnimatedPng::create(&path, width, height, RATE)?;
    Ok((path, Box::new(writer)))
}
