//! Rest shapes that change while they run.

use super::{Model, State};
use crate::constraint::reshape::{Flow, Members, UNFLOWED};
use crate::math::Vec3;

/// The rest shape of a constraint whose particles have rest values
/// ([`Kind::reshapes`](crate::constraint::Kind::reshapes)): blend shapes, and plastic flow where its material has a
/// yield point.
#[derive(Clone, Debug, PartialEq)]
pub struct RestShape {
    /// Index into [`Model::groups`].
    pub group: u32,
    /// Of the group.
    pub constraint: u32,
    /// Any number.
    pub blends: Vec<BlendShape>,
}

/// Another shape of the same particles, which is blended into the first.
#[derive(Clone, Debug, PartialEq)]
pub struct BlendShape {
    /// Index into [`Model::curves`]: its first number is how much of it there is, 0 for nothing, 1 for all.
    pub curve: u32,
    /// From the shape as placed to it, m, one for each particle of the constraint.
    pub ways: Vec<[f64; 3]>,
}

impl RestShape {
    /// Its particles' rest places.
    pub(crate) fn members(&self, model: &Model) -> Members {
        let group = &model.groups[self.group as usize];
        let ways = self.blends.iter().map(|blend| blend.ways.as_slice());
        Members::new(group.member_rest_of(self.constraint as usize), ways)
    }

    /// How much of each blend shape there is at a time, s.
    pub(crate) fn shares(&self, model: &Model, seconds: f64) -> Vec<f64> {
        self.blends.iter().map(|blend| model.curves[blend.curve as usize].at(seconds)[0]).collect()
    }
}

impl State {
    /// How a rest shape of the model has flowed.
    pub(crate) fn flow_of(&self, shape: usize) -> Flow {
        let columns = |flow: &[[f64; 3]; 3]| flow.map(Vec3::from);
        self.rest_shapes.get(shape).map_or(UNFLOWED.map(Vec3::from), columns)
    }
}

impl Model {
    /// Puts the rest shapes that a state has in place of those as built, for good.
    pub(super) fn reshape(&mut self, state: &State) {
        for (index, shape) in std::mem::take(&mut self.rest_shapes).iter().enumerate() {
            let members = shape.members(self);
            let rest = members.rest(&shape.shares(self, state.seconds), state.flow_of(index));
            let group = &mut self.groups[shape.group as usize];
            let first = group.offsets[shape.constraint as usize] as usize;
            for (place, rest) in group.member_rest.as_chunks_mut::<4>().0[first..].iter_mut().zip(rest) {
                place[..3].copy_from_slice(&<[f64; 3]>::from(rest));
            }
        }
    }
}
