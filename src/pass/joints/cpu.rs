//! Joints on the CPU: each group that hangs together by one thread.

use std::sync::{Mutex, PoisonError};

use wide::f32x4;

use super::groups;
use super::solver::{Particles, Solver, When, steps};
use super::turning::{self, Predicted, Turning};
use crate::cpu::frame::Frame;
use crate::cpu::pass::{Pass, PassView, Setup};
use crate::cpu::solve::Points;
use crate::cpu::team::Member;
use crate::math::Vec3;
use crate::model::{Settings, State};
use crate::step::{Hooks, Jointed};

/// All rigid bodies and joints of a model.
pub struct Joints {
    turning: Vec<Turning>,
    /// Each is used by one thread at a time.
    solvers: Vec<Mutex<Solver<f32>>>,
    count: usize,
    settings: Settings,
}

impl Joints {
    /// `None` where there is no rigid body.
    pub fn new(setup: &Setup) -> Option<Self> {
        let model = setup.model;
        if model.rigid.is_empty() {
            return None;
        }
        let slot = |particle: u32| setup.slot_of[particle as usize];
        let solver = |together| Solver::new(model, together, slot);
        let solvers = groups(model).into_iter().map(|together| Mutex::new(solver(together))).collect();
        Some(Self {
            turning: turning::all(model, slot),
            solvers,
            count: model.joints.len(),
            settings: model.settings.clone(),
        })
    }

    fn all<T>(&self, mut of: impl FnMut(&Solver<f32>) -> T) -> Vec<T> {
        self.solvers.iter().map(|solver| of(&solver.lock().unwrap_or_else(PoisonError::into_inner))).collect()
    }
}

impl Pass for Joints {
    fn hooks(&self) -> Hooks {
        Hooks { correct_prediction: !self.turning.is_empty(), solve: self.count > 0, ..Hooks::default() }
    }

    unsafe fn view<'a>(&'a mut self, _frame: &Frame<'a>) -> Box<dyn PassView + 'a> {
        Box::new(View { turning: &self.turning, solvers: &self.solvers, steps: steps(&self.settings) })
    }

    fn tell(&self, state: &mut State) {
        Jointed::tell(&self.jointed(), &self.settings, state);
    }

    fn jointed(&self) -> Vec<Jointed> {
        let mut jointed = vec![Jointed::default(); self.count];
        for (index, sums, broken) in self.all(|solver| solver.told().collect::<Vec<_>>()).into_iter().flatten() {
            jointed[index] = Jointed { sums: sums.map(|sum| sum as f32), broken };
        }
        jointed
    }

    fn restore_joints(&mut self, jointed: &[Jointed]) {
        for solver in &mut self.solvers {
            let solver = solver.get_mut().unwrap_or_else(PoisonError::into_inner);
            solver.restore(|index| (jointed[index].sums.map(f64::from), jointed[index].broken));
        }
    }

    fn bytes(&self) -> usize {
        let turning: usize = self.turning.iter().map(Turning::bytes).sum();
        turning + self.all(Solver::bytes).into_iter().sum::<usize>()
    }
}

/// The joints in a frame.
struct View<'a> {
    turning: &'a [Turning],
    solvers: &'a [Mutex<Solver<f32>>],
    steps: u32,
}

impl PassView for View<'_> {
    fn correct_prediction(&self, member: &Member, frame: &Frame, _substep: usize) {
        for index in member.share_by(self.turning.len(), 1) {
            self.turning[index].predict(&mut OnCpu(frame.points));
        }
        member.meet();
    }

    fn solve(&self, member: &Member, frame: &Frame, substep: usize, [opening, closing]: [bool; 2]) {
        let record = frame.substep(substep);
        let curves = frame.records.curves_of(substep);
        let substeps = frame.records.substeps.len();
        for index in member.share_by(self.solvers.len(), 1) {
            let mut solver = self.solvers[index].lock().unwrap_or_else(PoisonError::into_inner);
            if opening {
                let target = |curve: u32| curves[curve as usize][0];
                solver.open(record.inverse_seconds_squared, target, substep == 0);
            }
            if opening {
                solver.settle(&mut OnCpu(frame.points));
            }
            (0..self.steps).for_each(|_| solver.step(&mut OnCpu(frame.points)));
            if closing {
                let last = (substep + 1 == substeps).then_some(substeps as u32);
                solver.close(last, f64::from(record.inverse_seconds_squared).sqrt().recip());
            }
        }
        member.meet();
    }
}

/// The particles of a substep, by slot.
struct OnCpu<'a>(Points<'a>);

fn vector(v: f32x4) -> Vec3<f32> {
    let [x, y, z, _] = v.to_array();
    Vec3 { x, y, z }
}

impl Particles<f32> for OnCpu<'_> {
    fn between(&self, from: u32, to: u32, when: When) -> Vec3<f32> {
        (self.origin(to, when) - self.origin(from, when)) + (self.offset(to, when) - self.offset(from, when))
    }

    fn origin(&self, particle: u32, _: When) -> Vec3<f32> {
        vector(self.0.x.read(particle as usize))
    }

    fn offset(&self, particle: u32, when: When) -> Vec3<f32> {
        // Beside x a particle begins at what rounding has left of it.
        let list = if when == When::Begun { self.0.e } else { self.0.d };
        vector(list.read(particle as usize))
    }

    fn shift(&mut self, particle: u32, by: Vec3<f32>) {
        let at = particle as usize;
        self.0.d.write(at, self.0.d.read(at) + f32x4::from([by.x, by.y, by.z, 0.0]));
    }
}

fn double(v: f32x4) -> Vec3<f64> {
    let [x, y, z, _] = v.to_array().map(f64::from);
    Vec3 { x, y, z }
}

impl Predicted for OnCpu<'_> {
    fn between(&self, from: u32, to: u32) -> Vec3<f64> {
        let [from, to] = [from, to].map(|slot| slot as usize);
        let (x, e) = (self.0.x, self.0.e);
        double(x.read(to)) - double(x.read(from)) + (double(e.read(to)) - double(e.read(from)))
    }

    fn way(&self, particle: u32) -> Vec3<f64> {
        let at = particle as usize;
        double(self.0.d.read(at)) - double(self.0.e.read(at))
    }

    fn set_way(&mut self, particle: u32, way: Vec3<f64>) {
        let at = particle as usize;
        let [x, y, z] = <[f64; 3]>::from(double(self.0.e.read(at)) + way).map(|value| value as f32);
        self.0.d.write(at, f32x4::new([x, y, z, self.0.d.read(at).to_array()[3]]));
    }
}
