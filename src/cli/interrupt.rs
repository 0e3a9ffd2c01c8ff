//! Ctrl-C, and what batch queues send (SIGTERM). The first ends a run after the frame in hand, or gives that up where
//! it takes too long ([`stepping`](super::stepping)); a run that does not react is ended with its process. The second
//! ends the process at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::export::atomic;

/// How long the frame in hand may go on once a run is to end.
const GRACE: Duration = Duration::from_millis(1500);
/// When a run that does not react is ended with its process: all is over within two seconds.
const PATIENCE: Duration = Duration::from_millis(1900);

/// Exit code of a process that ends without a report.
const ENDED: i32 = 130;

/// When the first one came.
static ASKED: Mutex<Option<Instant>> = Mutex::new(None);
/// Whether frames are over, and all that is left is to write what there is.
static WRITING: AtomicBool = AtomicBool::new(false);

/// Begins to listen. Where the system does not allow it, Ctrl-C ends the process as it always does.
pub fn listen() {
    if let Err(error) = ctrlc::set_handler(interrupted) {
        eprintln!("note: Ctrl-C will end the run without a report: {error}");
    }
}

/// Lets a file that grows beyond the system's limit be an error for the one who writes it: otherwise a signal ends the
/// process without a word.
pub fn outlive_large_files() {
    #[cfg(unix)]
    {
        // Nobody looks at what it sets. Where it cannot be caught all is as it was.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    }
}

/// Frames are over: from now on only the second one ends the process.
pub fn writing() {
    WRITING.store(true, Ordering::Relaxed);
}

/// Whether the run is to end.
pub fn asked() -> bool {
    since().is_some()
}

/// How long the frame in hand may still take, once the run is to end.
pub fn left() -> Option<Duration> {
    since().map(|asked| GRACE.saturating_sub(asked.elapsed()))
}

fn since() -> Option<Instant> {
    *ASKED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn interrupted() {
    if ASKED.lock().unwrap_or_else(PoisonError::into_inner).replace(Instant::now()).is_some() {
        leave();
    }
    eprintln!("\ninterrupted: ending after this frame (once more to end at once)");
    // On another thread: this one waits for the second.
    std::thread::spawn(|| {
        std::thread::sleep(PATIENCE);
        if !WRITING.load(Ordering::Relaxed) {
            eprintln!("interrupted: ended without a report, since preparing or writing a frame took too long");
            leave();
        }
    });
}

/// Ends the process, and leaves no file that is not whole.
fn leave() -> ! {
    atomic::abandon_all();
    std::process::exit(ENDED)
}
