//! What holds surfaces, and their rims: pegs at single pins, rails along rows of them, and round edges as thick as
//! where surfaces touch. All are tubes and balls at the particles.

use std::collections::{HashMap, HashSet};

use glam::DVec3;

use super::finish::{Extra, extra};
use super::strands::{Link, Point};
use crate::model::{Body, Model};

/// Radius of a peg and of a rail, as shares of the diagonal of what they hold.
const PEG: f64 = 0.008;
const RAIL: f64 = 0.006;

/// The rims of open surfaces that have a thickness, and the rails that hold them; `torn` is the model as it is now.
pub(super) fn tubes(model: &Model, torn: &Model, slot_of: &[u32]) -> Vec<Link> {
    let held = held(torn);
    let surfaces = (0..).zip(model.bodies.iter().zip(&torn.bodies)).filter(|(_, (body, _))| shows_sheet(body));
    surfaces
        .flat_map(|(style, (body, now))| {
            let mut tubes = rims(style, body, now, slot_of);
            tubes.extend(rails((torn, &held), now, slot_of));
            tubes
        })
        .collect()
}

/// A ball at each pin of a surface that has no other beside it.
pub(super) fn pegs(model: &Model, slot_of: &[u32]) -> Vec<Point> {
    let (style, is_held) = (extra(model, Extra::Hold), &held(model));
    let surfaces = model.bodies.iter().filter(|body| shows_sheet(body) && !is_held_wholly(is_held, body));
    surfaces
        .flat_map(|body| {
            let held: HashSet<u32> = rail_edges(is_held, body).into_iter().flatten().collect();
            let radius = (PEG * diagonal(model, body)).max(1.3 * body.radius) as f32;
            let single = body.particles.clone().filter(move |&p| is_held[p as usize] && !held.contains(&p));
            single.map(move |p| Point { slot: slot_of[p as usize], style, radius })
        })
        .collect()
}

/// Whether its own triangles are drawn.
fn shows_sheet(body: &Body) -> bool {
    !body.triangles.is_empty() && body.skin.is_none()
}

/// Of each particle whether something holds it that is to be seen: not what an animation moves.
fn held(model: &Model) -> Vec<bool> {
    let mut held: Vec<bool> = model.particles.inverse_masses.iter().map(|&w| w == 0.0).collect();
    model.animated().for_each(|particle| held[particle as usize] = false);
    held
}

fn is_held_wholly(held: &[bool], body: &Body) -> bool {
    body.particles.clone().all(|p| held[p as usize])
}

fn diagonal(model: &Model, body: &Body) -> f64 {
    let places = body.particles.clone().map(|p| DVec3::from(model.particles.positions[p as usize]));
    let (low, high) =
        places.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), place| (low.min(place), high.max(place)));
    if low.cmple(high).all() { low.distance(high) } else { 0.0 }
}

/// Tubes along the edges that belong to one triangle.
fn rims(style: u32, body: &Body, torn: &Body, slot_of: &[u32]) -> Vec<Link> {
    if body.radius <= 0.0 {
        return Vec::new();
    }
    let sides = torn.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let all: HashSet<[u32; 2]> = sides.clone().collect();
    let rim: Vec<[u32; 2]> = sides.filter(|&[a, b]| !all.contains(&[b, a])).collect();
    // Where a rim meets itself it has no one way on.
    let mut next: HashMap<u32, Option<u32>> = HashMap::new();
    let mut last: HashMap<u32, Option<u32>> = HashMap::new();
    for &[a, b] in &rim {
        next.entry(a).and_modify(|way| *way = None).or_insert(Some(b));
        last.entry(b).and_modify(|way| *way = None).or_insert(Some(a));
    }
    let link = |&[a, b]: &[u32; 2]| {
        let before = last.get(&a).copied().flatten().unwrap_or(a);
        let after = next.get(&b).copied().flatten().unwrap_or(b);
        let nodes = [before, a, b, after].map(|p| slot_of[p as usize]);
        Link { nodes, mates: nodes, style, radius: -body.radius as f32, share: 0.0, seed: 0 }
    };
    rim.iter().map(link).collect()
}

fn rails((model, held): (&Model, &[bool]), body: &Body, slot_of: &[u32]) -> Vec<Link> {
    let style = extra(model, Extra::Hold);
    let radius = (RAIL * diagonal(model, body)).max(1.25 * body.radius) as f32;
    let link = |[a, b]: [u32; 2]| {
        let [a, b] = [a, b].map(|p| slot_of[p as usize]);
        let nodes = [a, a, b, b];
        Link { nodes, mates: nodes, style, radius, share: 0.0, seed: 0 }
    };
    rail_edges(held, body).into_iter().map(link).collect()
}

/// Edges between pins, but not those inside an area that is held as a whole, and none of a body that is held wholly.
fn rail_edges(is_held: &[bool], body: &Body) -> Vec<[u32; 2]> {
    if is_held_wholly(is_held, body) {
        return Vec::new();
    }
    let mut held: HashMap<[u32; 2], u32> = HashMap::new();
    for &[a, b, c] in &body.triangles {
        let whole = [a, b, c].iter().all(|&p| is_held[p as usize]);
        for [a, b] in [[a, b], [b, c], [c, a]].into_iter().filter(|ends| ends.iter().all(|&p| is_held[p as usize])) {
            *held.entry([a.min(b), a.max(b)]).or_default() += u32::from(whole);
        }
    }
    let mut edges: Vec<[u32; 2]> = held.into_iter().filter(|&(_, areas)| areas < 2).map(|(ends, _)| ends).collect();
    edges.sort_unstable();
    edges
}
