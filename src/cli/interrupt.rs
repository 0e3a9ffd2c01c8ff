//! Ctrl-C, and what batch queues send (SIGTERM): the first asks for a clean end after the frame in hand, the second ends at once.

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Begins to listen. Where the system does not allow it, Ctrl-C ends the process as it always does.
pub fn listen() {
    let handled = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("\ninterrupted: ending after this frame (once more to end at once)");
    });
    if let Err(error) = handled {
        eprintln!("note: Ctrl-C will end the run without a report: {error}");
    }
}

pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
