//! `pliant scenes`: the gallery.

use std::io::Write;

use super::failure::Failure;
use crate::scene::GALLERY;

/// The scene that `pliant` shows when none is named.
pub const FIRST: &str = "draped_cloth";

pub fn list() -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let width = GALLERY.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, text) in GALLERY {
        writeln!(out, "{name:width$}  {}", description(text))?;
    }
    Ok(())
}

/// The first line of a scene when it is a comment.
fn description(text: &str) -> &str {
    text.lines().next().and_then(|line| line.strip_prefix('#')).map_or("", str::trim)
}
