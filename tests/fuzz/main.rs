//! What comes at random: changed bytes of every format that is read, and scenes of everything that there is.
#![cfg(feature = "cli")]

mod files;
#[path = "../common/moving_glb.rs"]
mod moving_glb;
#[path = "../common/random.rs"]
mod random;
mod scenes;

use std::ops::Range;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// No case takes as long, however loaded the machine.
const HANG: Duration = Duration::from_secs(60);

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{variable} is no number: {text}")))
}

/// Tries each case, and ends the process with the name of one that hangs.
fn watched(cases: Range<u64>, named: impl Fn(u64) -> String + Sync, mut try_case: impl FnMut(u64)) {
    let (begun, heard) = mpsc::channel::<u64>();
    std::thread::scope(|scope| {
        let named = &named;
        scope.spawn(move || {
            let mut case = 0;
            loop {
                match heard.recv_timeout(HANG) {
                    Ok(next) => case = next,
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => {
                        eprintln!("{} hangs", named(case));
                        std::process::abort();
                    }
                }
            }
        });
        for case in cases {
            begun.send(case).expect("it watches");
            try_case(case);
        }
        drop(begun);
    });
}
