//! The constraints: one sweep over all of them in the plan's order.

use std::ops::Range;

use super::points::Points;
use super::rest::RestLaw;
use crate::constraint::Weight;
use crate::math::Vec3;
use crate::measure::largest_force;
use crate::model::{Curve, Group, Material, Mode, Model, Multiplier, Settings, State, Tearing};
use crate::plan::{Batch, Gather, Leg, Plan, PlannedGroup, Way};

/// The constraints with their multipliers.
pub struct Sweep {
    /// One per material.
    laws: Vec<Law>,
    rest_laws: Vec<RestLaw>,
    groups: Vec<Ordered>,
    /// [`Plan::sweep`].
    legs: Vec<Leg>,
    /// [`Settings::leaves_error`].
    leaves_error: bool,
    particle_of: Vec<u32>,
    substeps: u32,
    /// H that the laws are for, s.
    seconds: f64,
}

/// The constraints of one kind in the plan's order, which is that of memory.
struct Ordered {
    /// With the rest values in effect.
    group: Group,
    /// The rest values without what curves do; empty if they never change.
    bases: Vec<f64>,
    /// `components` per constraint.
    multipliers: Vec<Multiplier>,
    components: usize,
    constraint_of: Vec<u32>,
    batches: Vec<Batch>,
}

impl Sweep {
    pub fn new(model: &Model, plan: &Plan) -> Self {
        Self {
            laws: laws(model, model.settings.implicit_seconds()),
            seconds: model.settings.implicit_seconds(),
            rest_laws: model.materials.iter().map(|material| RestLaw::new(material, &model.settings)).collect(),
            groups: model
                .groups
                .iter()
                .zip(&plan.groups)
                .map(|(group, plan)| Ordered::new(model, group, plan))
                .collect(),
            legs: plan.sweep(model.settings.sweep).concat(),
            leaves_error: model.settings.leaves_error(),
            particle_of: plan.particle_of.clone(),
            substeps: model.settings.substeps,
        }
    }

    /// As in [`State`](crate::model::State).
    pub fn multipliers(&self) -> Vec<Vec<Multiplier>> {
        self.groups.iter().map(|ordered| ordered.in_scene_order(&ordered.multipliers)).collect()
    }

    /// As in [`State`].
    pub fn rest(&self) -> Vec<Vec<f64>> {
        let rest = |ordered: &Ordered| match ordered.bases.is_empty() {
            true => Vec::new(),
            false => ordered.in_scene_order(&ordered.group.rest),
        };
        self.groups.iter().map(rest).collect()
    }

    /// As in [`State`].
    pub fn rest_bases(&self) -> Vec<Vec<f64>> {
        self.groups.iter().map(|ordered| ordered.in_scene_order(&ordered.bases)).collect()
    }

    /// Goes to the multipliers and rest values of a state.
    pub fn restore(&mut self, state: &State) {
        for (ordered, multipliers) in self.groups.iter_mut().zip(&state.multipliers) {
            ordered.multipliers = in_order(&ordered.constraint_of, multipliers);
        }
        for (ordered, (rest, bases)) in self.groups.iter_mut().zip(state.rest.iter().zip(&state.rest_bases)) {
            if !ordered.bases.is_empty() {
                ordered.group.rest = in_order(&ordered.constraint_of, rest);
                ordered.bases = in_order(&ordered.constraint_of, bases);
            }
        }
    }

    /// Changes rest values by what flowed in the substep before and by the curves at the time `end` of this one.
    pub fn change_rest(&mut self, curves: &[Curve], end: f64) {
        let values: Vec<[f64; 3]> = curves.iter().map(|curve| curve.at(end)).collect();
        for Ordered { group, bases, multipliers, components, .. } in &mut self.groups {
            let Some(change) = group.kind.rest_change().filter(|_| !bases.is_empty()) else { continue };
            for (i, multiplier) in multipliers.iter().enumerate() {
                let (constraint, component) = (i / *components, i % *components);
                let law = &self.rest_laws[group.material_of(constraint, component) as usize];
                let scale = group.kind.rest_scale().map_or(1.0, |scale| group.rest_of(constraint)[scale]);
                let at = constraint * group.kind.rest().len() + group.kind.changing_rest().start + component;
                law.change(change, component, &values, multiplier, scale, (&mut bases[at], &mut group.rest[at]));
            }
        }
    }

    /// Gives the constraint at a place of a group these rest places of its particles.
    pub fn put_rest_shape(&mut self, group: u32, place: usize, rest: &[Vec3<f64>]) {
        let group = &mut self.groups[group as usize].group;
        let first = group.offsets[place] as usize;
        for (member, &rest) in group.member_rest.as_chunks_mut::<4>().0[first..].iter_mut().zip(rest) {
            member[..3].copy_from_slice(&<[f64; 3]>::from(rest));
        }
    }

    /// Takes over which particles the constraints of a model connect.
    pub fn follow(&mut self, model: &Model) {
        for (ordered, theirs) in self.groups.iter_mut().zip(&model.groups) {
            let particles =
                ordered.constraint_of.iter().flat_map(|&constraint| theirs.particles_of(constraint as usize));
            ordered.group.particles.clear();
            ordered.group.particles.extend(particles);
        }
    }

    /// Breaks these of the seams.
    pub fn break_seams(&mut self, tearing: &Tearing, broken: &[bool]) {
        for (index, ordered) in self.groups.iter_mut().enumerate() {
            let mut breaks = vec![false; ordered.constraint_of.len()];
            for (seam, _) in
                tearing.seams.iter().zip(broken).filter(|(seam, broken)| seam.group as usize == index && **broken)
            {
                breaks[seam.constraint as usize] = true;
            }
            let places = ordered.multipliers.chunks_mut(ordered.components).zip(&ordered.constraint_of);
            for (multipliers, _) in places.filter(|(_, constraint)| breaks[**constraint as usize]) {
                multipliers.fill(Multiplier { broken: true, ..Multiplier::default() });
            }
        }
    }

    /// `seconds` is its H.
    pub fn begin_substep(&mut self, model: &Model, seconds: f64) {
        if seconds != self.seconds {
            (self.laws, self.seconds) = (laws(model, seconds), seconds);
        }
        for multiplier in self.groups.iter_mut().flat_map(|ordered| &mut ordered.multipliers) {
            multiplier.last = 0.0;
        }
    }

    /// Adds the multipliers of a substep to the mean of the frame, which begins with substep 0. `ratio` is the usual H
    /// over that of the substep: multipliers are kept such that λ/H² is a force with the usual one.
    pub fn end_substep(&mut self, substep: u32, ratio: f64) {
        for multiplier in self.groups.iter_mut().flat_map(|ordered| &mut ordered.multipliers) {
            multiplier.last *= ratio * ratio;
            let sum = if substep == 0 { 0.0 } else { multiplier.mean };
            multiplier.mean = sum + multiplier.last / f64::from(self.substeps);
        }
    }

    /// One sweep, `opening`: the first of a substep.
    pub fn solve(&mut self, points: &mut Points, may_break: bool, opening: bool) {
        let Self { laws, groups, legs, particle_of, leaves_error, .. } = self;
        for Leg { group, batches: of_leg, way, opens, .. } in legs {
            let Ordered { group, multipliers, components, batches, .. } = &mut groups[*group];
            let mut local = Local::new(laws, group, multipliers, *components, may_break && opening && *opens);
            let once = *components == 1 && !*leaves_error;
            let batches = &batches[of_leg.clone()];
            if *way != Way::Forth {
                local.back = true;
                batches.iter().rev().for_each(|batch| solve_batch(&mut local, batch, particle_of, points));
                local.may_break = false;
            }
            if *way != Way::Back {
                local.back = false;
                let colour = batches.first().filter(|_| once && *way == Way::BackAndForth).map(|batch| batch.colour);
                batches
                    .iter()
                    .filter(|batch| Some(batch.colour) != colour)
                    .for_each(|batch| solve_batch(&mut local, batch, particle_of, points));
            }
        }
    }
}

fn solve_batch(local: &mut Local, batch: &Batch, particle_of: &[u32], points: &mut Points) {
    let places = batch.range.start as usize..batch.range.end as usize;
    match &batch.gather {
        None => gauss_seidel(local, places, points),
        Some(gather) => jacobi(local, places, gather, particle_of, points),
    }
}

fn laws(model: &Model, seconds: f64) -> Vec<Law> {
    model.materials.iter().map(|material| Law::new(material, &model.settings, seconds)).collect()
}

impl Ordered {
    fn new(model: &Model, group: &Group, plan: &PlannedGroup) -> Self {
        let mut ordered = Group::new(group.kind);
        for constraint in plan.constraint_of.iter().map(|&constraint| constraint as usize) {
            ordered.push_of(group, constraint);
        }
        let components = group.kind.components();
        Self {
            multipliers: vec![Multiplier::default(); ordered.len() * components],
            bases: if group.rest_changes(&model.materials) { ordered.rest.clone() } else { Vec::new() },
            group: ordered,
            components,
            constraint_of: plan.constraint_of.clone(),
            batches: plan.batches.clone(),
        }
    }

    /// Values in the model's order, as many for each constraint, from the plan's.
    fn in_scene_order<T: Copy>(&self, values: &[T]) -> Vec<T> {
        let each = values.len() / self.constraint_of.len().max(1);
        let mut sorted = values.to_vec();
        for (mine, &constraint) in values.chunks(each.max(1)).zip(&self.constraint_of) {
            sorted[constraint as usize * each..][..each].copy_from_slice(mine);
        }
        sorted
    }
}

/// Values in the plan's order, as many for each constraint, from the model's.
fn in_order<T: Copy>(constraint_of: &[u32], values: &[T]) -> Vec<T> {
    let each = values.len() / constraint_of.len().max(1);
    constraint_of.iter().flat_map(|&constraint| &values[constraint as usize * each..][..each]).copied().collect()
}

/// Constraint after constraint, each seeing the corrections of those before.
fn gauss_seidel(local: &mut Local, places: Range<usize>, points: &mut Points) {
    for place in places {
        local.solve(place, points, None);
        for (&particle, &position) in local.group.particles_of(place).iter().zip(&local.positions) {
            points.positions[particle as usize] = position;
        }
    }
}

/// All constraints from the same positions, each with particles of its own that have their share of the mass, for one
/// component after another; a particle goes to the mean of those.
fn jacobi(local: &mut Local, places: Range<usize>, gather: &Gather, particle_of: &[u32], points: &mut Points) {
    let mut corrections: Vec<Vec3<f64>> = Vec::with_capacity(gather.valences.len());
    for place in places {
        local.solve(place, points, Some(&gather.valences[corrections.len()..]));
        let first = corrections.len();
        let moved = |(k, &particle): (usize, &u32)| {
            (local.positions[k] - points.positions[particle as usize]) * (1.0 / f64::from(gather.valences[first + k]))
        };
        corrections.extend(local.group.particles_of(place).iter().enumerate().map(moved));
    }
    for (&slot, range) in gather.particles.iter().zip(gather.offsets.windows(2)) {
        let mine = &gather.corrections[range[0] as usize..range[1] as usize];
        let sum = mine.iter().fold(Vec3::zero(), |sum, &correction| sum + corrections[correction as usize]);
        points.positions[particle_of[slot as usize] as usize] += sum;
    }
}

/// One constraint at a time, on a copy of its particles.
struct Local<'a> {
    laws: &'a [Law],
    group: &'a Group,
    multipliers: &'a mut [Multiplier],
    components: usize,
    may_break: bool,
    /// Whether components come in the opposite order.
    back: bool,
    positions: Vec<Vec3<f64>>,
    gradient: Vec<Vec3<f64>>,
}

impl<'a> Local<'a> {
    fn new(
        laws: &'a [Law],
        group: &'a Group,
        multipliers: &'a mut [Multiplier],
        components: usize,
        may_break: bool,
    ) -> Self {
        Self {
            laws,
            group,
            multipliers,
            components,
            may_break,
            back: false,
            positions: Vec::new(),
            gradient: Vec::new(),
        }
    }

    /// Leaves in `positions` where the constraint alone would put its particles, in a Jacobi batch with their shares of
    /// the mass. The valences are those of its particles: how many constraints share each one's mass.
    fn solve(&mut self, constraint: usize, points: &Points, valences: Option<&[f32]>) {
        let Self { laws, group, positions, gradient, .. } = self;
        let first = &laws[group.materials[constraint] as usize];
        let multipliers = &mut self.multipliers[constraint * self.components..][..self.components];
        let particles = group.particles_of(constraint);

        positions.clear();
        positions.extend(particles.iter().map(|&p| points.positions[p as usize]));
        gradient.resize(particles.len(), Vec3::zero());
        if self.may_break && first.breaks(group, constraint, multipliers, points) {
            multipliers.fill(Multiplier { broken: true, ..Multiplier::default() });
        }
        if multipliers[0].broken {
            return;
        }
        for component in 0..self.components {
            let component = if self.back { self.components - 1 - component } else { component };
            let multiplier = &mut multipliers[component];
            let law = &laws[group.material_of(constraint, component) as usize];
            let rest = group.all_rest_of(constraint, group.rest_of(constraint));
            let value = group.evaluate_at(constraint, component, rest, positions, gradient);
            let inverse_mass = |k: usize| {
                let valence = valences.map_or(1.0, |valences| f64::from(valences[k]));
                valence * points.inverse_masses[particles[k] as usize]
            };
            let weight = group.kind.weight(rest, positions, value, gradient, &inverse_mass);
            let ways = particles.iter().zip(positions.iter()).map(|(&p, &x)| x - points.starts[p as usize]);
            let drift = gradient.iter().zip(ways).map(|(g, way)| g.dot(way)).sum();
            let next = law.next_multiplier(multiplier.last, value, drift, weight);
            let change = next - multiplier.last;
            multiplier.last = next;
            for (k, (position, &g)) in positions.iter_mut().zip(gradient.iter()).enumerate() {
                *position += g * (inverse_mass(k) * change);
            }
        }
    }
}

/// A material as the multiplier sees it.
struct Law {
    /// H by which multipliers are kept, s.
    usual: f64,
    /// α̃ = α/H²
    compliance: f64,
    /// γ = α̃ β H
    damping: f64,
    /// What every Δλ is multiplied by: over-relaxation and the stiffness of PBD mode.
    scale: f64,
    /// Of the accumulated multiplier.
    range: (f64, f64),
    break_force: Option<f64>,
}

impl Law {
    /// Of substeps with this H ([`Settings::implicit_seconds`]).
    fn new(material: &Material, settings: &Settings, h: f64) -> Self {
        let soft = match settings.mode {
            Mode::Xpbd => material.compliance / (h * h),
            Mode::Pbd => 0.0,
        };
        let stiffness = match settings.mode {
            Mode::Xpbd => 1.0,
            Mode::Pbd => settings.applied_stiffness(material.stiffness),
        };
        Self {
            usual: settings.implicit_seconds(),
            compliance: soft,
            damping: soft * material.damping * h,
            scale: settings.relaxation * stiffness,
            range: material.side.multiplier_range(),
            break_force: material.break_force,
        }
    }

    /// λ + Δλ, Δλ = (-C - α̃ λ - γ ∇C·(x - xⁿ)) / (W + α̃), W = (1 + γ) Σ n w|∇C|². What has no gradient at a free
    /// particle stays.
    fn next_multiplier(&self, last: f64, value: f64, drift: f64, weight: Weight) -> f64 {
        if !weight.acts() {
            return last;
        }
        let error = -value - self.compliance * last - self.damping * drift;
        let divisor = ((1.0 + self.damping) * weight.all + self.compliance).max(weight.least);
        let change = self.scale * error / divisor;
        (last + change).clamp(self.range.0, self.range.1)
    }

    /// Whether the mean force of the frame before is more than the material bears.
    fn breaks(&self, group: &Group, constraint: usize, multipliers: &[Multiplier], points: &Points) -> bool {
        self.break_force.is_some_and(|limit| {
            largest_force(group, constraint, group.rest_of(constraint), multipliers, &points.positions, self.usual)
                > limit
        })
    }
}
