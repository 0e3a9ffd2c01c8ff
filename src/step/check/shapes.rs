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

#[cfg(test)]
mod tests {
    use crate::model::{BlendShape, Curve, Keyframes, Model, Release, RestShape};
    use crate::scene::{Body, Cuboid, Matching, Scene};

    /// A cube that yields, and one that holds a particle for a second.
    fn model() -> Model {
        let cuboid = || Matching::new(Cuboid { cells: [1, 1, 1], size: [1.0; 3] });
        let clay = Body::shape(cuboid().compliance(1e-4).yields(0.1, None));
        let held = Body::shape(cuboid()).pin(crate::scene::Pin::from(0).until(1.0)).position([3.0, 0.0, 0.0]);
        let built = Scene::new("shapes").with(clay).with(held).build();
        let mut model = built.unwrap_or_else(|error| panic!("{error}")).model;
        model.curves.push(Curve { keyframes: Keyframes::constant([1.0; 3]), period: None, delay: 0.0 });
        model.rest_shapes[0].blends.push(BlendShape { curve: 0, ways: vec![[0.0; 3]; 8] });
        model
    }

    #[test]
    fn faults_of_rest_shapes_are_told_by_their_place() {
        assert_eq!(model().check(), Ok(()));
        assert_eq!(model().rest_shapes.len(), 1);
        type Change = fn(&mut Model);
        let faults: [(&str, Change); 9] = [
            ("rest_shapes[0]", |m| m.rest_shapes[0].group = 7),
            ("rest_shapes[0]", |m| m.rest_shapes[0].constraint = 2),
            ("rest_shapes[1]", |m| {
                let again = RestShape { blends: Vec::new(), ..m.rest_shapes[0] };
                m.rest_shapes.push(again);
            }),
            ("rest_shapes[0].blends[0]", |m| m.rest_shapes[0].blends[0].curve = 1),
            ("rest_shapes[0].blends[0].ways", |m| m.rest_shapes[0].blends[0].ways.truncate(3)),
            ("rest_shapes[0].blends[0].ways[2]", |m| m.rest_shapes[0].blends[0].ways[2][1] = f64::NAN),
            ("releases[0]", |m| m.releases[0].seconds = f64::NAN),
            ("releases[0]", |m| m.releases[0].inverse_masses[0] = 0.0),
            ("releases[1]", |m| {
                let release = Release { seconds: 1.0, particles: vec![1], inverse_masses: vec![1.0] };
                m.releases.push(release);
            }),
        ];
        for (place, change) in faults {
            let mut model = model();
            change(&mut model);
            let found = model.check().map_err(|error| error.place);
            assert_eq!(found, Err(place.to_string()));
        }
    }
}
