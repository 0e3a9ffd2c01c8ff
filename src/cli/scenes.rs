//! `pliant scenes`: the gallery.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use clap::Args;

use super::failure::Failure;
use crate::scene::{GALLERY, GROUPS, PUBLIC_SCENES, Scene};

/// The scene that `pliant` shows when none is named.
pub const FIRST: &str = "draped_cloth";

/// What people read over the scenes of [`PUBLIC_SCENES`], and scripts before each.
const TO_MEASURE_BY: &str = "To measure by";

#[derive(Args)]
pub(super) struct Options {
    /// Print the text of this scene, or of what a mesh becomes: save it to a .toml file to change it
    scene: Option<String>,
    /// Print the names alone, one a line
    #[arg(long, conflicts_with = "scene")]
    names: bool,
}

pub(super) fn scenes(options: &Options) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match &options.scene {
        Some(name) => out.write_all(text_of(name)?.as_bytes())?,
        None if options.names => all().try_for_each(|(name, _)| writeln!(out, "{name}"))?,
        None if out.is_terminal() => list_in_groups(&mut out)?,
        None => list(&mut out)?,
    }
    Ok(())
}

/// Of a scene of the gallery, or of the one that a mesh becomes.
fn text_of(name: &str) -> Result<String, Failure> {
    let path = Path::new(name);
    if !Scene::is_mesh(path) {
        return Ok(Scene::gallery_text(name)?.to_string());
    }
    Ok(Scene::of_mesh(path, None)?.source.map_or_else(String::new, |source| source.text))
}

fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    GALLERY.iter().chain(PUBLIC_SCENES).copied()
}

/// The width of the column of names.
fn width() -> usize {
    all().map(|(name, _)| name.len()).max().unwrap_or(0)
}

/// For scripts: a line each and nothing else.
fn list(out: &mut impl Write) -> io::Result<()> {
    let width = width();
    for (name, text) in GALLERY {
        writeln!(out, "{name:width$}  {}", description(text))?;
    }
    for (name, text) in PUBLIC_SCENES {
        writeln!(out, "{name:width$}  {TO_MEASURE_BY}: {}", description(text))?;
    }
    Ok(())
}

/// For people: under a heading for each subject.
fn list_in_groups(out: &mut impl Write) -> io::Result<()> {
    let groups = GROUPS.iter().map(|group| (group.heading, group.scenes));
    let width = width();
    for (heading, scenes) in groups.chain([(TO_MEASURE_BY, PUBLIC_SCENES)]) {
        writeln!(out, "{heading}")?;
        for (name, text) in scenes {
            writeln!(out, "  {name:width$}  {}", description(text))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "pliant run NAME simulates a scene, pliant view NAME shows it, pliant scenes NAME prints its text.")
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
        for (name, text) in all() {
            assert!(description(text).len() > 20, "{name}: {}", description(text));
        }
        assert!(GALLERY.iter().any(|(name, _)| *name == FIRST));
    }

    /// People and scripts are told of the same scenes, each once; people under headings.
    #[test]
    fn lists_agree() {
        let printed = |list: fn(&mut Vec<u8>) -> io::Result<()>| {
            let mut out = Vec::new();
            list(&mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let (plain, grouped) = (printed(list), printed(list_in_groups));
        let first_words = |text: &str, indented: bool| -> Vec<String> {
            let lines = text.lines().filter(|line| line.starts_with("  ") == indented);
            lines.filter_map(|line| line.split_whitespace().next()).map(str::to_string).collect()
        };
        let names: Vec<&str> = all().map(|(name, _)| name).collect();
        assert_eq!(first_words(&plain, false), names);
        assert_eq!(first_words(&grouped, true), names);
        for heading in GROUPS.iter().map(|group| group.heading).chain([TO_MEASURE_BY]) {
            assert_eq!(grouped.lines().filter(|line| *line == heading).count(), 1, "{heading}");
        }
    }

    /// The description is the first sentence, over lines, and nothing after the comment.
    #[test]
    fn first_sentence() {
        assert_eq!(description("# A cloth\n# falls. It folds.\nname = \"x\" # y\n"), "A cloth falls.");
        assert_eq!(description("name = \"x\""), "");
    }
}
