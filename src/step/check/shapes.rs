//! What rest shapes that change must be.

use super::{Checked, all_finite, as_many, below, demand};
use crate::model::Model;

/// Of all of them.
pub(super) fn shapes(model: &Model) -> Checked {
    let mut taken: Vec<Vec<bool>> = model.groups.iter().map(|group| vec![false; group.len()]).collect();
    for (i, shape) in model.rest_shapes.iter().enumerate() {
        let place = || format!("rest_shapes[{i}]");
        below(place, shape.group, model.groups.len(), "group")?;
        let group = &model.groups[shape.group as usize];
        demand(group.kind.reshapes(), place, || {
            format!("is of kind {}, which keeps its rest shape", group.kind.name())
        })?;
        below(place, shape.constraint, group.len(), "constraint")?;
        let taken = &mut taken[shape.group as usize][shape.constraint as usize];
        demand(!*taken, place, || "names a constraint that another has".into())?;
        *taken = true;
        for (k, blend) in shape.blends.iter().enumerate() {
            let place = || format!("rest_shapes[{i}].blends[{k}]");
            below(place, blend.curve, model.curves.len(), "curve")?;
            let members = group.particles_of(shape.constraint as usize).len();
            as_many(&format!("{}.ways", place()), blend.ways.len(), members, "particles")?;
            all_finite(&format!("{}.ways", place()), &blend.ways)?;
        }
    }
    Ok(())
}
