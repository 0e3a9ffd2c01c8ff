//! Levels over what can break: what `shaders/nested/open.wgsl` does before a frame and `shaders/nested/bear.wgsl` after
//! it.
//!
//! A constraint's own multiplier tells only what levels leave to it. At the end of each frame the mean multipliers of
//! all constraints of such a sheet are therefore made those with which they alone would exert what they and the levels
//! did ([`crate::measure::cords`]), by some iterations from the means of the frame before on: loads change little from
//! one frame to the next. Shares go by the compliances of the beginning. What is too much then breaks at the beginning
//! of the next frame, as anything does. The means are part of every state, so nothing else must be kept.
//!
//! What has come apart must not be held together from above: before each frame nodes are switched off that move an end
//! of something broken whose ends no other springs about as stiff join by two other particles, and above them those
//! that move such a node. So whatever a node passes on reaches particles, and momentum stays exact. Where all that
//! crosses a line is broken, nothing joins ends across it; a single broken thread within a sheet changes nothing.
//!
//! Where a body is torn, particles split: some constraints then have other particles than those under levels. These
//! bear what their own multipliers tell, and the nodes over both their ends are off, so that no level moves a particle
//! whose mass is another now.

use crate::constraint::{Constraint, Distance, Vec3};
use crate::measure::cords::{Cord, Cords};
use crate::measure::smoother::Smoother;
use crate::model::{Group, Model, Multiplier};
use crate::plan::levels::{Level, Sheet};

/// Iterations in a frame. A sheet of 64 x 64 that is hung up knows its tensions to 2 % of the largest after 10 frames.
pub const ITERATIONS: usize = 10;
/// K of what joins the ends of something broken, over K of that, at least: what is more than a hundred times as soft
/// does not hold it.
const AS_STIFF: f64 = 0.08;
/// The inverse mass of a node that is switched off, 1/kg.
const OFF: f64 = f64::NEG_INFINITY;

/// Index of the group of distances, which alone are under levels.
pub fn group_of(model: &Model) -> Option<usize> {
    model.groups.iter().position(|group| group.kind.name() == Distance::NAME)
}

/// A sheet that can break.
pub struct Bearing {
    /// Which of all.
    pub sheet: usize,
    pub cords: Cords,
    pub smoother: Smoother,
    /// Whether a tear gave each cord another particle.
    pub away: Vec<bool>,
    /// The model's particle that is the sheet's first.
    pub first: u32,
    /// Of the nodes of all levels, 1/kg.
    inverse_masses: Vec<f64>,
}

impl Bearing {
    /// Those of a model whose group of distances is `group`.
    pub fn all(model: &Model, group: usize, sheets: &[Sheet]) -> Vec<Self> {
        let bearing = |(index, sheet): (usize, &Sheet)| {
            let cords = Cords::of(model, group, sheet.particles.clone(), &sheet.bearing);
            let inverse_masses = sheet.levels.iter().flat_map(|level| &level.net.inverse_masses);
            Self {
                sheet: index,
                smoother: Smoother::new(&cords, &sheet.levels),
                away: vec![false; cords.cords.len()],
                first: sheet.particles.start,
                inverse_masses: inverse_masses.copied().collect(),
                cords,
            }
        };
        sheets.iter().enumerate().filter(|(_, sheet)| sheet.can_break()).map(bearing).collect()
    }

    /// Sees which cords a tear gave other particles, and switches off what would hold together what is broken.
    pub fn open(&mut self, levels: &mut [Level], group: &Group, broken: &[bool]) {
        for (away, cord) in self.away.iter_mut().zip(&self.cords.cords) {
            let ends = group.particles_of(cord.constraint as usize);
            *away = (0..2).any(|end| ends[end] != self.first + cord.ends[end]);
        }
        self.switch_off(levels, broken);
    }

    /// Bytes of it.
    #[cfg(feature = "cpu")]
    pub fn bytes(&self) -> usize {
        self.cords.bytes() + self.smoother.bytes() + self.away.len() + size_of_val(&*self.inverse_masses)
    }

    /// Whether whole cords about as stiff join the ends of a broken one by two other particles. By one alone they could
    /// still turn about it, as the ends of a border's edge do: levels would hold what nothing bears.
    fn is_joined(&self, cord: &Cord, broken: &[bool]) -> bool {
        let reached = |end: u32| {
            let here = self.cords.at.row(end as usize).iter().map(|entry| (entry / 2) as usize);
            let whole = here.filter(|&index| !self.away[index] && !broken[index]).map(|index| &self.cords.cords[index]);
            let others = whole.filter(|other| other.root >= AS_STIFF * cord.root);
            others.map(move |other| if other.ends[0] == end { other.ends[1] } else { other.ends[0] })
        };
        let [a, b] = cord.ends;
        let mut middles = reached(a).filter(|&middle| reached(b).any(|other| other == middle));
        let first = middles.next();
        reached(a).any(|other| other == b) || middles.any(|middle| Some(middle) != first)
    }

    fn switch_off(&self, levels: &mut [Level], broken: &[bool]) {
        let Smoother { firsts, above, .. } = &self.smoother;
        let mut off = vec![false; self.smoother.softness.len()];
        for ((cord, &away), &is_broken) in self.cords.cords.iter().zip(&self.away).zip(broken) {
            if away || (is_broken && !self.is_joined(cord, broken)) {
                cord.ends.iter().for_each(|&end| off[end as usize] = true);
            }
        }
        for knot in 0..off.len() {
            if off[knot] {
                above.row(knot).iter().for_each(|&(node, _)| off[node as usize] = true);
            }
        }
        let nodes = levels.iter_mut().flat_map(|level| &mut level.net.inverse_masses);
        for ((now, &own), &off) in nodes.zip(&self.inverse_masses).zip(&off[firsts[1]..]) {
            *now = if off { OFF } else { own };
        }
    }
}

/// What the constraints of all sheets that can break bear.
pub struct Bearings {
    /// Index of the group of distances.
    pub group: usize,
    of_sheets: Vec<Bearing>,
    /// What each constraint of a sheet bore in the frame before, N.
    kept: Vec<Vec<f64>>,
    /// What a mean multiplier is over its force, s².
    scale: f64,
}

impl Bearings {
    /// None where no sheet can break.
    pub fn new(model: &Model, sheets: &[Sheet]) -> Option<Self> {
        let group = group_of(model)?;
        let of_sheets = Bearing::all(model, group, sheets);
        let kept = of_sheets.iter().map(|bearing| vec![0.0; bearing.cords.cords.len()]).collect();
        let scale = model.settings.implicit_seconds().powi(2);
        (!of_sheets.is_empty()).then_some(Self { group, of_sheets, kept, scale })
    }

    /// At the beginning of a frame, by the multipliers of the group and the particles that its constraints have now.
    pub fn open(&mut self, sheets: &mut [Sheet], group: &Group, multipliers: &[Multiplier]) {
        let of = |cord: &Cord| &multipliers[cord.constraint as usize];
        for (bearing, kept) in self.of_sheets.iter_mut().zip(&mut self.kept) {
            for (kept, cord) in kept.iter_mut().zip(&bearing.cords.cords) {
                *kept = of(cord).mean / self.scale;
            }
            let broken: Vec<bool> = bearing.cords.cords.iter().map(|cord| of(cord).broken).collect();
            bearing.open(&mut sheets[bearing.sheet].levels, group, &broken);
        }
    }

    /// At the end of a frame: makes the means of the group's multipliers what constraints bear. Places of the model's
    /// particles, m, and the mean forces of levels on them, N.
    pub fn close(
        &mut self,
        place: impl Fn(usize) -> Vec3<f64> + Sync,
        level_forces: &[[f64; 3]],
        multipliers: &mut [Multiplier],
    ) {
        for (Bearing { cords, smoother, away, first, .. }, kept) in self.of_sheets.iter().zip(&mut self.kept) {
            let first = *first as usize;
            let bears = |index: usize, constraint: u32| !away[index] && !multipliers[constraint as usize].broken;
            let pulls = cords.pulls(|i| place(first + i), bears);
            let of = |cord: &Cord| &multipliers[cord.constraint as usize];
            let own: Vec<f64> = cords.cords.iter().map(|cord| of(cord).mean / self.scale).collect();
            kept.iter_mut().zip(&cords.cords).filter(|(_, cord)| of(cord).broken).for_each(|(kept, _)| *kept = 0.0);
            let others = &level_forces[first..first + cords.free.len()];
            let tensions = cords.tensions(&pulls, others, [&own, kept], smoother, ITERATIONS);
            let own = cords.cords.iter().zip(tensions).zip(away).filter(|(_, away)| !**away);
            for ((cord, tension), _) in own {
                multipliers[cord.constraint as usize].mean = tension * self.scale;
            }
        }
    }
}
