//! Keys: what they do, and what is said of them.

use egui::{Key, Modifiers, Ui};

use super::orbit::Viewpoint;
use super::panels::{Action, Desk};

/// What can be pressed, and what it does, as it is explained.
pub const KEYS: [(&str, &str); 14] = [
    ("Space", "play or pause"),
    ("→ or .", "one step on"),
    ("←", "one step back"),
    ("Home", "the oldest moment that is kept"),
    ("R", "back to the beginning"),
    ("F", "show the whole scene"),
    ("F1, F2, F3", "see it from the front, the side, the top"),
    ("F4", "see it from three quarters"),
    ("S", "screenshot"),
    ("V", "begin or end a recording"),
    ("Ctrl+O", "open a scene or a mesh"),
    ("Ctrl+S", "save the scene as it is here"),
    ("?", "this list"),
    ("Esc", "close what lies over the scene"),
];

/// What the mouse does in a picture.
pub const MOUSE: [(&str, &str); 6] = [
    ("left on a body", "drags it"),
    ("left beside it", "turns the view"),
    ("right", "turns the view"),
    ("middle or Shift", "moves the view"),
    ("wheel", "zooms to the pointer"),
    ("click", "shows the particle's numbers"),
];

/// Keys for files, pictures and the view. Nothing is being typed.
pub fn of_files_and_view(ui: &Ui, desk: &mut Desk, actions: &mut Vec<Action>) {
    let keys = [
        // Before those without a modifier.
        (Modifiers::COMMAND, Key::O, Action::Browse),
        (Modifiers::COMMAND, Key::S, Action::Save),
        (Modifiers::NONE, Key::S, Action::Screenshot),
        (Modifiers::NONE, Key::V, Action::Record),
        (Modifiers::NONE, Key::F1, Action::See(Viewpoint::Front)),
        (Modifiers::NONE, Key::F2, Action::See(Viewpoint::Side)),
        (Modifiers::NONE, Key::F3, Action::See(Viewpoint::Top)),
        (Modifiers::NONE, Key::F4, Action::See(Viewpoint::ThreeQuarter)),
    ];
    ui.input_mut(|input| {
        let pressed = keys.into_iter().filter(|(modifiers, key, _)| input.consume_key(*modifiers, *key));
        actions.extend(pressed.map(|(.., action)| action));
        if input.consume_key(Modifiers::NONE, Key::Questionmark) {
            desk.help_open = !desk.help_open;
        }
        if input.consume_key(Modifiers::NONE, Key::Escape) {
            desk.help_open = false;
        }
    });
}
