//! Emitters and drains on every engine: the twin, jets, what is left, and the same bits again.

use pliant::measure::Measurement;
use pliant::model::{Model, State};

use crate::device::Running;
use crate::fluid::scene;
use crate::proof;

/// A jet into a tank of water, from the side, with a drain in the far corner below, and drops that fall into it.
fn tank(settings: &str) -> Model {
    scene(&format!(
        "solver = {{ {settings} }}\n[[body]]\nname = 'water'\nkind = 'fluid'\nspacing = 0.05\nviscosity = 0.5\n\
         fill = {{ box = {{ min = [0, 0, 0], max = [0.6, 0.2, 0.2] }} }}\n\
         [[body]]\nname = 'drops'\nkind = 'fluid'\nspacing = 0.05\ndensity = 800\n\
         [[emitter]]\nbody = 'water'\nposition = [0.0, 0.4, 0.1]\ndirection = [1, -1, 0]\nradius = 0.06\nspeed = 2.0\n\
         particles = 24\n\
         [[emitter]]\nbody = 'drops'\nposition = [0.4, 0.5, 0.1]\ndirection = [0, -1, 0]\nradius = 0.01\nspeed = 1.0\n\
         until = 0.1\nkeyframes = [{{ time = 0, value = [0, 0, 0] }}, {{ time = 0.1, value = [-0.1, 0, 0.03] }}]\n\
         [[drain]]\nbox = {{ min = [0.5, -0.1, -0.1], max = [0.7, 0.05, 0.3] }}\n\
         [[collider]]\nshape = {{ box = {{ size = [0.6, 1.0, 0.2] }} }}\ninside = true\nposition = [0.3, 0.5, 0.1]\n"
    ))
}

/// What is poured and drained comes and goes as in double precision.
#[test]
fn flows_follow_their_twin() {
    let model = tank("substeps = 8, iterations = 2");
    let (mine, theirs) = (Running::new(&model).run(8), crate::models::run(&model, 8));
    assert_eq!(mine.absent, theirs.absent);
    let poured = model.emitters[0].particles.clone().filter(|particle| !mine.absent.contains(particle)).count();
    let drained = mine.absent.iter().filter(|&&particle| particle < model.emitters[0].particles.start).count();
    assert!(poured > 12 && drained > 6, "{poured} poured and {drained} drained");
    proof::row(
        "a tank with a jet and a drain against double precision",
        "the same",
        proof::apart(&mine, &theirs),
        1e-4,
        "m",
    );
    let volume = |state: &State| Measurement::of(&model, state).fillings.iter().map(|one| one.volume).sum::<f64>();
    proof::row("its volume", "the same", (volume(&mine) / volume(&theirs) - 1.0).abs(), 1e-4, "");
}

/// What a nozzle pours as it moves goes on beside it.
#[test]
fn a_jet_goes_with_its_nozzle() {
    let model = scene(
        "solver.substeps = 10\n[[body]]\nname = 'water'\nkind = 'fluid'\nspacing = 0.05\n\
         [[emitter]]\nbody = 'water'\nposition = [0, 2, 0.3]\ndirection = [0, -1, 0]\nradius = 0.01\nspeed = 2.0\n\
         until = 0.4\nkeyframes = [{ time = 0, value = [0, 0, 0] }, { time = 1, value = [1.5, 0, 0] }]\n",
    );
    let state = Running::new(&model).run(30);
    let beside = state.positions.iter().map(|[x, _, z]| (x - 1.5 * state.seconds).hypot(z - 0.3));
    proof::row("a jet beside the nozzle that poured it", "0", proof::largest(beside), 1e-5, "m");
    let mut heights: Vec<f64> = state.positions.iter().map(|x| x[1]).collect();
    heights.sort_by(f64::total_cmp);
    assert!(heights.windows(2).all(|pair| pair[1] - pair[0] > 0.049), "{heights:?}");
}

/// A jet of one particle after another falls along a parabola, and has as many as its flow.
#[test]
fn a_jet_is_a_parabola() {
    let (speed, substeps) = (3.0, 10);
    let model = scene(&format!(
        "solver.substeps = {substeps}\n[[body]]\nname = 'water'\nkind = 'fluid'\nspacing = 0.05\ndensity = 900\n\
         [[emitter]]\nbody = 'water'\nposition = [0.1, 2.0, 0.3]\ndirection = [1, 0, 0]\nradius = 0.01\nspeed = {speed}\n\
         until = 0.5\n"
    ));
    let state = Running::new(&model).run(45);
    let emitter = &model.emitters[0];
    assert_eq!((emitter.particles.len(), emitter.layers(), state.absent.len()), (30, 30, 0));
    let h = model.settings.substep_seconds();
    let apart = emitter.particles.clone().flat_map(|particle| {
        let age = state.seconds - f64::from(particle) * emitter.interval();
        let [x, y, z] = state.positions[particle as usize];
        // The step of the solver falls by g h t / 2 more than free fall, or less where a substep is cut.
        [x - 0.1 - speed * age, 0.5 * (y - 2.0 + 0.5 * 9.81 * age * age) / (9.81 * h * age), z - 0.3]
    });
    let apart: Vec<f64> = apart.collect();
    let along = apart.chunks_exact(3).map(|apart| apart[0].abs().max(apart[2].abs()));
    proof::row("a jet's way along and across", "v t and 0", proof::largest(along), 2e-5, "m");
    let fall = apart.chunks_exact(3).map(|apart| apart[1].abs());
    proof::row("its fall, over g h t, besides ½ g t²", "within one", proof::largest(fall), 1.0, "");
    let momentum = Measurement::of(&model, &state).momentum[0];
    proof::row(
        "its momentum, of m v",
        "1",
        (momentum / (30.0 * 900.0 * 0.05_f64.powi(3) * speed) - 1.0).abs(),
        1e-5,
        "",
    );
}

/// An emitter that pours for ever takes back what it poured first, drains leave nothing that lies in them for longer
/// than a substep, and a restored run goes on with the same bits.
#[test]
fn flows_keep_their_balance() {
    let model = tank("substeps = 10");
    let mut running = Running::new(&model);
    running.run(60);
    let middle = running.snapshot();
    let end = running.run(60);
    let present = |particle: &u32| end.absent.binary_search(particle).is_err();
    let h = model.settings.substep_seconds();
    let all = model.fluids.iter().flat_map(|fluid| fluid.particles.clone()).filter(present);
    for particle in all.clone() {
        let (place, velocity) = (end.positions[particle as usize], end.velocities[particle as usize]);
        let before = std::array::from_fn(|k| place[k] - h * velocity[k]);
        let deep = model.drains.iter().any(|drain| drain.holds(place) && drain.holds(before));
        assert!(!deep, "particle {particle} at {place:?} is in the drain");
        assert!(place.iter().all(|x| x.abs() < 1.1), "particle {particle} is at {place:?}");
    }
    let filling: f64 = Measurement::of(&model, &end).fillings.iter().map(|one| one.volume).sum();
    proof::row(
        "the volume over that of its particles",
        "1",
        (filling / (all.count() as f64 * 0.05_f64.powi(3)) - 1.0).abs(),
        0.02,
        "",
    );
    let again = {
        running.restore(&middle);
        running.run(60)
    };
    assert_eq!((&again.positions, &again.velocities, &again.absent), (&end.positions, &end.velocities, &end.absent));
    let fresh = Running::new(&model).run(120);
    assert_eq!((&fresh.positions, &fresh.absent), (&end.positions, &end.absent));
}
