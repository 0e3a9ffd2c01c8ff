//! The bar at the top: scenes, play, step, reset, slow motion, compare.

use egui::{Align, Button, Color32, Layout, RichText, Slider, Ui, Vec2};

use super::{Action, Desk, Shelves, files, gallery};

/// Width of what stands to the right of the last button on the left, points.
const WARNING_AND_BUTTONS: f32 = 370.0;

/// The bar. `slowed` is how fast the simulation runs where it cannot keep up, in simulated seconds a second.
pub fn toolbar(
    ui: &mut Ui,
    desk: &mut Desk,
    shelves: &Shelves,
    shown: &str,
    slowed: Option<f64>,
    actions: &mut Vec<Action>,
) {
    ui.horizontal(|ui| {
        gallery(ui, shelves, shown, &mut desk.path, actions);
        files(ui, !shown.is_empty(), desk.filming, actions);
        ui.separator();
        // As wide for either word: what is to its right stays where it is.
        let label = RichText::new(if desk.playing { "Pause" } else { "Play" }).strong().color(Color32::WHITE);
        let button = Button::new(label).fill(ui.visuals().selection.bg_fill).min_size(Vec2::new(64.0, 0.0));
        if ui.add(button).on_hover_text("Space").clicked() {
            desk.playing = !desk.playing;
        }
        if ui.button("Step").on_hover_text("One frame (. or →)").clicked() {
            actions.push(Action::Step);
        }
        if ui.button("Reset").on_hover_text("Back to the beginning (R)").clicked() {
            actions.push(Action::Reset);
        }
        if ui.button("Frame").on_hover_text("Show the whole scene (F)").clicked() {
            actions.push(Action::Frame);
        }
        ui.separator();
        let speed = Slider::new(&mut desk.speed, 1.0 / 64.0..=1.0)
            .logarithmic(true)
            .custom_formatter(
                |speed, _| if speed >= 0.995 { "1×".to_string() } else { format!("1/{:.0}×", 1.0 / speed) },
            )
            .custom_parser(parse_speed)
            .text("Speed");
        ui.add(speed).on_hover_text("Slow motion");
        ui.separator();
        ui.toggle_value(&mut desk.comparing, "Compare").on_hover_text("Two configurations of the scene side by side");
        // In a narrow window the buttons on the right go before it.
        if let Some(ratio) = slowed.filter(|_| ui.available_width() > WARNING_AND_BUTTONS) {
            ui.label(RichText::new(format!("simulation at {ratio:.2}× real time")).color(ui.visuals().warn_fg_color))
                .on_hover_text(
                    "A frame takes longer to compute than it lasts: the simulation slows down to keep the window \
                     responsive",
                );
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.toggle_value(&mut desk.numbers_open, "Numbers").on_hover_text("The panel on the right");
            ui.toggle_value(&mut desk.controls_open, "Controls").on_hover_text("The panel on the left");
        });
    });
}

/// `1/4`, `0.25` or `0.25×`.
fn parse_speed(text: &str) -> Option<f64> {
    let text = text.trim().trim_end_matches('×');
    match text.split_once('/') {
        Some((above, below)) => Some(above.trim().parse::<f64>().ok()? / below.trim().parse::<f64>().ok()?),
        None => text.parse().ok(),
    }
}
