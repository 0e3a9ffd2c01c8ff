//! Springs under levels that break: by what they bear, although levels bear nearly all of it, and without being held together from above.

use pliant::model::{Model, State};
use pliant::plan::Plan;

use crate::breaking::*;
use crate::device::Running;
use crate::models::GRAVITY;
use crate::proof;

/// The sheet and the rope, with what statics say.
fn hung() -> [(&'static str, Model, Vec<f64>); 2] {
    let (sheet, rope) = (hung_sheet(), hung_rope());
    let (of_sheet, of_rope) = (of_sheet(&sheet), of_rope(&rope));
    [("a sheet", sheet, of_sheet), ("a rope", rope, of_rope)]
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
    let velocity = |state: &State| {
        let mass = |particle: usize| model.particles.inverse_masses[particle].recip();
        let momentum: f64 = below.iter().map(|&particle| mass(particle) * state.velocities[particle][1]).sum();
        momentum / below.iter().map(|&particle| mass(particle)).sum::<f64>()
    };
    let fallen = (velocity(&before) - velocity(&after)) / (20.0 / 60.0);
    proof::relative("what is cut off a sheet with levels falls", "g", fallen, GRAVITY, 1e-4);
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
