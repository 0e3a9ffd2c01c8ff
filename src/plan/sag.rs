//! Predicts how far a hanging body sags because its solver runs out of sweeps, without running it.
//!
//! At rest the multipliers λ carry the weight, and every substep finds them anew from λ = 0. A constraint that is solved
//! once from there and sees nothing of its neighbours stops at C = (α̃ + Σw) λ in place of α̃ λ: it yields as if its
//! compliance were larger by h² Σw. In a Gauss-Seidel sweep it sees, on average, half of its neighbours' corrections,
//! which at rest undo its own: h² Σw / 2. With the split masses of Jacobi Σw is Σnw. More iterations and over-relaxation
//! divide it. For a chain of n equal particles the sum along it is ½ g h² n²: the more particles tall, the worse by the
//! square.
//!
//! In a net every particle hangs by the constraint on its stiffest way to what is fixed, and those equally many
//! constraints from there share what hangs below them. That is exact for chains. For cloth it was held against runs in
//! double precision: hung by an edge it predicts 1.2 times what they show, by two corners 0.6 to 0.7 times.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::levels::Rows;
use crate::constraint::Arity;
use crate::model::{Group, Material, Method, Mode, Model, Side};
use crate::parallel;

/// The sag from too few sweeps that goes unnoticed, as a share of the length that hangs.
pub const TOLERATED: f64 = 0.01;
/// The share of its sag below which a body only goes along with what it hangs from, as a weight at the end of a rope.
const LEAST_OWN: f64 = 0.05;

/// How far a body sags, by what it hangs from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sag {
    /// The body.
    pub body: u32,
    /// Sag of its farthest particle from too few sweeps, m: falls with the square of the substeps.
    pub unresolved: f64,
    /// What of that is between its own nearest particle and that one, m: the rest is that of what it hangs from.
    pub own: f64,
    /// Sag from the compliance, m: what a converged solver would show.
    pub material: f64,
    /// Length of the way from that particle to what it hangs from, m.
    pub length: f64,
}

impl Sag {
    /// The unresolved sag as a share of the length.
    pub fn share(&self) -> f64 {
        if self.length > 0.0 { self.unresolved / self.length } else { 0.0 }
    }

    /// Whether too few sweeps are what makes it sag: not where the material itself yields more than that, or another body does that it hangs from.
    pub fn is_of_sweeps(&self) -> bool {
        self.share() > TOLERATED && self.unresolved > self.material && self.own > LEAST_OWN * self.unresolved
    }
}

/// What the load sees of the model.
struct Net<'a> {
    positions: &'a [[f64; 3]],
    /// Of each particle its constraints of two that pull: the other end, and the material.
    links: Rows<(u32, u32)>,
    /// Of each particle what a constraint yields by at it from too few sweeps, m/N.
    softness: Vec<f64>,
    /// Of each material what that is divided by, and its own compliance, m/N.
    materials: Vec<[f64; 2]>,
}

impl<'a> Net<'a> {
    fn new(model: &'a Model) -> Self {
        let (particles, settings) = (&model.particles, &model.settings);
        let of_group = |group: &'a Group| {
            (0..group.len()).filter_map(move |constraint| {
                let (ends, material) = (group.particles_of(constraint), group.material_of(constraint, 0));
                (model.materials[material as usize].side != Side::Push).then_some((ends[0], ends[1], material))
            })
        };
        let pairs = model.groups.iter().filter(|group| group.kind.arity() == Arity::Two).flat_map(of_group);
        let both = pairs.flat_map(|(a, b, material)| [(a, (b, material)), (b, (a, material))]);
        let links = Rows::gathered(particles.positions.len(), both, |_, link| link);
        let h = settings.implicit_seconds();
        // The way back of BDF2 mends nothing where there are two colours, and half at best: it is not counted.
        let sweeps = f64::from(settings.iterations) * settings.relaxation;
        let softness = |p: usize| {
            let seen = match settings.method {
                Method::GaussSeidel => 0.5,
                Method::Jacobi => links.row(p).len() as f64,
            };
            h * h * particles.inverse_masses[p] * seen / sweeps
        };
        let softness = parallel::list(particles.positions.len(), 0.0, softness);
        let material = |material: &Material| match settings.mode {
            Mode::Xpbd => [1.0, material.compliance],
            Mode::Pbd => [material.stiffness, 0.0],
        };
        let materials = model.materials.iter().map(material).collect();
        Self { positions: &particles.positions, links, softness, materials }
    }

    fn of(&self, particle: u32) -> &[(u32, u32)] {
        self.links.row(particle as usize)
    }

    /// How much a link yields: from too few sweeps and by its compliance, m/N.
    fn yields(&self, from: u32, to: u32, material: u32) -> [f64; 2] {
        let [stiffness, compliance] = self.materials[material as usize];
        [(self.softness[from as usize] + self.softness[to as usize]) / stiffness, compliance]
    }
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

/// What the heap orders by: how much a particle's way to what is fixed yields, m/N.
#[derive(Clone, Copy, PartialEq)]
struct Yield(f64);
impl Eq for Yield {}
impl PartialOrd for Yield {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Yield {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// A particle's place on the stiffest way to what is fixed.
#[derive(Clone, Copy)]
struct Way {
    /// m/N; infinite where it hangs from nothing.
    yields: f64,
    /// m
    length: f64,
    /// Number of links.
    depth: u32,
    /// The first link of the way.
    from: u32,
    material: u32,
}

/// The stiffest way of each particle.
fn ways(model: &Model, net: &Net) -> Vec<Way> {
    let nowhere = Way { yields: f64::INFINITY, length: 0.0, depth: 0, from: 0, material: 0 };
    let mut ways = vec![nowhere; model.particles.len()];
    let mut heap = BinaryHeap::new();
    for p in (0..ways.len()).filter(|&p| model.particles.inverse_masses[p] == 0.0) {
        ways[p].yields = 0.0;
        heap.push(Reverse((Yield(0.0), p as u32)));
    }
    while let Some(Reverse((Yield(yields), p))) = heap.pop() {
        let here = ways[p as usize];
        if yields > here.yields {
            continue;
        }
        for &(to, material) in net.of(p) {
            let [unresolved, compliance] = net.yields(p, to, material);
            let (yields, there) = (yields + unresolved + compliance, &mut ways[to as usize]);
            if yields < there.yields {
                let length = here.length + distance(net.positions[p as usize], net.positions[to as usize]);
                *there = Way { yields, length, depth: here.depth + 1, from: p, material };
                heap.push(Reverse((Yield(yields), to)));
            }
        }
    }
    ways
}

/// For each particle, which of the parts that hang together it belongs to. What is fixed joins none: it carries each by itself.
fn parts(net: &Net, inverse_masses: &[f64]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let count = inverse_masses.len();
    let mut part = vec![NONE; count];
    let mut stack = Vec::new();
    for seed in 0..count {
        if part[seed] == NONE {
            part[seed] = seed;
            stack.push(seed);
        }
        while let Some(p) = stack.pop().filter(|&p| inverse_masses[p] > 0.0 || p == seed) {
            for to in net.of(p as u32).iter().map(|&(to, _)| to as usize) {
                if part[to] == NONE {
                    part[to] = seed;
                    stack.push(to);
                }
            }
        }
    }
    part
}

/// The particles of a part that hang by equally many links.
#[derive(Clone, Copy, Default)]
struct Level {
    /// kg
    mass: f64,
    /// Σ of the stiffness of the links that they hang by, N/m.
    stiffness: f64,
    /// The same, each times the share of its yielding that is the material's own.
    material_stiffness: f64,
}

/// How far the particles of a body are from what carries its part: links to the nearest and the farthest, and the length of the way to that, m.
#[derive(Clone, Copy, Default)]
struct Place {
    nearest: u32,
    farthest: u32,
    length: f64,
}

/// The sag of everything that hangs from something fixed, one entry for each body of each part that hangs together.
pub fn predict(model: &Model) -> Vec<Sag> {
    if model.particles.inverse_masses.iter().all(|&w| w > 0.0) {
        return Vec::new();
    }
    let net = Net::new(model);
    let part_of = parts(&net, &model.particles.inverse_masses);
    let gravity = distance(model.world.gravity, [0.0; 3]);
    let mut parts: BTreeMap<usize, (BTreeMap<u32, Place>, Vec<Level>)> = BTreeMap::new();
    for (p, way) in ways(model, &net).iter().enumerate() {
        if way.depth == 0 || model.particles.inverse_masses[p] == 0.0 {
            continue;
        }
        let (bodies, levels) = parts.entry(part_of[p]).or_default();
        let place = bodies.entry(model.particles.bodies[p]).or_insert(Place { nearest: u32::MAX, ..Place::default() });
        place.nearest = place.nearest.min(way.depth);
        if way.length > place.length {
            (place.length, place.farthest) = (way.length, way.depth);
        }
        levels.resize(levels.len().max(way.depth as usize), Level::default());
        let level = &mut levels[way.depth as usize - 1];
        let [unresolved, compliance] = net.yields(way.from, p as u32, way.material);
        let stiffness = 1.0 / (unresolved + compliance);
        level.mass += 1.0 / model.particles.inverse_masses[p];
        level.stiffness += stiffness;
        level.material_stiffness += stiffness * (stiffness * compliance);
    }
    let of_part = |(bodies, levels): (BTreeMap<u32, Place>, Vec<Level>)| {
        let mut hanging: f64 = levels.iter().map(|level| level.mass).sum();
        // Down to each level: from too few sweeps, and by compliance.
        let mut sums = vec![[0.0; 2]];
        for level in &levels {
            let stretch = hanging * gravity / level.stiffness;
            let material = level.material_stiffness / level.stiffness;
            let [unresolved, yielded] = sums[sums.len() - 1];
            sums.push([unresolved + stretch * (1.0 - material), yielded + stretch * material]);
            hanging -= level.mass;
        }
        let sag = move |(body, place): (u32, Place)| {
            let [unresolved, material] = sums[place.farthest as usize];
            let own = unresolved - sums[place.nearest as usize - 1][0];
            Sag { body, unresolved, own, material, length: place.length }
        };
        bodies.into_iter().map(sag)
    };
    parts.into_values().flat_map(of_part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{Distance, kind};
    use crate::model::{Body, Integrator, Materials, Particles, Settings};

    use crate::reference::Reference;
    use crate::{Model, Plan};

    const G: f64 = 9.81;

    /// A chain of `count` links of 1 kg and 0.1 m, hanging straight down from a fixed particle.
    fn chain(count: usize, compliance: f64, settings: Settings) -> Model {
        let mut materials = Materials::default();
        let material = materials.insert(Material { compliance, ..Material::default() });
        let mut group = Group::new(kind::<Distance>());
        for i in 0..count as u32 {
            group.push(&[i, i + 1], &[0.1], material);
        }
        let inverse_masses = std::iter::once(0.0).chain(std::iter::repeat_n(1.0, count)).collect();
        let positions = (0..=count).map(|i| [0.0, -0.1 * i as f64, 0.0]).collect();
        Model {
            name: "chain".to_string(),
            settings,
            particles: Particles::at_rest(positions, inverse_masses),
            bodies: vec![Body { name: "chain".to_string(), particles: 0..count as u32 + 1, ..Body::default() }],
            groups: vec![group],
            materials,
            ..Model::default()
        }
    }

    /// Along a chain the prediction is the sum that the formula is derived from, and the material's own sag is m g α n(n+1)/2.
    #[test]
    fn chain_is_summed_exactly() {
        let settings = Settings { substeps: 20, ..Settings::default() };
        let h = settings.substep_seconds();
        let sag = predict(&chain(50, 1e-5, settings))[0];
        // Each link yields by h² Σw / 2 per newton, Σw = 2 but 1 at the fixed end, and carries what hangs below it.
        let expected: f64 = (1..=50).map(|k| f64::from(51 - k) * G * h * h * if k == 1 { 0.5 } else { 1.0 }).sum();
        assert!((sag.unresolved / expected - 1.0).abs() < 1e-9, "{sag:?} {expected}");
        assert!((sag.material / (G * 1e-5 * 50.0 * 51.0 / 2.0) - 1.0).abs() < 1e-9, "{sag:?}");
        assert!((sag.length - 5.0).abs() < 1e-9);
    }

    /// The sag that is predicted for a chain is the one that the double-precision solver settles at.
    #[test]
    fn chain_sags_as_predicted() {
        let euler = [Method::GaussSeidel, Method::Jacobi].map(|method| (method, Integrator::Euler));
        for (method, integrator) in euler.into_iter().chain([(Method::GaussSeidel, Integrator::Bdf2)]) {
            let model = chain(20, 1e-7, Settings { method, integrator, substeps: 20, ..Settings::default() });
            let plan = Plan::new(&model);
            let mut reference = Reference::new(&model, &plan);
            // It bounces at first; the mean over some seconds after that is where it hangs.
            let lowest: Vec<f64> = (0..600)
                .map(|_| {
                    reference.step();
                    reference.state().positions[20][1]
                })
                .collect();
            let mean = lowest[300..].iter().sum::<f64>() / 300.0;
            let sag = predict(&model)[0];
            let seen = -2.0 - mean - sag.material;
            // A model of the mean yield, not of the order of the sweep: a quarter either way.
            assert!((seen / sag.unresolved - 1.0).abs() < 0.25, "{method:?}: seen {seen}, predicted {sag:?}");
        }
    }

    /// Of bodies that hang on each other each sags by itself, but for one that only goes along; what is fixed in between joins none.
    #[test]
    fn bodies_sag_by_themselves() {
        let mut model = chain(61, 0.0, Settings { substeps: 5, ..Settings::default() });
        let body = |particles| Body { particles, ..Body::default() };
        model.bodies = vec![body(0..31), body(31..61), body(61..62)];
        model.particles.bodies = (0..62).map(|p| u32::from(p > 30) + u32::from(p > 60)).collect();
        let sags = predict(&model);
        assert_eq!(
            sags.iter().map(|sag| (sag.body, sag.is_of_sweeps())).collect::<Vec<_>>(),
            [(0, true), (1, true), (2, false)]
        );
        assert!((sags[0].unresolved + sags[1].own + sags[2].own - sags[2].unresolved).abs() < 1e-12);
        model.particles.inverse_masses[30] = 0.0;
        let alone = predict(&model);
        assert!(alone[0].unresolved < 0.5 * sags[0].unresolved && alone[1].own == alone[1].unresolved, "{alone:?}");
    }

    /// What hangs from nothing, and what has no weight, does not sag.
    #[test]
    fn nothing_to_hang_from() {
        let mut model = chain(5, 0.0, Settings::default());
        model.world.gravity = [0.0; 3];
        assert_eq!(predict(&model)[0].unresolved, 0.0);
        let mut model = chain(5, 0.0, Settings::default());
        model.particles.inverse_masses[0] = 1.0;
        assert_eq!(predict(&model), []);
    }
}
