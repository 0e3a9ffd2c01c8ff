//! Predicts how far bodies that hang are stretched, without running them: by their material, and because sweeps are too
//! few.
//!
//! Every substep finds the multipliers λ anew from λ = 0. What its sweeps leave of the load makes each constraint yield
//! as if its compliance were larger by about h² W/2 (`field.rs` has the law). So few sweeps show the statics of a
//! softer net, and this solves for it: weights and forces as they are, constraints of two particles as springs of that
//! compliance. Parts of many particles are gathered to some hundred nodes before (`coarse.rs`).

mod coarse;
mod field;
mod settle;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

use crate::base::parallel;
use crate::math::Vec3;
use crate::model::Model;
use crate::plan::levels;
use field::{Field, Fine, Yield};

/// The lengthening from too few sweeps that goes unnoticed, as a share of the length that hangs.
pub const TOLERATED: f64 = 0.01;
/// Stretch of the softest constraint by all loads of a part, below which the part is left out. A load across a span
/// makes less than half a per cent of it.
const LEAST: f64 = 1e-3;
/// Parts of a body that are looked at: those that may be stretched most.
const MOST_PARTS: usize = 8;

/// How a body hangs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prediction {
    /// The body.
    pub body: u32,
    /// Stretch of its most stretched constraint, as a share of its rest length.
    pub stretch: f64,
    /// The part of that from too few sweeps. It falls with the square of the substeps in what hangs down, by less in
    /// spans.
    pub unresolved_stretch: f64,
    /// Lengthening from too few sweeps of the way to its farthest particle, along constraints of its own, m.
    pub unresolved: f64,
    /// The same by their compliance, m: what a converged solver would show.
    pub material: f64,
    /// Length of that way at rest, m.
    pub length: f64,
}

impl Prediction {
    /// The unresolved lengthening as a share of the length.
    pub fn share(&self) -> f64 {
        if self.length > 0.0 { self.unresolved / self.length } else { 0.0 }
    }

    /// Whether too few sweeps are what lets it sag: not where the material itself yields more than that.
    pub fn is_of_sweeps(&self) -> bool {
        self.share() > TOLERATED && self.unresolved > self.material
    }

    /// The larger of two predictions for one body.
    fn add(&mut self, other: &Self) {
        if other.stretch > self.stretch {
            (self.stretch, self.unresolved_stretch) = (other.stretch, other.unresolved_stretch);
        }
        if other.share() > self.share() {
            (self.unresolved, self.material, self.length) = (other.unresolved, other.material, other.length);
        }
    }
}

/// How bodies hang with so many substeps and no levels: those that hang by something fixed and bear loads that may
/// stretch them.
pub fn predict(model: &Model, substeps: u32) -> Vec<Prediction> {
    with_left(model, substeps, &[])
}

/// The same with levels over some of the bodies that were predicted without.
pub fn predict_with_levels(model: &Model, substeps: u32, plain: &[Prediction], leveled: &[u32]) -> Vec<Prediction> {
    let mut left = vec![1.0; model.bodies.len()];
    for one in plain.iter().filter(|one| leveled.contains(&one.body) && one.unresolved_stretch > 0.0) {
        let beside = beside_levels(model, substeps, one.body);
        left[one.body as usize] = (beside / one.unresolved_stretch).min(1.0);
    }
    with_left(model, substeps, &left)
}

/// H with so many substeps, s.
fn seconds(model: &Model, substeps: u32) -> f64 {
    let settings = &model.settings;
    settings.implicit_seconds() * f64::from(settings.substeps) / f64::from(substeps)
}

/// The share of a particle's way in a substep that levels leave as stretch: 0.2 to 0.37 in runs of 64 to 1024 particles
/// a side at 2 to 40 substeps.
const BESIDE_LEVELS: f64 = 0.25;

/// Stretch of a body with levels that hangs straight down: the sweeps bear the particles between nodes, and forces on
/// single particles.
fn beside_levels(model: &Model, substeps: u32, body: u32) -> f64 {
    let body = &model.bodies[body as usize];
    let Some(edges) = body.stretch.clone() else { return 0.0 };
    let Some(group) = levels::distances(model) else { return 0.0 };
    let lengths = edges.clone().map(|edge| group.rest_of(edge as usize)[0]).sum::<f64>();
    let along =
        levels::first_ratio(body.strand.map_or(body.particles.len(), |each| each as usize), body.strand.is_some());
    let pulled = |p: u32| {
        let inverse_mass = model.particles.inverse_masses[p as usize];
        inverse_mass * field::force(model, model.particles.drives[p as usize]).length()
    };
    let gravity = Vec3::from(model.world.gravity).length();
    let pulled = body.particles.clone().map(pulled).fold(0.0, f64::max);
    BESIDE_LEVELS * (along * gravity + pulled) * seconds(model, substeps).powi(2) * edges.len() as f64 / lengths
}

fn with_left(model: &Model, substeps: u32, left: &[f64]) -> Vec<Prediction> {
    if !field::is_held(model) {
        return Vec::new();
    }
    let fine = Fine::new(model, seconds(model, substeps), left);
    let mut places = vec![coarse::NONE; fine.nodes.len()];
    let fields: Vec<Field> = chosen(&fine).iter().map(|part| coarse::field(&fine, part, &mut places)).collect();
    let of_piece = |piece: Range<usize>| fields[piece].iter().flat_map(of_part).collect::<Vec<_>>();
    let mut bodies: BTreeMap<u32, Prediction> = BTreeMap::new();
    for one in parallel::map(fields.len(), 1, of_piece).into_iter().flatten() {
        bodies.entry(one.body).and_modify(|body| body.add(&one)).or_insert(one);
    }
    bodies.into_values().collect()
}

/// The parts to be looked at.
fn chosen(fine: &Fine) -> Vec<Vec<u32>> {
    let stretches =
        parallel::list(fine.count as usize, 0.0, |spring| fine.spring(spring as u32).stretch.total() as f32);
    let mut of_body: BTreeMap<u32, Vec<(f64, Vec<u32>)>> = BTreeMap::new();
    for part in coarse::parts(fine) {
        let load: f64 = part.iter().map(|&node| fine.nodes[node as usize].load.length()).sum();
        let springs = part.iter().flat_map(|&node| fine.at.row(node as usize));
        let softest = springs.map(|&(spring, _)| stretches[spring as usize]).fold(0.0, f32::max);
        let most = load * f64::from(softest);
        if most > LEAST {
            of_body.entry(fine.nodes[part[0] as usize].body).or_default().push((most, part));
        }
    }
    let most = |mut parts: Vec<(f64, Vec<u32>)>| {
        parts.sort_by(|a, b| b.0.total_cmp(&a.0));
        parts.truncate(MOST_PARTS);
        parts.into_iter().map(|(_, part)| part)
    };
    of_body.into_values().flat_map(most).collect()
}

/// Of the bodies of a part.
fn of_part(field: &Field) -> Vec<Prediction> {
    let tensions = settle::tensions(field);
    let mut bodies: BTreeMap<u32, Prediction> = BTreeMap::new();
    for (spring, tension) in field.springs.iter().zip(&tensions) {
        let mut stretch = spring.stretch.times(tension.abs());
        stretch.unresolved = (stretch.unresolved - spring.eased).max(0.0);
        let body = body_of(field, spring.ends);
        let of = Prediction { body, ..Prediction::default() };
        let body = bodies.entry(body).or_insert(of);
        if stretch.total() > body.stretch {
            (body.stretch, body.unresolved_stretch) = (stretch.total(), stretch.unresolved);
        }
    }
    for (node, way) in ways(field, &tensions).into_iter().enumerate() {
        let Some(body) = bodies.get_mut(&field.nodes[node].body) else { continue };
        if way.length > body.length {
            (body.length, body.unresolved, body.material) = (way.length, way.longer.unresolved, way.longer.material);
        }
    }
    bodies.into_values().collect()
}

fn body_of(field: &Field, [a, b]: [u32; 2]) -> u32 {
    let [a, b] = [a, b].map(|end| &field.nodes[end as usize]);
    if a.fixed { b.body } else { a.body }
}

/// The shortest way from a node to what is fixed.
#[derive(Clone, Copy)]
struct Way {
    /// m, all of it.
    all: f64,
    /// Of the constraints of the node's own body, m: at rest, and by how much they are longer.
    length: f64,
    longer: Yield,
}

fn ways(field: &Field, tensions: &[f64]) -> Vec<Way> {
    let mut springs = vec![Vec::new(); field.nodes.len()];
    for (index, spring) in field.springs.iter().enumerate() {
        let [a, b] = spring.ends;
        springs[a as usize].push((index, b));
        springs[b as usize].push((index, a));
    }
    let nowhere = Way { all: f64::INFINITY, length: 0.0, longer: Yield::default() };
    let mut ways = vec![nowhere; field.nodes.len()];
    let mut heap = BinaryHeap::new();
    for (node, way) in ways.iter_mut().enumerate().filter(|(node, _)| field.nodes[*node].fixed) {
        way.all = 0.0;
        heap.push(Reverse((0, node as u32)));
    }
    while let Some(Reverse((_, node))) = heap.pop() {
        let here = ways[node as usize];
        for &(index, to) in &springs[node as usize] {
            let spring = &field.springs[index];
            let all = here.all + spring.rest;
            if all < ways[to as usize].all {
                let own = field.nodes[node as usize].fixed
                    || field.nodes[node as usize].body == field.nodes[to as usize].body;
                let (length, longer) = if own { (here.length, here.longer) } else { (0.0, Yield::default()) };
                let measured = if spring.stretch.total() > 0.0 { 1.0 } else { 0.0 };
                ways[to as usize] = Way {
                    all,
                    length: length + measured * spring.rest,
                    longer: longer.plus(spring.yields.times(measured * tensions[index].max(0.0))),
                };
                // Numbers of at least 0 are in the order of their bits.
                heap.push(Reverse((all.to_bits(), to)));
            }
        }
    }
    ways
}
