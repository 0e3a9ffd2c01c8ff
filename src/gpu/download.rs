//! Reading a solver's state back, without blocking: recorded with a step, there when the device has done it.

use std::ops::Range;
use std::sync::Arc;

use crate::base::parallel;
use crate::gpu::buffers::BufferRange;
use crate::gpu::copies::Copies;
use crate::model::{Fluid, Multiplier, Settings, State, Torn};
use crate::step::records::{Hold, RodTurned, Status};
use crate::step::{BROKEN, Jointed, KEPT_NUMBERS, LOOSE, Reshaped, Turned, pressures};

/// How to put what is read into the scene's order; shared by all downloads of a solver.
#[derive(Clone, Debug)]
pub struct Order {
    /// Slot of each particle of the model.
    pub slot_of: Vec<u32>,
    /// Particle of the model at each slot.
    pub particle_of: Vec<u32>,
    /// How many of the particles are no spare ones.
    pub placed: usize,
    /// Where surfaces can be torn: the particle of each corner at the beginning.
    pub corners: Option<Vec<u32>>,
    /// Where the facets of solids are in the list of what is broken.
    pub facets: Range<usize>,
    pub groups: Vec<GroupOrder>,
    /// Where each of the model's orientations is.
    pub turned: Vec<u32>,
    /// Where each of the model's joints is.
    pub joints: Vec<u32>,
    /// How many rest shapes of the model change.
    pub rest_shapes: usize,
    /// The model's fluids.
    pub fluids: Vec<Fluid>,
    /// Whether particles of theirs may be absent.
    pub flows: bool,
    /// Whether the device keeps the forces of levels.
    pub levels: bool,
    /// Particles of the model that must stay fixed ([`PlannedGroup::shared`](crate::plan::PlannedGroup::shared)).
    pub shared: Vec<u32>,
    pub settings: Settings,
}

/// How to read the multipliers and rest values of a group.
#[derive(Clone, Debug)]
pub struct GroupOrder {
    pub components: usize,
    /// Rest values of a constraint that may change; 0 if none does.
    pub rests: usize,
    /// The model's constraint at each place.
    pub constraint_of: Vec<u32>,
    /// Whether the device keeps their sum over the frame.
    pub summed: bool,
}

impl Order {
    /// Values of the model's particles in the order of slots.
    pub fn by_slot(&self, values: &[[f32; 4]]) -> Vec<[f32; 4]> {
        let mut by_slot = values.to_vec();
        for (&value, &slot) in values.iter().zip(&self.slot_of) {
            by_slot[slot as usize] = value;
        }
        by_slot
    }

    /// The model's orientations, by the records on the device.
    pub fn turned_of(&self, records: &[RodTurned]) -> Vec<Turned> {
        self.turned.iter().map(|&place| Turned::from(&records[place as usize])).collect()
    }

    /// The model's joints, whose records are copied last, or before orientations.
    pub fn jointed_of(&self, copies: &Copies) -> Option<Vec<Jointed>> {
        if self.joints.is_empty() {
            return Some(Vec::new());
        }
        let kept: Vec<[f32; KEPT_NUMBERS]> = copies.read_back(usize::from(!self.turned.is_empty()))?;
        Some(self.joints.iter().map(|&place| Jointed::of_kept(&kept[place as usize])).collect())
    }

    /// How the model's rest shapes have flowed, which are copied before joints, with so many sources between.
    pub fn reshaped_of(&self, copies: &Copies, between: usize) -> Option<Vec<Reshaped>> {
        if self.rest_shapes == 0 {
            return Some(Vec::new());
        }
        let after = usize::from(!self.turned.is_empty()) + usize::from(!self.joints.is_empty());
        let kept: Vec<[[f32; 4]; 3]> = copies.read_back(after + between)?;
        Some(kept.iter().map(Reshaped::of_kept).collect())
    }

    /// Which facets are broken, ascending, by the list of what is.
    pub fn broken_facets(&self, broken: &[u32]) -> Vec<u32> {
        (0..).zip(&broken[self.facets.clone()]).filter(|(_, broken)| **broken != 0).map(|(facet, _)| facet).collect()
    }

    /// How many buffers hold the state of constraints: multipliers, and rest values where they change.
    pub fn constraint_sources(&self) -> usize {
        self.groups.len() + self.groups.iter().filter(|group| group.rests > 0).count()
    }

    /// The model's particle of each corner, and which corners are loose, ascending. The list may be longer than there
    /// are corners.
    pub fn corners_of(&self, holds: &[Hold]) -> (Vec<u32>, Vec<u32>) {
        let holds = &holds[..self.corners.as_ref().map_or(0, Vec::len)];
        let loose = (0..).zip(holds).filter(|(_, hold)| hold.root == LOOSE).map(|(corner, _)| corner);
        (holds.iter().map(|hold| self.particle_of[hold.particle as usize]).collect(), loose.collect())
    }
}

/// A state on its way from the device. After the host has submitted the encoder and polled the device,
/// [`Download::state`] returns it.
pub struct Download {
    order: Arc<Order>,
    frame: u64,
    seconds: f64,
    /// x, e, u = h v, status, the multipliers of each group, the rest values of those that change theirs, how bodies
    /// hang together, the forces of levels, rest shapes, the pressures of fluids, joints, and orientations.
    copies: Copies,
    has_pressures: bool,
}

/// Where the multipliers begin among the copies.
const MULTIPLIERS: usize = 4;

impl Download {
    pub(crate) fn record(
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        order: Arc<Order>,
        sources: &[BufferRange],
        (frame, seconds): (u64, f64),
        has_pressures: bool,
    ) -> Self {
        Self { order, frame, seconds, copies: Copies::record(device, encoder, sources), has_pressures }
    }

    /// Whether the state is there.
    pub fn is_ready(&self) -> bool {
        self.copies.is_ready()
    }

    /// Whether the state will never arrive, because the device was lost.
    pub fn has_failed(&self) -> bool {
        self.copies.has_failed()
    }

    /// The state in the scene's order; `None` while it is on its way.
    pub fn state(&self) -> Option<State> {
        let vectors = |source| self.copies.read::<[f32; 4]>(source);
        let (x, e, u) = (vectors(0)?, vectors(1)?, vectors(2)?);
        let status = *self.copies.read::<Status>(3)?.first()?;
        let torn = match &self.order.corners {
            Some(_) => self.torn(&x)?,
            None => None,
        };
        let used = torn.as_ref().map_or(self.order.placed, |torn| torn.inverse_masses.len());
        let slots = &self.order.slot_of[..used];
        let vector = |values: &[[f32; 4]], slot: u32| -> [f64; 3] {
            let value = values[slot as usize];
            [f64::from(value[0]), f64::from(value[1]), f64::from(value[2])]
        };
        let position = |&slot: &u32| {
            let (high, low) = (vector(&x, slot), vector(&e, slot));
            std::array::from_fn(|i| high[i] + low[i])
        };
        let h = self.order.settings.substep_seconds();
        let velocity = |&slot: &u32| vector(&u, slot).map(|way| way / h);
        let multipliers =
            self.order.groups.iter().zip(MULTIPLIERS..).map(|(group, source)| self.multipliers(group, source));
        let (rest, rest_bases) = self.rests()?.into_iter().unzip();
        let mut state = State {
            seconds: self.seconds,
            frame: self.frame,
            positions: parallel::list(slots.len(), [0.0; 3], |index| position(&slots[index])),
            velocities: parallel::list(slots.len(), [0.0; 3], |index| velocity(&slots[index])),
            multipliers: multipliers.collect::<Option<_>>()?,
            level_forces: self.level_forces(&x)?,
            absent: self.absent(&x),
            pressures: self.pressures()?,
            rest,
            rest_bases,
            past: Vec::new(),
            contacts: u64::from(status.contacts),
            torn,
            spares_needed: u64::from(status.spares),
            ..State::default()
        };
        Turned::tell(&self.turned()?, &self.order.settings, &mut state);
        Reshaped::tell(&self.order.reshaped_of(&self.copies, usize::from(self.has_pressures))?, &mut state);
        Jointed::tell(&self.order.jointed_of(&self.copies)?, &self.order.settings, &mut state);
        Some(state)
    }

    /// The model's orientations, which are the last that is copied.
    fn turned(&self) -> Option<Vec<Turned>> {
        if self.order.turned.is_empty() {
            return Some(Vec::new());
        }
        Some(self.order.turned_of(&self.copies.read_back(0)?))
    }

    /// The rest values in effect of each group, and their bases; empty where they never change.
    fn rests(&self) -> Option<Vec<(Vec<f64>, Vec<f64>)>> {
        let mut sources = MULTIPLIERS + self.order.groups.len()..;
        let of_group = |group: &GroupOrder| {
            if group.rests == 0 {
                return Some(Default::default());
            }
            let by_constraint = group.by_constraint(&self.copies.read(sources.next()?)?, group.rests);
            Some(by_constraint.into_iter().map(|[base, rest]| (f64::from(rest), f64::from(base))).unzip())
        };
        self.order.groups.iter().map(of_group).collect()
    }

    /// What levels pulled each particle by; nothing where the device keeps no forces of theirs.
    fn level_forces(&self, x: &[[f32; 4]]) -> Option<Vec<[f64; 3]>> {
        if !self.order.levels {
            return Some(Vec::new());
        }
        let tearing = if self.order.corners.is_some() { 2 } else { 0 };
        let sums: Vec<[f32; 4]> = self.copies.read(MULTIPLIERS + self.order.constraint_sources() + tearing)?;
        let settings = &self.order.settings;
        let seconds_squared = settings.implicit_seconds().powi(2) * f64::from(settings.substeps);
        let force = |&slot: &u32| {
            let (sum, inverse_mass) = (sums[slot as usize], f64::from(x[slot as usize][3]));
            let per_metre = if inverse_mass > 0.0 { 1.0 / (inverse_mass * seconds_squared) } else { 0.0 };
            [0, 1, 2].map(|k| f64::from(sum[k]) * per_metre)
        };
        Some(self.order.slot_of[..self.order.placed].iter().map(force).collect())
    }

    /// The particles of fluids that are not there: they have no inverse mass.
    fn absent(&self, x: &[[f32; 4]]) -> Vec<u32> {
        let fluids = self.order.fluids.iter().filter(|_| self.order.flows);
        let is_absent = |&particle: &u32| x[self.order.slot_of[particle as usize] as usize][3] == 0.0;
        fluids.flat_map(|fluid| fluid.particles.clone()).filter(is_absent).collect()
    }

    /// The pressure of each particle of the model's fluids.
    fn pressures(&self) -> Option<Vec<f64>> {
        if !self.has_pressures {
            return Some(Vec::new());
        }
        let order = &self.order;
        let after = usize::from(!order.turned.is_empty()) + usize::from(!order.joints.is_empty());
        let sums = self.copies.read_back(after)?;
        Some(pressures(&order.fluids, order.settings.substeps, &order.slot_of, &sums))
    }

    /// How bodies hang together; within, `None` where they do as at the beginning.
    fn torn(&self, x: &[[f32; 4]]) -> Option<Option<Torn>> {
        let first = MULTIPLIERS + self.order.constraint_sources();
        let (corners, loose) = self.order.corners_of(&self.copies.read(first)?);
        let broken_facets = self.order.broken_facets(&self.copies.read(first + 1)?);
        let used = corners.iter().map(|&particle| particle as usize + 1).fold(self.order.placed, usize::max);
        if used == self.order.placed && loose.is_empty() && broken_facets.is_empty() {
            return Some(None);
        }
        let inverse_mass = |&slot: &u32| f64::from(x[slot as usize][3]);
        let mut dropped: Vec<u32> = loose.iter().map(|corner| corner / 3).collect();
        dropped.dedup();
        Some(Some(Torn {
            triangles: corners.chunks_exact(3).map(|corners| [corners[0], corners[1], corners[2]]).collect(),
            dropped,
            broken_facets,
            inverse_masses: self.order.slot_of[..used].iter().map(inverse_mass).collect(),
        }))
    }

    fn multipliers(
        &self,
        &GroupOrder { components, ref constraint_of, summed, .. }: &GroupOrder,
        source: usize,
    ) -> Option<Vec<Multiplier>> {
        let stored: Vec<[f32; 2]> = self.copies.read(source)?;
        let substeps = f64::from(self.order.settings.substeps);
        let multiplier = |place: usize, k: usize| {
            let [last, sum] = stored[place * components + k].map(f64::from);
            match last == f64::from(BROKEN) {
                true => Multiplier { broken: true, ..Multiplier::default() },
                false => Multiplier { last, mean: if summed { sum / substeps } else { last }, broken: false },
            }
        };
        let start = Multiplier::default();
        Some(parallel::reordered(constraint_of.len(), components, start, constraint_of, multiplier))
    }
}
