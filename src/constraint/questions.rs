//! What others ask of a kind, in place of comparing its name or how many particles it connects.

use super::{Arity, Constraint, Kind};

impl dyn Kind + '_ {
    /// Whether it is this kind: for what works with the distances, say, of a model.
    pub fn is<C: Constraint>(&self) -> bool {
        self.name() == C::NAME
    }
    /// Whether scenes call it so, beside its family.
    pub fn is_named(&self, name: &str) -> bool {
        self.name() == name
    }
    /// Whether a constraint joins two particles.
    pub fn joins_two(&self) -> bool {
        self.arity() == Arity::Two
    }
    /// Whether a constraint joins two to four particles: such are solved side by side, in lanes, clusters and islands.
    pub fn joins_few(&self) -> bool {
        matches!(self.arity(), Arity::Two | Arity::Three | Arity::Four)
    }
    /// Whether a constraint joins any number of particles, which are then listed beside the records.
    pub fn joins_many(&self) -> bool {
        self.arity() == Arity::Many
    }
    /// Whether a constraint is an element of a sheet: a triangle with a rest shape.
    pub fn is_sheet(&self) -> bool {
        self.shape().is_some() && self.arity() == Arity::Three
    }
    /// Whether a constraint is an element of a solid: a tetrahedron with a rest shape.
    pub fn is_solid(&self) -> bool {
        self.shape().is_some() && self.arity() == Arity::Four
    }
    /// Whether each particle of a constraint has rest values of its own, such as its place in a shape.
    pub fn has_member_rest(&self) -> bool {
        !self.member_rest().is_empty()
    }
    /// Whether a constraint keeps the shape of all its particles, as elements do and what knows the rest place of each.
    pub fn keeps_shape(&self) -> bool {
        self.shape().is_some() || self.has_member_rest()
    }
}
