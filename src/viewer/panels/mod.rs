//! The panels: functions over plain values, which know neither a device nor a window.

mod choice;
mod controls;
mod files;
mod help;
mod inspector;
mod look;
mod picker;
mod plots;
mod statistics;
#[cfg(test)]
mod tests;
mod timeline;
mod toolbar;
mod tools;
mod trouble;
mod view;

pub use controls::{MOST_ITERATIONS, Traits, pull, sweeps, tuning};
pub use files::{files, mesh_use};
pub use help::help;
pub use inspector::{Inspection, Line, inspector};
pub use look::{Sights, legend, look};
pub use picker::picker;
pub use plots::{Curves, plots};
pub use statistics::{Facts, Timing, statistics};
pub use timeline::timeline;
pub use toolbar::toolbar;
pub use tools::tools;
pub use trouble::{Trouble, trouble};

use super::orbit::Viewpoint;
use super::tools::Tool;
use super::tuning::Tuning;
use crate::render::Look;
use crate::scene::MeshUse;

/// What the user asks for that a value of the [`Desk`] cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Show a scene: a name of the gallery or a path.
    Open(String),
    /// To the next moment that is kept, or one step, and then no more.
    Step,
    /// To the moment that was kept before the one on show.
    Back,
    /// To the kept moment nearest to a frame.
    Seek(u64),
    /// To the oldest moment that is kept.
    Oldest,
    /// Back to before the last use of a tool.
    Undo,
    /// Back to the beginning.
    Reset,
    /// Show the whole scene.
    Frame,
    /// Show the whole scene from a side.
    See(Viewpoint),
    /// The tunings back to what the scene says.
    Restore,
    /// Ask for a scene or a mesh to open.
    Browse,
    /// Ask for a file to write the scene to, as it is in the window.
    Save,
    /// Ask where pictures and films go.
    ChooseFolder,
    /// Write a picture.
    Screenshot,
    /// Begin a film, or end it.
    Record,
    /// Make something else of the mesh that was opened.
    Use(MeshUse),
}

/// What the user has set.
#[derive(Clone, Debug)]
pub struct Desk {
    /// Whether time goes on.
    pub playing: bool,
    /// What the left mouse button does.
    pub tool: Tool,
    /// Whether the user has dragged a particle, and so knows how.
    pub has_dragged: bool,
    /// Simulated seconds in a second, 1/64 to 1.
    pub speed: f64,
    /// Whether two configurations are shown.
    pub comparing: bool,
    /// Whether one slider sets the iterations of both.
    pub shared_iterations: bool,
    /// Of the left (or only) and the right configuration.
    pub tunings: [Tuning; 2],
    /// What is drawn, and what colours mean.
    pub look: Look,
    /// Whether what presses is shown over the picture.
    pub contacts: bool,
    /// Stiffness of the mouse's spring, as a power of ten of what the scene suggests: -2 to 2.
    pub pull_strength: f64,
    /// What stands in the field for a path.
    pub path: String,
    /// Whether the panel of scenes is shown.
    pub picker_open: bool,
    /// What is looked for among the scenes.
    pub search: String,
    /// Whether the panel on the left is shown.
    pub controls_open: bool,
    /// Whether the panel on the right is shown.
    pub numbers_open: bool,
    /// Whether keys and mouse are explained.
    pub help_open: bool,
    /// Light or dark, or as the desktop is.
    pub theme: egui::ThemePreference,
    /// Whether a film is being made.
    pub filming: bool,
    /// What is wrong, until it is dismissed or put right.
    pub trouble: Option<Trouble>,
    /// What the user should know, until it is dismissed.
    pub notes: Vec<String>,
}

impl Desk {
    /// As a scene begins.
    pub fn new(tunings: [Tuning; 2]) -> Self {
        Self {
            playing: false,
            tool: Tool::default(),
            has_dragged: false,
            speed: 1.0,
            comparing: false,
            shared_iterations: true,
            tunings,
            look: Look::default(),
            contacts: false,
            pull_strength: 0.0,
            path: String::new(),
            picker_open: false,
            search: String::new(),
            controls_open: true,
            numbers_open: true,
            help_open: false,
            theme: egui::ThemePreference::System,
            filming: false,
            trouble: None,
            notes: Vec::new(),
        }
    }
}

/// A number with three digits and its unit, with a prefix where that is shorter: `3.21 mJ`.
pub fn quantity(value: f64, unit: &str) -> String {
    const PREFIXES: [(f64, &str); 7] =
        [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")];
    let size = value.abs();
    if !size.is_finite() || size < 1e-12 {
        return format!("{} {unit}", if size < 1e-12 { 0.0 } else { value });
    }
    // What rounds up to the next thousand belongs to the next prefix.
    let (factor, prefix) = PREFIXES.into_iter().find(|(factor, _)| size >= 0.9995 * factor).unwrap_or((1e-9, "n"));
    let shown = value / factor;
    let decimals = if shown.abs() >= 99.95 {
        0
    } else if shown.abs() >= 9.995 {
        1
    } else {
        2
    };
    format!("{shown:.decimals$} {prefix}{unit}")
}

/// A count with its thousands set apart: `10,201`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
