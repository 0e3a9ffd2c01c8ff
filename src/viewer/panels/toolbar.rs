//! The bar at the top: scenes, play, step, reset, slow motion, compare.

use egui::{Align, Button, Color32, Layout, RichText, Slider, Ui, Vec2};

use super::view::view;
use super::{Action, Desk, files, picker};
use crate::viewer::shelves::Shelf;
use crate::viewer::theme::ACCENT;

/// A bar narrower than this has all things after each other, over several lines, points.
const NARROW: f32 = 880.0;
/// Width of the warning and of what stands to the right, points.
const WARNING_AND_BUTTONS: f32 = 400.0;

/// The bar. `slowed` is how fast the simulation runs where it cannot keep up, in simulated seconds a second.
pub fn toolbar(
    ui: &mut Ui,
    desk: &mut Desk,
    shelves: &[Shelf],
    shown: &str,
    slowed: Option<f64>,
    actions: &mut Vec<Action>,
) {
    if ui.available_width() < NARROW {
        ui.horizontal_wrapped(|ui| {
            menus(ui, desk, shelves, shown, actions);
            time(ui, desk, actions);
            panels(ui, desk, [0, 1, 2]);
        });
        return;
    }
    ui.horizontal(|ui| {
        menus(ui, desk, shelves, shown, actions);
        ui.separator();
        time(ui, desk, actions);
        // In a narrow window the buttons on the right go before it.
        if let Some(ratio) = slowed.filter(|_| ui.available_width() > WARNING_AND_BUTTONS) {
            ui.label(RichText::new(format!("simulation at {ratio:.2}× real time")).color(ui.visuals().warn_fg_color))
                .on_hover_text(
                    "A frame takes longer to compute than it lasts: the simulation slows down to keep the window \
                     responsive",
                );
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| panels(ui, desk, [2, 1, 0]));
    });
}

/// What is shown, files, and from where it is seen.
fn menus(ui: &mut Ui, desk: &mut Desk, shelves: &[Shelf], shown: &str, actions: &mut Vec<Action>) {
    picker(ui, desk, shelves, shown, actions);
    files(ui, !shown.is_empty(), desk.filming, actions);
    view(ui, !shown.is_empty(), &mut desk.theme, actions);
}

/// Play, step, reset, slow motion, compare.
fn time(ui: &mut Ui, desk: &mut Desk, actions: &mut Vec<Action>) {
    // As wide for either word: what is to its right stays where it is.
    let label = RichText::new(if desk.playing { "Pause" } else { "Play" }).strong().color(Color32::WHITE);
    let button = Button::new(label).fill(ACCENT).min_size(Vec2::new(64.0, 0.0));
    if ui.add(button).on_hover_text("Space").clicked() {
        desk.playing = !desk.playing;
    }
    if ui.button("Step").on_hover_text("One frame (. or →)").clicked() {
        actions.push(Action::Step);
    }
    if ui.button("Reset").on_hover_text("Back to the beginning (R)").clicked() {
        actions.push(Action::Reset);
    }
    ui.separator();
    let speed = Slider::new(&mut desk.speed, 1.0 / 64.0..=1.0)
        .logarithmic(true)
        .custom_formatter(|speed, _| if speed >= 0.995 { "1×".to_string() } else { format!("1/{:.0}×", 1.0 / speed) })
        .custom_parser(parse_speed)
        .text("Speed");
    ui.add(speed).on_hover_text("Slow motion: how fast the scene's time passes");
    ui.separator();
    ui.toggle_value(&mut desk.comparing, "Compare").on_hover_text("The scene twice, solved in different ways");
}

/// What else is shown, in an order: from the right they are laid out the other way round.
fn panels(ui: &mut Ui, desk: &mut Desk, order: [usize; 3]) {
    let mut buttons = [
        (&mut desk.controls_open, "Controls", "The panel on the left"),
        (&mut desk.numbers_open, "Numbers", "The panel on the right"),
        (&mut desk.help_open, "?", "Keys and mouse"),
    ];
    for index in order {
        let (open, name, says) = &mut buttons[index];
        ui.toggle_value(open, *name).on_hover_text(*says);
    }
}

/// `1/4`, `0.25` or `0.25×`.
fn parse_speed(text: &str) -> Option<f64> {
    let text = text.trim().trim_end_matches('×');
    match text.split_once('/') {
        Some((above, below)) => Some(above.trim().parse::<f64>().ok()? / below.trim().parse::<f64>().ok()?),
        None => text.parse().ok(),
    }
}
