//! The window of `pliant view`: a scene that runs, is turned, pulled and changed with the mouse, and compared with
//! itself under other settings.
//!
//! [`Stage`] is everything in the window but the window, and draws to any texture; [`run`] gives it a window. Panels
//! are functions over plain values, and the simulation draws to textures that egui shows as images, so that one pane
//! and two panes are the same.

mod app;
mod dialog;
mod drag;
mod film;
mod history;
mod keys;
mod layout;
mod loading;
mod named_material;
mod naming;
mod observer;
mod orbit;
mod overlay;
mod pace;
mod pane;
mod panels;
mod pick;
mod recording;
mod rewind;
mod saved;
mod saving;
mod screen;
mod shelves;
mod shown;
mod simulation;
mod stage;
mod stepper;
mod theme;
mod threads;
mod thumbnails;
mod timer;
mod tools;
mod tuning;
mod units;
mod watch;

pub use app::run;
pub use observer::Observation;
pub use panels::{Desk, Facts, Inspection, Trouble};
pub use recording::Kept;
pub use simulation::Simulation;
pub use stage::{Frame, Stage, Target};
pub use stepper::Way;
pub use tools::Tool;
pub use tuning::Tuning;
