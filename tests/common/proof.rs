//! What a test has proved: one line that is an assertion and a row of `docs/validation.md`, which `make proofs` collects.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::panic::Location;

use pliant::model::State;

/// Fails unless what was measured, an error in some unit, is at most the bound; prints both beside the claim and the theory that
/// it was held against.
#[track_caller]
pub fn row(claim: &str, theory: &str, measured: f64, bound: f64, unit: &str) {
    let file = Location::caller().file();
    // One body of a test is in the tests of every engine.
    let engines = [("cpu", "CPU engine"), ("gpu", "a device"), ("oracle", "reference")];
    let shared = engines.iter().find_map(|(folder, engine)| {
        let shared = file.strip_prefix("tests/")?.strip_prefix(folder)?.strip_prefix("/../")?;
        Some(format!("`tests/{shared}`, {engine}"))
    });
    let test = shared.unwrap_or_else(|| format!("`{file}`"));
    let [error, most] = [measured, bound].map(|value| format!("{} {unit}", short(value)).trim_end().to_string());
    let cells = [claim, theory, &error, &most].map(|cell| cell.replace('|', "\\|")).join(" | ");
    println!("\nPROOF | {test} | {cells} |");
    assert!(
        (0.0..=bound).contains(&measured),
        "{claim}: off by {measured} {unit} of {theory}, more than {bound} {unit}"
    );
}

/// [`row`] by the error of a number relative to what theory says it is, in per cent.
#[track_caller]
pub fn relative(claim: &str, theory: &str, actual: f64, expected: f64, bound: f64) {
    row(claim, theory, 100.0 * (actual / expected - 1.0).abs(), 100.0 * bound, "%");
}

/// The largest of several errors; not a number if one is not.
pub fn largest(errors: impl IntoIterator<Item = f64>) -> f64 {
    errors.into_iter().fold(0.0, |largest: f64, error| if error.is_nan() { error } else { largest.max(error.abs()) })
}

/// The largest distance of a particle between two states, m; not a number if one is not.
pub fn apart(a: &State, b: &State) -> f64 {
    let ways = a.positions.iter().zip(&b.positions);
    largest(ways.map(|(a, b)| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()))
}

/// Two or three digits that a reader takes in at a glance.
fn short(value: f64) -> String {
    match value.abs() {
        size if size == 0.0 || (1e-3..1e3).contains(&size) => {
            let digits = (1 - size.max(1e-3).log10().floor() as i32).max(0) as usize;
            let text = format!("{value:.digits$}");
            if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
        }
        _ => format!("{value:.1e}"),
    }
}
