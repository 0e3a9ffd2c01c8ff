//! The time that is kept, under the picture: a slider over it, and buttons that go a step back or on.

use egui::{Button, RichText, Slider, Ui};

use super::Action;
use crate::viewer::recording::Kept;

/// Width of the time on show and of what stands to the right of the slider, points.
const TEXTS: f32 = 250.0;
/// The slider is no shorter than this, points; the text on the right goes before.
const SHORTEST: f32 = 90.0;

/// The timeline. `kept` is none before the first step.
pub fn timeline(ui: &mut Ui, kept: Option<&Kept>, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        let earlier = kept.is_some_and(|kept| kept.now > kept.frames[0]);
        if ui.add_enabled(earlier, Button::new("Back")).on_hover_text("One step back in time (←)").clicked() {
            actions.push(Action::Back);
        }
        if ui.button("Forward").on_hover_text("One step on (→)").clicked() {
            actions.push(Action::Step);
        }
        let Some(kept) = kept else {
            ui.label(RichText::new("time is kept from the first step on").weak());
            return;
        };
        let room = ui.available_width();
        ui.spacing_mut().slider_width = (room - TEXTS).max(SHORTEST);
        let mut frame = kept.now;
        let [first, last] = kept.frames;
        let time = |frames: f64| format!("{:.2} s", frames / kept.frame_rate);
        let slider =
            Slider::new(&mut frame, first..=last).custom_formatter(move |frame, _| time(frame)).custom_parser(|text| {
                Some(text.trim().trim_end_matches('s').trim().parse::<f64>().ok()? * kept.frame_rate)
            });
        let hint = "Goes back to a moment that was kept; playing from there forgets what came after (Home: the oldest)";
        if ui.add(slider).on_hover_text(hint).changed() {
            actions.push(Action::Seek(frame));
        }
        if room - ui.spacing().slider_width > 0.6 * TEXTS {
            ui.label(RichText::new(told(kept)).weak()).on_hover_text(
                "The last seconds, in bounded memory: when it is full, moments get rarer, and then the oldest go",
            );
        }
    });
}

/// `12.4 s kept, 83 MB`.
fn told(kept: &Kept) -> String {
    format!("{:.1} s kept, {:.0} MB", kept.seconds(), kept.bytes as f64 / 1e6)
}
