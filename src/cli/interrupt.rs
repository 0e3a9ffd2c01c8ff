//! Ctrl-C, and what batch queues send (SIGTERM). The first signal ends a run after the current frame, or gives the
//! frame up if it takes too long ([`stepping`](super::stepping)). A run that does not react is ended with its process.
//! The second signal ends the process at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::export::atomic;

/// How long the current frame may go on after the signal.
const GRACE: Duration = Duration::from_millis(1500);
/// When a run that does not react is ended with its process, so that every run ends within two seconds.
const PATIENCE: Duration = Duration::from_millis(1900);

/// Exit code of a process that ends without a report.
const ENDED: u8 = 130;

/// When the first signal came.
static ASKED: Mutex<Option<Instant>> = Mutex::new(None);
/// Whether the frames are over and the results are being written.
static WRITING: AtomicBool = AtomicBool::new(false);

/// Begins to listen. Where the system does not allow it, Ctrl-C ends the process as it always does.
pub fn listen() {
    if let Err(error) = ctrlc::set_handler(interrupted) {
        eprintln!("note: Ctrl-C will end the run without a report: {error}");
    }
}

/// Turns a file beyond the system's size limit into an error of the write: the system's signal would end the process
/// without a message.
pub fn outlive_large_files() {
    #[cfg(unix)]
    {
        // The flag is not read. If the signal cannot be caught, it ends the process as before.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    }
}

/// The frames are over: from now on only a second signal ends the process.
pub fn writing() {
    WRITING.store(true, Ordering::Relaxed);
}

/// Whether the run is to end.
pub fn asked() -> bool {
    since().is_some()
}

/// How long the current frame may still take, if the run is to end.
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
    eprintln!("\ninterrupted: ending after this frame (press Ctrl-C again to end at once)");
    // On another thread: this one waits for the second signal.
    std::thread::spawn(|| {
        std::thread::sleep(PATIENCE);
        if !WRITING.load(Ordering::Relaxed) {
            eprintln!("interrupted: ended without a report, because preparing or writing a frame took too long");
            leave();
        }
    });
}

/// Ends the process and leaves no incomplete file.
fn leave() -> ! {
    atomic::abandon_all();
    end_process(ENDED)
}

/// Ends the process while other threads may still work. A usual exit runs the destructors of libraries: a driver that
/// compiles a shader meanwhile crashes. Nothing waits for a lock, as that of the standard output, which may be held.
pub fn end_process(code: u8) -> ! {
    #[cfg(unix)]
    signal_hook::low_level::exit(code.into());
    #[cfg(not(unix))]
    std::process::exit(code.into());
}
