//! The tools at the left edge of the picture.

use egui::{Button, RichText, Ui, Vec2};

use super::Action;
use crate::viewer::tools::Tool;

/// Width of a button, points.
const WIDTH: f32 = 58.0;

/// The tools, and the button that undoes the last use of one. `refusal` says why a tool does nothing in the scene.
pub fn tools(
    ui: &mut Ui,
    tool: &mut Tool,
    refusal: impl Fn(Tool) -> Option<&'static str>,
    can_undo: bool,
    actions: &mut Vec<Action>,
) {
    ui.vertical(|ui| {
        ui.add_space(6.0);
        for (number, each) in (1..).zip(Tool::ALL) {
            let refusal = refusal(each);
            let button = Button::selectable(*tool == each, each.name()).min_size(Vec2::new(WIDTH, 0.0));
            let response = ui.add_enabled(refusal.is_none(), button);
            let response = response.on_hover_text(format!("{} (key {number})", each.hint()));
            if response.on_disabled_hover_text(refusal.unwrap_or_default()).clicked() {
                *tool = each;
            }
        }
        ui.separator();
        let undo = Button::new(RichText::new("Undo")).min_size(Vec2::new(WIDTH, 0.0));
        let hint = "Back in time, to before the last use of a tool (Ctrl+Z)";
        if ui.add_enabled(can_undo, undo).on_hover_text(hint).clicked() {
            actions.push(Action::Undo);
        }
    });
}
