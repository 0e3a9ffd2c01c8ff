//! `pliant scenes`: the gallery.

use std::io::Write;

use super::failure::Failure;
use crate::scene::{GALLERY, PUBLIC_SCENES};

/// The scene that `pliant` shows when none is named.
pub const FIRST: &str = "draped_cloth";

pub fn list() -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let width = GALLERY.iter().chain(PUBLIC_SCENES).map(|(name, _)| name.len()).max().unwrap_or(0);
    // A line each and nothing else, for scripts.
    for (what, scenes) in [("", GALLERY), ("To measure by: ", PUBLIC_SCENES)] {
        for (name, text) in scenes {
            writeln!(out, "{name:width$}  {what}{}", description(text))?;
        }
    }
    Ok(())
}

/// The first sentence of the comment that a scene begins with.
pub fn description(text: &str) -> String {
    let comment: Vec<&str> = text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim).collect();
    let comment = comment.join(" ");
    match comment.split_once(". ") {
        Some((sentence, _)) => format!("{sentence}."),
        None => comment,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every scene that is listed says what it shows, and the first one is there.
    #[test]
    fn gallery_is_described() {
        for (name, text) in GALLERY.iter().chain(PUBLIC_SCENES) {
            assert!(description(text).len() > 20, "{name}: {}", description(text));
        }
        assert!(GALLERY.iter().any(|(name, _)| *name == FIRST));
    }

    /// The description is the first sentence, over lines, and nothing after the comment.
    #[test]
    fn first_sentence() {
        assert_eq!(description("# A cloth\n# falls. It folds.\nname = \"x\" # y\n"), "A cloth falls.");
        assert_eq!(description("name = \"x\""), "");
    }
}
