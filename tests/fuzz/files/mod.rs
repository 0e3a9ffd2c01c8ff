//! Bytes of every format that is read, changed at random: a result or an error, never a panic, never a hang, never more than 2 GB.
//!
//! The seed and the number of cases of each format are printed. `PLIANT_MUTATIONS=5000` tries as many, `PLIANT_SEED=7` the same ones again.

mod alter;
mod formats;
#[path = "../../model/mesh/files/write.rs"]
mod write;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::SystemTime;

use alter::altered;
use formats::Format;

use crate::random::Random;
use crate::{number, watched};

/// Cases of each format unless the environment says otherwise.
const CASES: u64 = 200;
/// What the process may take at its most, KiB.
const MOST_MEMORY: u64 = 2 << 20;

/// The most memory that the process has held so far, KiB; 0 where the system does not tell.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Tries a format, and says what went wrong in which case; the bytes of that case are kept.
fn check(format: &Format, seed: u64, cases: u64) {
    let name = &format.name;
    watched(
        0..cases,
        |case| format!("{name}: case {case} of seed {seed}"),
        |case| {
            let mut random = Random::new(seed ^ case.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let bytes = altered(&format.content, &mut random);
            let read = catch_unwind(AssertUnwindSafe(|| (format.read)(&bytes)));
            let memory = peak_memory();
            if read.is_err() || memory > MOST_MEMORY {
                let path = std::env::temp_dir().join(format!("pliant-mutated-{seed}-{case}"));
                let _ = std::fs::write(&path, &bytes);
                eprintln!("{name}: case {case} of seed {seed}, {memory} KiB at most; see {}", path.display());
            }
            read.unwrap_or_else(|panic| resume_unwind(panic));
            assert!(memory <= MOST_MEMORY, "{name}: {memory} KiB");
        },
    );
}

#[test]
fn changed_bytes_of_every_format() {
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970");
    let seed = number("PLIANT_SEED").unwrap_or(time.as_secs());
    let cases = number("PLIANT_MUTATIONS").unwrap_or(CASES);
    eprintln!("PLIANT_SEED={seed} PLIANT_MUTATIONS={cases}");
    for format in formats::all() {
        // What is sound is read; else nothing is tried.
        (format.read)(&format.content);
        check(&format, seed, cases);
    }
}
