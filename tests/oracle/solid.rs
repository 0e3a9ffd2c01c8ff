//! Finite elements in double precision: beams against Timoshenko, and against them the constraint `neo_hookean`, as springs and by XPBD.

use pliant::constraint::Vec3;
use pliant::mesh::TetrahedronMesh;
use pliant::mesh::generate::Cuboid;
use pliant::model::Model;
use pliant::reference::{Elastic, Euler, FiniteElements, Law, Scheme};
use pliant::scene::{Body, Scene, Select, Soft};

use crate::beam::Beam;
use crate::{apart, models, proof};

const LAWS: [Law; 2] = [Law::StVenantKirchhoff, Law::NeoHookean];
/// kg/m³
const DENSITY: f64 = 1000.0;
const BLOCK: Cuboid = Cuboid { cells: [4, 2, 2], size: [0.4, 0.2, 0.2] };

/// Deflection of the tip of a beam of so many cells across by linear elasticity over that of Timoshenko's, under its own weight, or
/// where the same force pulls at its tip, spread over the end face.
fn share_of_timoshenko(across: u32, poisson_ratio: f64, at_tip: bool) -> f64 {
    let beam = Beam { across, young_modulus: 1e7, poisson_ratio, gravity: 0.01 };
    let mut elements = beam.elements(Law::NeoHookean);
    let weight = beam.weight();
    if at_tip {
        elements.gravity = [0.0; 3];
        let weights = beam.tip_weights();
        let total: f64 = weights.iter().sum();
        elements.forces.iter_mut().zip(&weights).for_each(|(force, share)| force[1] = -weight * share / total);
    }
    let moved = elements.linear_displacements().unwrap_or_else(|error| panic!("{error}"));
    -beam.mean_at_tip(moved.iter().map(|u| u[1])) / if at_tip { beam.timoshenko_tip(weight) } else { beam.timoshenko() }
}

/// A clamped beam, ten times as long as high, under its own weight and with a force at its tip, by linear elasticity on cells of five
/// tetrahedra: within 5 % of Timoshenko's with 8 cells across, nearer with every refinement.
///
/// Linear tetrahedra take bending for shear and are too stiff, by a share of the stiffness that falls with the square of the cells' size:
/// 56 %, 14.0 % and 3.5 % with 2, 4 and 8 cells across where ν = 0. With ν = 0.3 it is 50 %, 13.3 % and 4.1 %, with 16 cells 1.7 %,
/// and tends to 1 % in place of 0: the clamp hinders contraction to the sides, of which Timoshenko's beam knows nothing.
#[test]
fn clamped_beams_bend_as_timoshenko_says() {
    for (poisson_ratio, at_tip, load) in [
        (0.0, false, "its own weight"),
        (0.0, true, "a force at its tip"),
        (0.3, false, "its own weight"),
        (0.3, true, "a force at its tip"),
    ] {
        let stiffer = [2, 4, 8].map(|across| 1.0 / share_of_timoshenko(across, poisson_ratio, at_tip) - 1.0);
        let claim = |what: &str| format!("{what} of a clamped beam 10:1:1, ν = {poisson_ratio}, under {load}");
        let error = 100.0 * (1.0 - 1.0 / (1.0 + stiffer[2]));
        proof::row(&claim("deflection, 8 cells across,"), "Timoshenko's", error, 5.0, "%");
        assert!(stiffer[0] > 2.0 * stiffer[1] && stiffer[1] > 2.0 * stiffer[2] && stiffer[2] > 0.0, "{stiffer:?}");
        if poisson_ratio == 0.0 {
            let orders = stiffer.windows(2).map(|pair| (pair[0] / pair[1]).log2() - 2.0);
            // Next comes h⁴: from 1 to 2 cells across the share falls 3.7-fold, 7 % short of four, so it is 1.7 % short here: 0.025.
            proof::row(&claim("convergence with the cells' size"), "order 2", proof::largest(orders), 0.05, "");
        }
    }
}

/// Under a small load Newton's method finds what linear elasticity says, by either law, but for the square of the beam's slope: of a
/// deflection by 1 %, 1e-4 at most, and of a tenth of it a hundredth of that.
#[test]
fn small_loads_bend_linearly() {
    for law in LAWS {
        let error = |gravity| {
            let beam = Beam { across: 2, young_modulus: 1e7, poisson_ratio: 0.3, gravity };
            let mut elements = beam.elements(law);
            let linear = -beam.mean_at_tip(elements.linear_displacements().unwrap().iter().map(|u| u[1]));
            elements.settle().unwrap_or_else(|error| panic!("{error}"));
            // Clapeyron: what is elastic is half of the weight's work.
            let rest = beam.solid().positions;
            let fall = |i: usize| (rest[i][1] - elements.positions[i][1]) * gravity / elements.inverse_masses[i];
            let work: f64 = (0..rest.len()).filter(|&i| elements.inverse_masses[i] > 0.0).map(fall).sum();
            assert!((2.0 * elements.elastic_energy() / work - 1.0).abs() < 1e-3, "{law:?}");
            beam.deflection(&elements.positions) / linear - 1.0
        };
        let [large, small] = [error(1.0), error(0.1)];
        assert!((large / small / 100.0 - 1.0).abs() < 0.01, "{law:?}: {large:.2e}, and {small:.2e} at a tenth of it");
        let claim = format!("deflection of a clamped beam by 1 % of its length by Newton's method, {law:?}");
        proof::row(&claim, "linear elasticity", 100.0 * large.abs(), 0.01, "%");
    }
}

/// A block clamped at one end, stretched, sheared, bent and turning, of so much Young's modulus.
fn moving_block(law: Law, young_modulus: f64) -> FiniteElements {
    let elastic = Elastic { law, young_modulus, poisson_ratio: 0.3 };
    let mut elements = FiniteElements::new(&BLOCK.solid(), elastic, DENSITY);
    elements.fix(|x| x[0] < -0.2 + 1e-6);
    elements.gravity = [0.0, -models::GRAVITY, 0.0];
    for ([x, y, z], v) in elements.positions.iter_mut().zip(&mut elements.velocities) {
        let along = *x + 0.2;
        *v = [0.0, 3.0 * along, -2.0 * along];
        [*x, *y, *z] =
            [*x + 0.2 * along, *y * (1.0 - 0.3 * along) - 0.5 * along * along, *z + 0.1 * along * (1.0 + *y)];
    }
    elements
}

/// The same of constraints, with one substep a frame.
fn constrained(elements: &FiniteElements, young_modulus: f64, frame_rate: f64) -> Model {
    let soft = Soft::new(BLOCK).young_modulus(young_modulus).poisson_ratio(0.3);
    let (min, max) = ([-0.2 - 1e-6, -1.0, -1.0], [-0.2 + 1e-6, 1.0, 1.0]);
    let body = Body::soft(soft).density(DENSITY).pin(Select::Box { min, max });
    let mut model = Scene::new("block").with(body).build().unwrap_or_else(|error| panic!("{error}")).model;
    (model.settings.frame_rate, model.settings.substeps) = (frame_rate, 1);
    model.particles.positions.clone_from(&elements.positions);
    model.particles.velocities.clone_from(&elements.velocities);
    model
}

/// A step of implicit Euler solves its equation for either law, from a block that is bent and from one so tangled that elements are
/// inside out.
#[test]
fn implicit_steps_solve_their_equation() {
    let h = 1.0 / 60.0;
    for law in LAWS {
        let shares = [0.0, 0.1].map(|tangled| {
            let mut elements = moving_block(law, 1e5);
            let free: Vec<usize> =
                (0..elements.positions.len()).filter(|&i| elements.inverse_masses[i] > 0.0).collect();
            for &i in &free {
                let wave = |k: usize| tangled * (7.0 * (i * i) as f64 + (3 * i + 5 * k) as f64).sin();
                elements.positions[i] = std::array::from_fn(|k| elements.positions[i][k] + wave(k));
            }
            let start = elements.positions.clone();
            let now = TetrahedronMesh { positions: start.clone(), ..BLOCK.solid() };
            let inside_out = now.tetrahedra.iter().any(|&corners| now.volume_of(corners) < 0.0);
            assert_eq!(inside_out, tangled > 0.0);
            let speeds = elements.velocities.clone();
            elements.step(h).unwrap_or_else(|error| panic!("{law:?}: {error}"));
            let forces = elements.elastic_forces();
            let [mut left, mut elastic] = [0.0; 2];
            for i in free {
                let [x, from, v, force] = [elements.positions[i], start[i], speeds[i], forces[i]].map(Vec3::from);
                let inertia = (x - from - v * h) * (1.0 / (elements.inverse_masses[i] * h * h));
                let weight = Vec3::from(elements.gravity) * (1.0 / elements.inverse_masses[i]);
                left += (inertia - weight - force).dot(inertia - weight - force);
                elastic += force.dot(force);
                assert!((Vec3::from(elements.velocities[i]) * h - (x - from)).length() < 1e-12);
            }
            (left / elastic).sqrt()
        });
        let claim = format!("steps of implicit Euler over elements, {law:?}, bent and inside out");
        proof::row(&claim, "M(x - x̃)/h² + ∇U = 0", proof::largest(shares), 1e-10, "of the forces");
    }
}

/// Where a beam hangs at rest its elastic forces bear its weight, and a step of implicit Euler does not move it.
#[test]
fn what_has_settled_stays() {
    for law in LAWS {
        let beam = Beam { across: 2, young_modulus: 5e6, poisson_ratio: 0.3, gravity: 20.0 };
        let mut elements = beam.elements(law);
        elements.settle().unwrap_or_else(|error| panic!("{law:?}: {error}"));
        let settled = elements.positions.clone();
        assert!(beam.deflection(&settled) > 0.3, "{law:?}: it is hardly bent");
        elements.step(0.1).unwrap_or_else(|error| panic!("{law:?}: {error}"));
        let moved = apart(&elements.positions, &settled);
        assert!(moved < 1e-9, "{law:?}: it moves by {moved} m");
    }
}

/// What nothing holds has no place of rest: both statics say so and leave it where it was.
#[test]
fn statics_tell_where_nothing_holds() {
    let mut elements = FiniteElements::new(
        &Cuboid { cells: [1; 3], size: [0.1; 3] }.solid(),
        Elastic { law: Law::NeoHookean, young_modulus: 1e5, poisson_ratio: 0.3 },
        DENSITY,
    );
    elements.gravity = [0.0, -models::GRAVITY, 0.0];
    let start = elements.positions.clone();
    assert!(elements.linear_displacements().is_err());
    assert!(elements.settle().is_err());
    assert_eq!(elements.positions, start);
}

/// The constraint `neo_hookean` has the energy of the elements: steps of implicit Euler over springs C²/2α of the one, which know its C
/// and ∇C only, are steps over the other.
#[test]
fn the_constraint_is_the_element() {
    let mut elements = moving_block(Law::NeoHookean, 1e5);
    let mut euler = Euler::new(&constrained(&elements, 1e5, 200.0), Scheme::Implicit).unwrap();
    let errors = (0..20).map(|_| {
        euler.step().unwrap_or_else(|error| panic!("{error}"));
        elements.step(1.0 / 200.0).unwrap_or_else(|error| panic!("{error}"));
        apart(&euler.state().positions, &elements.positions)
    });
    // What lengths below 1 m are rounded by in a few thousand operations.
    let claim = "20 steps of implicit Euler over `neo_hookean` as springs";
    proof::row(claim, "over elements", proof::largest(errors), 1e-12, "m");
}

/// XPBD with many iterations is implicit Euler over elements, but for the turn of its gradients between iterations: of third order of the
/// way of a step in h, and, as a step's change of speed is its share of that over h, of second order in a second, where implicit Euler
/// itself is of first. So over a twentieth of a second it is nearer to the same steps of implicit Euler by far than those are to half
/// steps.
#[test]
fn converged_xpbd_is_implicit_euler_over_elements() {
    const YOUNG_MODULUS: f64 = 1e4;
    let newton = |rate: f64, steps: u32| {
        let mut elements = moving_block(Law::NeoHookean, YOUNG_MODULUS);
        (0..steps).for_each(|_| elements.step(1.0 / rate).unwrap_or_else(|error| panic!("{error}")));
        elements.positions
    };
    let start = moving_block(Law::NeoHookean, YOUNG_MODULUS);
    let xpbd = |rate: f64, steps: u32, iterations: u32| {
        let mut model = constrained(&start, YOUNG_MODULUS, rate);
        model.settings.iterations = iterations;
        models::run(&model, steps).positions
    };
    let step = |rate: f64, iterations: u32| {
        let end = newton(rate, 1);
        apart(&xpbd(rate, 1, iterations), &end) / apart(&end, &start.positions)
    };
    let [coarse, fine] = [1200.0, 2400.0].map(|rate| step(rate, 30));
    proof::row(
        "XPBD, 30 iterations, a step of 1/2400 s of a bent block",
        "implicit Euler over elements",
        100.0 * fine,
        0.01,
        "% of the displacement",
    );
    let order = (coarse / fine).log2();
    proof::row(
        "XPBD, 30 iterations, a step of h of a bent block: difference from implicit Euler over the way",
        "order 3",
        (order - 3.0).abs(),
        0.1,
        "",
    );
    let seconds = 0.05;
    let run = |rate: f64| apart(&xpbd(rate, (seconds * rate) as u32, 30), &newton(rate, (seconds * rate) as u32));
    let [coarse, fine] = [1200.0, 2400.0].map(run);
    let order = (coarse / fine).log2();
    // As above, with a share of the next order in h.
    proof::row(
        "XPBD, 30 iterations, 1/20 s of a bent block in steps of h: difference from implicit Euler",
        "order 2",
        (order - 2.0).abs(),
        0.2,
        "",
    );
    let own = apart(&newton(1200.0, 60), &newton(2400.0, 120));
    assert!(coarse < 0.1 * own, "{coarse:.1e} m of XPBD, {own:.1e} m of implicit Euler's own");
}
