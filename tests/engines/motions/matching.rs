//! Shape matching against its twin and against theory: rigid bodies, modes, statics, momentum.

use pliant::constraint::Vec3;
use pliant::measure::Measurement;
use pliant::model::Method;
use pliant::scene::{Body, Cuboid, Matching};

use crate::device::run;
use crate::matching::{Run, built, even};
use crate::models::{self, GRAVITY};
use crate::proof;

/// Stretch, bending and finer dents of a free shape each swing by their own compliance, and where dents have none they
/// are gone at once while it goes on to stretch.
#[test]
fn modes_swing_each_by_its_own_compliance() {
    let mesh = Cuboid { cells: [6, 4, 2], size: [0.6, 0.4, 0.2] };
    let [dents, bends, stretches] = [2e-4, 5e-4, 2e-3];
    let soft = |dents| {
        let matching = Matching::new(mesh).compliance(dents).quadratic(bends).linear(stretches);
        even(Body::shape(matching).mass(2.0))
    };
    let model = soft(dents);
    assert_eq!(model.groups.len(), 3);
    let count = model.particles.len() as f64;
    let mean = |of: fn(f64) -> f64| model.particles.positions.iter().map(|x| of(x[0])).sum::<f64>() / count;
    // Neither bends nor dents have a share of those before.
    let (square, quart) = (mean(|x| x * x), mean(|x| x.powi(4)));
    let stretch = |[x, y, _]: [f64; 3]| Vec3::new(x, -0.5 * y, 0.0);
    let bend = |[x, _, _]: [f64; 3]| Vec3::new(0.0, 4.0 * (x * x - square), 0.0);
    let dent = |[x, _, _]: [f64; 3]| Vec3::new(0.0, 0.0, 20.0 * x * (x * x - quart / square));
    // Implicit Euler's numbers of a swing from 0.05 on.
    let swung = |compliance: f64| {
        let by = 1.0 / (compliance * 2.0 * 1200.0 * 1200.0);
        let (mut before, mut now) = (0.05, 0.05);
        (0..1200).for_each(|_| (before, now) = (now, (2.0 * now - before) / (1.0 + by)));
        now
    };
    // What it is let go from, the compliance of dents, that of the swing, and a dent besides.
    type Case<'a> = (&'a str, &'a dyn Fn([f64; 3]) -> Vec3<f64>, f64, f64, f64);
    let cases: [Case; 4] = [
        ("stretched", &stretch, dents, stretches, 0.0),
        ("bent", &bend, dents, bends, 0.0),
        ("dented", &dent, dents, dents, 0.0),
        ("stretched and dented, without compliance of dents,", &stretch, 0.0, stretches, 0.05),
    ];
    for (name, shape, dents, compliance, dented) in cases {
        let mut model = soft(dents);
        model.settings.substeps = 20;
        let rest = model.particles.positions.clone();
        let deformed = |x: [f64; 3], by: f64, dented: f64| Vec3::from(x) + shape(x) * by + dent(x) * dented;
        model.particles.positions = rest.iter().map(|&x| deformed(x, 0.05, dented).into()).collect();
        let now = swung(compliance);
        assert!(now.abs() > 2e-3, "nothing is left of it: {now}");
        for (who, run) in [("engine", run as Run), ("reference", models::run)] {
            let state = run(&model, 60);
            let off = |(&x, &y): (&[f64; 3], &[f64; 3])| (deformed(x, now, 0.0) - Vec3::from(y)).length();
            let error = proof::largest(rest.iter().zip(&state.positions).map(off));
            proof::row(
                &format!("{who}: a free shape, {name} and let go"),
                "implicit Euler of ω² = 1/(α Σ m)",
                error,
                5e-6,
                "m",
            );
        }
    }
}

/// By Jacobi's method, too, regions that give come to rest.
#[test]
fn regions_come_to_rest_by_jacobi() {
    let mesh = Cuboid { cells: [12, 3, 3], size: [1.2, 0.3, 0.3] };
    let body = Body::shape(Matching::new(mesh).compliance(1e-5).regions(0.3)).mass(2.0).damping(20.0);
    let mut model = built(body);
    model.world.gravity = [0.0, -GRAVITY, 0.0];
    (model.settings.substeps, model.settings.method) = (20, Method::Jacobi);
    for (x, w) in model.particles.positions.iter().zip(&mut model.particles.inverse_masses) {
        *w = if x[0].abs() > 0.599 { 0.0 } else { *w };
    }
    let speed = Measurement::of(&model, &run(&model, 90)).max_speed;
    // Single precision rounds places of 0.3 m, as far as a region reaches, at 3e-8 m in a substep of 1/1,200 s.
    proof::row(
        "a bar of regions of 1e-5 m/N, held at both ends, by Jacobi, after 1.5 s",
        "at rest",
        speed,
        4e-5,
        "m/s",
    );
}
