//! The menu of the view: from where the scene is seen, and how light the window is.

use egui::{Button, ThemePreference, Ui};

use super::Action;
use crate::viewer::orbit::Viewpoint;

/// The menu. `shown`: whether there is a scene.
pub fn view(ui: &mut Ui, shown: bool, theme: &mut ThemePreference, actions: &mut Vec<Action>) {
    ui.menu_button("View", |ui| {
        ui.set_min_width(180.0);
        let entries = [
            ("Whole scene", "F", Action::Frame),
            ("Front", "F1", Action::See(Viewpoint::Front)),
            ("Side", "F2", Action::See(Viewpoint::Side)),
            ("Top", "F3", Action::See(Viewpoint::Top)),
            ("Three-quarter", "F4", Action::See(Viewpoint::ThreeQuarter)),
        ];
        for (name, key, action) in entries {
            let response = ui.add_enabled(shown, Button::new(name).shortcut_text(key));
            if response.on_disabled_hover_text("There is no scene yet").clicked() {
                actions.push(action);
                ui.close();
            }
        }
        ui.separator();
        for (preference, name) in [
            (ThemePreference::System, "As the desktop"),
            (ThemePreference::Light, "Light"),
            (ThemePreference::Dark, "Dark"),
        ] {
            if ui.selectable_value(theme, preference, name).clicked() {
                ui.close();
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;

    use super::*;

    /// The menu asks for what its entries say, and sets the theme.
    #[test]
    fn menu_asks() {
        let mut harness = Harness::new_ui_state(
            |ui, state: &mut (ThemePreference, Vec<Action>)| view(ui, true, &mut state.0, &mut state.1),
            (ThemePreference::System, Vec::new()),
        );
        for label in ["Whole scene", "Front", "Side", "Top", "Three-quarter", "Light", "Dark"] {
            harness.get_by_label("View").click();
            harness.run();
            // A key stands beside the name.
            harness.get_by_label_contains(label).click();
            harness.run();
        }
        let sides = [Viewpoint::Front, Viewpoint::Side, Viewpoint::Top, Viewpoint::ThreeQuarter].map(Action::See);
        assert_eq!(harness.state().1, [[Action::Frame].as_slice(), &sides].concat());
        assert_eq!(harness.state().0, ThemePreference::Dark);
    }
}
