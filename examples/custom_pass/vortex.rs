//! A vortex about the y axis, v = ω × x: each particle loses its velocity relative to that at the rate k,
//! u += (1 - e^(-k h)) (h ω × x - u), whatever the substep.

use pliant::constraint::Vec3;
use pliant::pass::{Pass, cpu, gpu, reference};
use pliant::solver::{Hooks, SolverError};

/// See the module.
pub struct Vortex {
    /// ω, rad/s.
    pub turn: f64,
    /// k, 1/s.
    pub rate: f64,
}

const HOOKS: Hooks = Hooks {
    accelerate: true,
    correct_prediction: false,
    detect: false,
    solve: false,
    solve_round: false,
    guard: false,
    correct_velocities: false,
};

impl Pass for Vortex {
    fn name(&self) -> &'static str {
        "vortex"
    }

    fn reference(&'static self, _setup: &reference::Setup) -> Option<Box<dyn reference::Pass>> {
        Some(Box::new(Here { turn: self.turn, rate: self.rate }))
    }

    fn cpu(&'static self, _setup: &cpu::Setup) -> Option<Box<dyn cpu::Pass>> {
        Some(Box::new(Here { turn: self.turn, rate: self.rate }))
    }

    fn gpu(&'static self, setup: &gpu::Setup) -> Result<Option<Box<dyn gpu::Pass>>, SolverError> {
        let parameters = gpu::upload(setup.device(), "vortex", &[self.turn as f32, self.rate as f32]);
        let own = [("vortex", gpu::BufferRange::all(&parameters))];
        let work = setup.over_slots("vortex", include_str!("vortex.wgsl"), &own)?;
        Ok(Some(Box::new(OnDevice { work })))
    }
}

#[derive(Clone, Copy)]
struct Here {
    turn: f64,
    rate: f64,
}

impl reference::Pass for Here {
    fn accelerate(&self, substep: &reference::Substep) -> Vec<Vec3<f64>> {
        let share = -(-self.rate * substep.h).exp_m1();
        let points = &substep.points;
        let change = |(&Vec3 { x, z, .. }, &v): (&Vec3<f64>, &Vec3<f64>)| {
            (Vec3::new(self.turn * z, 0.0, -self.turn * x) - v) * share
        };
        points.positions.iter().zip(&points.velocities).map(change).collect()
    }
}

impl cpu::Pass for Here {
    fn hooks(&self) -> Hooks {
        HOOKS
    }

    unsafe fn view<'a>(&'a mut self, _frame: &cpu::Frame<'a>) -> Box<dyn cpu::PassView + 'a> {
        Box::new(*self)
    }

    fn bytes(&self) -> usize {
        0
    }
}

impl cpu::PassView for Here {
    fn change(&self, frame: &cpu::Frame, substep: usize, slot: usize) -> cpu::f32x4 {
        let h = frame.substep(substep).seconds;
        let share = -(-(self.rate as f32) * h).exp_m1();
        let [x, _, z, w] = frame.points.x.read(slot).to_array();
        if w == 0.0 {
            return cpu::f32x4::ZERO;
        }
        let turn = self.turn as f32 * h;
        (cpu::f32x4::new([turn * z, 0.0, -turn * x, 0.0]) - frame.u.read(slot)) * cpu::f32x4::splat(share)
    }
}

struct OnDevice {
    work: gpu::Work,
}

impl gpu::Pass for OnDevice {
    fn hooks(&self) -> Hooks {
        HOOKS
    }

    fn accelerate(&self, recorder: &mut gpu::Recorder) {
        recorder.run(&self.work);
    }

    fn memory_bytes(&self) -> u64 {
        8
    }
}
