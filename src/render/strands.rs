//! What is drawn of bodies without triangles: strands as tubes, ribbons or hair, loose particles as balls, and other
//! constraints of two particles as thin tubes between them. By slot.

use std::collections::HashSet;

use bytemuck::{Pod, Zeroable};
use glam::DVec3;

use super::camera;
use super::finish::{Extra, extra, flat_half_width, sideways, tapers};
use crate::constraint::{Kind, Tether};
use crate::model::{Body, Finish, Fluid, Model};

/// Vertices of a link or ribbon: two triangles for each of the parts in `shaders/render/strand.wgsl`.
pub(super) const VERTICES: u32 = 6 * 4;

/// Hairs between two strands at most, and how many of their radii they keep apart.
const MOST_BETWEEN: usize = 9;
const HAIR_SPACING: f64 = 1.7;
/// Strands further apart than this share of their length have none between them.
const FARTHEST_MATES: f64 = 0.3;
/// Radius of what ties surfaces together, as a share of the scene's size.
const THREAD: f64 = 0.004;

crate::gpu_record! {
    /// A particle drawn as a ball.
    pub(super) struct Point {
        pub slot: u32,
        pub style: u32,
        /// m
        pub radius: f32,
    }
}

/// A curve between two particles drawn as a tube.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Link {
    /// Slots: before the ends, the ends, after them; the ends themselves where there is nothing before or after.
    pub nodes: [u32; 4],
    /// The same of the strand beside it.
    pub mates: [u32; 4],
    pub style: u32,
    /// m; below 0 where it may be thinner than a pixel.
    pub radius: f32,
    /// How far it lies on the way to the strand beside it, 0 to 1.
    pub share: f32,
    /// That of its strand, by which tones differ.
    pub seed: u32,
}

/// A curve between two particles drawn flat.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Ribbon {
    nodes: [u32; 4],
    style: u32,
    /// At both ends, m.
    half_widths: [f32; 2],
    /// Unit vector from its middle to its edge.
    sideways: [f32; 3],
    seed: u32,
}

/// All that is drawn of bodies without triangles.
#[derive(Default)]
pub(super) struct Strands {
    pub points: Vec<Point>,
    pub links: Vec<Link>,
    pub ribbons: Vec<Ribbon>,
}

impl Strands {
    /// `ends` are those of [`find_links`], `radii` those of [`ball_radii`].
    pub fn new(model: &Model, slot_of: &[u32], radii: &[f64], ends: &[[u32; 2]]) -> Self {
        let mut strands = Self::default();
        let chains = Chains::new(model, ends);
        let up = DVec3::from(camera::up(&model.world));
        let mut covered = vec![false; model.particles.len()];
        for &pair in ends {
            let [body, other] = pair.map(|p| model.particles.bodies[p as usize]);
            let radius = radii[body as usize].min(radii[other as usize]);
            let is_rope = chains.is_strand(model, pair) || length(model, pair) <= 4.0 * radius;
            let nodes = if is_rope { chains.nodes(pair) } else { [pair[0], pair[0], pair[1], pair[1]] };
            let place = Place::of(&model.bodies[body as usize], pair[0]);
            if body == other && is_rope {
                pair.iter().for_each(|&p| covered[p as usize] = true);
                if let Some(ribbon) = ribbon(model, body, &place, nodes, up) {
                    strands.ribbons.push(Ribbon { nodes: nodes.map(|p| slot_of[p as usize]), ..ribbon });
                    continue;
                }
            }
            let style = if body == other { body } else { extra(model, Extra::Link) };
            let radius = (radius * if is_rope { 1.0 } else { 0.4 }) as f32;
            let nodes = nodes.map(|p| slot_of[p as usize]);
            strands.links.push(Link { nodes, mates: nodes, style, radius, share: 0.0, seed: place.strand });
        }
        strands.add_hairs(model, slot_of, radii);
        strands.points = points(model, slot_of, radii, &covered);
        strands
    }

    /// Hairs between neighbouring strands that follow both.
    fn add_hairs(&mut self, model: &Model, slot_of: &[u32], radii: &[f64]) {
        let hairy = (0..).zip(&model.bodies).filter(|(_, body)| body.look == Some(Finish::Hair));
        for (style, body) in hairy {
            let Some(count) = body.strand.filter(|&count| count > 1) else { continue };
            let first = body.particles.start;
            let strands = (body.particles.end - first) / count;
            let at = |strand: u32, i: u32| first + strand * count + i.min(count - 1);
            let position = |p: u32| DVec3::from(model.particles.positions[p as usize]);
            let radius = radii[style as usize];
            for strand in 0..strands.saturating_sub(1) {
                let reach: f64 = (1..count).map(|i| length(model, [at(strand, i - 1), at(strand, i)])).sum();
                let gap = position(at(strand, 0)).distance(position(at(strand + 1, 0)));
                if gap > FARTHEST_MATES * reach || radius <= 0.0 {
                    continue;
                }
                let between = ((gap / (HAIR_SPACING * radius)) as usize).min(MOST_BETWEEN);
                for (hair, i) in (1..=between).flat_map(|hair| (0..count - 1).map(move |i| (hair, i))) {
                    let nodes =
                        |strand: u32| [i.saturating_sub(1), i, i + 1, i + 2].map(|i| slot_of[at(strand, i) as usize]);
                    let share = hair as f32 / (between + 1) as f32;
                    let (nodes, mates) = (nodes(strand), nodes(strand + 1));
                    self.links.push(Link { nodes, mates, style, radius: 0.8 * radius as f32, share, seed: strand });
                }
            }
        }
    }
}

/// The links of each particle.
struct Chains {
    /// How many, and the sum of the particles at their other ends.
    neighbours: Vec<(u32, u64)>,
    segments: HashSet<[u32; 2]>,
}

impl Chains {
    fn new(model: &Model, links: &[[u32; 2]]) -> Self {
        let mut neighbours = vec![(0, 0); model.particles.len()];
        for &[a, b] in links {
            for (end, other) in [(a, b), (b, a)] {
                let (count, sum) = &mut neighbours[end as usize];
                (*count, *sum) = (*count + 1, *sum + u64::from(other));
            }
        }
        let segments = model.bodies.iter().flat_map(|body| &body.segments).copied().collect();
        Self { neighbours, segments }
    }

    /// Whether a link is part of a strand or an outline, which is as thick as its particles.
    fn is_strand(&self, model: &Model, ends: [u32; 2]) -> bool {
        let [body, other] = ends.map(|p| model.particles.bodies[p as usize]);
        let is_outline = self.segments.contains(&ends) || self.segments.contains(&[ends[1], ends[0]]);
        is_outline || body == other && model.bodies[body as usize].strand.is_some()
    }

    /// The ends with the particles before and after them.
    fn nodes(&self, [a, b]: [u32; 2]) -> [u32; 4] {
        // The neighbour of an end that is not the other end; the sum of the two holds both.
        let past = |end: u32, other: u32| match self.neighbours[end as usize] {
            (2, sum) => (sum - u64::from(other)) as u32,
            _ => end,
        };
        [past(a, b), a, b, past(b, a)]
    }
}

/// Where a particle is in its body's strands.
struct Place {
    strand: u32,
    first: u32,
    count: u32,
}

impl Place {
    fn of(body: &Body, particle: u32) -> Self {
        let count = body.strand.unwrap_or(body.particles.end - body.particles.start).max(1);
        let from_start = particle.saturating_sub(body.particles.start);
        let strand = from_start / count;
        Self { strand, first: body.particles.start + strand * count, count }
    }
}

/// What of a flat strand lies between two of its particles; `nodes` are not slots yet.
fn ribbon(model: &Model, body: u32, place: &Place, nodes: [u32; 4], up: DVec3) -> Option<Ribbon> {
    let of = &model.bodies[body as usize];
    let strand: Vec<DVec3> = (place.first..(place.first + place.count).min(of.particles.end))
        .map(|p| DVec3::from(model.particles.positions[p as usize]))
        .collect();
    let reach: f64 = strand.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let half_width = flat_half_width(of, reach)?;
    let width_at = |node: u32| {
        let along = f64::from(node.saturating_sub(place.first)) / f64::from((place.count - 1).max(1));
        let taper = if tapers(of) { (1.0 - along).max(0.0).sqrt() } else { 1.0 };
        (half_width * taper) as f32
    };
    let seed = place.strand.wrapping_add(body.wrapping_mul(977));
    let sideways = sideways(&strand, up, seed).as_vec3().to_array();
    let half_widths = [width_at(nodes[1]), width_at(nodes[2])];
    Some(Ribbon { nodes, style: body, half_widths, sideways, seed })
}

/// The particles of bodies without triangles, but those of liquids and those that a strand covers; what is fixed is a
/// peg.
fn points(model: &Model, slot_of: &[u32], radii: &[f64], covered: &[bool]) -> Vec<Point> {
    let is_solid = |body: &Body| body.triangles.is_empty() && fluid_of(model, body).is_none();
    let bodies = (0..).zip(model.shown_bodies()).filter(|(_, body)| is_solid(body));
    let particles = bodies.flat_map(|(style, body)| body.particles.clone().map(move |p| (style, body, p as usize)));
    let point = |(style, body, p): (u32, &Body, usize)| {
        let is_root = matches!(body.look, Some(Finish::Hair | Finish::Grass));
        let held = model.particles.inverse_masses[p] == 0.0 && !is_root;
        if covered[p] && !held {
            return None;
        }
        let peg = if covered[p] { 1.35 } else { 1.0 };
        let style = if held { extra(model, Extra::Hold) } else { style };
        Some(Point { slot: slot_of[p], style, radius: (peg * radii[body_of(model, p)]) as f32 })
    };
    particles.filter_map(point).collect()
}

/// The fluid that a body is, if it is one.
pub(super) fn fluid_of<'a>(model: &'a Model, body: &Body) -> Option<&'a Fluid> {
    model.fluids.iter().find(|fluid| fluid.particles == body.particles)
}

/// The particles of liquids; with radii below 0 where they may come and go.
pub(super) fn drops(model: &Model, slot_of: &[u32], radii: &[f64]) -> Vec<Point> {
    let liquids = (0..).zip(&model.bodies).filter(|(_, body)| fluid_of(model, body).is_some());
    let drop = |(style, body): (u32, &Body)| {
        let radius = radii[style as usize] as f32;
        let radius = if model.flows() { -radius } else { radius };
        body.particles.clone().map(move |p| Point { slot: slot_of[p as usize], style, radius })
    };
    liquids.flat_map(drop).collect()
}

fn body_of(model: &Model, particle: usize) -> usize {
    model.particles.bodies[particle] as usize
}

pub(super) fn length(model: &Model, ends: [u32; 2]) -> f64 {
    let [a, b] = ends.map(|p| DVec3::from(model.particles.positions[p as usize]));
    a.distance(b)
}

/// Whether one sees a link between the particles of such a constraint: not where a tether runs beside what it holds.
fn is_link(kind: &dyn Kind) -> bool {
    kind.joins_two() && !kind.is::<Tether>()
}

/// Constraints of two particles, except those inside a body that shows its triangles, and except those that are not
/// `whole`, asked by group and constraint; and segments of rods and those that others touch, which are no constraints.
pub(super) fn find_links(model: &Model, whole: impl Fn(usize, usize) -> bool) -> Vec<[u32; 2]> {
    let body = |p: u32| model.particles.bodies[p as usize];
    let shown = |&[a, b]: &[u32; 2]| body(a) != body(b) || model.bodies[body(a) as usize].triangles.is_empty();
    let mut links = Vec::new();
    for (number, group) in model.groups.iter().enumerate().filter(|(_, group)| is_link(group.kind)) {
        let pairs = group.particles.chunks_exact(2).map(|pair| [pair[0], pair[1]]).enumerate();
        links.extend(pairs.filter(|(c, ends)| shown(ends) && whole(number, *c)).map(|(_, ends)| ends));
    }
    let rods = model.rods.iter().flat_map(|rod| rod.particles.clone().zip(rod.particles.clone().skip(1)));
    links.extend(rods.map(|(a, b)| [a, b]));
    let sorted = |&[a, b]: &[u32; 2]| [a.min(b), a.max(b)];
    let known: HashSet<[u32; 2]> = links.iter().map(sorted).collect();
    let segments = model.bodies.iter().flat_map(|body| &body.segments);
    links.extend(segments.filter(|ends| shown(ends) && !known.contains(&sorted(ends))));
    links
}

/// The radius of each body's balls: that of its contacts, or where there is none a share of its shortest link.
pub(super) fn ball_radii(model: &Model, links: &[[u32; 2]], scale: f64) -> Vec<f64> {
    let mut shortest = vec![f64::INFINITY; model.bodies.len()];
    for &ends in links {
        let [body, other] = ends.map(|p| model.particles.bodies[p as usize] as usize);
        let length = length(model, ends);
        if body == other && length > 0.0 {
            shortest[body] = shortest[body].min(length);
        }
    }
    // Neighbours at rest overlap a little, so that what is full looks full.
    let of_fluid = |body: &Body| fluid_of(model, body).map(|fluid| 0.6 * fluid.spacing);
    let radius = |(body, &shortest): (&Body, &f64)| {
        // What ties a surface to another body is a thread.
        if !body.triangles.is_empty() {
            return if body.radius > 0.0 { body.radius.min(THREAD * scale) } else { THREAD * scale };
        }
        let contact = of_fluid(body).unwrap_or(body.radius);
        if contact > 0.0 { contact } else { (0.15 * shortest).min(0.02 * scale) }
    };
    model.bodies.iter().zip(&shortest).map(radius).collect()
}
