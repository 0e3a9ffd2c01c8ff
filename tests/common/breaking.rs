//! Sheets and ropes under levels whose springs break, and what statics say that they bear.

use pliant::measure::constraint_force;
use pliant::model::{Material, Model, Settings, State, Torn};
use pliant::reference::{Euler, Scheme};
use pliant::scene::{Body, Cloth, Pin, Scene, Select, Strand, StrandKind};

use crate::models::GRAVITY;
use crate::sheets::{Held, jittered, sheet};

/// 24 × 24 particles by two corners: triangles of all shapes, so that no two springs bear the same.
pub fn hung_sheet() -> Model {
    sheet(24, true, Held::Corners, 10, 1.0)
}

/// 200 particles that hang by the first.
pub fn hung_rope() -> Model {
    let points = (0..200).map(|i| [0.0, -0.01 * f64::from(i), 0.0]).collect::<Vec<_>>();
    let rope = Body::strand(Strand::new(StrandKind::Rope, points).stretch(1e-8)).mass(1.0);
    let settings = Settings { substeps: 10, nested: Some(true), mean_forces: false, ..Settings::default() };
    let scene = Scene::new("rope").settings(settings).with(rope.pin(Pin::new(Select::Indices(vec![0]))));
    scene.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// The force of each distance as it hangs at rest, whole, N: of the sheet a few long steps of implicit Euler, which leave nothing of its motion.
pub fn of_sheet(model: &Model) -> Vec<f64> {
    let mut slow = model.clone();
    (slow.settings.frame_rate, slow.settings.substeps) = (10.0, 1);
    slow.tearing = None;
    for index in 0..slow.materials.len() {
        slow.materials.get_mut(index).expect("one of them").break_force = None;
    }
    let mut euler = Euler::new(&slow, Scheme::Implicit).unwrap_or_else(|error| panic!("{error}"));
    (0..20).for_each(|_| euler.step().unwrap_or_else(|error| panic!("{error}")));
    let state = euler.state();
    (0..slow.groups[0].len()).map(|constraint| constraint_force(&slow, &state, 0, constraint)).collect()
}

/// Of the rope the weight of all that hangs below.
pub fn of_rope(model: &Model) -> Vec<f64> {
    let weight = |last: usize| model.particles.inverse_masses[last..].iter().map(|w| GRAVITY / w).sum();
    (0..model.groups[0].len()).map(|edge| weight(model.groups[0].particles_of(edge)[1] as usize)).collect()
}

/// The constraint that bears most, and what.
pub fn largest(forces: &[f64]) -> (usize, f64) {
    forces.iter().copied().enumerate().fold((0, 0.0), |most, next| if next.1 > most.1 { next } else { most })
}

/// All distances break at this force, N.
pub fn breaking_at(model: &Model, force: f64) -> Model {
    let mut model = model.clone();
    for constraint in 0..model.groups[0].len() {
        let material = model.materials[model.groups[0].materials[constraint] as usize];
        model.groups[0].materials[constraint] =
            model.materials.insert(Material { break_force: Some(force), ..material });
    }
    model
}

/// The sheet with what crosses the middle about to break at next to nothing, and the particles below.
pub fn cut(model: &Model) -> (Model, Vec<usize>) {
    let mut model = model.clone();
    let below = |particle: u32| particle / 24 >= 12;
    for constraint in 0..model.groups[0].len() {
        let ends = model.groups[0].particles_of(constraint);
        if below(ends[0]) != below(ends[1]) {
            let material = model.materials[model.groups[0].materials[constraint] as usize];
            model.groups[0].materials[constraint] =
                model.materials.insert(Material { break_force: Some(1e-4), ..material });
        }
    }
    (model, (12 * 24..24 * 24).collect())
}

/// [`hung_sheet`] as a cloth that tears along edges that bear more than `force`, N.
pub fn tearing_sheet(force: f64) -> Model {
    let cloth = Cloth::new(jittered(24)).stretch(1e-8).bend(1e-4).tears_at(force);
    let body = Body::cloth(cloth).mass(1.0).pin(Pin::new(Select::Indices(vec![0, 23])));
    let settings = Settings { substeps: 10, nested: Some(true), mean_forces: false, ..Settings::default() };
    let scene = Scene::new("torn").settings(settings).with(body);
    scene.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// The same drawn apart to the sides, so that it tears along its middle row, whose edges break at next to nothing.
pub fn torn_across() -> Model {
    let mut model = tearing_sheet(1e6);
    for constraint in 0..model.groups[0].len() {
        if model.groups[0].particles_of(constraint).iter().all(|&particle| particle / 24 == 12) {
            let material = model.materials[model.groups[0].materials[constraint] as usize];
            let weak = material.break_force.map(|_| 1e-4);
            model.groups[0].materials[constraint] = model.materials.insert(Material { break_force: weak, ..material });
        }
    }
    for (velocity, x) in model.particles.velocities.iter_mut().zip(&model.particles.positions) {
        velocity[0] = 5.0 * x[0];
    }
    model
}

/// The particles of what a tear cut off, which does not hang together with particle 0.
pub fn cut_off(torn: &Torn) -> Vec<usize> {
    let mut hangs = vec![false; torn.inverse_masses.len()];
    hangs[0] = true;
    let mut before = 0;
    while hangs.iter().filter(|&&hangs| hangs).count() > before {
        before = hangs.iter().filter(|&&hangs| hangs).count();
        let whole = (0..).zip(&torn.triangles).filter(|(triangle, _)| !torn.dropped.contains(triangle));
        for (_, corners) in whole {
            if corners.iter().any(|&corner| hangs[corner as usize]) {
                corners.iter().for_each(|&corner| hangs[corner as usize] = true);
            }
        }
    }
    (0..hangs.len()).filter(|&particle| !hangs[particle]).collect()
}

/// Which distances are broken.
pub fn broken(state: &State) -> Vec<usize> {
    (0..state.multipliers[0].len()).filter(|&constraint| state.multipliers[0][constraint].broken).collect()
}
