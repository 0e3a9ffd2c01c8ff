//! Sheets and ropes under levels whose springs break, and what statics say that they bear.

use pliant::measure::constraint_force;
use pliant::model::{Material, Model, Settings, State};
use pliant::reference::{Euler, Scheme};
use pliant::scene::{Body, Pin, Scene, Select, Strand, StrandKind};

use crate::models::GRAVITY;
use crate::sheets::{Held, sheet};

/// 24 × 24 particles by two corners: triangles of all shapes, so that no two springs bear the same.
pub fn hung_sheet() -> Model {
    sheet(24, true, Held::Corners, 10, 1.0)
}

/// 200 particles that hang by the first.
pub fn hung_rope() -> Model {
    let points = (0..200).map(|i| [0.0, -0.01 * f64::from(i), 0.0]).collect::<Vec<_>>();
    let rope = Body::strand(Strand::new(StrandKind::Rope, points).stretch(1e-8)).mass(1.0);
    let settings = Settings { substeps: 10, nested: true, mean_forces: false, ..Settings::default() };
    let scene = Scene::new("rope").settings(settings).with(rope.pin(Pin::new(Select::Indices(vec![0]))));
    scene.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// The force of each distance as it hangs at rest, N: of the sheet a few long steps of implicit Euler, which leave nothing of its motion.
pub fn of_sheet(model: &Model) -> Vec<f64> {
    let mut slow = model.clone();
    (slow.settings.frame_rate, slow.settings.substeps) = (10.0, 1);
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

/// Which distances are broken.
pub fn broken(state: &State) -> Vec<usize> {
    (0..state.multipliers[0].len()).filter(|&constraint| state.multipliers[0][constraint].broken).collect()
}
