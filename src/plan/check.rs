//! The check of a plan against its model: what the solver's kernels rely on.

use std::ops::Range;

use super::clusters::NONE as NO_CLUSTER;
use super::pack::{Cut, behind_slots, pack};
use super::{Batch, CLUSTER_PARTICLES, Gather, MAX_BINDING_BYTES, Phase, Plan, PlannedGroup, RANGE_ALIGNMENT};
use crate::Model;
use crate::model::{Group, Tearing};

/// What is wrong with a plan. A plan from [`Plan::new`] has none of these faults.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A particle has no slot, or two, or the plan is of a model with more or fewer of them.
    #[error("the plan's particle order is not a permutation of the model's {particles} particles: see slot {slot}")]
    ParticleOrder {
        /// How many particles the model has.
        particles: usize,
        /// First slot at fault.
        slot: usize,
    },
    /// The kinds are not those of the model, or come in another order.
    #[error("the plan's groups differ from the model's: group {group} is {planned}, but should be {modelled}")]
    Groups {
        /// Index of the first group at fault.
        group: usize,
        /// Name of its kind in the plan, or `missing`.
        planned: String,
        /// Name of its kind in the model, or `missing`.
        modelled: String,
    },
    /// A list is too short or too long.
    #[error("{kind}: {what} has {found} entries, but should have {expected}")]
    Length {
        /// Name of the constraint kind.
        kind: &'static str,
        /// Field of [`PlannedGroup`].
        what: &'static str,
        /// How long it is.
        found: usize,
        /// How long the model wants it.
        expected: usize,
    },
    /// A constraint lies at two places, or is none of the model's.
    #[error("{kind}: constraint {constraint} at place {place} does not exist, or has an earlier place too")]
    Constraint {
        /// Name of the constraint kind.
        kind: &'static str,
        /// Its index in the model's group.
        constraint: u32,
        /// Where it lies, of two places the latter.
        place: u32,
    },
    /// A record does not hold the particles, rest values and material of its constraint.
    #[error("{kind}: the record at place {place} is not that of constraint {constraint}")]
    Record {
        /// Name of the constraint kind.
        kind: &'static str,
        /// Index of the record.
        place: u32,
        /// Index in the model's group of the constraint that lies there.
        constraint: u32,
    },
    /// Batches leave out places, overlap, or are empty.
    #[error("{kind}: batch {batch} begins at place {found}, but those before it end at {expected}")]
    Batches {
        /// Name of the constraint kind.
        kind: &'static str,
        /// Index of the first batch at fault; the number of batches if they end too early.
        batch: usize,
        /// The place where it begins; how many places there are if batches end too early.
        found: u32,
        /// The place where those before it end.
        expected: u32,
    },
    /// What a batch binds is not aligned, does not hold it, or is larger than a binding may be.
    #[error("{kind}: the window of batch {batch} {fault}")]
    Window {
        /// Name of the constraint kind.
        kind: &'static str,
        /// Index of the batch.
        batch: usize,
        /// Which of these it is, for people.
        fault: &'static str,
    },
    /// The number of colours is not what the batches show.
    #[error("{kind}: {batches} coloured batches with {cuts} cuts at windows do not make {colours} colours")]
    Colours {
        /// Name of the constraint kind.
        kind: &'static str,
        /// What the plan says.
        colours: u32,
        /// Batches without a gather.
        batches: usize,
        /// How many of these have another window than the one before, and may so go on with its colour.
        cuts: usize,
    },
    /// Constraints that are solved at once write to the same particle.
    #[error("{kind}: two constraints of batch {batch} share particle {particle}, though it has no gather")]
    Shared {
        /// Name of the constraint kind.
        kind: &'static str,
        /// Index of the batch.
        batch: usize,
        /// Index in the model of a particle that they share.
        particle: u32,
    },
    /// Clusters of islands leave out slots or overlap, or a constraint has particles of two, or is one that they cannot
    /// solve.
    #[error("island cluster {cluster} does not hold exactly its particles and the constraints between them")]
    Islands {
        /// Index of the first cluster at fault.
        cluster: usize,
    },
    /// Phases are out of order, or clusters are too large or share particles, or a constraint of their phase has
    /// particles of none or of two.
    #[error(
        "in phase {phase} the clusters do not hold their constraints, or batches are not in the order of phases and \
         clusters"
    )]
    Clusters {
        /// The phase at fault.
        phase: usize,
    },
    /// Levels over a sheet refer to particles, nodes, edges or materials that do not exist.
    #[error("in the levels over sheet {sheet} {fault}")]
    Levels {
        /// Index of the first sheet at fault.
        sheet: usize,
        /// What is wrong, for people.
        fault: &'static str,
    },
    /// The corrections of a Jacobi batch do not come to their particles once and in order.
    #[error("{kind}: in the gather of batch {batch} {fault}")]
    Gather {
        /// Name of the constraint kind.
        kind: &'static str,
        /// Index of the batch.
        batch: usize,
        /// Which list is wrong and how, for people.
        fault: &'static str,
    },
}

/// Why a plan cannot serve a model that can be torn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "Jacobi sweeps solve {kind} constraints of a body that can tear, and their lists cannot follow a tear: use the \
     method gauss-seidel, raise max_colours (64 at most), or use a mesh with fewer edges at a vertex"
)]
pub struct TearingError {
    /// Name of the constraint kind.
    pub kind: &'static str,
}

impl Plan {
    /// Verifies that the constraints of bodies that can be torn are solved colour after colour.
    ///
    /// # Errors
    /// The first kind of which some are not.
    pub fn check_tearing(&self, tearing: Option<&Tearing>) -> Result<(), TearingError> {
        let Some(tearing) = tearing else { return Ok(()) };
        for (index, group) in self.groups.iter().enumerate() {
            if group.batches.iter().any(|batch| batch.gather.is_some()) && tearing.holds(index) {
                return Err(TearingError { kind: group.kind.name() });
            }
        }
        Ok(())
    }

    /// Verifies that the plan is a plan of this model: every particle has one slot; every constraint lies at one place,
    /// as the record it should be; batches cover all places, those without a gather hold no two constraints that share
    /// a particle but fixed ones that are listed; clusters hold the constraints of their phase, and gathers bring every
    /// correction to its particle once and in order; windows are aligned and fit; levels refer to
    /// particles, nodes and materials that exist.
    ///
    /// # Errors
    /// The first fault, in that order.
    pub fn check(&self, model: &Model) -> Result<(), PlanError> {
        self.check_with_binding_bytes(model, MAX_BINDING_BYTES)
    }

    /// As [`Plan::check`], for a plan made by [`Plan::with_binding_bytes`] with as many bytes.
    ///
    /// # Errors
    /// As [`Plan::check`].
    pub fn check_with_binding_bytes(&self, model: &Model, binding_bytes: usize) -> Result<(), PlanError> {
        self.check_particles(model.particles.len())?;
        let names = |group: usize| {
            let planned = self.groups.get(group).map_or("missing", |g| g.kind.name());
            let modelled = model.groups.get(group).map_or("missing", |g| g.kind.name());
            (planned.to_owned(), modelled.to_owned())
        };
        for group in 0..self.groups.len().max(model.groups.len()) {
            let (planned, modelled) = names(group);
            if planned != modelled {
                return Err(PlanError::Groups { group, planned, modelled });
            }
        }
        self.check_phases()?;
        for (planned, group) in self.groups.iter().zip(&model.groups) {
            let check = GroupCheck::new(planned, group, &self.slot_of, binding_bytes)?;
            check.records()?;
            check.batches()?;
            check.colours()?;
            check.sharing(&self.particle_of, &model.particles.inverse_masses)?;
            check.gathers()?;
            check.islands(&self.islands)?;
            check.clusters(&self.phases)?;
        }
        self.check_islands()?;
        self.check_levels(model)
    }

    /// Levels refer to particles, nodes, edges and materials that exist, and no two edges of a colour share a node.
    pub(crate) fn check_levels(&self, model: &Model) -> Result<(), PlanError> {
        let faults = self.sheets.iter().map(|sheet| sheet.fault(model)).enumerate();
        match faults.filter_map(|(sheet, fault)| Some((sheet, fault?))).next() {
            Some((sheet, fault)) => Err(PlanError::Levels { sheet, fault }),
            None => Ok(()),
        }
    }

    /// Clusters of islands are small and follow one another from the first slot on.
    fn check_islands(&self) -> Result<(), PlanError> {
        let mut end = 0;
        for (cluster, slots) in self.islands.iter().enumerate() {
            let small = (1..=CLUSTER_PARTICLES).contains(&slots.len());
            if slots.start != end || !small || slots.end as usize > self.particle_of.len() {
                return Err(PlanError::Islands { cluster });
            }
            end = slots.end;
        }
        Ok(())
    }

    /// Clusters of a phase are small and share no particle.
    pub(crate) fn check_phases(&self) -> Result<(), PlanError> {
        match self.phases.iter().position(|phase| !phase.is_sound(self.particle_of.len())) {
            Some(phase) => Err(PlanError::Clusters { phase }),
            None => Ok(()),
        }
    }

    fn check_particles(&self, particles: usize) -> Result<(), PlanError> {
        for slot in 0..self.particle_of.len().max(self.slot_of.len()).max(particles) {
            let back = self.particle_of.get(slot).and_then(|&particle| self.slot_of.get(particle as usize));
            if slot >= particles || back.is_none_or(|&back| back as usize != slot) {
                return Err(PlanError::ParticleOrder { particles, slot });
            }
        }
        Ok(())
    }
}

/// The check of one group, with the slots of its constraints in the plan's order.
struct GroupCheck<'a> {
    kind: &'static str,
    planned: &'a PlannedGroup,
    group: &'a Group,
    slots: Vec<u32>,
    offsets: Vec<u32>,
    particle_count: usize,
    cut: Cut,
}

impl<'a> GroupCheck<'a> {
    /// Fails unless every constraint lies at one place.
    fn new(
        planned: &'a PlannedGroup,
        group: &'a Group,
        slot_of: &[u32],
        binding_bytes: usize,
    ) -> Result<Self, PlanError> {
        let kind = group.kind.name();
        check_length(kind, "constraint_of", planned.constraint_of.len(), group.len())?;
        let mut seen = vec![false; group.len()];
        let (mut slots, mut offsets) = (Vec::new(), vec![0]);
        for (place, &constraint) in (0..).zip(&planned.constraint_of) {
            match seen.get_mut(constraint as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err(PlanError::Constraint { kind, constraint, place }),
            }
            slots.extend(group.particles_of(constraint as usize).iter().map(|&p| slot_of[p as usize]));
            offsets.push(slots.len() as u32);
        }
        let cut = Cut::new(group.kind, binding_bytes);
        Ok(Self { kind, planned, group, slots, offsets, particle_count: slot_of.len(), cut })
    }

    fn records(&self) -> Result<(), PlanError> {
        let Self { kind, planned, group, .. } = *self;
        let many = group.kind.joins_many();
        let (behind, begins) = behind_slots(group, &planned.constraint_of, &self.slots, &self.offsets);
        let expected_members = if many { self.slots.len() + behind.len() } else { 0 };
        check_length(kind, "members", planned.members.len(), expected_members)?;
        // What stands behind the slots belongs to all of them.
        let same_behind = !many || planned.members[self.slots.len()..] == behind;
        let size = group.kind.record_size();
        check_length(kind, "records", planned.records.len(), group.len() * size)?;
        let (mut rest, mut expected) = (Vec::new(), Vec::new());
        for (place, &constraint) in (0..).zip(&planned.constraint_of) {
            let members = self.offsets[place]..self.offsets[place + 1];
            let listed = members.start as usize..members.end as usize;
            expected.clear();
            let members = (members, begins.get(place).copied().unwrap_or_default());
            pack(group, constraint as usize, &self.slots, members, &mut rest, &mut expected);
            let same_members = !many || same_behind && planned.members[listed.clone()] == self.slots[listed];
            if planned.records[place * size..(place + 1) * size] != expected || !same_members {
                return Err(PlanError::Record { kind, place: place as u32, constraint });
            }
        }
        Ok(())
    }

    /// Batches cover all places in turn, each within a window that is aligned and fits.
    fn batches(&self) -> Result<(), PlanError> {
        let kind = self.kind;
        let places = self.group.len() as u32;
        let mut expected = 0;
        for (batch, Batch { range, window, gather, .. }) in self.planned.batches.iter().enumerate() {
            if range.start != expected || range.end <= range.start || range.end > places {
                return Err(PlanError::Batches { kind, batch, found: range.start, expected });
            }
            expected = range.end;
            let fault = if window.start % RANGE_ALIGNMENT != 0 {
                "does not begin at a multiple of the alignment"
            } else if window.start > range.start || window.end < range.end {
                "does not hold the batch"
            } else if window.end > places {
                "ends beyond the last place"
            } else if window.len() > self.cut.places as usize {
                "is larger than a binding may be"
            } else if gather.is_some() && self.slots_of(range).len() > self.cut.corrections && range.len() > 1 {
                "has more corrections than a binding may hold"
            } else {
                continue;
            };
            return Err(PlanError::Window { kind, batch, fault });
        }
        if expected != places {
            return Err(PlanError::Batches { kind, batch: self.planned.batches.len(), found: places, expected });
        }
        Ok(())
    }

    /// A colour is one batch, plus one for each border of windows that cuts it.
    fn colours(&self) -> Result<(), PlanError> {
        let coloured: Vec<&Batch> = self.planned.batches.iter().filter(|batch| batch.gather.is_none()).collect();
        let cuts = coloured.windows(2).filter(|pair| pair[0].window != pair[1].window).count();
        let colours = self.planned.colours;
        if (coloured.len() - cuts..=coloured.len()).contains(&(colours as usize)) {
            return Ok(());
        }
        Err(PlanError::Colours { kind: self.kind, colours, batches: coloured.len(), cuts })
    }

    fn sharing(&self, particle_of: &[u32], inverse_masses: &[f64]) -> Result<(), PlanError> {
        let free = |p: &&u32| inverse_masses.get(**p as usize).is_none_or(|&inverse_mass| inverse_mass > 0.0);
        if let Some(&particle) = self.planned.shared.iter().find(free) {
            return Err(PlanError::Shared { kind: self.kind, batch: 0, particle });
        }
        // The last place at which a slot was seen, plus one.
        let mut seen_at = vec![0; self.particle_count];
        for (batch, Batch { range, gather, .. }) in self.planned.batches.iter().enumerate() {
            for place in range.clone().filter(|_| gather.is_none()) {
                for &slot in self.slots_of(&(place..place + 1)) {
                    if self.planned.shared.binary_search(&particle_of[slot as usize]).is_ok() {
                        continue;
                    }
                    let before = std::mem::replace(&mut seen_at[slot as usize], place + 1);
                    if before > range.start && before != place + 1 {
                        let particle = particle_of[slot as usize];
                        return Err(PlanError::Shared { kind: self.kind, batch, particle });
                    }
                }
            }
        }
        Ok(())
    }

    fn gathers(&self) -> Result<(), PlanError> {
        for (batch, Batch { range, gather, .. }) in self.planned.batches.iter().enumerate() {
            if let Some(fault) = gather.as_ref().and_then(|gather| gather_fault(gather, self.slots_of(range))) {
                return Err(PlanError::Gather { kind: self.kind, batch, fault });
            }
        }
        Ok(())
    }

    /// Constraints of a batch lie in the order of the clusters of islands, each within one or outside of all; those by
    /// Jacobi and over any number of particles outside.
    fn islands(&self, islands: &[Range<u32>]) -> Result<(), PlanError> {
        let cluster_of = |slot: u32| islands.partition_point(|cluster| cluster.end <= slot);
        for Batch { range, gather, .. } in &self.planned.batches {
            let outside = gather.is_some() || self.group.kind.joins_many();
            let mut before = 0;
            for place in range.clone() {
                let mut mine = self.slots_of(&(place..place + 1)).iter().map(|&slot| cluster_of(slot));
                let Some(cluster) = mine.next() else { continue };
                let whole = mine.all(|other| other == cluster);
                if cluster < before || !whole || outside && cluster < islands.len() {
                    return Err(PlanError::Islands { cluster: cluster.min(islands.len().saturating_sub(1)) });
                }
                before = cluster;
            }
        }
        Ok(())
    }

    /// Batches are in the order of phases; those of a phase with clusters have their constraints in the order of
    /// clusters, each within one, behind those in islands.
    fn clusters(&self, phases: &[Phase]) -> Result<(), PlanError> {
        let mut last = 0;
        for Batch { phase, .. } in &self.planned.batches {
            if *phase < last || !phases.is_empty() && *phase as usize > phases.len() {
                return Err(PlanError::Clusters { phase: *phase as usize });
            }
            last = *phase;
        }
        for (phase, clusters) in phases.iter().enumerate() {
            let cluster_of = clusters.cluster_of(self.particle_count);
            let first = clusters.slots.iter().copied().min().unwrap_or(0);
            for Batch { range, gather, .. } in &self.planned.batches[self.planned.phase(phase as u32)] {
                let mut before = 0;
                for place in range.clone() {
                    let slots = self.slots_of(&(place..place + 1));
                    if phase == 0 && before == 0 && slots.iter().all(|&slot| slot < first) {
                        continue;
                    }
                    let cluster = slots.first().map_or(NO_CLUSTER, |&slot| cluster_of[slot as usize]);
                    let whole = slots.iter().all(|&slot| cluster_of[slot as usize] == cluster);
                    if gather.is_some() || cluster == NO_CLUSTER || !whole || cluster < before {
                        return Err(PlanError::Clusters { phase });
                    }
                    before = cluster;
                }
            }
        }
        Ok(())
    }

    fn slots_of(&self, range: &Range<u32>) -> &[u32] {
        &self.slots[self.offsets[range.start as usize] as usize..self.offsets[range.end as usize] as usize]
    }
}

/// What is wrong with the gather of a batch whose k-th correction goes to the particle at `slots[k]`. That every
/// correction comes once follows from their number, their order, and each being at its particle.
fn gather_fault(gather: &Gather, slots: &[u32]) -> Option<&'static str> {
    let Gather { valences, particles, offsets, corrections } = gather;
    if valences.len() != slots.len() || corrections.len() != slots.len() || offsets.len() != particles.len() + 1 {
        return Some("the lists have the wrong lengths");
    }
    if !particles.is_sorted_by(|a, b| a < b) {
        return Some("particles are not ascending");
    }
    if !offsets.is_sorted_by(|a, b| a < b) || offsets[0] != 0 || offsets[particles.len()] as usize != corrections.len()
    {
        return Some("the offsets do not cut the corrections among the particles");
    }
    for (&particle, bounds) in particles.iter().zip(offsets.windows(2)) {
        let of_particle = &corrections[bounds[0] as usize..bounds[1] as usize];
        if !of_particle.is_sorted_by(|a, b| a < b) {
            return Some("the corrections of a particle are not ascending");
        }
        if of_particle.iter().any(|&correction| slots.get(correction as usize) != Some(&particle)) {
            return Some("a correction goes to a particle that is not its own");
        }
        if of_particle.iter().any(|&correction| valences[correction as usize] != of_particle.len() as f32) {
            return Some("a valence is not the number of corrections at the particle");
        }
    }
    None
}

fn check_length(kind: &'static str, what: &'static str, found: usize, expected: usize) -> Result<(), PlanError> {
    if found == expected { Ok(()) } else { Err(PlanError::Length { kind, what, found, expected }) }
}
