//! The constraints: one sweep over all of them in the plan's order.

use std::ops::Range;

use super::points::Points;
use crate::constraint::Vec3;
use crate::measure::largest_force;
use crate::model::{Group, Material, Mode, Model, Multiplier, Settings};
use crate::plan::{Batch, Gather, Plan, PlannedGroup};

/// The constraints with their multipliers.
pub(super) struct Sweep {
    /// One per material.
    laws: Vec<Law>,
    order: Vec<PlannedGroup>,
    particle_of: Vec<u32>,
    /// One list per group, as in [`State`](crate::model::State).
    multipliers: Vec<Vec<Multiplier>>,
    substeps: u32,
}

impl Sweep {
    pub fn new(model: &Model, plan: &Plan) -> Self {
        let multipliers = |group: &Group| vec![Multiplier::default(); group.len() * group.kind.components()];
        Self {
            laws: model.materials.iter().map(|material| Law::new(material, &model.settings)).collect(),
            order: plan.groups.clone(),
            particle_of: plan.particle_of.clone(),
            multipliers: model.groups.iter().map(multipliers).collect(),
            substeps: model.settings.substeps,
        }
    }

    pub fn multipliers(&self) -> &[Vec<Multiplier>] {
        &self.multipliers
    }

    pub fn begin_substep(&mut self) {
        for multiplier in self.multipliers.iter_mut().flatten() {
            multiplier.last = 0.0;
        }
    }

    /// Adds the multipliers of a substep to the mean of the frame, which begins with substep 0.
    pub fn end_substep(&mut self, substep: u32) {
        for multiplier in self.multipliers.iter_mut().flatten() {
            let sum = if substep == 0 { 0.0 } else { multiplier.mean };
            multiplier.mean = sum + multiplier.last / f64::from(self.substeps);
        }
    }

    /// One iteration: all groups, batch after batch.
    pub fn solve(&mut self, model: &Model, points: &mut Points, may_break: bool) {
        for ((group, order), multipliers) in model.groups.iter().zip(&self.order).zip(&mut self.multipliers) {
            let mut local = Local { laws: &self.laws, group, may_break, positions: Vec::new(), gradient: Vec::new() };
            for Batch { range, gather, .. } in &order.batches {
                let constraints = &order.constraint_of[as_usize(range)];
                match gather {
                    None => gauss_seidel(&mut local, constraints, multipliers, points),
                    Some(gather) => jacobi(&mut local, constraints, gather, &self.particle_of, multipliers, points),
                }
            }
        }
    }
}

/// Constraint after constraint, each seeing the corrections of those before.
fn gauss_seidel(local: &mut Local, constraints: &[u32], multipliers: &mut [Multiplier], points: &mut Points) {
    for &constraint in constraints {
        local.solve(constraint as usize, multipliers, points, None);
        for (&particle, &position) in local.group.particles_of(constraint as usize).iter().zip(&local.positions) {
            points.positions[particle as usize] = position;
        }
    }
}

/// All constraints from the same positions, with split masses; then the corrections come together at the particles.
fn jacobi(
    local: &mut Local,
    constraints: &[u32],
    gather: &Gather,
    particle_of: &[u32],
    multipliers: &mut [Multiplier],
    points: &mut Points,
) {
    let mut corrections: Vec<Vec3<f64>> = Vec::with_capacity(gather.valences.len());
    for &constraint in constraints {
        local.solve(constraint as usize, multipliers, points, Some(&gather.valences[corrections.len()..]));
        let particles = local.group.particles_of(constraint as usize);
        let moved = |(&particle, &position): (&u32, &Vec3<f64>)| position - points.positions[particle as usize];
        corrections.extend(particles.iter().zip(&local.positions).map(moved));
    }
    for (&slot, range) in gather.particles.iter().zip(gather.offsets.windows(2)) {
        let mine = &gather.corrections[range[0] as usize..range[1] as usize];
        let sum = mine.iter().fold(Vec3::zero(), |sum, &correction| sum + corrections[correction as usize]);
        points.positions[particle_of[slot as usize] as usize] += sum;
    }
}

/// One constraint on a copy of its particles.
struct Local<'a> {
    laws: &'a [Law],
    group: &'a Group,
    may_break: bool,
    positions: Vec<Vec3<f64>>,
    gradient: Vec<Vec3<f64>>,
}

impl Local<'_> {
    /// Leaves in `positions` where the constraint alone would put its particles. The valences are those of its
    /// particles in a Jacobi batch: how many constraints share each one's mass.
    fn solve(&mut self, constraint: usize, multipliers: &mut [Multiplier], points: &Points, valences: Option<&[f32]>) {
        let Self { laws, group, may_break, positions, gradient } = self;
        let law = &laws[group.materials[constraint] as usize];
        let components = group.kind.components();
        let multipliers = &mut multipliers[constraint * components..][..components];
        let particles = group.particles_of(constraint);

        positions.clear();
        positions.extend(particles.iter().map(|&p| points.positions[p as usize]));
        gradient.resize(particles.len(), Vec3::zero());
        if *may_break && law.breaks(group, constraint, multipliers, points) {
            multipliers.fill(Multiplier { broken: true, ..Multiplier::default() });
        }
        if multipliers[0].broken {
            return;
        }
        for (component, multiplier) in multipliers.iter_mut().enumerate() {
            let value = group.kind.evaluate(group.rest_of(constraint), component, positions, gradient);
            let (mut weight, mut drift) = (0.0, 0.0);
            for (k, &particle) in particles.iter().enumerate() {
                let valence = valences.map_or(1.0, |valences| f64::from(valences[k]));
                weight += valence * points.inverse_masses[particle as usize] * gradient[k].dot(gradient[k]);
                drift += gradient[k].dot(positions[k] - points.starts[particle as usize]);
            }
            let next = law.next_multiplier(multiplier.last, value, drift, weight);
            for (k, &particle) in particles.iter().enumerate() {
                let w = points.inverse_masses[particle as usize];
                positions[k] += gradient[k] * (w * (next - multiplier.last));
            }
            multiplier.last = next;
        }
    }
}

/// A material as the multiplier sees it.
struct Law {
    /// Length of a substep, s.
    h: f64,
    /// α̃ = α/h²
    compliance: f64,
    /// γ = α̃ β h
    damping: f64,
    /// What every Δλ is multiplied by: over-relaxation and the stiffness of PBD mode.
    scale: f64,
    /// Of the accumulated multiplier.
    range: (f64, f64),
    break_force: Option<f64>,
}

impl Law {
    fn new(material: &Material, settings: &Settings) -> Self {
        let h = settings.substep_seconds();
        let soft = match settings.mode {
            Mode::Xpbd => material.compliance / (h * h),
            Mode::Pbd => 0.0,
        };
        let stiffness = match settings.mode {
            Mode::Xpbd => 1.0,
            Mode::Pbd if settings.corrected_stiffness => {
                1.0 - (1.0 - material.stiffness).powf(1.0 / f64::from(settings.iterations))
            }
            Mode::Pbd => material.stiffness,
        };
        Self {
            h,
            compliance: soft,
            damping: soft * material.damping * h,
            scale: settings.relaxation * stiffness,
            range: material.side.multiplier_range(),
            break_force: material.break_force,
        }
    }

    /// λ + Δλ, Δλ = (-C - α̃ λ - γ ∇C·(x - xⁿ)) / ((1 + γ) Σ n w|∇C|² + α̃). What has no gradient or no free particle
    /// (`weight` = Σ n w|∇C|² = 0) stays.
    fn next_multiplier(&self, last: f64, value: f64, drift: f64, weight: f64) -> f64 {
        if weight == 0.0 {
            return last;
        }
        let error = -value - self.compliance * last - self.damping * drift;
        let change = self.scale * error / ((1.0 + self.damping) * weight + self.compliance);
        (last + change).clamp(self.range.0, self.range.1)
    }

    /// Whether the mean force of the frame before is more than the material bears.
    fn breaks(&self, group: &Group, constraint: usize, multipliers: &[Multiplier], points: &Points) -> bool {
        self.break_force
            .is_some_and(|limit| largest_force(group, constraint, multipliers, &points.positions, self.h) > limit)
    }
}

fn as_usize(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}
