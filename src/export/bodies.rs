//! The bodies of a model by names that every file system and file format can bear.

use std::borrow::Cow;
use std::collections::HashSet;

use super::FRAME_PREFIX;
use crate::mesh::Skin;
use crate::model::{Body, Model};

/// A body and its name in files.
pub struct NamedBody<'m> {
    pub name: String,
    pub body: &'m Body,
}

pub fn named_bodies(model: &Model) -> Vec<NamedBody<'_>> {
    file_names_of(model).into_iter().zip(model.shown_bodies()).map(|(name, body)| NamedBody { name, body }).collect()
}

/// What of the particles' vectors, positions or velocities, a body's vertices have: those of its particles, or of its
/// skin.
pub fn vertices_of<'v>(body: &Body, values: &'v [[f64; 3]]) -> Cow<'v, [[f64; 3]]> {
    match &body.skin {
        Some(skin) => Cow::Owned(skin.interpolate(values)),
        None => Cow::Borrowed(&values[body.particles.start as usize..body.particles.end as usize]),
    }
}

/// How many they are.
pub fn vertex_count(body: &Body) -> usize {
    body.skin.as_ref().map_or(body.particles.len(), Skin::len)
}

/// The particles that are a body's vertices in a mesh with a point cache: where there are triangles those at their
/// corners, since Blender leaves out the others as it reads the mesh, and a cache of more vertices then moves nothing.
pub fn cached_particles(body: &Body) -> Vec<u32> {
    let mut corners = body.triangles.as_flattened().to_vec();
    if corners.is_empty() {
        return body.particles.clone().collect();
    }
    corners.sort_unstable();
    corners.dedup();
    corners
}

/// The names of a model's bodies in files.
pub fn file_names_of(model: &Model) -> Vec<String> {
    file_names(model.shown_bodies().iter().map(|body| body.name.as_str()))
}

/// Names of files for names of bodies, in their order and each different from all others, also where case does not
/// tell.
fn file_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = HashSet::new();
    let unique = |name: &str| {
        let stem = safe(name);
        let numbered = (2..).map(|number| format!("{stem}_{number}"));
        // There are more numbers than bodies.
        std::iter::once(stem.clone())
            .chain(numbered)
            .find(|name| taken.insert(name.to_lowercase()))
            .unwrap_or(stem.clone())
    };
    names.map(unique).collect()
}

/// The most characters of a name in files: with number and extension it stays below the 255 bytes of common file
/// systems.
const MOST_CHARACTERS: usize = 48;

fn safe(name: &str) -> String {
    let fit = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = name.chars().map(fit).take(MOST_CHARACTERS).collect();
    if name.is_empty() || is_reserved(&name.to_lowercase()) { format!("body_{name}") } else { name }
}

/// Names that mean devices on Windows, and those of the frames' own files.
fn is_reserved(name: &str) -> bool {
    let numbered = |prefix| name.strip_prefix(prefix).is_some_and(|rest| rest.chars().count() == 1);
    ["con", "prn", "aux", "nul"].contains(&name) || numbered("com") || numbered("lpt") || name.starts_with(FRAME_PREFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of files hold nothing that means a folder, a device or another body's file.
    #[test]
    fn names_are_safe_and_unique() {
        let names =
            ["cloth", "../Cloth", "a/b", "a:b", "A_B", "", "frame_0001", "Con", "com1", "Tüchlein 2.0", "a_b_2"];
        let files = file_names(names.into_iter());
        let expected = [
            "cloth",
            "___Cloth",
            "a_b",
            "a_b_2",
            "A_B_3",
            "body_",
            "body_frame_0001",
            "body_Con",
            "body_com1",
            "Tüchlein_2_0",
            "a_b_2_2",
        ];
        assert_eq!(files, expected);
        assert!(safe(&"wörter/".repeat(100)).len() < 200);
    }
}
