//! How materials resist deformation: the energy of a unit volume ψ, the first Piola stress P = ∂ψ/∂F, and its change
//! along a change of F, for F = I + H. Nothing but H is used, as F would round small strains away. With E the Young's
//! modulus and ν Poisson's ratio, μ = E/2(1 + ν) and λ = E ν/(1 + ν)(1 - 2ν); to first order both are linear
//! elasticity, ψ = μ ε:ε + λ/2 (tr ε)².

use super::matrix::Matrix;

/// What a solid is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elastic {
    /// How it resists large deformations.
    pub law: Law,
    /// Young's modulus, Pa, above 0.
    pub young_modulus: f64,
    /// Poisson's ratio, from -1 to 0.5, both excluded.
    pub poisson_ratio: f64,
}

/// The energy of a unit volume, by the deformation gradient F.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// μ E:E + λ/2 (tr E)² with Green's strain E = (FᵀF - I)/2 (St. Venant and Kirchhoff). It softens when squeezed and
    /// does not mind being inside out.
    StVenantKirchhoff,
    /// μ/2 (tr FᵀF + J² - 4J) + λ/2 (J - 1)² with J = det F, and a constant: that of the constraint `neo_hookean`
    /// (Macklin and Müller, A Constraint-based Formulation of Stable Neo-Hookean Materials, 2021).
    NeoHookean,
}

/// Green's strain, (FᵀF - I)/2.
fn green(h: Matrix) -> Matrix {
    (h + h.transpose() + h.transpose() * h) * 0.5
}

/// det F - 1
fn growth(h: Matrix) -> f64 {
    h.trace() + 0.5 * (h.trace().powi(2) - (h * h).trace()) + h.determinant()
}

impl Elastic {
    /// μ and λ, Pa.
    fn lame(self) -> (f64, f64) {
        let Self { young_modulus, poisson_ratio, .. } = self;
        let shear = young_modulus / (2.0 * (1.0 + poisson_ratio));
        (shear, 2.0 * shear * poisson_ratio / (1.0 - 2.0 * poisson_ratio))
    }

    /// ψ, J/m³; 0 at rest.
    pub(super) fn energy(self, h: Matrix) -> f64 {
        let (mu, lambda) = self.lame();
        match self.law {
            Law::StVenantKirchhoff => {
                let strain = green(h);
                mu * strain.inner(strain) + 0.5 * lambda * strain.trace().powi(2)
            }
            Law::NeoHookean => {
                // tr FᵀF - 3 - 2 (J - 1) without its terms of first order, which cancel.
                let shape = h.inner(h) - h.trace().powi(2) + (h * h).trace() - 2.0 * h.determinant();
                0.5 * mu * shape + 0.5 * (mu + lambda) * growth(h).powi(2)
            }
        }
    }

    /// P, Pa.
    pub(super) fn stress(self, h: Matrix) -> Matrix {
        let (mu, lambda) = self.lame();
        let f = Matrix::identity() + h;
        match self.law {
            Law::StVenantKirchhoff => {
                let strain = green(h);
                f * (strain * (2.0 * mu) + Matrix::identity() * (lambda * strain.trace()))
            }
            Law::NeoHookean => {
                // F - cof F, again without what cancels.
                let shape = h + h.transpose() - Matrix::identity() * h.trace() - h.cofactor();
                shape * mu + f.cofactor() * ((mu + lambda) * growth(h))
            }
        }
    }

    /// The change of P where H changes, Pa.
    pub(super) fn stress_change(self, h: Matrix, change: Matrix) -> Matrix {
        let (mu, lambda) = self.lame();
        let f = Matrix::identity() + h;
        match self.law {
            Law::StVenantKirchhoff => {
                let stress = |strain: Matrix| strain * (2.0 * mu) + Matrix::identity() * (lambda * strain.trace());
                let strained = (change.transpose() * f + f.transpose() * change) * 0.5;
                change * stress(green(h)) + f * stress(strained)
            }
            Law::NeoHookean => {
                let (cofactor, turned) = (f.cofactor(), f.cofactor_change(change));
                let volume = cofactor * cofactor.inner(change) + turned * growth(h);
                (change - turned) * mu + volume * (mu + lambda)
            }
        }
    }
}
