//! Random scenes of everything that there is, run on the CPU engine: good, refused with words or failed with a flag, never a panic, never a
//! hang, never motion from nowhere, and as the reference has it.
//!
//! `PLIANT_SCENES=20000` tries as many, `PLIANT_SEED=7` begins with that seed; each failure prints its own, and one alone its scene. Without, the scenes are always the same, so that who
//! changes something else is not told of what was known (docs/design/random_scenes.md).

mod bodies;
mod constraints;
mod run;
mod scene;
mod surroundings;
mod text;

use std::panic::{AssertUnwindSafe, catch_unwind};

use run::Exit;

use crate::{number, watched};

/// Scenes unless the environment says otherwise.
const SCENES: u64 = 300;
/// The seed of the first.
const FIRST: u64 = 20_000;

/// Runs the scene of a seed, whatever happens.
fn tried(seed: u64) -> Result<Exit, String> {
    let attempt = catch_unwind(AssertUnwindSafe(|| run::run(&scene::scene(seed))));
    attempt.unwrap_or_else(|_| Err("a panic".into()))
}

#[test]
fn random_scenes_end_well() {
    let first = number("PLIANT_SEED").unwrap_or(FIRST);
    let count = number("PLIANT_SCENES").unwrap_or(SCENES);
    eprintln!("PLIANT_SEED={first} PLIANT_SCENES={count}");
    let (mut failures, mut exits) = (Vec::new(), Vec::new());
    let named = |seed| format!("PLIANT_SEED={seed} PLIANT_SCENES=1");
    watched(first..first + count, named, |seed| match tried(seed) {
        Ok(exit) => exits.push(exit),
        Err(what) => failures.push(format!("{}: {what}", named(seed))),
    });
    let share = |exit| exits.iter().filter(|&&found| found == exit).count() as f64 / count as f64;
    eprintln!("refused: {:.3}, failed: {:.3}", share(Exit::Refused), share(Exit::Failed));
    if count == 1 && !failures.is_empty() {
        eprintln!("{}", scene::scene(first).text);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(count < 100 || share(Exit::Refused) < 0.5, "most scenes should be accepted");
}
