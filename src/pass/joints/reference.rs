//! Joints in the reference.

use super::groups;
use super::solver::{Particles, Solver, When, steps};
use super::turning::{self, Predicted, Turning};
use crate::law::joint::ROWS;
use crate::math::Vec3;
use crate::model::{JointState, Model, Settings, State};
use crate::reference::pass::{Pass, Points, Substep};

/// All rigid bodies and joints of a model.
pub(crate) struct Joints {
    turning: Vec<Turning>,
    solvers: Vec<Solver<f64>>,
    count: usize,
    settings: Settings,
}

impl Joints {
    /// `None` where there is no rigid body.
    pub fn new(model: &Model) -> Option<Self> {
        if model.rigid.is_empty() {
            return None;
        }
        let solvers = groups(model).into_iter().map(|together| Solver::new(model, together, |p| p)).collect();
        Some(Self {
            turning: turning::all(model, |p| p),
            solvers,
            count: model.joints.len(),
            settings: model.settings.clone(),
        })
    }
}

impl Pass for Joints {
    fn correct_prediction(&mut self, substep: &mut Substep) {
        self.turning.iter().for_each(|body| body.predict(&mut InReference(substep.points)));
    }

    fn solve(&mut self, substep: &mut Substep, opening: bool) {
        let (end, h) = (substep.times[1], substep.implicit);
        let curves = &substep.model.curves;
        for solver in &mut self.solvers {
            if opening {
                solver.open(1.0 / (h * h), |curve| curves[curve as usize].at(end)[0], substep.index == 0);
            }
            if opening {
                solver.settle(&mut InReference(substep.points));
            }
            (0..steps(&self.settings)).for_each(|_| solver.step(&mut InReference(substep.points)));
        }
    }

    fn correct_velocities(&mut self, substep: &mut Substep) {
        let substeps = self.settings.substeps;
        let last = (substep.index + 1 == substeps).then_some(substeps);
        self.solvers.iter_mut().for_each(|solver| solver.close(last, substep.implicit));
    }

    fn tell(&self, state: &mut State) {
        let mut joints = vec![JointState::default(); self.count];
        for (index, sums, broken) in self.solvers.iter().flat_map(Solver::told) {
            joints[index] = JointState::of(&sums, broken, &self.settings);
        }
        state.joints = joints;
    }

    fn restore(&mut self, state: &State) {
        let of =
            |index: usize| state.joints.get(index).map_or(([0.0; ROWS], false), |joint| (joint.sums, joint.broken));
        self.solvers.iter_mut().for_each(|solver| solver.restore(of));
    }
}

/// The particles of a substep.
struct InReference<'a>(&'a mut Points);

impl Particles<f64> for InReference<'_> {
    fn between(&self, from: u32, to: u32, when: When) -> Vec3<f64> {
        self.origin(to, when) - self.origin(from, when)
    }

    fn origin(&self, particle: u32, when: When) -> Vec3<f64> {
        match when {
            When::Begun => self.0.beginnings()[particle as usize],
            When::Now => self.0.positions[particle as usize],
        }
    }

    fn offset(&self, _: u32, _: When) -> Vec3<f64> {
        Vec3::zero()
    }

    fn shift(&mut self, particle: u32, by: Vec3<f64>) {
        self.0.positions[particle as usize] += by;
    }
}

impl Predicted for InReference<'_> {
    fn between(&self, from: u32, to: u32) -> Vec3<f64> {
        self.0.starts[to as usize] - self.0.starts[from as usize]
    }

    fn way(&self, particle: u32) -> Vec3<f64> {
        self.0.positions[particle as usize] - self.0.starts[particle as usize]
    }

    fn set_way(&mut self, particle: u32, way: Vec3<f64>) {
        self.0.positions[particle as usize] = self.0.starts[particle as usize] + way;
    }
}
