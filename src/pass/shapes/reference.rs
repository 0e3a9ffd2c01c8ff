//! Rest shapes that change, in the reference.

use crate::constraint::reshape::{Flow, Members, UNFLOWED, flowed};
use crate::math::Vec3;
use crate::model::{Mode, State};
use crate::reference::pass::{Pass, Setup, Substep};

/// All of a model, with what has flowed.
pub(crate) struct Shapes {
    members: Vec<Members>,
    /// Places of their constraints in the plan.
    places: Vec<usize>,
    flows: Vec<Flow>,
}

impl Shapes {
    pub fn new(setup: &Setup) -> Self {
        let Setup { model, plan } = setup;
        let mut places: Vec<Vec<usize>> = plan.groups.iter().map(|group| vec![0; group.constraint_of.len()]).collect();
        for (places, group) in places.iter_mut().zip(&plan.groups) {
            (0..).zip(&group.constraint_of).for_each(|(place, &constraint)| places[constraint as usize] = place);
        }
        let shapes = &model.rest_shapes;
        Self {
            members: shapes.iter().map(|shape| shape.members(model)).collect(),
            places: shapes.iter().map(|shape| places[shape.group as usize][shape.constraint as usize]).collect(),
            flows: vec![UNFLOWED.map(Vec3::from); shapes.len()],
        }
    }
}

impl Pass for Shapes {
    fn detect(&mut self, substep: &mut Substep) {
        let (model, starts, seconds) = (substep.model, &substep.points.starts, substep.h);
        for (index, shape) in model.rest_shapes.iter().enumerate() {
            let (group, constraint) = (&model.groups[shape.group as usize], shape.constraint as usize);
            let material = &model.materials[group.materials[constraint] as usize];
            let (members, flow) = (&self.members[index], &mut self.flows[index]);
            let shares = shape.shares(model, substep.times[1]);
            if let Some(limit) = material.yield_point.filter(|_| model.settings.mode == Mode::Xpbd) {
                let particles = group.particles_of(constraint);
                let strain = members.strain(&members.rest(&shares, *flow), |k| starts[particles[k] as usize]);
                *flow = flowed(*flow, strain, limit, material.flow(seconds));
            }
            substep.sweep.put_rest_shape(shape.group, self.places[index], &members.rest(&shares, *flow));
        }
    }

    fn tell(&self, state: &mut State) {
        state.rest_shapes = self.flows.iter().map(|flow| flow.map(<[f64; 3]>::from)).collect();
    }

    fn restore(&mut self, state: &State) {
        (0..).zip(&mut self.flows).for_each(|(index, flow)| *flow = state.flow_of(index));
    }
}
