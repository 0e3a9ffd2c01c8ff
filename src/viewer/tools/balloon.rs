//! Balloons that a tool inflates. A running engine takes no other rest volume, but another curve that drives it: so
//! each balloon gets a list of curves, each of which holds a little more than the one before.

use crate::constraint::{Constraint, SurfaceVolume};
use crate::model::{Curve, Keyframes, Material, Model};
use crate::viewer::tuning::Tuning;

/// What a step multiplies the volume by: little, as it is there at once.
const STEP: f64 = 1.01;
/// The most that a balloon is inflated, and the most that air is let out, in steps: to three times, and to half.
pub const MOST: i32 = 110;
pub const LEAST: i32 = -70;
/// Balloons that can be inflated: each curve is uploaded for each substep.
const MOST_BALLOONS: usize = 16;

/// A balloon that can be inflated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balloon {
    /// Index of its body.
    pub body: usize,
    /// Of its volume, and of nothing else.
    material: usize,
    /// The curve of the least volume.
    first: u32,
}

impl Balloon {
    /// Inflates it by so many steps from what the scene says.
    pub fn inflate(&self, tuning: &mut Tuning, steps: i32) {
        let curve = self.first + (steps.clamp(LEAST, MOST) - LEAST) as u32;
        if let Some(material) = tuning.materials.get_mut(self.material) {
            material.curve = Some(curve);
        }
    }
}

/// Gives the volume of each balloon a material of its own, with curves to choose from. The model moves as it would
/// without.
pub fn prepare(model: &mut Model) -> Vec<Balloon> {
    let Some(group) = model.groups.iter().position(|group| group.kind.is_named(SurfaceVolume::NAME)) else {
        return Vec::new();
    };
    let mut lists: Vec<(Option<u32>, u32)> = Vec::new();
    let mut balloons = Vec::new();
    for constraint in 0..model.groups[group].len().min(MOST_BALLOONS) {
        let before = model.materials[model.groups[group].materials[constraint] as usize];
        let known = lists.iter().find(|(own, _)| *own == before.curve).map(|&(_, first)| first);
        let first = known.unwrap_or_else(|| {
            let first = add_curves(model, before.curve);
            lists.push((before.curve, first));
            first
        });
        let curve = Some(first + LEAST.unsigned_abs());
        let material = model.materials.insert(Material { curve, ..before });
        // A changed one is found by nobody else, and so belongs to this balloon alone.
        _ = model.materials.get_mut(material as usize);
        model.groups[group].materials[constraint] = material;
        let particle = model.groups[group].particles_of(constraint)[0];
        let body = model.particles.bodies[particle as usize] as usize;
        balloons.push(Balloon { body, material: material as usize, first });
    }
    balloons
}

/// Adds a curve for each step, after the one that the balloon has by itself; returns the first.
fn add_curves(model: &mut Model, own: Option<u32>) -> u32 {
    let own = own.and_then(|curve| model.curves.get(curve as usize)).cloned();
    let own = own.unwrap_or(Curve { keyframes: Keyframes::constant([1.0; 3]), period: None, delay: 0.0 });
    let first = model.curves.len() as u32;
    model.curves.extend((LEAST..=MOST).map(|step| {
        let factor = STEP.powi(step);
        Curve { keyframes: own.keyframes.scaled(factor), ..own.clone() }
    }));
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plan;
    use crate::scene::{Balloon as Rubber, Body, Mesh, Scene, Sphere};
    use crate::solver::cpu::CpuSolver;
    use crate::step::Engine;

    fn scene() -> Model {
        let ball = || Mesh::Sphere(Sphere { radius: 0.3, segments: 10 });
        let soft = |name: &str, x: f64| {
            let balloon = Rubber::new(ball()).compliance(1e-6);
            Body::balloon(balloon).name(name).mass(0.1).position([x, 0.0, 0.0])
        };
        Scene::new("two").with(soft("left", -1.0)).with(soft("right", 1.0)).build().unwrap().model
    }

    fn volumes(solver: &CpuSolver, model: &Model) -> Vec<f64> {
        let positions = solver.state().positions;
        let group = model.groups.iter().find(|group| group.kind.is_named(SurfaceVolume::NAME)).unwrap();
        (0..group.len()).map(|c| group.evaluate(c, 0, &[0.0], &positions, &mut Vec::new())).collect()
    }

    /// A prepared model moves as one that is not, to the bit, and a step more inflates the one balloon alone.
    #[test]
    fn one_balloon_is_inflated() {
        let plain = scene();
        let mut model = plain.clone();
        let balloons = prepare(&mut model);
        assert_eq!(balloons.iter().map(|balloon| balloon.body).collect::<Vec<_>>(), [0, 1]);
        let solvers = [&plain, &model].map(|model| CpuSolver::new(model, &Plan::new(model)).unwrap());
        let [mut other, mut solver] = solvers;
        (0..5).for_each(|_| {
            other.step();
            solver.step();
        });
        assert!(other.state().positions == solver.state().positions);

        let before = volumes(&solver, &model);
        let mut tuning = Tuning::of(&model);
        balloons[1].inflate(&mut tuning, 10);
        for (index, material) in tuning.materials.iter().enumerate() {
            solver.set_material(index, *material).unwrap();
        }
        (0..20).for_each(|_| solver.step());
        let after = volumes(&solver, &model);
        assert!((after[0] / before[0] - 1.0).abs() < 1e-3, "{before:?} {after:?}");
        let factor = after[1] / before[1];
        assert!((factor / STEP.powi(10) - 1.0).abs() < 0.02, "{factor}");
    }
}
