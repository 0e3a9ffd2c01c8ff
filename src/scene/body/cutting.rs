//! Which bodies can come apart.

use super::{Cloth, Content, Elasticity, Soft, Stretch};

impl Content {
    /// Whether it is a cloth.
    pub fn is_cloth(&self) -> bool {
        matches!(self, Self::Cloth(_))
    }

    /// The force in N, or the stress in Pa, at which it comes apart, if the scene says; `None` where it never can.
    pub fn strength(&self) -> Option<Option<f64>> {
        match self {
            Self::Cloth(Cloth { stretch: Stretch::Edges, break_force, .. }) => Some(*break_force),
            Self::Soft(Soft { elasticity: Elasticity::NeoHookean, tear_stress, .. }) => Some(*tear_stress),
            _ => None,
        }
    }

    /// Lets it come apart at a force in N, or a stress in Pa. Nothing changes where it never can.
    pub fn set_strength(&mut self, strength: f64) {
        match self {
            Self::Cloth(cloth) if cloth.stretch == Stretch::Edges => cloth.break_force = Some(strength),
            Self::Soft(soft) if soft.elasticity == Elasticity::NeoHookean => soft.tear_stress = Some(strength),
            _ => {}
        }
    }
}
