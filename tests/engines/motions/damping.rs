//! Damping that keeps rigid motion: the kernels against their twin, what they must keep and take against theory, shapes without

use pliant::measure::Measurement;
use pliant::model::{Model, State};
use pliant::scene::Scene;

use crate::damping::deformation_energy;
use crate::device::Running;

/// Of the gallery's two cushions, once they are let go, both spin on and keep their angular momentum to 1 %: first-order XPBD
/// takes 1 - exp(-ω² h t) or 0.25 % of the spin, and the wobble more. The damped one's wobble dies away, the other one's goes on.
#[test]
fn a_damped_cushion_spins_on_and_comes_to_rest() {
    let model = Scene::open("damping").unwrap().build().unwrap().model;
    let mut running = Running::new(&model);
    // One after the other: the free one, and the damped one.
    let alone = [0, 1].map(|body: u32| {
        let mut alone = model.clone();
        alone.groups.clear();
        let bodies = alone.particles.bodies.clone();
        let others = alone.particles.inverse_masses.iter_mut().zip(bodies);
        others.filter(|(_, of)| *of != body).for_each(|(w, _)| *w = 0.0);
        alone
    });
    // The mean over a quarter of a second, in which the wobble goes from elastic to kinetic energy and back some times.
    let mut look = || {
        let states: Vec<State> = (0..15).map(|_| running.run(1)).collect();
        let wobble = |of: &Model| states.iter().map(|state| deformation_energy(of, state)).sum::<f64>() / 15.0;
        let turning = |of: &Model| Measurement::of(of, &states[14]).angular_momentum[2];
        (alone.each_ref().map(wobble), alone.each_ref().map(turning))
    };
    look();
    let (begun, turning) = look();
    (0..5).for_each(|_| _ = look());
    let (wobble, turned) = look();
    for body in [0, 1] {
        let kept = turned[body] / turning[body];
        assert!((kept - 1.0).abs() < 0.01, "cushion {body} keeps {kept} of its angular momentum");
    }
    let left = [0, 1].map(|body| wobble[body] / begun[body]);
    // Energy that is kinetic half of the time dies as e^(-k t), or 1.1 % over 1.5 s; modes slower than the rate take longer.
    assert!(left[0] > 0.1 && left[1] < 0.05 * left[0], "{left:?} of the wobbles is left");
}
