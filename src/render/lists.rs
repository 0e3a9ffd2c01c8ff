//! What lines and balls stand for: edges of triangles, constraints, particles of surfaces. By slot; made from the
//! model.

use bytemuck::{Pod, Zeroable};
use glam::DVec3;

use super::drawing::mean_edge;
use super::look::batch_colour;
use super::strands::Point;
use crate::constraint::{Distance, Listed};
use crate::mesh::Skin;
use crate::model::{Body, Model, State, Torn};
use crate::plan::Plan;

/// An edge of a triangle.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
pub(super) struct Edge {
    /// Slots, ascending.
    pub ends: [u32; 2],
    pub style: u32,
}

crate::gpu_record! {
    /// Two particles that a constraint joins; see `shaders/render/spring.wgsl`.
    pub(super) struct Spring {
        pub a: u32,
        pub b: u32,
        pub rest: f32,
        pub colour: u32,
        pub style: u32,
    }
}

/// The edges of all triangles that are shown, each once.
pub(super) fn edges(model: &Model, slot_of: &[u32]) -> Vec<Edge> {
    let mut edges = Vec::new();
    let mut add = |style: u32, [a, b, c]: [u32; 3]| {
        edges.extend([[a, b], [b, c], [c, a]].map(|mut ends| {
            ends.sort_unstable();
            Edge { ends, style }
        }));
    };
    let mut first = slot_of.len() as u32;
    for (style, body) in (0..).zip(&model.bodies) {
        if let Some(skin) = &body.skin {
            skin.triangles.iter().for_each(|corners| add(style, corners.map(|v| first + v)));
            first += skin.len() as u32;
        } else {
            body.triangles.iter().for_each(|corners| add(style, corners.map(|p| slot_of[p as usize])));
        }
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// All constraints that are whole, with the rest lengths in effect, in the order of the plan; one of more than two
/// particles is a line through them, but none of a closed surface or a shape, which have no order. The empty state is
/// that of the beginning.
pub(super) fn springs(model: &Model, plan: &Plan, state: &State) -> Vec<Spring> {
    let mut springs = Vec::new();
    let mut batches = 0;
    for (number, (group, planned)) in model.groups.iter().zip(&plan.groups).enumerate() {
        let has_length = group.kind.is::<Distance>();
        for batch in &planned.batches {
            let colour = packed(batch_colour(batches));
            batches += 1;
            let constraints = &planned.constraint_of[batch.range.start as usize..batch.range.end as usize];
            let ordered = group.kind.listed() == Listed::InOrder;
            let drawn = |&c: &usize| ordered && state.is_whole(model, number, c);
            for constraint in constraints.iter().map(|&c| c as usize).filter(drawn) {
                let rest = if has_length { state.rest_of(model, number, constraint)[0] as f32 } else { 0.0 };
                springs.extend(group.particles_of(constraint).windows(2).map(|pair| {
                    let [a, b] = [pair[0], pair[1]].map(|p| plan.slot_of[p as usize]);
                    Spring { a, b, rest, colour, style: model.particles.bodies[pair[0] as usize] }
                }));
            }
        }
    }
    springs
}

/// Red, green, blue and an alpha of 1 in 8 bits each, red lowest.
fn packed(colour: [f32; 3]) -> u32 {
    let [red, green, blue] = colour.map(|channel| (255.0 * channel).round() as u8);
    u32::from_le_bytes([red, green, blue, 255])
}

/// The particles of bodies with triangles, as balls as large as their contacts where that leaves room between them.
/// `torn` are the model's bodies as they are now.
pub(super) fn balls(model: &Model, torn: &[Body], slot_of: &[u32]) -> Vec<Point> {
    let bodies = (0..).zip(model.bodies.iter().zip(torn)).filter(|(_, (body, _))| !body.triangles.is_empty());
    let point = |(style, (body, torn)): (u32, (&Body, &Body))| {
        let edge = mean_edge(model, body);
        let radius = if body.radius > 0.0 { body.radius.min(0.4 * edge) } else { 0.25 * edge } as f32;
        let particles = body.particles.clone().chain(torn.split_particles());
        particles.map(move |p| Point { slot: slot_of[p as usize], style, radius })
    };
    bodies.flat_map(point).collect()
}

/// Where each particle, by slot, and each vertex of a skin lies in its body's material, in m: its place at rest
/// along axes of the body's own. On a flat body the third is its normal, and the first two run along the sides of its
/// triangles' right angles.
pub(super) fn material_places(model: &Model, slot_of: &[u32]) -> Vec<[f32; 3]> {
    let mut places = vec![[0.0; 3]; slot_of.len() + model.skin_vertices()];
    let position = |p: u32| DVec3::from(model.particles.positions[p as usize]);
    let mut next = slot_of.len();
    for body in &model.bodies {
        let first = next;
        next += body.skin.as_ref().map_or(0, Skin::len);
        let Some(&triangle) = body.triangles.first() else { continue };
        let [x, y, z] = axes(triangle.map(position));
        let origin = position(triangle[0]);
        let place = |position: DVec3| [x, y, z].map(|axis| (position - origin).dot(axis) as f32);
        for p in body.particles.clone() {
            places[slot_of[p as usize] as usize] = place(position(p));
        }
        let skin = body.skin.as_ref().map(|skin| skin.interpolate(&model.particles.positions)).unwrap_or_default();
        places[first..].iter_mut().zip(skin).for_each(|(to, position)| *to = place(position.into()));
    }
    places
}

/// Gives particles that tears have split off the places of those that they came from.
pub(super) fn tear_material(model: &Model, torn: &Torn, slot_of: &[u32], places: &mut [[f32; 3]]) {
    for (from, &to) in model.triangles().flatten().zip(torn.triangles.as_flattened()) {
        places[slot_of[to as usize] as usize] = places[slot_of[from as usize] as usize];
    }
}

/// Unit vectors along the two sides of a triangle that are nearest to a right angle, the second made perpendicular, and
/// the normal.
fn axes(corners: [DVec3; 3]) -> [DVec3; 3] {
    let sides = |i: usize| [corners[(i + 1) % 3] - corners[i], corners[(i + 2) % 3] - corners[i]];
    let cosine = |i: &usize| {
        let [a, b] = sides(*i).map(DVec3::normalize_or_zero);
        a.dot(b).abs()
    };
    let corner = (0..3).min_by(|a, b| cosine(a).total_cmp(&cosine(b))).unwrap_or(0);
    let [a, b] = sides(corner);
    let x = a.try_normalize().unwrap_or(DVec3::X);
    let z = a.cross(b).try_normalize().unwrap_or_else(|| x.any_orthonormal_vector());
    [x, z.cross(x), z]
}
