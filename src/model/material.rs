//! Compliance, damping, breaking and plastic flow of constraints.

use std::collections::HashMap;

use crate::constraint::Side;

/// Compliance, damping, side, breaking and flow; shared by all constraints with the same numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Inverse stiffness α, at least 0; the unit is the kind's (m/N for a distance). 0 is rigid, raising it softens.
    /// XPBD mode only.
    pub compliance: f64,
    /// Damping β along the gradient, at least 0; N s/m for a distance. Raising it calms vibrations sooner. XPBD mode
    /// only; acts on constraints with compliance.
    pub damping: f64,
    /// PBD mode: the share k of the error removed at each iteration, 0 to 1.
    pub stiffness: f64,
    /// In which direction it acts.
    pub side: Side,
    /// The mean force over a frame above which the constraint breaks, N, for good; `None` for one that never does.
    pub break_force: Option<f64>,
    /// Index into [`Model::curves`](super::Model::curves) of what drives the rest values; `None` for those that stay.
    /// Without effect on kinds whose rest values no curve can drive
    /// ([`Kind::rest_change`](crate::constraint::Kind::rest_change)).
    pub curve: Option<u32>,
    /// The elastic deformation, at least 0, above which the constraint flows and its rest value takes the excess for
    /// good; of kinds whose rest value changes by a factor a share of the rest value (strain), of others in the unit of
    /// C. It is taken by the force, αλ/h², and so needs compliance and XPBD mode. `None` for what never yields. Each
    /// component yields by itself.
    pub yield_point: Option<f64>,
    /// Rate at which the excess flows, 1/s, above 0: e^(-creep t) of it is left after a time t. `None`: all at once.
    pub creep: Option<f64>,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            compliance: 0.0,
            damping: 0.0,
            stiffness: 1.0,
            side: Side::Both,
            break_force: None,
            curve: None,
            yield_point: None,
            creep: None,
        }
    }
}

impl Material {
    /// Its numbers as bits.
    fn key(&self) -> [u64; 8] {
        [
            self.compliance.to_bits(),
            self.damping.to_bits(),
            self.stiffness.to_bits(),
            self.side as u64,
            self.break_force.map_or(u64::MAX, f64::to_bits),
            self.curve.map_or(u64::MAX, u64::from),
            self.yield_point.map_or(u64::MAX, f64::to_bits),
            self.creep.map_or(u64::MAX, f64::to_bits),
        ]
    }

    /// Whether rest values of the material may change in a running simulation.
    pub fn changes_rest(&self) -> bool {
        self.curve.is_some() || self.yield_point.is_some()
    }

    /// The share of a deformation beyond the yield point that flows in a time, s: 1 - e^(-creep t). 0 if it never
    /// yields.
    pub fn flow(&self, seconds: f64) -> f64 {
        match (self.yield_point, self.creep) {
            (None, _) => 0.0,
            (Some(_), None) => 1.0,
            (Some(_), Some(creep)) => -(-creep * seconds).exp_m1(),
        }
    }
}

/// The table of materials; equal ones share an entry, and equal runs of several the same entries.
#[derive(Clone, Debug, Default)]
pub struct Materials {
    entries: Vec<Material>,
    index: HashMap<Vec<[u64; 8]>, u32>,
}

impl Materials {
    /// The index of a material, added if it is new.
    pub fn insert(&mut self, material: Material) -> u32 {
        self.insert_run(&[material])
    }

    /// The index of the first of several materials that follow one another, added if they are new: those of a
    /// constraint's components, where these have materials of their own.
    pub fn insert_run(&mut self, run: &[Material]) -> u32 {
        *self.index.entry(run.iter().map(Material::key).collect()).or_insert_with(|| {
            self.entries.extend_from_slice(run);
            (self.entries.len() - run.len()) as u32
        })
    }
}

impl Materials {
    /// The material at an index, to be changed. A changed one is not found by [`Materials::insert`] as what it was.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Material> {
        let entry = self.entries.get_mut(index)?;
        self.index.retain(|run, first| !(*first as usize..*first as usize + run.len()).contains(&index));
        Some(entry)
    }
}

impl std::ops::Deref for Materials {
    type Target = [Material];
    fn deref(&self) -> &[Material] {
        &self.entries
    }
}
