//! The laws in WGSL against those in Rust, in single and in double precision, on random numbers and at the borders of
//! their branches. A law is a function of numbers; [`list::LAWS`] has all of them.
//!
//! The tolerance is what [`ROUNDINGS`] of each number that goes in make of what comes out, in double precision: so it is
//! tight where a law is well-conditioned, and allows either side of a border. The second test holds that it is no laxer.

mod cases;
mod device;
mod list;
mod twins;

use std::collections::BTreeSet;
use std::path::Path;

use pliant::model::FrictionCombine;
use pliant::solver::records::Substep;

use list::{LAWS, Law};

use crate::random::Random;

/// Half a unit in the last place of single precision, relative.
const ROUNDING: f64 = 1.0 / 16_777_216.0;
/// Roundings of each number that goes in, and of each that comes out.
const ROUNDINGS: f64 = 6.0;
/// How often those that go in are rounded at random.
const TRIES: usize = 32;
/// Of each law, for each of the substeps.
const CASES: usize = 2_000;

/// What laws read of a substep: by Euler's substeps and BDF2's, by each rule of friction, with and without gravity.
fn substeps() -> [Substep; 4] {
    let of = |(seconds, share, gravity, rule): (f32, f32, [f32; 3], FrictionCombine)| Substep {
        seconds,
        share,
        gravity,
        friction_combine: rule as u32,
        particles: CASES as u32,
        ..Substep::default()
    };
    let (euler, bdf2) = (1.0, 2.0 / 3.0);
    [
        (1.0 / 600.0, euler, [0.0, -9.81, 0.0], FrictionCombine::Mean),
        (1e-3, bdf2, [1.0, -9.0, 3.0], FrictionCombine::Min),
        (1.0 / 60.0, euler, [0.0; 3], FrictionCombine::Max),
        (1e-2, bdf2, [0.0, 0.0, 1.6], FrictionCombine::Product),
    ]
    .map(of)
}

/// Between which values what comes out of a law may be.
struct Band {
    low: f64,
    high: f64,
}

impl Band {
    fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// Those of one case.
fn bands(law: &Law, substep: &Substep, case: &[f32], random: &mut Random) -> Vec<Band> {
    let exact: Vec<f64> = case.iter().copied().map(f64::from).collect();
    let mut hull: Vec<[f64; 2]> = (law.double)(substep, &exact).into_iter().map(|value| [value; 2]).collect();
    for _ in 0..TRIES {
        let rounded = |&value: &f64| value * (1.0 + ROUNDINGS * ROUNDING * random.number(-1.0, 1.0).signum());
        let rounded: Vec<f64> = exact.iter().map(rounded).collect();
        for ([low, high], value) in hull.iter_mut().zip((law.double)(substep, &rounded)) {
            (*low, *high) = (low.min(value), high.max(value));
        }
    }
    // By twice as much again on both sides, since few tries do not find the worst.
    let band = |(k, [low, high]): (usize, [f64; 2])| {
        let more = 2.0 * (high - low) + ROUNDINGS * ROUNDING * low.abs().max(high.abs()) + (law.slack)(&exact, k);
        Band { low: low - more, high: high + more }
    };
    hull.into_iter().enumerate().map(band).collect()
}

fn cases(law: &Law, substep: &Substep, random: &mut Random) -> Vec<Vec<f32>> {
    let case = |_| -> Vec<f32> {
        let numbers = (law.case)(random, substep);
        assert_eq!(numbers.len(), law.takes, "{}", law.name);
        numbers.into_iter().map(|number| number as f32).collect()
    };
    (0..CASES).map(case).collect()
}

/// Every law in WGSL, and in Rust in single precision, gives what it gives in double precision.
#[test]
fn every_law_equals_its_twin() {
    let mut random = Random::new(17);
    let mut failures = Vec::new();
    for law in LAWS {
        for substep in substeps() {
            let cases = cases(law, &substep, &mut random);
            let results = device::results(law, &substep, &cases);
            for (case, result) in cases.iter().zip(results.chunks(law.gives)) {
                let bands = bands(law, &substep, case, &mut random);
                assert_eq!(bands.len(), law.gives, "{}", law.name);
                let single = law.single.map(|single| single(&substep, case));
                for (who, found) in [("WGSL", Some(result)), ("f32", single.as_deref())] {
                    for (k, (band, &value)) in bands.iter().zip(found.unwrap_or_default()).enumerate() {
                        if !band.holds(value.into()) {
                            let Band { low, high } = band;
                            let name = law.name;
                            failures.push(format!("{name}: {who} [{k}] {value:e}, not {low:e} to {high:e}: {case:?}"));
                        }
                    }
                }
            }
        }
    }
    let count = failures.len();
    failures.truncate(20);
    assert!(failures.is_empty(), "{count} numbers are off\n{}", failures.join("\n"));
}

/// A number that is off by a ten-thousandth is found, whichever of those that a law gives: in a third of the cases in
/// which it is not zero, and in more where no branches are.
#[test]
fn a_wrong_law_would_be_found() {
    let mut random = Random::new(23);
    for law in LAWS {
        let (mut found, mut all) = (vec![0; law.gives], vec![0; law.gives]);
        for substep in substeps() {
            for case in cases(law, &substep, &mut random) {
                let bands = bands(law, &substep, &case, &mut random);
                let exact: Vec<f64> = case.into_iter().map(f64::from).collect();
                for (k, value) in (law.double)(&substep, &exact).into_iter().enumerate().filter(|(_, v)| *v != 0.0) {
                    all[k] += 1;
                    found[k] += usize::from(!bands[k].holds(value * 1.0001));
                }
            }
        }
        for (k, (found, all)) in found.into_iter().zip(all).enumerate() {
            assert!(all > 100 && 3 * found > all, "{} [{k}]: {found} of {all}", law.name);
        }
    }
}

/// Every file of `shaders/law` is in the list, and each of its functions is called, by the list or by another law.
#[test]
fn every_law_is_in_the_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders/law");
    let files: BTreeSet<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| format!("law/{}", entry.unwrap().file_name().to_string_lossy()))
        .collect();
    let listed: BTreeSet<String> = LAWS.iter().flat_map(|law| law.files).map(|file| file.to_string()).collect();
    let missing: Vec<_> = files.difference(&listed).collect();
    assert!(files.len() > 5 && missing.is_empty(), "{missing:?} are in no law of the list");

    let texts: Vec<String> = files.iter().map(|file| device::text(file)).collect();
    let calls: String = LAWS.iter().map(|law| law.call).collect();
    let all = format!("{}\n{calls}", texts.concat());
    let functions = texts.iter().flat_map(|text| text.lines()).filter_map(|line| line.strip_prefix("fn "));
    let uncalled: Vec<&str> = functions
        .filter_map(|line| line.split('(').next())
        .filter(|name| all.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word == name).count() < 2)
        .collect();
    assert!(uncalled.is_empty(), "nothing calls {uncalled:?}");
}
