//! How many threads the CPU engine solves a scene of the window with: as many as are fastest here, found by a few steps
//! of the scene itself. Threads wait for each other some hundred times a frame, and other work of the window takes
//! cores from them: small scenes are slower with two.

use std::time::{Duration, Instant};

use crate::Plan;
use crate::model::{Group, Model};
use crate::solver::cpu::CpuSolver;

/// Particles and constraints for each thread from which on all cores are worth it: a look would take long.
const SURELY: usize = 100_000;
/// What the steps of one number of threads may take together, and how many there are at most.
const BUDGET: Duration = Duration::from_millis(40);
const MOST_STEPS: u32 = 8;
/// More threads are taken where they save so much of the time: for less they are left to the rest of the window.
const WORTH: f64 = 0.1;

/// The number of threads with which a model is solved fastest.
pub fn fastest(model: &Model, plan: &Plan) -> usize {
    let Ok(solver) = CpuSolver::new(model, plan) else { return 1 };
    let most = solver.threads();
    let size = model.particles.len() + model.groups.iter().map(Group::len).sum::<usize>();
    if most == 1 || size > SURELY * most {
        return most;
    }
    let fewer = (0..).map(|power| 1 << power).take_while(|&threads| threads < most);
    let measured = fewer.chain([most]).filter_map(|threads| {
        let solver = CpuSolver::with_threads(model, plan, threads).ok()?;
        Some((threads, step_seconds(solver)))
    });
    best(&measured.collect::<Vec<_>>())
}

/// How long a step takes, s: the shortest of some.
fn step_seconds(mut solver: CpuSolver) -> f64 {
    // The first one finds nothing in a cache.
    solver.step();
    let (begun, mut least) = (Instant::now(), f64::INFINITY);
    for _ in 0..MOST_STEPS {
        let one = Instant::now();
        solver.step();
        least = least.min(one.elapsed().as_secs_f64());
        if begun.elapsed() > BUDGET {
            break;
        }
    }
    least
}

/// The fewest of these numbers of threads, with the time of a step, that no larger one is clearly faster than.
fn best(measured: &[(usize, f64)]) -> usize {
    let mut best = (1, f64::INFINITY);
    for &(threads, seconds) in measured {
        if seconds < (1.0 - WORTH) * best.1 {
            best = (threads, seconds);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    /// More threads are taken where they are clearly faster, and not for a little.
    #[test]
    fn threads_must_be_worth_it() {
        assert_eq!(best(&[(1, 2e-3), (2, 1.2e-3), (4, 0.7e-3)]), 4);
        assert_eq!(best(&[(1, 2e-3), (2, 2.5e-3), (4, 3e-3)]), 1);
        assert_eq!(best(&[(1, 2e-3), (2, 1.95e-3), (4, 1.2e-3)]), 4);
        assert_eq!(best(&[]), 1);
    }

    /// What is small has one thread, and nothing has more than the engine takes by itself.
    #[test]
    fn small_scenes_have_one_thread() {
        for scene in ["chain", "draped_cloth"] {
            let model = Scene::gallery(scene).unwrap().unwrap().build().unwrap().model;
            let plan = Plan::new(&model);
            let most = CpuSolver::new(&model, &plan).unwrap().threads();
            assert!((1..=most).contains(&fastest(&model, &plan)), "{scene}");
        }
    }
}
