//! The menu of scenes, and the field for a path.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{PopupCloseBehavior, Ui};

use super::Action;

/// Scenes of a column of the menu.
const COLUMN: usize = 15;

/// The names of the scenes that are compiled in.
pub struct Shelves<'a> {
    pub gallery: &'a [&'a str],
    /// Large ones to measure by.
    pub public: &'a [&'a str],
}

/// The scenes that are compiled in, and a field for the path of one's own. `shown` is the one on show.
pub fn gallery(ui: &mut Ui, shelves: &Shelves, shown: &str, path: &mut String, actions: &mut Vec<Action>) {
    // A click into the field for a path must leave the menu open.
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    MenuButton::new("Scenes").config(config).ui(ui, |ui| {
        ui.set_min_width(260.0);
        // One column of them is longer than a window is high.
        ui.horizontal_top(|ui| {
            for names in shelves.gallery.chunks(COLUMN) {
                ui.vertical(|ui| list(ui, names, shown, actions));
            }
        });
        ui.separator();
        ui.menu_button("Large scenes, for benchmarks", |ui| list(ui, shelves.public, shown, actions));
        ui.separator();
        ui.label("A scene of your own: its .toml file, or drop it on the window");
        ui.horizontal(|ui| {
            let field = ui.add(egui::TextEdit::singleline(path).hint_text("path/to/scene.toml").desired_width(180.0));
            let entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            if (ui.button("Open").clicked() || entered) && !path.trim().is_empty() {
                actions.push(Action::Open(path.trim().to_string()));
                ui.close();
            }
        });
    });
}

fn list(ui: &mut Ui, names: &[&str], shown: &str, actions: &mut Vec<Action>) {
    for name in names {
        if ui.selectable_label(*name == shown, title(name)).clicked() {
            actions.push(Action::Open((*name).to_string()));
            ui.close();
        }
    }
}

/// `hanging_cloth` as people write it.
pub fn title(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
