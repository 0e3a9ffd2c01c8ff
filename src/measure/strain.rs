//! How constraints are strained: sums over those of one group.

use std::ops::Range;

use crate::base::parallel;
use crate::math::Vec3;
use crate::measure::elements::{Element, modulus};
use crate::model::{Group, Mode, Model, Side, State};

/// Of constraints that are not broken.
#[derive(Default)]
pub struct Strain {
    /// Σ α f²/2 with the forces f = λ/H², J.
    pub elastic_energy: f64,
    /// As in [`Measurement`](super::Measurement), J.
    pub recoverable_energy: f64,
    /// Σ |C + α̃ λ|² over so many components.
    squares: f64,
    components: u64,
    /// Largest |C| over the first rest value: of distances the stretch.
    pub max_stretch: f64,
    /// Of elements.
    pub max_strain: Option<f64>,
    /// Of elements, Pa.
    pub max_stress: Option<f64>,
}

impl Strain {
    pub fn of(model: &Model, state: &State, group: usize) -> Self {
        let of_block = |block| Self::of_block(model, state, group, block);
        let blocks = parallel::blocks(model.groups[group].len(), parallel::LEAST, of_block);
        blocks.fold(Self::default(), Self::with)
    }

    fn of_block(model: &Model, state: &State, index: usize, block: Range<usize>) -> Self {
        let group = &model.groups[index];
        let components = group.kind.components();
        let (shape, has_rest) = (group.kind.shape(), !group.kind.rest().is_empty());
        let compliant = model.settings.mode == Mode::Xpbd;
        let per_square = model.settings.implicit_seconds().powi(2).recip();
        let mut gradient = Vec::new();
        let mut strain = Self::default();
        for constraint in block {
            let multipliers = &state.multipliers[index][constraint * components..][..components];
            let rest = state.rest_of(model, index, constraint);
            let whole = !multipliers[0].broken;
            let element = shape.filter(|_| whole).and_then(|first| Element::of(group, index, constraint, first));
            let mut virial = element.and_then(|element| element.virial(model, &state.positions));
            for (component, multiplier) in multipliers.iter().enumerate().filter(|(_, multiplier)| !multiplier.broken) {
                let value = group.evaluate(constraint, component, rest, &state.positions, &mut gradient);
                let material = &model.materials[group.material_of(constraint, component) as usize];
                let compliance = if compliant { material.compliance } else { 0.0 };
                let slack = is_slack(material.side, value);
                let force = per_square * multiplier.last;
                strain.elastic_energy += 0.5 * compliance * force * force;
                if !slack {
                    let violation = Violation::new(model, group.particles_of(constraint), value, &gradient, compliance);
                    strain.recoverable_energy += violation.recoverable_energy(model);
                }
                let residual = value + compliance * force;
                strain.squares += if slack && multiplier.last == 0.0 { 0.0 } else { residual * residual };
                strain.components += 1;
                if has_rest && rest[0] > 0.0 {
                    strain.max_stretch = strain.max_stretch.max((value / rest[0]).abs());
                }
                virial = virial.and_then(|virial| {
                    modulus(model.settings.mode, material).map(|modulus| virial.with(modulus * value, &gradient))
                });
            }
            if let Some(element) = element {
                let most = strain.max_strain.unwrap_or(0.0);
                strain.max_strain = Some(element.strain_beyond(most, model, &state.positions));
            }
            strain.max_stress = larger(strain.max_stress, virial.map(|virial| virial.von_mises()));
        }
        strain
    }

    /// Of these constraints and others.
    fn with(self, other: Self) -> Self {
        Self {
            elastic_energy: self.elastic_energy + other.elastic_energy,
            recoverable_energy: self.recoverable_energy + other.recoverable_energy,
            squares: self.squares + other.squares,
            components: self.components + other.components,
            max_stretch: self.max_stretch.max(other.max_stretch),
            max_strain: larger(self.max_strain, other.max_strain),
            max_stress: larger(self.max_stress, other.max_stress),
        }
    }

    /// The root mean square of |C + α̃ λ|.
    pub fn residual(&self) -> f64 {
        (self.squares / self.components.max(1) as f64).sqrt()
    }
}

/// By how much a component of a constraint is off.
pub struct Violation {
    /// C
    value: f64,
    /// Σ |∇C|² over free particles.
    squared: f64,
    /// Σ w|∇C|²
    weight: f64,
    /// α; 0 in PBD mode.
    compliance: f64,
}

impl Violation {
    fn new(model: &Model, particles: &[u32], value: f64, gradient: &[Vec3<f64>], compliance: f64) -> Self {
        let mut violation = Self { value, squared: 0.0, weight: 0.0, compliance };
        for (&particle, slope) in particles.iter().zip(gradient) {
            let inverse_mass = model.particles.inverse_masses[particle as usize];
            violation.squared += if inverse_mass > 0.0 { slope.dot(*slope) } else { 0.0 };
            violation.weight += inverse_mass * slope.dot(*slope);
        }
        violation
    }

    /// C²/2α, 0 of what is rigid, J.
    pub fn strain_energy(&self) -> f64 {
        if self.compliance > 0.0 { self.value * self.value / (2.0 * self.compliance) } else { 0.0 }
    }

    /// C²/2(α + W H²/8n), 0 of what has no free particle, J.
    fn recoverable_energy(&self, model: &Model) -> f64 {
        let left =
            self.weight * model.settings.implicit_seconds().powi(2) / (8.0 * f64::from(model.settings.iterations));
        if self.weight > 0.0 { self.value * self.value / (2.0 * (self.compliance + left)) } else { 0.0 }
    }

    /// How far all free particles would have to go along the gradient, m; 0 of what moves none.
    pub fn distance(&self) -> f64 {
        if self.squared > 0.0 { self.value.abs() / self.squared.sqrt() } else { 0.0 }
    }
}

/// Of all constraints that are neither broken nor slack, component by component.
pub fn violations<'a>(model: &'a Model, state: &'a State) -> impl Iterator<Item = Violation> + 'a {
    let compliant = model.settings.mode == Mode::Xpbd;
    let of_group = move |(index, group): (usize, &'a Group)| {
        let components = group.kind.components();
        let whole = (0..group.len()).filter(move |&constraint| state.is_whole(model, index, constraint));
        let all = whole.flat_map(move |constraint| (0..components).map(move |component| (constraint, component)));
        let mut gradient = Vec::new();
        all.filter_map(move |(constraint, component)| {
            let rest = state.rest_of(model, index, constraint);
            let value = group.evaluate(constraint, component, rest, &state.positions, &mut gradient);
            let material = &model.materials[group.material_of(constraint, component) as usize];
            let compliance = if compliant { material.compliance } else { 0.0 };
            let particles = group.particles_of(constraint);
            (!is_slack(material.side, value)).then(|| Violation::new(model, particles, value, &gradient, compliance))
        })
    };
    model.groups.iter().enumerate().flat_map(of_group)
}

/// The larger of what is there; a NaN is passed over.
pub fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    [a, b].into_iter().flatten().reduce(f64::max)
}

/// Whether a one-sided constraint is on the side where it does not act.
fn is_slack(side: Side, value: f64) -> bool {
    match side {
        Side::Both => false,
        Side::Pull => value < 0.0,
        Side::Push => value > 0.0,
    }
}
