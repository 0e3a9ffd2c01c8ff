//! What is wrong with a scene, with the file, line and column.

use egui::{Color32, Frame, Margin, RichText, Ui};

use crate::scene::SceneError;

/// A fault, for the user to put right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// `scene.toml, line 3, column 7`, or what else is at fault.
    pub place: String,
    /// What is wrong and what to do.
    pub message: String,
}

impl Trouble {
    /// A fault at a place, with what to do about it.
    pub fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { place: place.into(), message: message.into() }
    }
}

impl From<&SceneError> for Trouble {
    fn from(error: &SceneError) -> Self {
        let file = error.file.clone().unwrap_or_else(|| "the scene".to_string());
        let place = match error.position {
            Some((line, column)) => format!("{file}, line {line}, column {column}"),
            None => file,
        };
        let path = error.path();
        let message = if path.is_empty() { error.message.clone() } else { format!("{path}: {}", error.message) };
        Self { place, message }
    }
}

/// Shows what is wrong until it is dismissed, and notes below it.
pub fn trouble(ui: &mut Ui, trouble: &mut Option<Trouble>, notes: &mut Vec<String>) {
    if let Some(shown) = trouble.clone() {
        let dismissed = card(ui, Color32::from_rgb(92, 28, 28), |ui| {
            ui.label(RichText::new(&shown.place).strong().color(Color32::WHITE));
            ui.label(RichText::new(&shown.message).color(Color32::from_rgb(255, 220, 210)));
        });
        if dismissed {
            *trouble = None;
        }
    }
    if !notes.is_empty() {
        let dismissed = card(ui, Color32::from_rgb(40, 52, 70), |ui| {
            for note in notes.iter() {
                ui.label(RichText::new(note).color(Color32::from_rgb(215, 228, 245)));
            }
        });
        if dismissed {
            notes.clear();
        }
    }
}

/// A coloured box with a button that dismisses it. Whether that was clicked.
fn card(ui: &mut Ui, fill: Color32, contents: impl FnOnce(&mut Ui)) -> bool {
    let frame = Frame::new().fill(fill).inner_margin(Margin::symmetric(12, 8)).corner_radius(6);
    frame
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                let dismissed = ui.button("Dismiss").clicked();
                ui.vertical(contents);
                dismissed
            })
            .inner
        })
        .inner
}
