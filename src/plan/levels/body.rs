//! Which bodies have levels over them, and the finest net of each: its particles and what keeps them from moving apart.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::edge::Spring;
use super::{Bending, Level, Net, levels};
use crate::base::parallel;
use crate::constraint::{Dihedral, Distance};
use crate::math::Vec3;
use crate::model::{Body, Group, Material, Mode, Model, Side};
use crate::plan::statics::{self, Prediction};

/// A sheet, or a rope, with the levels over it.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// The particle of the model that each node of level 0 is.
    pub particles: Range<u32>,
    /// Finest first.
    pub levels: Vec<Level>,
    /// What its edges are of, and of a closed shell the hinges, ascending.
    pub materials: Vec<u32>,
}

impl Sheet {
    /// How many nodes all levels have.
    pub fn node_count(&self) -> usize {
        self.levels.iter().map(|level| level.net.len()).sum()
    }

    /// How many edges all levels have.
    pub fn edge_count(&self) -> usize {
        self.levels.iter().map(|level| level.net.edges.len()).sum()
    }

    /// Bytes of the levels.
    pub fn bytes(&self) -> usize {
        self.levels.iter().map(Level::bytes).sum::<usize>() + size_of_val(&*self.materials)
    }
}

/// Shorter ropes have none: a few sweeps carry a load along them, and scenes have thousands of hairs.
const LEAST_ROPE: u32 = 128;

/// The bodies that have levels ([`nested`](crate::model::Settings::nested)): all that can, or those whose load too few
/// sweeps would not carry. In all that was tried levels are nearer to the truth than none over these: they are further
/// off where a sheet is soft in shear, or of materials that take turns, than elsewhere, but sweeps alone by more.
fn bodies(model: &Model) -> Vec<u32> {
    if model.settings.nested == Some(false) {
        return Vec::new();
    }
    let possible = possible(model);
    let predicted = match model.settings.nested.is_none() && !possible.is_empty() {
        true => statics::predict(model, model.settings.substeps),
        false => Vec::new(),
    };
    wanted(model, &possible, &predicted)
}

/// Those of some bodies over which levels are wanted, by how the bodies of the model hang without.
pub(crate) fn wanted(model: &Model, bodies: &[u32], predicted: &[Prediction]) -> Vec<u32> {
    let sags = |body: &&u32| predicted.iter().any(|one| one.body == **body && one.is_of_sweeps());
    match model.settings.nested {
        Some(true) => bodies.to_vec(),
        None => bodies.iter().filter(sags).copied().collect(),
        Some(false) => Vec::new(),
    }
}

/// The levels over the sheets and ropes of a model.
pub fn sheets(model: &Model) -> Vec<Sheet> {
    let Some(group) = distances(model) else { return Vec::new() };
    let hinges = LazyLock::new(|| hinges(model));
    let parts: Vec<Part> = bodies(model).iter().flat_map(|&body| parts(model, &model.bodies[body as usize])).collect();
    let sheet = |part: &Part| {
        let particles = part.particles.clone();
        let shell = part.shell(model, group, &hinges);
        let levels = levels(part.net(model, group), shell.as_deref(), &model.materials);
        let materials = part.materials(group, if shell.is_some() { &hinges } else { &[] });
        (!levels.is_empty()).then_some(Sheet { particles, levels, materials })
    };
    let of_piece = |piece: Range<usize>| parts[piece].iter().filter_map(sheet).collect::<Vec<_>>();
    parallel::map(parts.len(), 1, of_piece).into_iter().flatten().collect()
}

/// An edge about which a surface resists bending, its ends ascending, and by what material.
type Hinge = ([u32; 2], u32);
/// All of a model, found on the first request.
type Hinges<F> = LazyLock<Vec<Hinge>, F>;

/// How stiff a plate is against bending over its hinges of energy k θ²/2, between triangles of equal sides: D = √3/2 k
/// (Seung and Nelson, Defects in flexible membranes with crystalline order, 1988).
const PLATE: f64 = 0.866_025_403_784_438_6;

/// The dihedral angles of a model that resist for good, both ways, in order.
fn hinges(model: &Model) -> Vec<Hinge> {
    let Some(group) = dihedrals(model) else { return Vec::new() };
    let holds = |material: &Material| {
        let stays = material.break_force.is_none() && !material.changes_rest();
        stays && material.side == Side::Both && material.compliance.is_finite()
    };
    let hinge = |(hinge, &material): (usize, &u32)| {
        let [a, b] = ends(group, hinge as u32);
        holds(&model.materials[material as usize]).then_some(([a.min(b), a.max(b)], material))
    };
    let mut hinges: Vec<Hinge> = group.materials.iter().enumerate().filter_map(hinge).collect();
    hinges.sort_unstable();
    hinges
}

/// The material of the hinge about an edge, if there is one.
fn hinge_at(hinges: &[Hinge], [a, b]: [u32; 2]) -> Option<u32> {
    let edge = [a.min(b), a.max(b)];
    let index = hinges.partition_point(|(ends, _)| *ends < edge);
    hinges.get(index).filter(|(ends, _)| *ends == edge).map(|&(_, material)| material)
}

/// The constraints of the group of distances that hold each of these ranges of particles together by pushing as well as
/// by pulling, ascending. The ranges ascend and have no particle in common.
pub fn bearing(model: &Model, ranges: &[Range<u32>]) -> Vec<Vec<u32>> {
    let mut lists = vec![Vec::new(); ranges.len()];
    let Some(group) = distances(model) else { return lists };
    for constraint in 0..group.len() as u32 {
        let [a, b] = ends(group, constraint);
        let index = ranges.partition_point(|range| range.end <= a);
        let within = ranges.get(index).is_some_and(|range| range.contains(&a) && range.contains(&b));
        if within && model.materials[group.materials[constraint as usize] as usize].side == Side::Both {
            lists[index].push(constraint);
        }
    }
    lists
}

/// The bodies that can have levels, ascending. In PBD mode none can: stiffness depends on the sweeps by definition. Nor
/// can what changes its rest lengths, which levels would not, nor what can break or tear ([`given_up`]).
pub fn possible(model: &Model) -> Vec<u32> {
    candidates(model, false)
}

/// The bodies that could have levels if they could not break or tear, ascending. Levels would bear most of what their
/// constraints break by, and hold together what has come apart.
pub fn given_up(model: &Model) -> Vec<u32> {
    candidates(model, true)
}

/// The bodies that levels could be over, of those that can break or tear or of the others.
fn candidates(model: &Model, breakable: bool) -> Vec<u32> {
    let breaks = breakable_bodies(model);
    let asked = (0..model.bodies.len() as u32).filter(|body| breaks.contains(body) == breakable);
    asked.filter(|&body| !parts(model, &model.bodies[body as usize]).is_empty()).collect()
}

/// The bodies that hold a distance with a break force between two of their particles, that can tear, or that are let
/// go.
fn breakable_bodies(model: &Model) -> BTreeSet<u32> {
    let body_of = |particle: u32| model.particles.bodies[particle as usize];
    let edges = model.tearing.iter().flat_map(|tearing| &tearing.edges);
    let mut bodies: BTreeSet<u32> = edges.map(|edge| body_of(edge.ends[0])).collect();
    bodies.extend(model.releases.iter().flat_map(|release| &release.particles).map(|&particle| body_of(particle)));
    // Where no material breaks, the constraints need no look.
    let breaks = |material: &Material| material.break_force.is_some();
    let Some(group) = distances(model).filter(|_| model.materials.iter().any(breaks)) else { return bodies };
    for (constraint, &material) in (0..).zip(&group.materials) {
        let [a, b] = ends(group, constraint).map(body_of);
        if a == b && breaks(&model.materials[material as usize]) {
            bodies.insert(a);
        }
    }
    bodies
}

/// The group of distance constraints, over which levels are made.
pub(crate) fn distances(model: &Model) -> Option<&Group> {
    model.groups.iter().find(|group| group.kind.is::<Distance>())
}

fn dihedrals(model: &Model) -> Option<&Group> {
    model.groups.iter().find(|group| group.kind.is::<Dihedral>())
}

/// What hangs together by distances: a surface, or one strand.
struct Part {
    particles: Range<u32>,
    /// Constraints of the group of distances.
    edges: Range<u32>,
    /// Those of a surface across two edges, which hold it together with the others.
    bends: Range<u32>,
    rope: bool,
}

fn parts(model: &Model, body: &Body) -> Vec<Part> {
    if model.settings.mode == Mode::Pbd {
        return Vec::new();
    }
    let particles = body.particles.clone();
    let bends = body.bend.clone().unwrap_or_default();
    let part = |particles, edges, rope| Part { particles, edges, bends: bends.clone(), rope };
    let mut parts = match (body.stretch.clone(), body.strand) {
        (Some(edges), None) => vec![part(particles, edges, false)],
        (Some(edges), Some(each)) if each >= LEAST_ROPE => {
            let strand = |i: u32| {
                let (first, edge) = (particles.start + i * each, edges.start + i * (each - 1));
                part(first..first + each, edge..edge + each - 1, true)
            };
            (0..particles.len() as u32 / each).map(strand).collect()
        }
        _ => Vec::new(),
    };
    // Where no material does, the edges need no look.
    if let Some(group) = distances(model).filter(|_| model.materials.iter().any(Material::changes_rest)) {
        parts.retain(|part| !part.edges.clone().any(|constraint| changes_rest(model, group, constraint)));
    }
    parts.retain(|part| !part.edges.is_empty());
    parts
}

fn changes_rest(model: &Model, group: &Group, constraint: u32) -> bool {
    model.materials[group.materials[constraint as usize] as usize].changes_rest()
}

impl Part {
    /// How stiff a closed shell is against bending at each particle, and by what: a surface each of whose edges is one
    /// of the hinges. What has a rim folds with nothing pressed together.
    fn shell(
        &self,
        model: &Model,
        group: &Group,
        hinges: &Hinges<impl FnOnce() -> Vec<Hinge>>,
    ) -> Option<Vec<Bending>> {
        if self.rope || dihedrals(model)?.len() < self.edges.len() {
            return None;
        }
        let first = self.particles.start;
        // What bends in a row yields together, as by the mean of the compliances.
        let mut sums = vec![(0.0, 0.0, (0, 0.0)); self.particles.len()];
        for ends in self.edges.clone().map(|edge| ends(group, edge)) {
            let material = hinge_at(hinges, ends)?;
            let compliance = Bending { material, factor: 1.0 }.compliance(&model.materials);
            for end in ends {
                let (sum, count, softest) = &mut sums[(end - first) as usize];
                (*sum, *count) = (*sum + compliance, *count + 1.0);
                if compliance > softest.1 {
                    *softest = (material, compliance);
                }
            }
        }
        let bending = |(sum, count, (material, _)): (f64, f64, (u32, f64))| match count > 0.0 {
            true => Bending::of(PLATE * count / sum, material, &model.materials),
            false => Bending::default(),
        };
        Some(sums.into_iter().map(bending).collect())
    }

    /// The finest net, without media.
    fn net(&self, model: &Model, group: &Group) -> Net<Spring> {
        let first = self.particles.start;
        let spring = |constraint: u32| Spring {
            ends: ends(group, constraint).map(|end| end - first),
            length: group.rest_of(constraint as usize)[0],
            material: group.materials[constraint as usize],
        };
        let springs = |constraints: Range<u32>| {
            let at = |index: usize| spring(constraints.start + index as u32);
            parallel::list(constraints.len(), Spring::default(), at)
        };
        let mut edges = springs(self.edges.clone());
        let particles = first as usize..self.particles.end as usize;
        let positions = match self.rope {
            true => straight(&edges),
            false => model.particles.positions[particles.clone()].iter().map(|&x| x.into()).collect(),
        };
        let inverse_masses = model.particles.inverse_masses[particles].to_vec();
        let spacing = mean_side(&positions, &edges, self.rope);
        match model.materials.iter().any(Material::changes_rest) {
            true => edges.extend(self.bends.clone().filter(|&bend| !changes_rest(model, group, bend)).map(spring)),
            false => edges.extend(springs(self.bends.clone())),
        }
        Net { positions, inverse_masses, spacing, edges, media: Vec::new(), rope: self.rope }
    }

    fn materials(&self, group: &Group, hinges: &[Hinge]) -> Vec<u32> {
        let mut materials = Vec::new();
        let constraints = self.edges.clone().chain(self.bends.clone());
        let at_edges = self.edges.clone().filter_map(|edge| hinge_at(hinges, ends(group, edge)));
        for material in constraints.map(|constraint| group.materials[constraint as usize]).chain(at_edges) {
            // Few, and most like the one before.
            if materials.last() != Some(&material) && !materials.contains(&material) {
                materials.push(material);
            }
        }
        materials.sort_unstable();
        materials
    }
}

fn ends(group: &Group, constraint: u32) -> [u32; 2] {
    let ends = group.particles_of(constraint as usize);
    [ends[0], ends[1]]
}

/// A rope pulled straight: however it is placed, that is how far apart its particles can be.
fn straight(edges: &[Spring]) -> Vec<Vec3<f64>> {
    let mut positions = vec![Vec3::zero()];
    for (last, edge) in edges.iter().enumerate() {
        positions.push(positions[last] + Vec3::axis(0) * edge.length);
    }
    positions
}

/// The mean length as placed of the shorter half of the edges, m: of a grid its sides and not its diagonals. Of a rope
/// of all.
fn mean_side(positions: &[Vec3<f64>], edges: &[Spring], rope: bool) -> f64 {
    let length = |edge: &Spring| (positions[edge.ends[1] as usize] - positions[edge.ends[0] as usize]).length();
    let mut lengths = parallel::list(edges.len(), 0.0, |index| length(&edges[index]));
    let shorter = if rope { lengths.len() } else { lengths.len().div_ceil(2) };
    if let Some(last) = shorter.checked_sub(1) {
        lengths.select_nth_unstable_by(last, f64::total_cmp);
    }
    let shorter = &mut lengths[..shorter];
    // Added in order, whatever that of the edges.
    parallel::sort(shorter, f64::total_cmp);
    shorter.iter().sum::<f64>() / shorter.len() as f64
}
