//! Buttons and boxes that say what they do, or why they mean nothing in a scene.

use egui::{Button, Checkbox, Response, Ui};

/// Whether a control means something, or why it does not.
pub type Meaning = Result<(), &'static str>;

/// That of a control, and why it would mean nothing.
pub fn meaning(there: bool, why: &'static str) -> Meaning {
    there.then_some(()).ok_or(why)
}

/// One of several buttons, of which the chosen one is lit: its name, and what it says when the pointer rests on it.
pub fn choice<T: PartialEq>(
    ui: &mut Ui,
    value: &mut T,
    option: T,
    (name, says): (&str, &str),
    meaning: Meaning,
) -> Response {
    let mut response = ui.add_enabled(meaning.is_ok(), Button::selectable(*value == option, name));
    if response.clicked() && *value != option {
        *value = option;
        response.mark_changed();
    }
    explained(response, says, meaning)
}

/// A box to tick.
pub fn tick(ui: &mut Ui, value: &mut bool, (name, says): (&str, &str), meaning: Meaning) -> Response {
    let response = ui.add_enabled(meaning.is_ok(), Checkbox::new(value, name));
    explained(response, says, meaning)
}

/// Says what a control does, or why it means nothing.
pub fn explained(response: Response, says: &str, meaning: Meaning) -> Response {
    let response = if says.is_empty() { response } else { response.on_hover_text(says) };
    match meaning {
        Ok(()) => response,
        Err(why) => response.on_disabled_hover_text(why),
    }
}
