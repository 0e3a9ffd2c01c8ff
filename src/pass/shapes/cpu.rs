//! Rest shapes that change, on the CPU: what `shaders/shapes/change.wgsl` does.

use crate::constraint::reshape::{Flow, Members, flowed};
use crate::cpu::frame::Frame;
use crate::cpu::pass::{Pass, PassView, Shared};
use crate::cpu::single::double;
use crate::cpu::team::Member;
use crate::math::Vec3;
use crate::model::{Model, State};
use crate::step::{Hooks, Reshaped, UNSHAPED};

/// All of a model, with what has flowed. The groups hold the rest places.
pub struct Shapes {
    members: Vec<Members>,
    flows: Vec<Reshaped>,
}

/// [`Shapes`] in a frame.
struct View<'a> {
    members: &'a [Members],
    flows: Shared<'a, Reshaped>,
}

impl Shapes {
    pub fn new(model: &Model) -> Self {
        let members: Vec<Members> = model.rest_shapes.iter().map(|shape| shape.members(model)).collect();
        Self { flows: vec![UNSHAPED; members.len()], members }
    }
}

impl Pass for Shapes {
    fn hooks(&self) -> Hooks {
        Hooks { detect: true, ..Hooks::default() }
    }

    unsafe fn view<'a>(&'a mut self, _frame: &Frame<'a>) -> Box<dyn PassView + 'a> {
        // SAFETY: each shape is one thread's.
        Box::new(View { members: &self.members, flows: unsafe { Shared::new(&mut self.flows) } })
    }

    fn tell(&self, state: &mut State) {
        Reshaped::tell(&self.flows, state);
    }

    fn reshaped(&self) -> Vec<Reshaped> {
        self.flows.clone()
    }

    fn restore_shapes(&mut self, flows: &[Reshaped]) {
        self.flows.copy_from_slice(flows);
    }

    fn bytes(&self) -> usize {
        let of = |shape: &Members| {
            size_of_val(&*shape.places) + shape.ways.iter().map(|ways| size_of_val(&**ways)).sum::<usize>()
        };
        self.members.iter().map(of).sum::<usize>() + size_of_val(&*self.flows)
    }
}

impl PassView for View<'_> {
    fn detect(&self, member: &Member, frame: &Frame, substep: usize) {
        for index in member.share_by(self.members.len(), 1) {
            self.change(index, frame, substep);
        }
        member.meet();
    }
}

impl View<'_> {
    fn change(&self, index: usize, frame: &Frame, substep: usize) {
        let (model, members, curves) = (frame.model, &self.members[index], frame.records.curves_of(substep));
        let shape = &model.rest_shapes[index];
        let (group, constraint) = (&model.groups[shape.group as usize], shape.constraint as usize);
        let law = &frame.rest_laws[group.materials[constraint] as usize];
        let shares: Vec<f64> = shape.blends.iter().map(|blend| f64::from(curves[blend.curve as usize][0])).collect();
        let flow: Flow = self.flows.read(index).columns();
        let mut rest = members.rest(&shares, flow);
        if law.share > 0.0 {
            let particles = group.particles_of(constraint);
            let place = |k: usize| {
                let slot = frame.slot_of[particles[k] as usize] as usize;
                double(frame.points.x.read(slot)) + double(frame.points.e.read(slot))
            };
            let next = flowed(flow, members.strain(&rest, place), law.limit.into(), law.share.into());
            if next != flow {
                let next = Reshaped::of(next);
                self.flows.write(index, next);
                rest = members.rest(&shares, next.columns());
            }
        }
        let list = &frame.groups[shape.group as usize].members;
        let first = group.offsets[constraint] as usize;
        for (k, Vec3 { x, y, z }) in rest.into_iter().enumerate() {
            let at = 4 * (first + k);
            (at..).zip([x, y, z]).for_each(|(at, value)| list.write(at, value));
        }
    }
}
