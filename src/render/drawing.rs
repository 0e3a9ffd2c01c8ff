//! What of a model is drawn, and how: made once. Per frame only the colliders move.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::{DQuat, DVec3};

use super::camera::{self, Basis};
use super::element_heat::{self, Elements};
use super::finish::{self, Extra, extra, first_collider};
use super::frame::{Style, vector};
use super::holds;
use super::lists::{self, Edge, Spring};
use super::solid::{Placed, Solids};
use super::strands::{Point, Strands, ball_radii, drops, find_links, length};
use super::subject::subject;
use crate::model::{Body, Collider, Model, Shape, State, Torn};
use crate::plan::Plan;

/// How far below the lowest place the stage lies, as a share of the scene: what comes down there does not touch it.
const STAGE_GAP: f64 = 2e-3;

/// A run of the index buffer, and its body's style.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mesh {
    pub indices: Range<u32>,
    pub style: u32,
    /// 2 where it is a sheet with a thickness, whose sides lie apart.
    pub layers: u32,
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
    /// Where the plane has faded out, m.
    radius: f32,
    style: u32,
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
    /// What bodies without triangles are drawn as, and what holds the others.
    pub strands: Strands,
    pub springs: Vec<Spring>,
    pub elements: Vec<Elements>,
    pub edges: Vec<Edge>,
    /// The colliders that are drawn as triangles.
    pub solids: Solids,
    /// The particles of bodies with triangles.
    pub balls: Vec<Point>,
    /// The particles of liquids, and the distance between them at rest, m.
    pub drops: Vec<Point>,
    pub spacing: f64,
    /// How many multipliers belong to broken constraints.
    broken: usize,
    /// How many particles pins have let go.
    released: usize,
    /// How surfaces hang together.
    torn: Option<Torn>,
    /// Half the diagonal of the scene, m.
    pub scale: f64,
    /// Of each body's balls, m.
    radii: Vec<f64>,
    /// Of the first collider; those of the others follow.
    collider_style: u32,
    floor_style: u32,
    /// Height of the stage along the scene's up, m, where the scene has no ground of its own.
    stage: Option<f64>,
}

impl Drawing {
    pub fn new(model: &Model, plan: &Plan) -> Self {
        let slot_of = &plan.slot_of;
        let scale = camera::bounds(model).map_or(1.0, |(min, max)| DVec3::from(min).distance(DVec3::from(max)) / 2.0);
        let scale = if scale > 0.0 && scale.is_finite() { scale } else { 1.0 };
        let ends = find_links(model, |_, _| true);
        let radii = ball_radii(model, &ends, scale);
        Self {
            styles: finish::styles(model),
            meshes: meshes(model),
            strands: strands(model, model, slot_of, &radii, &ends),
            springs: lists::springs(model, plan, &State::default()),
            elements: element_heat::lists(model, plan, &State::default()),
            edges: lists::edges(model, slot_of),
            solids: Solids::new(&model.colliders),
            balls: lists::balls(model, &model.bodies, slot_of),
            drops: drops(model, slot_of, &radii),
            spacing: model.fluids.first().map_or(0.0, |fluid| fluid.spacing),
            broken: 0,
            released: 0,
            torn: None,
            scale,
            collider_style: first_collider(model),
            floor_style: extra(model, Extra::Floor),
            stage: stage(model),
            radii,
        }
    }

    /// Leaves out what has broken of links and springs, and follows what has torn. Whether anything changed.
    pub fn follow(&mut self, model: &Model, plan: &Plan, state: &State) -> bool {
        let now = state.multipliers.iter().flatten().filter(|multiplier| multiplier.broken).count();
        let released = model.released_before(state.frame).len();
        let changed = now != self.broken || state.torn != self.torn || released != self.released;
        if changed {
            let torn = &*model.as_in(state);
            let whole = |group, constraint| state.is_whole(torn, group, constraint);
            let ends = find_links(torn, whole);
            self.strands = strands(model, torn, &plan.slot_of, &self.radii, &ends);
            self.springs = lists::springs(torn, plan, state);
            self.elements = element_heat::lists(torn, plan, state);
            if state.torn != self.torn {
                self.edges = lists::edges(torn, &plan.slot_of);
                self.balls = lists::balls(model, &torn.bodies, &plan.slot_of);
                self.torn = state.torn.clone();
            }
            (self.broken, self.released) = (now, released);
        }
        changed
    }

    /// Gives springs the rest lengths in effect.
    pub fn take_rest(&mut self, model: &Model, plan: &Plan, state: &State) {
        self.springs = lists::springs(model, plan, state);
    }

    /// The colliders at a time in s, relative to `origin`, and the stage if it is wanted; planes reach out in
    /// proportion to `reach`.
    pub fn standing(&self, colliders: &[Collider], seconds: f64, view: &Surroundings) -> Standing {
        let &Surroundings { origin, up, reach, with_stage } = view;
        let solids = self.solids.placed(colliders, seconds, origin, self.collider_style);
        let mut standing = Standing { solids, ..Standing::default() };
        if let Some(height) = self.stage.filter(|_| with_stage) {
            standing.grounds.push(ground(up * height, up, self.floor_style, view));
        }
        for (style, collider) in (self.collider_style..).zip(colliders).filter(|(_, collider)| !collider.trigger) {
            let position = DVec3::from(collider.position_at(seconds));
            match collider.shape {
                Shape::Sphere { radius } => {
                    let list = if collider.inside { &mut standing.containers } else { &mut standing.balls };
                    list.push(Ball { centre: vector(position - origin), radius: radius as f32, style });
                }
                Shape::Plane => {
                    let normal = DQuat::from_array(collider.rotation_at(seconds)) * DVec3::Y;
                    let reach = if normal.dot(up) > 0.99 { reach } else { 0.25 * reach };
                    standing.grounds.push(ground(position, normal, style, &Surroundings { reach, ..*view }));
                }
                _ => {}
            }
        }
        standing
    }
}

/// Where a picture is taken, for what lies all around.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surroundings {
    /// World position of the frame's origin, m.
    pub origin: DVec3,
    pub up: DVec3,
    /// Radius around the origin that is in view, m.
    pub reach: f64,
    pub with_stage: bool,
}

/// The plane through a point.
fn ground(point: DVec3, normal: DVec3, style: u32, view: &Surroundings) -> Ground {
    let centre = -normal * (view.origin - point).dot(normal);
    let tangent = vector(Basis::around(normal).right);
    Ground { centre: vector(centre), normal: vector(normal), tangent, radius: (9.0 * view.reach) as f32, style }
}

/// The height of a stage under all that there is to see, where no collider is ground.
fn stage(model: &Model) -> Option<f64> {
    let up = DVec3::from(camera::up(&model.world));
    let is_ground = |collider: &Collider| match collider.shape {
        Shape::Plane => DQuat::from_array(collider.rotation).mul_vec3(DVec3::Y).dot(up) > 0.5,
        Shape::Heights(_) => true,
        _ => false,
    };
    // What is poured falls through a ground that is only drawn.
    let is_poured = !model.emitters.is_empty();
    if is_poured || model.colliders.iter().any(|collider| !collider.trigger && is_ground(collider)) {
        return None;
    }
    let (low, high) = subject(model, up.into());
    let (low, high) = (DVec3::from(low), DVec3::from(high));
    let lowest = (low * up).min(high * up).element_sum();
    Some(lowest - STAGE_GAP * low.distance(high)).filter(|height| height.is_finite())
}

/// Strands with what holds surfaces and their rims; `torn` is the model as it is now.
fn strands(model: &Model, torn: &Model, slot_of: &[u32], radii: &[f64], ends: &[[u32; 2]]) -> Strands {
    let mut strands = Strands::new(torn, slot_of, radii, ends);
    strands.links.extend(holds::tubes(model, torn, slot_of));
    strands.points.extend(holds::pegs(torn, slot_of));
    strands
}

/// Runs of the solver's indices that show the bodies.
fn meshes(model: &Model) -> Vec<Mesh> {
    let layers = |style: u32| finish::layers(&model.bodies[style as usize]);
    let runs = (0..).zip(model.shown_indices());
    let runs = runs.map(|(style, indices)| Mesh { indices, style, layers: layers(style) });
    let mut meshes: Vec<Mesh> = runs.filter(|mesh| !mesh.indices.is_empty()).collect();
    let mut end = model.bodies.iter().map(|body| 3 * body.triangles.len() as u32).sum();
    let inside = model.tearing.iter().flat_map(|tearing| &tearing.inside);
    let styles: Vec<u32> = inside.map(|triangle| model.particles.bodies[triangle[0] as usize]).collect();
    for of_body in styles.chunk_by(|a, b| a == b) {
        let first = end;
        end += 3 * of_body.len() as u32;
        meshes.push(Mesh { indices: first..end, style: of_body[0], layers: layers(of_body[0]) });
    }
    meshes
}

pub(super) fn mean_edge(model: &Model, body: &Body) -> f64 {
    let edges = body.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let (sum, count) = edges.fold((0.0, 0.0), |(sum, count), edge| (sum + length(model, edge), count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}
