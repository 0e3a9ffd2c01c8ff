//! Rest values that change: driven by curves, and by what flows beyond the yield point. The twin of
//! `shaders/rest/change.wgsl`.

use crate::constraint::RestChange;
use crate::model::{Material, Mode, Multiplier, Settings};

/// How the constraints of a material change their rest values.
pub(crate) struct RestLaw {
    /// α̃ = α/H²
    compliance: f64,
    /// Elastic deformation above which it flows.
    limit: f64,
    /// Of what is beyond the limit flows in a substep.
    share: f64,
    curve: Option<usize>,
}

impl RestLaw {
    pub fn new(material: &Material, settings: &Settings) -> Self {
        let (h, implicit) = (settings.substep_seconds(), settings.implicit_seconds());
        Self {
            compliance: if settings.mode == Mode::Xpbd { material.compliance / implicit.powi(2) } else { 0.0 },
            limit: material.yield_point.unwrap_or(0.0),
            share: if settings.mode == Mode::Xpbd { material.flow(h) } else { 0.0 },
            curve: material.curve.map(|curve| curve as usize),
        }
    }

    /// At a substep's beginning: what of the elastic deformation of the substep before, C = -α̃ λ, is beyond the yield
    /// point flows into the base of a rest value, and the curve at the substep's end makes the rest value in effect of
    /// it. `component` is that of the rest value, `scale` what its C is multiplied by.
    pub fn change(
        &self,
        change: RestChange,
        component: usize,
        curves: &[[f64; 3]],
        multiplier: &Multiplier,
        scale: f64,
        (base, rest): (&mut f64, &mut f64),
    ) {
        let flows = !multiplier.broken && scale > 0.0;
        let elastic = if flows { -self.compliance * multiplier.last / scale } else { 0.0 };
        // A curve has three numbers; further components are not driven.
        let value = self.curve.and_then(|curve| curves[curve].get(component)).copied();
        match change {
            RestChange::Factor => {
                let factor = value.unwrap_or(1.0);
                // The rest value in effect rises by what flows, the base by so much that the factor makes that of it.
                if factor > 0.0 {
                    let flowed = *base + self.flow(elastic, self.limit * rest.abs()) / factor;
                    *base = if *base < 0.0 { flowed.min(0.0) } else { flowed.max(0.0) };
                }
                *rest = *base * factor;
            }
            RestChange::Offset => {
                *base += self.flow(elastic, self.limit);
                *rest = *base + value.unwrap_or(0.0);
            }
        }
    }

    fn flow(&self, elastic: f64, limit: f64) -> f64 {
        elastic.signum() * (elastic.abs() - limit).max(0.0) * self.share
    }
}
