//! Levels over what can break: what `shaders/nested/open.wgsl` does before a frame and `shaders/nested/bear.wgsl` after it.
//!
//! A constraint's own multiplier tells only what levels leave to it. At the end of each frame the mean multipliers of all constraints of such a sheet
//! are therefore made those with which they alone would exert what they and the levels did ([`crate::measure::cords`]), by some iterations from the
//! means of the frame before on: loads change little from one frame to the next. Shares go by the compliances of the beginning. What is too much then breaks at the beginning of the
//! next frame, as anything does. The means are part of every state, so nothing else must be kept.
//!
//! What has come apart must not be held together from above: before each frame nodes are switched off that move an end of something broken whose
//! ends no other springs about as stiff join by two other particles, and above them those that move such a node. So whatever a node passes on
//! reaches particles, and momentum stays exact. Where all that crosses a line is broken, nothing joins ends across it; a single broken thread within
//! a sheet changes nothing.
//!
//! Where a body is torn, particles split: some constraints then have other particles than those under levels. These bear what their own multipliers
//! tell, and the nodes over both their ends are off, so that no level moves a particle whose mass is another now.

use crate::constraint::{Constraint, Distance, Vec3};
use crate::measure::cords::{Cord, Cords, Smoother};
use crate::model::{Group, Model, Multiplier};
use crate::plan::levels::{Level, Sheet};

/// Iterations in a frame. A sheet of 64 x 64 that is hung up knows its tensions to 2 % of the largest after 10 frames.
pub const ITERATIONS: usize = 10;
/// K of what joins the ends of something broken, over K of that, at least: what is more than a hundred times as soft does not hold it.
const AS_STIFF: f64 = 0.08;
/// The inverse mass of a node that is switched off, 1/kg.
const OFF: f64 = f64::NEG_INFINITY;

/// What the constraints of all sheets that can break bear.
pub struct Bearings {
    /// Index of the group of distances.
    pub group: usize,
    of_sheets: Vec<Bearing>,
    /// What a mean multiplier is over its force, s².
    scale: f64,
}

struct Bearing {
    sheet: usize,
    cords: Cords,
    smoother: Smoother,
    /// Of the nodes of each level, 1/kg.
    inverse_masses: Vec<Vec<f64>>,
    /// The cords at each particle.
    at: Vec<Vec<usize>>,
    /// Whether a tear gave each cord another particle.
    away: Vec<bool>,
    /// The model's particle that is the sheet's first.
    first: u32,
    /// What each constraint bore in the frame before, N.
    kept: Vec<f64>,
}

impl Bearings {
    /// None where no sheet can break.
    pub fn new(model: &Model, sheets: &[Sheet]) -> Option<Self> {
        let group = model.groups.iter().position(|group| group.kind.name() == Distance::NAME)?;
        let bearing = |(index, sheet): (usize, &Sheet)| {
            let cords = Cords::of(model, group, sheet.particles.clone(), &sheet.bearing);
            Bearing {
                sheet: index,
                smoother: Smoother::new(&cords, &sheet.levels),
                inverse_masses: sheet.levels.iter().map(|level| level.net.inverse_masses.clone()).collect(),
                kept: vec![0.0; cords.cords.len()],
                at: at(&cords),
                away: vec![false; cords.cords.len()],
                first: sheet.particles.start,
                cords,
            }
        };
        let of_sheets: Vec<Bearing> =
            sheets.iter().enumerate().filter(|(_, sheet)| sheet.can_break()).map(bearing).collect();
        let scale = model.settings.implicit_seconds().powi(2);
        (!of_sheets.is_empty()).then_some(Self { group, of_sheets, scale })
    }

    /// At the beginning of a frame, by the multipliers of the group and the particles that its constraints have now.
    pub fn open(&mut self, sheets: &mut [Sheet], group: &Group, multipliers: &[Multiplier]) {
        for bearing in &mut self.of_sheets {
            for (kept, cord) in bearing.kept.iter_mut().zip(&bearing.cords.cords) {
                *kept = multipliers[cord.constraint as usize].mean / self.scale;
            }
            bearing.follow(group);
            bearing.switch_off(&mut sheets[bearing.sheet].levels, |constraint| multipliers[constraint as usize].broken);
        }
    }

    /// At the end of a frame: makes the means of the group's multipliers what constraints bear. Places of the model's particles, m, and the mean
    /// forces of levels on them, N.
    pub fn close(
        &mut self,
        sheets: &[Sheet],
        place: impl Fn(usize) -> Vec3<f64>,
        level_forces: &[[f64; 3]],
        multipliers: &mut [Multiplier],
    ) {
        for Bearing { sheet, cords, smoother, kept, away, .. } in &mut self.of_sheets {
            let Sheet { particles, levels, .. } = &sheets[*sheet];
            let particles = particles.start as usize..particles.end as usize;
            let bears = |index: usize, constraint: u32| !away[index] && !multipliers[constraint as usize].broken;
            cords.place(|i| place(particles.start + i), bears);
            let mut forces: Vec<Vec3<f64>> = level_forces[particles].iter().map(|&force| force.into()).collect();
            for (cord, kept) in cords.cords.iter().zip(kept.iter_mut()) {
                let Multiplier { mean, broken, .. } = multipliers[cord.constraint as usize];
                cords.exert(cord, mean / self.scale, &mut forces);
                *kept = if broken { 0.0 } else { *kept };
            }
            let tensions = cords.tensions(forces, kept, (smoother, levels), ITERATIONS);
            let own = cords.cords.iter().zip(tensions).zip(away).filter(|(_, away)| !**away);
            for ((cord, tension), _) in own {
                multipliers[cord.constraint as usize].mean = tension * self.scale;
            }
        }
    }
}

/// The cords at each particle, ascending.
fn at(cords: &Cords) -> Vec<Vec<usize>> {
    let mut at = vec![Vec::new(); cords.free.len()];
    for (index, cord) in cords.cords.iter().enumerate() {
        cord.ends.iter().for_each(|&end| at[end].push(index));
    }
    at
}

impl Bearing {
    /// Sees which cords a tear gave other particles.
    fn follow(&mut self, group: &Group) {
        for (away, cord) in self.away.iter_mut().zip(&self.cords.cords) {
            let ends = group.particles_of(cord.constraint as usize);
            *away = (0..2).any(|end| ends[end] as usize != self.first as usize + cord.ends[end]);
        }
    }

    /// Whether whole cords about as stiff join the ends of a broken one by two other particles. By one alone they could still turn about it, as the
    /// ends of a border's edge do: levels would hold what nothing bears.
    fn is_joined(&self, cord: &Cord, broken: &impl Fn(u32) -> bool) -> bool {
        let reached = |end: usize| {
            let whole = move |other: &&Cord| !broken(other.constraint) && other.root >= AS_STIFF * cord.root;
            let here = self.at[end].iter().filter(|&&index| !self.away[index]);
            let others = here.map(|&index| &self.cords.cords[index]).filter(whole);
            others.map(move |other| if other.ends[0] == end { other.ends[1] } else { other.ends[0] })
        };
        let [a, b] = cord.ends;
        let mut middles = reached(a).filter(|&middle| reached(b).any(|other| other == middle));
        let first = middles.next();
        reached(a).any(|other| other == b) || middles.any(|middle| Some(middle) != first)
    }

    fn switch_off(&self, levels: &mut [Level], broken: impl Fn(u32) -> bool) {
        let mut off = vec![false; self.cords.free.len()];
        for (cord, &away) in self.cords.cords.iter().zip(&self.away) {
            if away || (broken(cord.constraint) && !self.is_joined(cord, &broken)) {
                cord.ends.iter().for_each(|&end| off[end] = true);
            }
        }
        for (level, inverse_masses) in levels.iter_mut().zip(&self.inverse_masses) {
            let mut above = vec![false; level.net.len()];
            for (row, _) in level.prolong.rows().zip(&off).filter(|(_, off)| **off) {
                row.iter().for_each(|&(node, _)| above[node as usize] = true);
            }
            for ((now, &own), &off) in level.net.inverse_masses.iter_mut().zip(inverse_masses).zip(&above) {
                *now = if off { OFF } else { own };
            }
            off = above;
        }
    }
}
