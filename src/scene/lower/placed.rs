//! How bodies lie to colliders as placed: wholly inside of one, or so coarse that its edges pass between their
//! particles.

use super::super::error::{Path, SceneError};
use super::super::{Scene, check};
use super::ROOT;
use crate::math::Vec3;
use crate::mesh::TriangleMesh;
use crate::model::{Body, Collider, Model, Shape};

/// A hair's breadth is touching, not inside: m, and as a share of the radius.
const TOUCHING: (f64, f64) = (1e-6, 1e-3);
/// The cosine of the angle between normals across an edge that cuts: 40°, as for what is drawn sharp.
const SHARP: f64 = 0.766;

/// Refuses a body that begins wholly inside of a closed collider: a room whose walls face outwards would push it out.
pub(super) fn check_inside(model: &Model) -> Result<(), SceneError> {
    let at = ROOT.key("collider");
    for (index, collider) in model.colliders.iter().enumerate() {
        let open = matches!(collider.shape, Shape::Plane | Shape::Heights(_));
        if open || collider.inside || collider.trigger {
            continue;
        }
        if let Some(body) = model.bodies.iter().find(|body| is_inside(model, body, collider)) {
            let message = format!(
                "body '{}' begins wholly inside the collider and would be pushed out; for a room or a vessel set \
                 inside = true, which makes the collider solid outside, else move the body or the collider",
                body.name
            );
            return Err(SceneError::new(&at.index(index), message));
        }
    }
    Ok(())
}

fn is_inside(model: &Model, body: &Body, collider: &Collider) -> bool {
    let particles = &model.particles;
    let radius = model.collider_radius(body);
    let reach = radius + TOUCHING.0 + TOUCHING.1 * radius;
    let is_free = |&particle: &usize| particles.inverse_masses[particle] > 0.0;
    let mut free = (body.particles.start as usize..body.particles.end as usize).filter(is_free).peekable();
    collider.groups.meet(body.groups)
        && free.peek().is_some()
        && free.all(|particle| collider.distance(0.0, particles.positions[particle]).1 < -reach)
}

/// Notes for sheets whose radius is below half of what their particles are apart, where a collider has edges.
pub(super) fn notes_on_edges(scene: &Scene, model: &Model) -> Vec<String> {
    let edged: Vec<usize> = (0..model.colliders.len()).filter(|&index| has_edges(&model.colliders[index])).collect();
    let note = |(body, given): (&Body, &super::super::Body)| {
        given.content.surface()?;
        let met = edged.iter().find(|&&index| model.colliders[index].groups.meet(body.groups))?;
        let spacing = spacing(model, body)?;
        let depth = 0.5 * spacing - body.radius;
        (depth > 0.0).then(|| {
            let at = SceneError::new(&Path::ROOT.key("collider").index(*met), "").path();
            let [depth, spacing, radius, least] = [depth, spacing, body.radius, 0.5 * spacing].map(millimetres);
            format!(
                "body '{}' touches colliders with its particles only, which are {spacing} mm apart and have a radius \
                 of {radius} mm: edges of {at} can reach {depth} mm into it; raise its radius to {least} mm, or make \
                 it finer",
                body.name
            )
        })
    };
    model.bodies.iter().zip(&scene.bodies).filter_map(note).collect()
}

/// Whether it has edges on which a sheet can lie.
fn has_edges(collider: &Collider) -> bool {
    !collider.trigger
        && !collider.inside
        && match &collider.shape {
            Shape::Box { .. } | Shape::Cylinder { .. } => true,
            Shape::Mesh(mesh) => is_sharp(&mesh.surface),
            Shape::Plane | Shape::Sphere { .. } | Shape::Capsule { .. } | Shape::Heights(_) => false,
        }
}

/// Whether triangles meet outwards at a sharp angle.
fn is_sharp(surface: &TriangleMesh) -> bool {
    let place = |vertex: u32| Vec3::from(surface.positions[vertex as usize]);
    surface.hinges().into_iter().any(|[a, b, c, d]| {
        let [b, c, d] = [b, c, d].map(|vertex| place(vertex) - place(a));
        let (one, _) = b.cross(c).direction_and_length();
        let (other, _) = d.cross(b).direction_and_length();
        one.dot(other) < SHARP && one.dot(d) < 0.0
    })
}

/// The median length of a body's edges, m: of a grid the distance along rows and columns, not across cells.
fn spacing(model: &Model, body: &Body) -> Option<f64> {
    let place = |vertex: u32| Vec3::from(model.particles.positions[vertex as usize]);
    let sides = body.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut lengths: Vec<f64> = sides.map(|[a, b]| (place(b) - place(a)).length()).collect();
    let middle = lengths.len() / 2;
    (!lengths.is_empty()).then(|| *lengths.select_nth_unstable_by(middle, f64::total_cmp).1)
}

/// Three digits.
fn millimetres(metres: f64) -> String {
    let value = 1e3 * metres;
    if value == 0.0 {
        return "0".to_owned();
    }
    let unit = 10f64.powi(2 - value.abs().log10().floor() as i32);
    check::display((value * unit).round() / unit)
}
