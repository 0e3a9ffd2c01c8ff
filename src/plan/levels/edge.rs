//! What keeps the nodes of nets from moving apart.

use crate::model::Material;

/// What keeps two nodes of a net from moving apart: an [`Edge`] or a [`Spring`].
pub trait Tie: Clone + Sync {
    /// Its nodes.
    fn ends(&self) -> [u32; 2];
    /// At rest, m.
    fn length(&self) -> f64;
    /// Index into the model's materials.
    fn material(&self) -> u32;
    /// m/N, with the materials as they are now.
    fn compliance(&self, materials: &[Material]) -> f64;
    /// What the finest level makes of the particles' sweep, 1/kg; infinite where there is none below.
    fn finest(&self) -> f64;
}

/// A stretch constraint between particles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spring {
    /// Its particles.
    pub ends: [u32; 2],
    /// At rest, m.
    pub length: f64,
    /// Index into the model's materials.
    pub material: u32,
}

impl Tie for Spring {
    fn ends(&self) -> [u32; 2] {
        self.ends
    }
    fn length(&self) -> f64 {
        self.length
    }
    fn material(&self) -> u32 {
        self.material
    }
    fn compliance(&self, materials: &[Material]) -> f64 {
        yields(self.material, materials)
    }
    fn finest(&self) -> f64 {
        f64::INFINITY
    }
}

/// What is in proportion to a stiffness against bending: the inverse compliance of hinges of a material, times
/// something.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bending {
    /// Index into the model's materials.
    pub material: u32,
    /// Of the inverse of the material's compliance; 0 where nothing resists.
    pub factor: f64,
}

impl Bending {
    /// So stiff, N m, with the materials as they are.
    pub fn of(stiffness: f64, material: u32, materials: &[Material]) -> Self {
        match stiffness > 0.0 {
            true => Self { material, factor: stiffness * yielding(material, materials) },
            false => Self::default(),
        }
    }
    /// With the materials as they are now: N m, or what it was multiplied by.
    pub fn now(&self, materials: &[Material]) -> f64 {
        self.factor / yielding(self.material, materials)
    }
    /// The inverse of that; infinite where nothing resists.
    pub(super) fn compliance(&self, materials: &[Material]) -> f64 {
        yielding(self.material, materials) / self.factor
    }
}

/// rad/(N m); what does not yield is taken for what hardly does, by so much that single precision still holds its
/// inverse.
fn yielding(material: u32, materials: &[Material]) -> f64 {
    materials[material as usize].compliance.max(1e-30)
}

/// An edge of a net.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Its nodes.
    pub ends: [u32; 2],
    /// At rest, m.
    pub length: f64,
    /// Index into the model's materials: of the softer of its nodes' media; of a rope, of the softest of the finer
    /// edges that it stands for.
    pub material: u32,
    /// Of the material's compliance.
    pub factor: f64,
    /// 1/kg: by how much what this edge stands for yields more than its compliance says if it is left to the sweeps of
    /// the level below alone, over the square of a substep: half of the inverse masses at the ends of their edges, over
    /// the number of sweeps; times this edge's compliance over theirs, which is a matter of how many it stands for.
    pub weight: f64,
    /// The same of the particles' own sweep, 1/kg.
    pub finest: f64,
    /// By what force it may push, N: of closed shells that by which a strip as wide as it is long buckles, π² B/L
    /// (Euler 1744).
    pub bending: Bending,
    /// How many levels below are taken to resolve some of it by their sweeps, from the next on: each yields `LIGHTER`
    /// times as much as the one above it. All of them count where `loads.rs` has brought them to one stiffness, else
    /// the next only.
    pub below: u32,
}

impl Edge {
    /// The share of its pull that is left to this level: what the sweeps below do not resolve. `soft` is its compliance
    /// over the square of a substep, 1/kg.
    pub fn gate(&self, soft: f64) -> f64 {
        let unresolved = |weight: f64| weight / (weight + soft);
        let levels: f64 = (0..self.below).map(|level| unresolved(self.weight * LIGHTER.powi(level as i32))).product();
        levels * self.particles_leave(soft)
    }

    /// What the particles' sweep leaves: one way would leave w/(w + α̃), and the way back leaves as much of that. To
    /// second order it yields more than half of the inverse masses say: a constraint does not see what those do that
    /// see it.
    fn particles_leave(&self, soft: f64) -> f64 {
        if self.finest.is_infinite() {
            return 1.0;
        }
        let weight = self.finest * (1.0 + SECOND_ORDER * self.finest / (self.finest + soft));
        (weight / (weight + soft)).powi(2)
    }

    /// Makes it so many times as stiff, with the same share of what the sweeps below leave.
    pub(super) fn stiffen(&mut self, times: f64) {
        self.factor /= times;
        self.weight /= times;
        self.finest /= times;
    }

    /// m/N, with the materials as they are now.
    pub fn compliance(&self, materials: &[Material]) -> f64 {
        self.factor * yields(self.material, materials)
    }
}

impl Tie for Edge {
    fn ends(&self) -> [u32; 2] {
        self.ends
    }
    fn length(&self) -> f64 {
        self.length
    }
    fn material(&self) -> u32 {
        self.material
    }
    fn compliance(&self, materials: &[Material]) -> f64 {
        self.compliance(materials)
    }
    fn finest(&self) -> f64 {
        if self.finest.is_finite() { self.finest } else { self.weight }
    }
}

/// The compliance of a material as it is now, m/N: what is rigid yields by what nothing differs from, so that it may be
/// made soft.
pub(super) fn yields(material: u32, materials: &[Material]) -> f64 {
    materials[material as usize].compliance.max(RIGID)
}

/// A compliance below which nothing differs from rigid, m/N.
pub const RIGID: f64 = 1e-100;
/// What a sweep over particles yields more than to first order, of that, where compliance is nothing to it. By plain
/// sweeps at 10 substeps sheets of 64 a side, 1e-3 m/N, yield as with 0 (by corners) to 0.4 (by an edge); with this
/// nets bring them all nearest.
const SECOND_ORDER: f64 = 0.8;
/// Inverse masses at a level over those of the next, by [`super::RATIO`] both ways.
const LIGHTER: f64 = 4.0;
