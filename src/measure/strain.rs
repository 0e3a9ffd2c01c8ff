//! How constraints are strained: sums over those of one group.

use std::ops::Range;

use crate::elements::{Element, modulus};
use crate::model::{Mode, Model, Side, State};
use crate::parallel;

/// Of constraints that are not broken.
#[derive(Default)]
pub struct Strain {
    pub elastic_energy: f64,
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
                if compliance > 0.0 && !slack {
                    strain.elastic_energy += value * value / (2.0 * compliance);
                }
                let residual = value + compliance * per_square * multiplier.last;
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
