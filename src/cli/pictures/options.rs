//! The options of a run that draws.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{ArgGroup, Args};

use super::look::{LookName, combined};
use super::video::find_encoder;
use crate::cli::failure::Failure;
use crate::render::Look;
use crate::scene::Camera;

/// What of a run is drawn, where to, and how.
#[derive(Args, Clone, Default)]
#[command(group = ArgGroup::new("drawn").multiple(true))]
pub struct Drawing {
    /// Draw every frame into the folder: PNG files and an animated PNG
    #[arg(long, group = "drawn")]
    pub render: bool,
    /// Write a video, through the program `ffmpeg`
    #[arg(long, value_name = "FILE.mp4", group = "drawn")]
    pub video: Option<PathBuf>,
    /// Write a small animated GIF: at most 480 pixels wide and 25 frames a second
    #[arg(long, value_name = "FILE.gif", group = "drawn")]
    pub gif: Option<PathBuf>,
    /// Draw every N-th frame only; animations keep the speed of the simulation
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), requires = "drawn")]
    every: Option<u64>,
    /// Size of the pictures in pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t = Size::default(), requires = "drawn")]
    pub size: Size,
    /// What the pictures show; combine several as in `balls,wireframe`, but only one that colours bodies
    #[arg(long, value_enum, value_delimiter = ',', default_value = "plain", requires = "drawn")]
    look: Vec<LookName>,
    /// Where to look from and at, in place of the scene's camera: x,y,z in m of both, and the field of view in degrees
    #[arg(
        long, value_name = "EYE:TARGET[:FOV]", value_parser = camera, allow_hyphen_values = true, requires = "drawn"
    )]
    pub camera: Option<Camera>,
    /// Leave out the sky and planes: PNG files that can be laid over other pictures
    #[arg(long, requires = "render", conflicts_with_all = ["video", "gif"])]
    pub transparent: bool,
}

impl Drawing {
    /// PNG files of every frame.
    pub fn into_folder() -> Self {
        Self { render: true, ..Self::default() }
    }

    /// Whether anything is drawn.
    pub fn is_wanted(&self) -> bool {
        self.render || self.video.is_some() || self.gif.is_some()
    }

    /// How many frames of the simulation there are to one that is drawn.
    pub fn every(&self) -> u64 {
        self.every.unwrap_or(1)
    }

    /// What the pictures show.
    pub fn look(&self) -> Result<Look, Failure> {
        combined(&self.look)
    }

    /// The files that it writes, with their options.
    pub fn files(&self) -> [(&'static str, Option<&Path>); 2] {
        [("--video", self.video.as_deref()), ("--gif", self.gif.as_deref())]
    }

    /// Refuses what a run of so many frames cannot draw, before anything is simulated.
    pub fn check(&self, frames: u64) -> Result<(), Failure> {
        self.look()?;
        if self.every() > frames {
            let every = self.every();
            return Err(Failure::Input(format!(
                "--every {every}: the run has {frames} frames, and none would be drawn; lower --every or raise --frames"
            )));
        }
        for ((option, path), ending) in self.files().into_iter().zip(["mp4", "gif"]) {
            let Some(path) = path else { continue };
            if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending)) {
                let name = path.display();
                let message = format!("{option} {name}: this is not the name of such a file; end it in .{ending}");
                return Err(Failure::Input(message));
            }
        }
        if self.video.is_some() {
            self.size.check_even()?;
            find_encoder()?;
        }
        Ok(())
    }
}

/// Reads the camera of `--camera`.
fn camera(text: &str) -> Result<Camera, String> {
    let place = |text: &str| -> Option<[f64; 3]> {
        let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
        numbers?.try_into().ok()
    };
    let parts: Vec<&str> = text.split(':').collect();
    let read = match parts[..] {
        [eye, target] => place(eye).zip(place(target)).zip(Some(Camera::DEFAULT_FIELD_OF_VIEW)),
        [eye, target, angle] => place(eye).zip(place(target)).zip(number(angle)),
        _ => None,
    };
    let Some(((eye, target), field_of_view)) = read else {
        return Err("give the eye and the target in m and, if need be, the field of view in degrees, like \
                    1,2,3:0,0.5,0 or 1,2,3:0,0.5,0:35"
            .to_string());
    };
    if eye == target {
        return Err("the eye is where the target is; move one of them".to_string());
    }
    if !(1.0..=170.0).contains(&field_of_view) {
        return Err(format!("the field of view is {field_of_view} degrees, and can be 1 to 170; 40 is usual"));
    }
    Ok(Camera { eye, target, field_of_view })
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.abs() <= 1e9)
}

/// Width and height of a picture, pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u32, pub u32);

impl Default for Size {
    fn default() -> Self {
        Self(960, 540)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.0, self.1)
    }
}

impl FromStr for Size {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once('x').and_then(|(w, h)| Some(Size(w.parse().ok()?, h.parse().ok()?)));
        match sides {
            Some(size @ Size(1.., 1..)) => Ok(size),
            _ => Err("give width and height in pixels, like 1280x720".to_string()),
        }
    }
}

impl Size {
    /// Videos halve the resolution of colours.
    fn check_even(self) -> Result<(), Failure> {
        let even = |side: u32| (side & !1).max(2);
        let Self(width, height) = self;
        if (width, height) == (even(width), even(height)) {
            return Ok(());
        }
        let near = Self(even(width), even(height));
        Err(Failure::Input(format!(
            "--video: width and height of a video are even, and the size is {self}; give --size {near}"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cameras of two places have the usual field of view, and those that see nothing are refused with a remedy.
    #[test]
    fn cameras() {
        let seen = Camera { eye: [1.0, -2.0, 3.0], target: [0.0, 0.5, 0.0], field_of_view: 40.0 };
        assert_eq!(camera("1,-2,3:0,.5,0"), Ok(seen));
        assert_eq!(camera("1, -2, 3 : 0, 0.5, 0 : 35"), Ok(Camera { field_of_view: 35.0, ..seen }));
        let cases = [
            ("1,2,3", "1,2,3:0,0.5,0:35"),
            ("1,2:0,0,0", "1,2,3:0,0.5,0:35"),
            ("1,2,3:0,0,0:35:1", "1,2,3:0,0.5,0:35"),
            ("1,2,3:0,0,nan", "1,2,3:0,0.5,0:35"),
            ("1,2,inf:0,0,0", "1,2,3:0,0.5,0:35"),
            ("1,2,3:1,2,3", "move one of them"),
            ("1,2,3:0,0,0:171", "1 to 170"),
        ];
        for (text, part) in cases {
            let message = camera(text).expect_err(text);
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    /// What a video cannot have is refused with the nearest size that it can.
    #[test]
    fn sizes_of_videos_are_even() {
        let refused = |size: Size| size.check_even().err().map(|failure| failure.to_string());
        assert_eq!(refused(Size(64, 36)), None);
        for (size, near) in [(Size(65, 36), "64x36"), (Size(64, 37), "64x36"), (Size(1, 1), "2x2")] {
            assert!(refused(size).is_some_and(|message| message.ends_with(near)), "{size}");
        }
    }
}
