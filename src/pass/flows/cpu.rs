//! Emitters and drains on the CPU: what `shaders/flows/flow.wgsl` does.

use wide::f32x4;

use crate::cpu::frame::Frame;
use crate::cpu::particles::with_fourth;
use crate::cpu::pass::{Pass, PassView, Setup};
use crate::cpu::team::Member;
use crate::step::records::{DrainBox, Flowing};
use crate::step::{Hooks, NO_EMITTER, drain_boxes, flowing};

/// All particles of fluids, and what takes them away.
pub struct Flows {
    particles: Vec<Flowing>,
    drains: Vec<DrainBox>,
}

impl Flows {
    /// `None` where nothing flows.
    pub fn new(setup: &Setup) -> Option<Self> {
        let pass = || Self { particles: flowing(setup.model, setup.slot_of), drains: drain_boxes(setup.model) };
        setup.model.flows().then(pass)
    }
}

impl Pass for Flows {
    fn hooks(&self) -> Hooks {
        Hooks { correct_prediction: true, ..Hooks::default() }
    }

    unsafe fn view<'a>(&'a mut self, _frame: &Frame<'a>) -> Box<dyn PassView + 'a> {
        Box::new(View { particles: &self.particles, drains: &self.drains })
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.particles) + size_of_val(&*self.drains)
    }
}

struct View<'a> {
    particles: &'a [Flowing],
    drains: &'a [DrainBox],
}

impl PassView for View<'_> {
    fn correct_prediction(&self, member: &Member, frame: &Frame, substep: usize) {
        let pours = frame.records.pours_of(substep);
        for one in &self.particles[member.share(self.particles.len())] {
            drain(self.drains, one.slot as usize, frame);
            if one.emitter == NO_EMITTER {
                continue;
            }
            let pour = &pours[one.emitter as usize];
            if let Some(turn) = pour.turn(one.layer) {
                let ways = std::array::from_fn(|k| pour.behind[k] + turn as f32 * pour.back[k]);
                place(one, (ways, pour.way, pour.weight), frame);
            }
        }
        member.meet();
    }
}

/// Fixes what is in a drain as the substep begins.
fn drain(drains: &[DrainBox], slot: usize, frame: &Frame) {
    let points = &frame.points;
    let (at, rest) = (points.x.read(slot), points.e.read(slot));
    let ([.., weight], place) = (at.to_array(), (at + rest).to_array());
    let holds = |drain: &DrainBox| (0..3).all(|k| drain.min[k] <= place[k] && place[k] <= drain.max[k]);
    if weight > 0.0 && drains.iter().any(holds) {
        points.x.write(slot, with_fourth(at, 0.0));
        points.d.write(slot, rest);
        frame.u.write(slot, f32x4::ZERO);
    }
}

/// Puts one so far from where it is poured, with a way of a substep and an inverse mass.
fn place(one: &Flowing, (from, way, weight): ([f32; 3], [f32; 3], f32), frame: &Frame) {
    let (points, slot, q) = (&frame.points, one.slot as usize, frame.lattice);
    let on_lattice = one.position.map(|value| (value / q).round_ties_even() * q);
    let rest: [f32; 3] = std::array::from_fn(|k| (one.position[k] - on_lattice[k]) + one.rest[k] + from[k]);
    let four = |[x, y, z]: [f32; 3], w: f32| f32x4::new([x, y, z, w]);
    points.x.write(slot, four(on_lattice, weight));
    points.e.write(slot, four(rest, 0.0));
    points.d.write(slot, four(rest, 0.0) + four(way, 0.0));
    frame.u.write(slot, four(way, 0.0));
}
