//! Springs under levels that break: by what they bear, although levels bear nearly all of it, and without being held together from above.

use pliant::constraint::Vec3;
use pliant::model::{Material, Model, State};
use pliant::plan::Plan;

use crate::breaking::*;
use crate::device::Running;
use crate::models::{self, GRAVITY};
use crate::proof;
use crate::sheets::{Held, laid_flat, sag, sheet};

/// The sheet and the rope, with what statics say.
fn hung() -> [(&'static str, Model, Vec<f64>); 2] {
    let (sheet, rope) = (hung_sheet(), hung_rope());
    let (of_sheet, of_rope) = (of_sheet(&sheet), of_rope(&rope));
    [("a sheet", sheet, of_sheet), ("a rope", rope, of_rope)]
}

/// What the springs of a sheet of some 20,000 bear is what its twin in double precision finds, while it swings, a few of them broken.
#[test]
fn what_is_borne_is_as_in_double_precision() {
    let mut model = breaking_at(&laid_flat(sheet(64, false, Held::TopRow, 5, 1.0)), 1e6);
    for constraint in [500, 7_000, 7_001] {
        let material = model.materials[model.groups[0].materials[constraint] as usize];
        model.groups[0].materials[constraint] =
            model.materials.insert(Material { break_force: Some(1e-9), ..material });
    }
    let [found, exact] = [Running::new(&model).run(3), models::run(&model, 3)];
    assert_eq!(broken(&found), [500, 7_000, 7_001]);
    let means = |state: &State| state.multipliers[0].iter().map(|multiplier| multiplier.mean).collect::<Vec<f64>>();
    let [found, exact] = [means(&found), means(&exact)];
    let most = exact.iter().fold(0.0, |most: f64, mean| most.max(mean.abs()));
    let apart = found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / most;
    let claim = "what springs of a swinging sheet of 64 × 64 with levels bear, of the most";
    proof::row(claim, "in double precision", apart, 1e-4, "");
}

/// With 10 % more than the largest tension of statics nothing breaks in two seconds.
#[test]
fn what_can_bear_its_load_stays_whole() {
    for (name, model, forces) in hung() {
        let model = breaking_at(&model, 1.1 * largest(&forces).1);
        assert_eq!(Plan::new(&model).sheets.len(), 1);
        assert_eq!(broken(&Running::new(&model).run(120)), [0; 0], "{name}");
    }
}

/// With 10 % less the spring that bears most breaks within ten frames, and with it none that bears less than the limit, to the accuracy of what is
/// known after so few frames.
#[test]
fn what_bears_most_breaks_first() {
    for (name, model, forces) in hung() {
        let (first, most) = largest(&forces);
        let mut running = Running::new(&breaking_at(&model, 0.9 * most));
        let mut frames = 1;
        let mut found = broken(&running.run(1));
        while found.is_empty() && frames < 10 {
            (found, frames) = (broken(&running.run(1)), frames + 1);
        }
        assert!(found.contains(&first), "{name}: {found:?} broke, and {first} bears most");
        let least = found.iter().map(|&constraint| forces[constraint]).fold(f64::INFINITY, f64::min);
        assert!(least > 0.85 * most, "{name}: {least} N broke, and {most} N are the most");
        proof::row(
            &format!("frames until {name} with levels breaks at 0.9 of its largest tension"),
            "few",
            f64::from(frames),
            10.0,
            "",
        );
    }
}

/// The velocity of the centre of mass of some particles along an axis, m/s.
fn mean_velocity(state: &State, particles: &[usize], inverse_masses: &[f64], axis: usize) -> f64 {
    let mass = |particle: usize| inverse_masses[particle].recip();
    let momentum: f64 = particles.iter().map(|&particle| mass(particle) * state.velocities[particle][axis]).sum();
    momentum / particles.iter().map(|&particle| mass(particle)).sum::<f64>()
}

/// A sheet whose middle breaks is not held together from above: its lower half falls freely.
#[test]
fn what_is_cut_off_falls() {
    let (model, below) = cut(&hung_sheet());
    let crossing = (0..model.groups[0].len())
        .filter(|&constraint| model.materials[model.groups[0].materials[constraint] as usize].break_force.is_some())
        .count();
    let mut running = Running::new(&model);
    let mut state = running.run(1);
    let mut frames = 1;
    while broken(&state).len() < crossing && frames < 60 {
        (state, frames) = (running.run(1), frames + 1);
    }
    assert_eq!(broken(&state).len(), crossing, "all that crosses the middle breaks within a second");
    // Levels heed it from the next frame on.
    let before = running.run(1);
    let after = running.run(20);
    let velocity = |state: &State| mean_velocity(state, &below, &model.particles.inverse_masses, 1);
    let fallen = (velocity(&before) - velocity(&after)) / (20.0 / 60.0);
    proof::relative("what is cut off a sheet with levels falls", "g", fallen, GRAVITY, 1e-4);
}

/// One broken spring, in the middle, next to a corner by which it hangs, or between these, is no cut: a sheet of a grid still hangs as stiff springs do.
#[test]
fn a_broken_spring_undoes_no_levels() {
    let whole = sheet(24, false, Held::Corners, 5, 1.0);
    let mut sags = Vec::new();
    for ends in [[12 * 24 + 12, 12 * 24 + 13], [2 * 24 + 2, 3 * 24 + 2], [6 * 24 + 6, 7 * 24 + 6]] {
        let mut model = whole.clone();
        let joins = |&constraint: &usize| model.groups[0].particles_of(constraint) == ends;
        let constraint = (0..model.groups[0].len()).find(joins).expect("a spring of the grid");
        let material = model.materials[model.groups[0].materials[constraint] as usize];
        model.groups[0].materials[constraint] =
            model.materials.insert(Material { break_force: Some(1e-6), ..material });
        let mut running = Running::new(&model);
        assert_eq!(broken(&running.run(30)), [constraint]);
        sags.push(100.0 * (0..3).map(|_| sag(&running.run(10))).fold(0.0, f64::max));
    }
    proof::row("a sheet with levels and one spring broken, at 5 substeps: sag", "none", proof::largest(sags), 0.1, "%");
}

/// A state in which springs are broken goes on with the bits of an unbroken run.
#[test]
fn what_is_broken_goes_on_bit_for_bit() {
    let model = hung_sheet();
    let model = breaking_at(&model, 0.5 * largest(&of_sheet(&model)).1);
    let mut running = Running::new(&model);
    assert!(!broken(&running.run(12)).is_empty());
    let taken = running.snapshot();
    let end = running.run(8);
    running.restore(&taken);
    assert!(running.run(8) == end);
    let mut other = Running::new(&model);
    other.restore(&taken);
    assert!(other.run(8) == end);
}

/// Cloth that tears hangs under levels as stiff cloth does, and with 10 % more than the largest tension of statics nothing of it tears in two seconds.
#[test]
fn cloth_that_can_tear_hangs_whole() {
    let most = largest(&of_sheet(&tearing_sheet(1e6))).1;
    let state = Running::new(&tearing_sheet(1.1 * most)).run(120);
    assert!(state.torn.is_none() && broken(&state).is_empty());
    // In the frames before it has its tensions it sags as what nothing but ten sweeps holds: 2 %.
    proof::row("a sheet with levels that can tear, at 10 substeps: sag", "none", 100.0 * sag(&state), 0.1, "%");
}

/// With 10 % less an edge breaks within ten frames, that which bears most; and as what is left at the corners cannot hold the sheet there, it swings
/// down and tears off its hooks. (Levels that went on over a corner of which one edge is left would hold it where it is, by nothing.)
#[test]
fn cloth_tears_where_it_bears_most() {
    let (first, most) = largest(&of_sheet(&tearing_sheet(1e6)));
    let model = tearing_sheet(0.9 * most);
    let mut running = Running::new(&model);
    let mut state = running.run(1);
    while broken(&state).is_empty() && state.frame < 10 {
        state = running.run(1);
    }
    assert!(broken(&state).contains(&first), "{:?} broke, and {first} bears most", broken(&state));
    let torn = running.run(40).torn.expect("what bears too much goes on to tear");
    let fallen = cut_off(&torn);
    assert!(fallen.len() > 500, "{} particles came off its hooks", fallen.len());
}

/// A sheet that is torn across, each vertex of a row split in two, is not held together from above: all of its lower part, whose masses are others,
/// falls freely.
#[test]
fn what_is_torn_off_falls() {
    let model = torn_across();
    let mut running = Running::new(&model);
    let mut state = running.run(1);
    while state.torn.as_ref().is_none_or(|torn| cut_off(torn).is_empty()) && state.frame < 30 {
        state = running.run(1);
    }
    let torn = state.torn.expect("its middle row tears");
    let below = cut_off(&torn);
    // Twelve rows, and the lower halves of that along which it tore.
    assert_eq!((below.len(), torn.inverse_masses.len()), (12 * 24, 25 * 24));
    // Levels heed it from the next frame on.
    let before = running.run(1);
    let after = running.run(20);
    let velocity = |state: &State, k: usize| mean_velocity(state, &below, &torn.inverse_masses, k);
    let gained = |k: usize| (velocity(&before, k) - velocity(&after, k)) / (20.0 / 60.0);
    proof::relative("what is torn off a sheet with levels falls", "g", gained(1), GRAVITY, 1e-4);
    let aside = gained(0).hypot(gained(2)) / GRAVITY;
    proof::row("what is torn off a sheet with levels drifts aside, of g", "none", aside, 1e-4, "");
}

/// A torn state goes on with the bits of a run that was not interrupted, before the tear is through and after.
#[test]
fn what_is_torn_goes_on_bit_for_bit() {
    let model = torn_across();
    for frames in [3, 12] {
        let mut running = Running::new(&model);
        assert!(running.run(frames).torn.is_some());
        let taken = running.snapshot();
        let end = running.run(8);
        running.restore(&taken);
        assert!(running.run(8) == end);
        let mut other = Running::new(&model);
        other.restore(&taken);
        assert!(other.run(8) == end);
    }
}

/// What holds a swinging sheet bears what its motion asks for, dP/dt - m g over each frame. Forces are told along the constraints as they lie at the
/// frame's end, when the sheet, a pendulum of ω² = 3g/L at most, has turned by ω/120 s = 4.5 % since the mean; as much again is left to what ten
/// iterations leave of loads that change. (Single springs bear less than without levels, where stiff ones are also stressed against each other.)
#[test]
fn what_holds_a_swing_bears_its_motion() {
    let model = breaking_at(&laid_flat(sheet(24, true, Held::TopRow, 10, 1.0)), 1e3);
    let mass = |particle: usize| model.particles.inverse_masses[particle];
    let free = || (0..model.particles.len()).filter(|&particle| mass(particle) > 0.0);
    let weight = GRAVITY * free().map(|particle| mass(particle).recip()).sum::<f64>();
    let momentum =
        |state: &State| free().fold([0.0; 3], |sum, i| [0, 1, 2].map(|k| sum[k] + state.velocities[i][k] / mass(i)));
    let mut running = Running::new(&model);
    let mut before = momentum(&running.run(4));
    let (mut worst, mut most) = (0.0_f64, 0.0_f64);
    for _ in 4..24 {
        let state = running.run(1);
        let after = momentum(&state);
        let asked = [0, 1, 2].map(|k| 60.0 * (after[k] - before[k]) + if k == 1 { weight } else { 0.0 });
        let borne = reaction(&model, &state);
        let size = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        worst = worst.max(size([0, 1, 2].map(|k| asked[k] - borne[k])));
        most = most.max(size(asked));
        before = after;
    }
    proof::row(
        "what holds a swinging sheet with levels that can break, of the most",
        "its motion",
        worst / most,
        0.09,
        "",
    );
}

/// What the constraints exert on fixed particles, N, the other way: on what is free.
fn reaction(model: &Model, state: &State) -> [f64; 3] {
    let (group, h) = (&model.groups[0], model.settings.implicit_seconds());
    let is_fixed = |particle: u32| model.particles.inverse_masses[particle as usize] == 0.0;
    let mut sum = [0.0; 3];
    for constraint in 0..group.len() {
        let ends = group.particles_of(constraint);
        let [fixed, free] = if is_fixed(ends[0]) { [ends[0], ends[1]] } else { [ends[1], ends[0]] };
        if is_fixed(fixed) && !is_fixed(free) {
            let [a, b] = [fixed, free].map(|particle| Vec3::from(state.positions[particle as usize]));
            // λ is negative where it pulls.
            let pull = -state.multipliers[0][constraint].mean / (h * h);
            let along: [f64; 3] = (a - b).direction_and_length().0.into();
            (0..3).for_each(|k| sum[k] += pull * along[k]);
        }
    }
    sum
}
