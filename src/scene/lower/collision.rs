//! Groups for collisions, checked.

use super::super::check;
use super::super::error::{Path, SceneError};
use crate::model::Groups;

/// Of what has the keys `collision_group` and `collides_with`.
pub(super) fn groups(at: &Path, group: u32, with: &Option<Vec<u32>>) -> Result<Groups, SceneError> {
    let bit = |at: &Path, group: u32| check::number(at, group.into(), &check::GROUP).map(|_| 1 << group);
    let of = bit(&at.key("collision_group"), group)?;
    let Some(list) = with else { return Ok(Groups { of, ..Groups::default() }) };
    let at = at.key("collides_with");
    let add = |with: u32, (index, &group): (usize, &u32)| Ok(with | bit(&at.index(index), group)?);
    Ok(Groups { of, with: list.iter().enumerate().try_fold(0, add)? })
}
