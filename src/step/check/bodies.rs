//! What bodies must be.

use std::ops::Range;

use crate::constraint::Distance;
use crate::mesh::Skin;
use crate::model::touch::no_surface_contact;
use crate::model::{Body, Model};
use crate::step::check::{Checked, all_below, as_many, demand, not_negative};

/// A body with its surface, its skin and the description of its strands.
pub(crate) fn body(place: impl Fn() -> String, body: &Body, model: &Model) -> Checked {
    let particles = model.particles.len();
    let range = &body.particles;
    let there = range.start <= range.end && range.end as usize <= particles;
    demand(
        there,
        || format!("{}.particles", place()),
        || format!("is {range:?}, and there are {particles} particles"),
    )?;
    all_below(|| format!("{}.triangles", place()), body.triangles.as_flattened(), particles, "particle")?;
    all_below(|| format!("{}.segments", place()), body.segments.as_flattened(), particles, "particle")?;
    let numbers = [
        ("radius", body.radius),
        ("friction", body.friction),
        ("dynamic_friction", body.dynamic_friction),
        ("restitution", body.restitution),
        ("contact_compliance", body.contact_compliance),
        ("damping", body.damping),
        ("drag", body.drag),
    ];
    not_negative(&place, &numbers)?;
    let problem = || format!("is {}, which is not finite", body.lift);
    demand((body.lift as f32).is_finite(), || format!("{}.lift", place()), problem)?;
    surface_contact(|| format!("{}.surface_contact", place()), body, model)?;
    body.skin.as_ref().map_or(Ok(()), |each| skin(|| format!("{}.skin", place()), each, particles))?;
    strand(&place, body)?;
    for (name, range) in [("stretch", &body.stretch), ("bend", &body.bend)] {
        range.as_ref().map_or(Ok(()), |range| distances(|| format!("{}.{name}", place()), range, model))?;
    }
    Ok(())
}

/// What surfaces that touch cannot be together with.
fn surface_contact(place: impl Fn() -> String, body: &Body, model: &Model) -> Checked {
    let problem = body.surface_contact.then(|| no_surface_contact(&model.settings, model.tearing.is_some())).flatten();
    demand(problem.is_none(), place, || format!("is set, {}", problem.unwrap_or_default()))
}

fn skin(place: impl Fn() -> String, skin: &Skin, particles: usize) -> Checked {
    as_many(&format!("{}.weights", place()), skin.weights.len(), skin.len(), "anchors")?;
    all_below(|| format!("{}.anchors", place()), skin.anchors.as_flattened(), particles, "particle")?;
    all_below(|| format!("{}.triangles", place()), skin.triangles.as_flattened(), skin.len(), "vertex")?;
    let wrong = skin.weights.iter().position(|weights| !weights.iter().all(|&weight| (weight as f32).is_finite()));
    let at = wrong.unwrap_or(0);
    let problem = || format!("is {:?}, which is not finite", skin.weights[at]);
    demand(wrong.is_none(), || format!("{}.weights[{at}]", place()), problem)
}

/// Strands follow one another and are all as long.
fn strand(place: impl Fn() -> String, body: &Body) -> Checked {
    let (count, each) = (body.particles.len(), body.strand.unwrap_or(1) as usize);
    let problem = || format!("is {each}, which does not divide the {count} particles of the body");
    demand(each > 0 && count.is_multiple_of(each), || format!("{}.strand", place()), problem)
}

/// Constraints of the group of distances.
fn distances(place: impl FnOnce() -> String, range: &Range<u32>, model: &Model) -> Checked {
    let mut groups = model.groups.iter().filter(|group| group.kind.is::<Distance>());
    let count = groups.next().map_or(0, |group| group.len());
    let there = range.start <= range.end && range.end as usize <= count;
    demand(there, place, || format!("is {range:?}, and there are {count} constraints of distance"))
}

#[cfg(test)]
mod tests {
    use crate::mesh::generate::Line;
    use crate::scene::{Body, Cloth, Grid, Scene, Strand, StrandKind};
    use crate::step::check::bodies::*;

    /// A sheet, of which the first triangle carries a skin, and two ropes.
    fn model() -> Model {
        let cloth = Cloth::new(Grid { columns: 4, rows: 4, width: 1.0, height: 1.0 }).bend(1e-3);
        let line = Line { from: [0.0; 3], to: [1.0, 0.0, 0.0], segments: 3 };
        let ropes = Strand::new(StrandKind::Rope, line).strands(2, [0.0, 0.0, 1.0]);
        let scene = Scene::new("all").with(Body::cloth(cloth)).with(Body::strand(ropes));
        let mut model = scene.build().unwrap_or_else(|error| panic!("{error}")).model;
        let (anchors, weights) = (vec![[0, 1, 2, 3]; 3], vec![[0.25; 4]; 3]);
        model.bodies[0].skin = Some(Skin { anchors, weights, triangles: vec![[0, 1, 2]] });
        model
    }

    #[test]
    fn faults_of_bodies_are_told_by_their_place() {
        assert_eq!(model().check(), Ok(()));
        fn skin(model: &mut Model) -> &mut Skin {
            model.bodies[0].skin.as_mut().expect("a skin")
        }
        type Change = fn(&mut Model);
        let faults: [(&str, Change); 8] = [
            ("bodies[0].lift", |m| m.bodies[0].lift = f64::NAN),
            ("bodies[0].skin.weights", |m| skin(m).weights.truncate(2)),
            ("bodies[0].skin.weights[1]", |m| skin(m).weights[1][3] = f64::INFINITY),
            ("bodies[0].skin.anchors[7]", |m| skin(m).anchors[1][3] = 1000),
            ("bodies[0].skin.triangles[2]", |m| skin(m).triangles[0][2] = 3),
            ("bodies[0].stretch", |m| m.bodies[0].stretch = Some(0..1000)),
            ("bodies[0].bend", |m| m.bodies[0].bend.as_mut().expect("it bends").start = 999),
            ("bodies[1].strand", |m| m.bodies[1].strand = Some(3)),
        ];
        for (place, change) in faults {
            let mut model = model();
            change(&mut model);
            let error = model.check().expect_err(place);
            assert_eq!(error.place, place, "{error}");
        }
        let mut endless = model();
        endless.bodies[1].strand = Some(0);
        assert_eq!(endless.check().expect_err("no strand").place, "bodies[1].strand");
    }
}
