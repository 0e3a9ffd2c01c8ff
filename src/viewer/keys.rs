//! Keys.

use egui::{Key, Modifiers, Ui};

use super::panels::Action;

/// Keys for files and pictures. Nothing is being typed.
pub fn of_files(ui: &Ui, actions: &mut Vec<Action>) {
    let keys = [
        // Before those without a modifier.
        (Modifiers::COMMAND, Key::O, Action::Browse),
        (Modifiers::COMMAND, Key::S, Action::Save),
        (Modifiers::NONE, Key::S, Action::Screenshot),
        (Modifiers::NONE, Key::V, Action::Record),
    ];
    ui.input_mut(|input| {
        actions.extend(
            keys.into_iter().filter(|(modifiers, key, _)| input.consume_key(*modifiers, *key)).map(|key| key.2),
        );
    });
}
