//! What of a model is drawn, and how: made once. Per frame only the colliders move.

use std::collections::HashSet;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::{DQuat, DVec3};

use super::camera::{self, Basis};
use super::element_heat::{self, Elements};
use super::frame::{Style, vector};
use super::lists::{self, Edge, Spring};
use super::look;
use super::solid::{Placed, Solids};
use crate::constraint::{Kind, Tether};
use crate::mesh::unclosed;
use crate::model::{Body, Collider, Model, Shape, State, Torn};
use crate::plan::Plan;

/// Linear colours of bodies that have none, in turn: madder, indigo, ochre, sage, plum, petrol.
const PALETTE: [[f32; 3]; 6] = [
    [0.55, 0.055, 0.035],
    [0.055, 0.135, 0.42],
    [0.76, 0.40, 0.065],
    [0.19, 0.36, 0.15],
    [0.30, 0.075, 0.26],
    [0.035, 0.30, 0.33],
];
const PINNED: [f32; 3] = [0.05, 0.052, 0.06];
const COLLIDER: [f32; 3] = [0.60, 0.59, 0.57];
const LINK: [f32; 3] = [0.16, 0.16, 0.17];
/// How far a surface is drawn towards the eye, as a share of its edges: enough to cover a sphere under a coarse mesh.
const PULL: f64 = 0.15;

/// A run of the index buffer, and its body's style.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mesh {
    pub indices: Range<u32>,
    pub style: u32,
}

/// A particle drawn as a ball.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Point {
    pub slot: u32,
    pub style: u32,
    /// m
    pub radius: f32,
}

/// A constraint of two particles drawn as a cylinder.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Link {
    /// Slots.
    ends: [u32; 2],
    style: u32,
    /// m
    radius: f32,
    /// Slots before and after the ends along a rope; the ends themselves where it begins, ends or branches.
    beyond: [u32; 2],
}

/// A sphere collider at a moment.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Ball {
    /// Relative to the frame's origin, m.
    centre: [f32; 3],
    radius: f32,
    style: u32,
}

/// A plane collider at a moment.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Ground {
    /// The point nearest to the frame's origin and relative to it, m.
    centre: [f32; 3],
    normal: [f32; 3],
    tangent: [f32; 3],
    /// Phase of the grid at the centre, cells.
    phase: [f32; 2],
    /// m
    cell: f32,
    /// Where the plane has faded out, m.
    radius: f32,
}

/// The colliders at a moment.
#[derive(Default)]
pub(super) struct Standing {
    pub balls: Vec<Ball>,
    pub containers: Vec<Ball>,
    pub grounds: Vec<Ground>,
    /// Instances of [`Drawing::solids`].
    pub solids: Vec<Placed>,
}

pub(super) struct Drawing {
    pub styles: Vec<Style>,
    pub meshes: Vec<Mesh>,
    pub points: Vec<Point>,
    pub links: Vec<Link>,
    pub springs: Vec<Spring>,
    pub elements: Vec<Elements>,
    pub edges: Vec<Edge>,
    /// The colliders that are drawn as triangles.
    pub solids: Solids,
    /// The particles of bodies with triangles.
    pub balls: Vec<Point>,
    /// How many multipliers belong to broken constraints.
    broken: usize,
    /// How surfaces hang together.
    torn: Option<Torn>,
    /// Half the diagonal of the scene, m.
    pub scale: f64,
    /// Of each body's balls, m.
    radii: Vec<f64>,
    collider_style: u32,
    /// Cell of a plane's grid, m.
    cell: f64,
}

/// Styles after those of the bodies, in the order in which `styles` adds them.
enum Extra {
    Pinned,
    Collider,
    Link,
}

impl Drawing {
    pub fn new(model: &Model, plan: &Plan) -> Self {
        let slot_of = &plan.slot_of;
        let scale = camera::bounds(model).map_or(1.0, |(min, max)| DVec3::from(min).distance(DVec3::from(max)) / 2.0);
        let scale = if scale > 0.0 && scale.is_finite() { scale } else { 1.0 };
        let ends = find_links(model, |_, _| true);
        let radii = ball_radii(model, &ends, scale);
        Self {
            styles: styles(model),
            meshes: meshes(model),
            points: points(model, slot_of, &radii),
            links: links(model, slot_of, &radii, &ends),
            springs: lists::springs(model, plan, &State::default()),
            elements: element_heat::lists(model, plan, &State::default()),
            edges: lists::edges(model, slot_of),
            solids: Solids::new(&model.colliders),
            balls: lists::balls(model, &model.bodies, slot_of),
            broken: 0,
            torn: None,
            scale,
            collider_style: extra(model, Extra::Collider),
            cell: cell(scale),
            radii,
        }
    }

    /// Leaves out what has broken of links and springs, and follows what has torn. Whether anything changed.
    pub fn follow(&mut self, model: &Model, plan: &Plan, state: &State) -> bool {
        let now = state.multipliers.iter().flatten().filter(|multiplier| multiplier.broken).count();
        let changed = now != self.broken || state.torn != self.torn;
        if changed {
            let torn = &*model.torn(state);
            let whole = |group, constraint| state.is_whole(torn, group, constraint);
            self.links = links(torn, &plan.slot_of, &self.radii, &find_links(torn, whole));
            self.springs = lists::springs(torn, plan, state);
            self.elements = element_heat::lists(torn, plan, state);
            if state.torn != self.torn {
                self.edges = lists::edges(torn, &plan.slot_of);
                self.balls = lists::balls(model, &torn.bodies, &plan.slot_of);
                self.torn = state.torn.clone();
            }
            self.broken = now;
        }
        changed
    }

    /// Gives springs the rest lengths in effect.
    pub fn take_rest(&mut self, model: &Model, plan: &Plan, state: &State) {
        self.springs = lists::springs(model, plan, state);
    }

    /// The colliders at a time in s, relative to `origin`; planes reach out in proportion to `reach`.
    pub fn standing(&self, colliders: &[Collider], seconds: f64, origin: DVec3, up: DVec3, reach: f64) -> Standing {
        let solids = self.solids.placed(colliders, seconds, origin, self.collider_style);
        let mut standing = Standing { solids, ..Standing::default() };
        for collider in colliders.iter().filter(|collider| !collider.trigger) {
            let position = DVec3::from(collider.position_at(seconds));
            match collider.shape {
                Shape::Sphere { radius } => {
                    let list = if collider.inside { &mut standing.containers } else { &mut standing.balls };
                    let centre = vector(position - origin);
                    list.push(Ball { centre, radius: radius as f32, style: self.collider_style });
                }
                Shape::Plane => {
                    let normal = DQuat::from_array(collider.rotation_at(seconds)) * DVec3::Y;
                    standing.grounds.push(self.ground(position, normal, origin, up, reach));
                }
                _ => {}
            }
        }
        standing
    }

    fn ground(&self, point: DVec3, normal: DVec3, origin: DVec3, up: DVec3, reach: f64) -> Ground {
        let tangent = Basis::around(normal).right;
        let from_point = origin - point;
        let centre = -normal * from_point.dot(normal);
        // Whole strong cells (5 weak ones) are taken off in double precision: far away the grid stays sharp.
        let phase = [tangent, normal.cross(tangent)].map(|axis| ((from_point.dot(axis) / self.cell) % 5.0) as f32);
        let level = normal.dot(up) > 0.99;
        let radius = reach * if level { 9.0 } else { 2.0 };
        Ground {
            centre: vector(centre),
            normal: vector(normal),
            tangent: vector(tangent),
            phase,
            cell: self.cell as f32,
            radius: radius as f32,
        }
    }
}

fn extra(model: &Model, extra: Extra) -> u32 {
    model.bodies.len() as u32 + extra as u32
}

fn styles(model: &Model) -> Vec<Style> {
    let threads = lists::threads(model);
    let bodies = model.bodies.iter().enumerate().map(|(i, body)| {
        let front = body.colour.unwrap_or(PALETTE[i % PALETTE.len()]);
        let gloss = if body.triangles.is_empty() { 0.6 } else { 0.0 };
        let pull = (PULL * mean_edge(model, body)) as f32;
        let edged = if is_solid(body) { 1.0 } else { 0.0 };
        Style { front, pull, back: reverse(front), gloss, thread: threads[i] as f32, edged, ..Style::default() }
    });
    let plain = |front: [f32; 3], gloss: f32| Style { front, back: front, gloss, ..Style::default() };
    bodies.chain([plain(PINNED, 0.8), plain(COLLIDER, 0.35), plain(LINK, 0.5)]).collect()
}

/// Whether it shows its edges: what has a skin, or a closed surface that is no cloth, which folds.
fn is_solid(body: &Body) -> bool {
    let closed = || !body.triangles.is_empty() && unclosed(&body.triangles).is_none();
    body.skin.is_some() || body.stretch.is_none() && closed()
}

/// The colour of a cloth's other side: darker and a little greyer.
fn reverse(front: [f32; 3]) -> [f32; 3] {
    let grey = (front[0] + front[1] + front[2]) / 3.0;
    front.map(|channel| 0.62 * channel + 0.1 * grey)
}

/// Runs of the solver's indices that show the bodies.
fn meshes(model: &Model) -> Vec<Mesh> {
    let runs = (0..).zip(model.shown_indices()).map(|(style, indices)| Mesh { indices, style });
    let mut meshes: Vec<Mesh> = runs.filter(|mesh| !mesh.indices.is_empty()).collect();
    let mut end = model.bodies.iter().map(|body| 3 * body.triangles.len() as u32).sum();
    let inside = model.tearing.iter().flat_map(|tearing| &tearing.inside);
    let styles: Vec<u32> = inside.map(|triangle| model.particles.bodies[triangle[0] as usize]).collect();
    for of_body in styles.chunk_by(|a, b| a == b) {
        let first = end;
        end += 3 * of_body.len() as u32;
        meshes.push(Mesh { indices: first..end, style: of_body[0] });
    }
    meshes
}

/// The particles of bodies without triangles.
fn points(model: &Model, slot_of: &[u32], radii: &[f64]) -> Vec<Point> {
    let bodies = (0..).zip(&model.bodies).filter(|(_, body)| body.triangles.is_empty());
    let particles = bodies.flat_map(|(style, body)| body.particles.clone().map(move |p| (style, p as usize)));
    let point = |(body, p): (u32, usize)| {
        let pinned = model.particles.inverse_masses[p] == 0.0;
        let style = if pinned { extra(model, Extra::Pinned) } else { body };
        Point { slot: slot_of[p], style, radius: radii[body as usize] as f32 }
    };
    particles.map(point).collect()
}

fn links(model: &Model, slot_of: &[u32], radii: &[f64], all: &[[u32; 2]]) -> Vec<Link> {
    let neighbours = neighbours(model, all);
    let segments: HashSet<[u32; 2]> = model.bodies.iter().flat_map(|body| &body.segments).copied().collect();
    let link = |&ends: &[u32; 2]| {
        let [body, other] = ends.map(|p| model.particles.bodies[p as usize]);
        let style = if body == other { body } else { extra(model, Extra::Link) };
        let radius = radii[body as usize].min(radii[other as usize]);
        // A rope is as thick as its balls, which nearly touch where it is no strand; those of a ball-and-stick model
        // are far apart.
        let outline = segments.contains(&ends) || segments.contains(&[ends[1], ends[0]]);
        let strand = outline || body == other && model.bodies[body as usize].strand.is_some();
        let rope = strand || length(model, ends) <= 4.0 * radius;
        let [a, b] = ends;
        // The neighbour of an end that is not the other end; the sum of the two holds both.
        let past = |end: u32, other: u32| match neighbours[end as usize] {
            (2, sum) if rope => (sum - u64::from(other)) as u32,
            _ => end,
        };
        Link {
            ends: ends.map(|p| slot_of[p as usize]),
            style,
            radius: (radius * if rope { 1.0 } else { 0.4 }) as f32,
            beyond: [past(a, b), past(b, a)].map(|p| slot_of[p as usize]),
        }
    };
    all.iter().map(link).collect()
}

/// How many links each particle has, and the sum of the particles at their other ends.
fn neighbours(model: &Model, links: &[[u32; 2]]) -> Vec<(u32, u64)> {
    let mut neighbours = vec![(0, 0); model.particles.len()];
    for &[a, b] in links {
        for (end, other) in [(a, b), (b, a)] {
            let (count, sum) = &mut neighbours[end as usize];
            (*count, *sum) = (*count + 1, *sum + u64::from(other));
        }
    }
    neighbours
}

pub(super) fn mean_edge(model: &Model, body: &Body) -> f64 {
    let edges = body.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let (sum, count) = edges.fold((0.0, 0.0), |(sum, count), edge| (sum + length(model, edge), count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

fn length(model: &Model, ends: [u32; 2]) -> f64 {
    let [a, b] = ends.map(|p| DVec3::from(model.particles.positions[p as usize]));
    a.distance(b)
}

/// Whether one sees a link between the particles of such a constraint: not where a tether runs beside what it holds.
fn is_link(kind: &dyn Kind) -> bool {
    kind.joins_two() && !kind.is::<Tether>()
}

/// Constraints of two particles, except those inside a body that shows its triangles, and except those that are not
/// `whole`, asked by group and constraint; and segments that others touch, which are no constraints.
fn find_links(model: &Model, whole: impl Fn(usize, usize) -> bool) -> Vec<[u32; 2]> {
    let body = |p: u32| model.particles.bodies[p as usize];
    let shown = |&[a, b]: &[u32; 2]| body(a) != body(b) || model.bodies[body(a) as usize].triangles.is_empty();
    let mut links = Vec::new();
    for (number, group) in model.groups.iter().enumerate().filter(|(_, group)| is_link(group.kind)) {
        let pairs = group.particles.chunks_exact(2).map(|pair| [pair[0], pair[1]]).enumerate();
        links.extend(pairs.filter(|(c, ends)| shown(ends) && whole(number, *c)).map(|(_, ends)| ends));
    }
    let sorted = |&[a, b]: &[u32; 2]| [a.min(b), a.max(b)];
    let known: HashSet<[u32; 2]> = links.iter().map(sorted).collect();
    let segments = model.bodies.iter().flat_map(|body| &body.segments);
    links.extend(segments.filter(|ends| shown(ends) && !known.contains(&sorted(ends))));
    links
}

/// The radius of each body's balls: that of its contacts, or where there is none a share of its shortest link.
fn ball_radii(model: &Model, links: &[[u32; 2]], scale: f64) -> Vec<f64> {
    let mut shortest = vec![f64::INFINITY; model.bodies.len()];
    for &ends in links {
        let [body, other] = ends.map(|p| model.particles.bodies[p as usize] as usize);
        let length = length(model, ends);
        if body == other && length > 0.0 {
            shortest[body] = shortest[body].min(length);
        }
    }
    let radius = |(body, &shortest): (&Body, &f64)| {
        let contact = if body.triangles.is_empty() { body.radius } else { 0.0 };
        if contact > 0.0 { contact } else { (0.15 * shortest).min(0.02 * scale) }
    };
    model.bodies.iter().zip(&shortest).map(radius).collect()
}

/// A round number near a sixth of the scene's half diagonal: 1, 2 or 5 times a power of ten.
fn cell(scale: f64) -> f64 {
    look::round_down(scale / 6.0)
}
