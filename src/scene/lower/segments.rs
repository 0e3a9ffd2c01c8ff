//! The segments of a body, checked.

use super::super::error::{Path, SceneError};
use super::super::{Body, Segments};
use super::local::Local;

/// The ends of each, as indices of the model; `first` is the body's first particle.
pub(super) fn segments(
    at: &Path,
    first: u32,
    body: &Body,
    local: &Local,
    radius: f64,
) -> Result<Vec<[u32; 2]>, SceneError> {
    let at = at.key("segments");
    let refuse = |message: String| Err(SceneError::new(&at, message));
    let ends: Vec<[u32; 2]> = match &body.segments {
        Segments::None => return Ok(Vec::new()),
        Segments::AlongStrands if local.strand.is_none() => {
            return refuse("follow strands, and the body has none; list the ends, as in [[0, 1], [1, 2]]".into());
        }
        Segments::AlongStrands => local.runs::<2>().collect(),
        Segments::Between(ends) => ends.clone(),
    };
    if radius == 0.0 {
        return refuse("need the particles' size; give the body a radius".into());
    }
    if body.content.kind().tears_by().is_some() {
        return refuse("cannot follow a tear, and the body can tear; remove one of the two".into());
    }
    let count = local.mesh.positions.len() as u32;
    for (index, &[a, b]) in ends.iter().enumerate() {
        let at = at.index(index);
        if let Some(outside) = [a, b].into_iter().find(|&end| end >= count) {
            let message = format!("the body has no particle {outside}; indices go from 0 to {}", count - 1);
            return Err(SceneError::new(&at, message));
        }
        if a == b {
            return Err(SceneError::new(&at, format!("has particle {a} at both ends; give it two different ones")));
        }
    }
    Ok(ends.into_iter().map(|ends| ends.map(|end| first + end)).collect())
}
