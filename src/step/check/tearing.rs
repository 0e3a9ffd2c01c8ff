//! What the lists of bodies that come apart must be: all of them name entries of others.

use crate::model::{Model, Tearing};
use crate::step::check::{Checked, all_below, as_many, below, demand};

pub(crate) fn tearing(tearing: &Tearing, model: &Model) -> Checked {
    let spares = &tearing.spares;
    let last = spares.start <= spares.end && spares.end as usize == model.particles.len();
    let problem = || format!("are {spares:?}; they must be the last of {} particles", model.particles.len());
    demand(last, || "tearing.spares".into(), problem)?;
    let (placed, inside) = (spares.start as usize, tearing.inside.as_flattened());
    all_below(|| "tearing.inside".into(), inside, placed, "particle")?;
    as_many("tearing.inside", tearing.inside.len(), 2 * tearing.facets.len(), "sides of facets")?;
    below(|| "tearing.group".into(), tearing.group, model.groups.len(), "group")?;
    for (i, body) in model.bodies.iter().enumerate() {
        all_below(
            || format!("bodies[{i}].triangles"),
            body.triangles.as_flattened(),
            placed,
            "particle that was placed",
        )?;
    }
    let triangles = model.triangles().count() + tearing.inside.len();
    for (i, edge) in tearing.edges.iter().enumerate() {
        let place = || format!("tearing.edges[{i}]");
        all_below(|| format!("{}.ends", place()), &edge.ends, placed, "particle")?;
        constraint(place, [tearing.group, edge.constraint], model)?;
    }
    for (i, cell) in tearing.cells.iter().enumerate() {
        let place = || format!("tearing.cells[{i}]");
        constraint(place, [cell.group, cell.constraint], model)?;
        let corners = model.groups[cell.group as usize].particles_of(cell.constraint as usize).len();
        as_many(&format!("{}.constraint", place()), corners, cell.faces.len(), "corners of a tetrahedron")?;
        all_below(|| format!("{}.faces", place()), &cell.faces, triangles, "triangle")?;
    }
    for (i, facet) in tearing.facets.iter().enumerate() {
        let place = || format!("tearing.facets[{i}]");
        all_below(|| format!("{}.cells", place()), &facet.cells, tearing.cells.len(), "cell")?;
        all_below(|| format!("{}.opposite", place()), &facet.opposite, 4, "corner")?;
        let problem = || format!("is {} Pa; it must be above 0", facet.strength);
        demand(facet.strength > 0.0, || format!("{}.strength", place()), problem)?;
    }
    for (i, seam) in tearing.seams.iter().enumerate() {
        let place = || format!("tearing.seams[{i}]");
        constraint(place, [seam.group, seam.constraint], model)?;
        seam.edge.map_or(Ok(()), |edge| below(|| format!("{}.edge", place()), edge, tearing.edges.len(), "edge"))?;
        let ends = model.groups[seam.group as usize].particles_of(seam.constraint as usize).len();
        let problem = || format!("has {ends} ends; what tears has 4 at most");
        demand(ends <= seam.corners.len(), place, problem)?;
        all_below(|| format!("{}.corners", place()), &seam.corners[..ends], 3 * triangles, "corner")?;
    }
    Ok(())
}

/// A group and one of its constraints.
fn constraint(place: impl Fn() -> String, [group, constraint]: [u32; 2], model: &Model) -> Checked {
    below(|| format!("{}.group", place()), group, model.groups.len(), "group")?;
    let count = model.groups[group as usize].len();
    below(|| format!("{}.constraint", place()), constraint, count, "constraint")
}

#[cfg(test)]
mod tests {
    use crate::mesh::generate::Cuboid;
    use crate::scene::{Body, Cloth, Grid, Scene, Soft};
    use crate::step::check::tearing::*;

    /// A sheet and a block that tear.
    fn model() -> Model {
        let cloth = Cloth::new(Grid { columns: 4, rows: 4, width: 1.0, height: 1.0 }).bend(1e-3).tears_at(1.0);
        let block = Soft::new(Cuboid { cells: [2, 1, 1], size: [2.0, 1.0, 1.0] }).young_modulus(1e5).tears_at(1e3);
        let scene = Scene::new("all").with(Body::cloth(cloth)).with(Body::soft(block).mass(1.0));
        scene.build().unwrap_or_else(|error| panic!("{error}")).model
    }

    #[test]
    fn faults_of_what_tears_are_told_by_their_place() {
        assert_eq!(model().check(), Ok(()));
        type Change = fn(&mut Tearing);
        let faults: [(&str, Change); 15] = [
            ("tearing.spares", |t| t.spares.end -= 1),
            ("tearing.inside", |t| t.inside.truncate(3)),
            ("tearing.inside[0]", |t| t.inside[0][0] = t.spares.start),
            ("tearing.edges[1].ends[1]", |t| t.edges[1].ends[1] = t.spares.start),
            ("tearing.group", |t| t.group = 9),
            ("tearing.cells[0].constraint", |t| (t.cells[0].group, t.cells[0].constraint) = (t.group, 0)),
            ("tearing.edges[2].constraint", |t| t.edges[2].constraint = 9999),
            ("tearing.cells[0].group", |t| t.cells[0].group = 9),
            ("tearing.cells[0].constraint", |t| t.cells[0].constraint = 9999),
            ("tearing.cells[1].faces[3]", |t| t.cells[1].faces[3] = 9999),
            ("tearing.facets[0].cells[1]", |t| t.facets[0].cells[1] = 9999),
            ("tearing.facets[0].opposite[0]", |t| t.facets[0].opposite[0] = 4),
            ("tearing.facets[0].strength", |t| t.facets[0].strength = f64::NAN),
            ("tearing.seams[3].edge", |t| t.seams[3].edge = Some(9999)),
            ("tearing.seams[4].corners[0]", |t| t.seams[4].corners[0] = 9999),
        ];
        for (place, change) in faults {
            let mut model = model();
            change(model.tearing.as_mut().expect("it tears"));
            let error = model.check().expect_err(place);
            assert_eq!(error.place, place, "{error}");
        }
        let mut spare = model();
        spare.bodies[0].triangles[1][0] = spare.placed_particles() as u32;
        assert_eq!(spare.check().expect_err("a spare one").place, "bodies[0].triangles[3]");
    }
}
