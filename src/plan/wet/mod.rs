//! Who takes part in fluids: their own particles, and those of solids that they touch.

mod cells;
mod near;

use std::ops::Range;

pub(crate) use cells::Cells;
pub(crate) use near::{Near, Neighbour};

use crate::law::fluid::{Chebyshev, Kernel, Scale};
use crate::math::Vec3;
use crate::model::{Fluid, Model};

/// All particles that take part, those of fluids first.
pub(crate) struct Wet {
    pub scale: Scale,
    /// Indices of the model.
    pub particles: Vec<u32>,
    /// How many of them are of fluids.
    pub fluids: usize,
    /// s of each, m³.
    pub shares: Vec<f64>,
    /// Pa s; [`SOLID`] of solids, which take over that of what they touch.
    pub viscosities: Vec<f64>,
    /// √σ of each, σ in N/m; [`SOLID`] of solids.
    pub roots: Vec<f64>,
    /// cos θ of each particle of a fluid, with its contact angle θ.
    cosines: Vec<f64>,
    /// α = 1/(K V) of each particle of a fluid, 1/J.
    pub compliances: Vec<f64>,
    /// Of each, index of the model.
    pub bodies: Vec<u32>,
    /// For each two bodies, the first times their number, whether their particles act on each other.
    meets: Vec<bool>,
    body_count: usize,
}

/// The viscosity of solids, and the root of their surface tension.
pub(crate) const SOLID: f64 = -1.0;

impl Wet {
    /// `None` where there is no fluid.
    pub fn new(model: &Model) -> Option<Self> {
        let scale = Scale::new(model.fluids.first()?.spacing);
        let body_count = model.bodies.len();
        let is_fluid: Vec<bool> = model.bodies.iter().map(|body| is_fluid(model, &body.particles)).collect();
        let meet = |a: usize, b: usize| a == b || model.bodies[a].groups.meet(model.bodies[b].groups);
        let act = |a: usize, b: usize| (is_fluid[a] || is_fluid[b]) && meet(a, b);
        let mut wet = Self {
            scale,
            particles: Vec::new(),
            fluids: 0,
            shares: Vec::new(),
            viscosities: Vec::new(),
            roots: Vec::new(),
            cosines: Vec::new(),
            compliances: Vec::new(),
            bodies: Vec::new(),
            meets: (0..body_count * body_count).map(|pair| act(pair / body_count, pair % body_count)).collect(),
            body_count,
        };
        for fluid in &model.fluids {
            wet.add(model, fluid.particles.clone(), &[scale.share], fluid.viscosity);
            let stiff = fluid.bulk_modulus * scale.volume;
            wet.roots.resize(wet.len(), fluid.surface_tension.sqrt());
            wet.cosines.resize(wet.len(), fluid.wetting());
            wet.compliances.resize(wet.len(), if stiff > 0.0 { 1.0 / stiff } else { 0.0 });
        }
        wet.fluids = wet.len();
        let [_, solids] = bodies(model);
        for body in solids.into_iter().map(|solid| &model.bodies[solid]) {
            let shares = solid_shares(model, body.particles.clone(), &scale);
            wet.add(model, body.particles.clone(), &shares, SOLID);
        }
        wet.roots.resize(wet.len(), SOLID);
        Some(wet)
    }

    /// Adds the particles of a body, with a share of each or one for all.
    fn add(&mut self, model: &Model, particles: Range<u32>, shares: &[f64], viscosity: f64) {
        let count = particles.len();
        self.shares.extend(shares.iter().cycle().take(count));
        self.viscosities.resize(self.particles.len() + count, viscosity);
        self.bodies.extend(particles.clone().map(|particle| model.particles.bodies[particle as usize]));
        self.particles.extend(particles);
    }

    pub fn len(&self) -> usize {
        self.particles.len()
    }

    /// Whether particles of two bodies act on each other: no two solids do.
    pub fn meet(&self, a: u32, b: u32) -> bool {
        self.meets[a as usize * self.body_count + b as usize]
    }

    /// Whether all act on each other.
    #[cfg(feature = "cpu")]
    pub fn all_meet(&self) -> bool {
        let mut bodies = self.bodies.clone();
        bodies.dedup();
        bodies.iter().all(|&one| bodies.iter().all(|&other| self.meet(one, other)))
    }

    /// Whether something is viscous.
    pub fn is_viscous(&self) -> bool {
        self.viscosities.iter().any(|viscosity| *viscosity > 0.0)
    }

    /// Whether something has surface tension.
    pub fn is_tense(&self) -> bool {
        self.roots.iter().any(|root| *root > 0.0)
    }

    /// cos θ; of solids 0.
    pub fn cosine(&self, index: usize) -> f64 {
        self.cosines.get(index).copied().unwrap_or(0.0)
    }

    /// Whether walls pull or push what has surface tension.
    #[cfg(feature = "cpu")]
    pub fn is_wetting(&self) -> bool {
        self.is_tense() && self.cosines.iter().any(|cosine| *cosine != 0.0)
    }

    /// By which share of a pair of fluids two particles cohere: what a solid stands for.
    pub fn cohering(&self, i: usize, j: usize) -> f64 {
        self.shares[i].min(self.shares[j]) / self.scale.share
    }

    /// Steps of the viscous iteration. 0 without viscosity.
    pub fn viscous_steps(&self, model: &Model, h: f64) -> u32 {
        if self.is_viscous() { Chebyshev::steps(h * viscous_rate(model)) } else { 0 }
    }
}

/// The surface tension that a fluid has with the substeps of a model, N/m.
pub(crate) fn tension(model: &Model, fluid: &Fluid) -> f64 {
    let (weight, scale) = (model.weight_of_fluid(&fluid.particles), Scale::new(fluid.spacing));
    let density = if weight > 0.0 { 1.0 / (weight * scale.volume) } else { 0.0 };
    fluid.surface_tension.min(scale.most_tension(density, model.settings.substep_seconds()))
}

/// By which rate viscosity takes away what differs most in undisturbed fluid, with room for denser places, 1/s: over a
/// substep it is the largest eigenvalue.
pub(crate) fn viscous_rate(model: &Model) -> f64 {
    let rate = |fluid: &Fluid| {
        let weight = model.weight_of_fluid(&fluid.particles);
        2.0 * weight * Scale::new(fluid.spacing).viscous_sum(fluid.viscosity)
    };
    1.5 * model.fluids.iter().map(rate).fold(0.0, f64::max)
}

/// The bodies of a model whose particles take part, without looking at these: its fluids, then the solids that touch
/// one.
pub(crate) fn bodies(model: &Model) -> [Vec<usize>; 2] {
    let (fluids, others): (Vec<usize>, Vec<usize>) =
        (0..model.bodies.len()).partition(|&body| is_fluid(model, &model.bodies[body].particles));
    let meets =
        |&solid: &usize| fluids.iter().any(|&fluid| model.bodies[solid].groups.meet(model.bodies[fluid].groups));
    let solids = others.into_iter().filter(|&body| model.bodies[body].radius > 0.0).filter(meets).collect();
    [fluids, solids]
}

/// How many particles take part.
pub(crate) fn count(model: &Model) -> u32 {
    bodies(model).iter().flatten().map(|&body| model.bodies[body].particles.len() as u32).sum()
}

/// What a pass has to ask of particles that take part, and need not where all are alike.
#[cfg(feature = "gpu")]
pub(crate) struct Kinds {
    pub has_solids: bool,
    /// Whether particles rub unlike one another.
    pub are_mixed: bool,
    /// Whether some do not act on each other.
    pub asks_bodies: bool,
}

#[cfg(feature = "gpu")]
impl Kinds {
    pub fn of(model: &Model) -> Self {
        let [fluids, solids] = bodies(model);
        let meet = |a: usize, b: usize| a == b || model.bodies[a].groups.meet(model.bodies[b].groups);
        let meets_all = |&fluid: &usize| fluids.iter().chain(&solids).all(|&other| meet(fluid, other));
        let alike = model.fluids.windows(2).all(|pair| pair[0].viscosity == pair[1].viscosity);
        Self {
            has_solids: !solids.is_empty(),
            are_mixed: !alike || !solids.is_empty(),
            asks_bodies: !fluids.iter().all(meets_all),
        }
    }
}

/// Whether a body with these particles is a fluid.
pub(crate) fn is_fluid(model: &Model, particles: &Range<u32>) -> bool {
    model.fluids.iter().any(|fluid| fluid.particles == *particles)
}

/// The share of each particle of a solid: with it the particles of the solid alone, where they were placed, make up
/// what a particle of a fluid finds in its own (Akinci et al. 2012).
fn solid_shares(model: &Model, particles: Range<u32>, scale: &Scale) -> Vec<f64> {
    let range = particles.start as usize..particles.end as usize;
    let places: Vec<Vec3<f64>> = model.particles.positions[range].iter().map(|&place| place.into()).collect();
    let kernel = Kernel::<f64>::new(scale.support);
    let cells = Cells::new(&places, scale.support);
    let share = |place: &Vec3<f64>| {
        let mut sum = 0.0;
        cells.near(*place, |other| {
            let way = *place - places[other];
            sum += kernel.at(way.dot(way)).0;
        });
        if sum > 0.0 { 1.0 / sum } else { 0.0 }
    };
    places.iter().map(share).collect()
}
