//! Frames on a thread of their own, so that a run can end without waiting for a frame that takes too long.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::engine::{FrameTime, Runner};
use super::failure::Failure;
use super::interrupt;

/// How often the main thread checks whether the run is to end.
const TURN: Duration = Duration::from_millis(50);
/// Stack size, bytes: that of the main thread on most systems.
const STACK: usize = 8 << 20;

/// Whether a thread still solves a frame that was given up.
static GAVE_UP: AtomicBool = AtomicBool::new(false);

/// The engine after a frame, and how long the frame took.
type Stepped = (Box<dyn Runner>, Result<FrameTime, Failure>);

/// Whether a frame was given up, and so may still be solved.
pub fn gave_up() -> bool {
    GAVE_UP.load(Ordering::Relaxed)
}

/// A thread that solves frames.
pub struct Stepping {
    orders: Sender<Box<dyn Runner>>,
    frames: Receiver<Stepped>,
    thread: JoinHandle<()>,
}

impl Stepping {
    pub fn begin() -> Result<Self, Failure> {
        let (orders, ordered) = channel::<Box<dyn Runner>>();
        let (done, frames) = channel();
        let work = move || {
            while let Ok(mut engine) = ordered.recv() {
                let time = engine.solve();
                // Sending fails after the frame was given up.
                drop(done.send((engine, time)));
            }
        };
        let thread = Builder::new().name("frames".to_string()).stack_size(STACK).spawn(work);
        let thread = thread
            .map_err(|error| Failure::Input(format!("the system refused to start a thread for the solver: {error}")))?;
        Ok(Self { orders, frames, thread })
    }

    /// Solves one frame. `None` if the run is to end and the frame took too long: the engine is then lost with it.
    pub fn step(self, engine: Box<dyn Runner>) -> Option<(Self, Stepped)> {
        if self.orders.send(engine).is_err() {
            self.fail();
        }
        loop {
            let wait = interrupt::left().unwrap_or(TURN);
            match self.frames.recv_timeout(wait.min(TURN)) {
                Ok(stepped) => return Some((self, stepped)),
                Err(RecvTimeoutError::Timeout) if wait.is_zero() => {
                    GAVE_UP.store(true, Ordering::Relaxed);
                    return None;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.fail(),
            }
        }
    }

    /// Passes on the panic of the thread.
    fn fail(self) -> ! {
        drop(self.orders);
        match self.thread.join() {
            Err(panic) => resume_unwind(panic),
            Ok(()) => unreachable!("the thread ends when its orders do"),
        }
    }
}
