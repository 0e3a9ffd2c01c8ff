//! Where things are in the window: the bar above, controls on the left, numbers on the right, the scene between them.

use egui::{
    Align2, CentralPanel, CollapsingHeader, Frame, Key, Modifiers, Panel, Rect, RichText, ScrollArea, Ui, Vec2,
};

use super::orbit::View;
use super::pane::{self, Pointer, caption};
use super::panels::{self, Action, Curves, Desk, Facts, Shelves, Timing, quantity};
use super::shown::{Shown, traits};
use super::tools::Tool;
use super::tuning::Tuning;
use crate::model::Mode;
use crate::scene::{Body, Content, GALLERY, PUBLIC_SCENES};

const SIDE: f32 = 330.0;
const TOOLS: f32 = 66.0;
/// What the two configurations are called.
pub const NAMES: [&str; 2] = ["Left", "Right"];

/// What a frame of the window shows beside the desk.
pub struct Contents<'a> {
    pub shown: Option<&'a mut Shown>,
    /// What is being read.
    pub loading: Option<&'a str>,
    pub timing: &'a Timing,
}

/// Lays out the window. Returns what the pointer does in each pane.
pub fn window(ui: &mut Ui, desk: &mut Desk, contents: &mut Contents, actions: &mut Vec<Action>) -> Vec<Pointer> {
    shortcuts(ui, desk, actions);
    let [gallery, public] =
        [GALLERY, PUBLIC_SCENES].map(|scenes| scenes.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    let source = contents.shown.as_ref().map_or("", |shown| shown.loaded.source.as_str()).to_string();
    let slowed = contents.shown.as_ref().filter(|_| desk.playing).and_then(|shown| shown.pace.slowed(desk.speed));
    Panel::top("toolbar").show(ui, |ui| {
        ui.add_space(4.0);
        panels::toolbar(ui, desk, &Shelves { gallery: &gallery, public: &public }, &source, slowed, actions);
        ui.add_space(4.0);
    });
    if desk.trouble.is_some() || !desk.notes.is_empty() {
        Panel::bottom("trouble").show(ui, |ui| panels::trouble(ui, &mut desk.trouble, &mut desk.notes));
    }
    if let Some(shown) = &mut contents.shown {
        if desk.controls_open {
            side(Panel::left("controls"), ui, |ui| controls(ui, desk, shown, actions));
        }
        if desk.numbers_open {
            side(Panel::right("numbers"), ui, |ui| numbers(ui, desk, shown, contents.timing));
        }
        let can_undo = shown.recording.can_undo(shown.frame_number());
        let refusal = |tool: Tool| tool.refusal(&shown.loaded);
        Panel::left("tools").resizable(false).default_size(TOOLS).show(ui, |ui| {
            panels::tools(ui, &mut desk.tool, refusal, can_undo, actions);
        });
        Panel::bottom("timeline").show(ui, |ui| panels::timeline(ui, shown.kept().as_ref(), actions));
    }
    let middle = CentralPanel::default().frame(Frame::new());
    middle.show(ui, |ui| scene(ui, desk, contents)).inner
}

/// Keys, unless something is being typed.
fn shortcuts(ui: &Ui, desk: &mut Desk, actions: &mut Vec<Action>) {
    if ui.ctx().text_edit_focused() {
        return;
    }
    ui.input_mut(|input| {
        if input.consume_key(Modifiers::COMMAND, Key::Z) {
            actions.push(Action::Undo);
        }
        if let Some(tool) = Tool::ALL.into_iter().find(|tool| input.consume_key(Modifiers::NONE, tool.key())) {
            desk.tool = tool;
        }
        let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
        if pressed(Key::Space) {
            desk.playing = !desk.playing;
        }
        if pressed(Key::Period) || pressed(Key::ArrowRight) {
            actions.push(Action::Step);
        }
        if pressed(Key::ArrowLeft) {
            actions.push(Action::Back);
        }
        if pressed(Key::Home) {
            actions.push(Action::Oldest);
        }
        if pressed(Key::R) {
            actions.push(Action::Reset);
        }
        if pressed(Key::F) {
            actions.push(Action::Frame);
        }
    });
}

fn side(panel: Panel, ui: &mut Ui, contents: impl FnOnce(&mut Ui)) {
    panel.default_size(SIDE).size_range(220.0..=560.0).show(ui, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().slider_width = 130.0;
            ui.add_space(6.0);
            contents(ui);
        });
    });
}

fn section(ui: &mut Ui, title: &str, contents: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(RichText::new(title).strong()).default_open(true).show(ui, |ui| {
        contents(ui);
        ui.add_space(6.0);
    });
}

fn controls(ui: &mut Ui, desk: &mut Desk, shown: &mut Shown, actions: &mut Vec<Action>) {
    let traits = traits(&shown.loaded);
    if desk.comparing {
        section(ui, "Compare", |ui| {
            ui.checkbox(&mut desk.shared_iterations, "one slider for the iterations of both");
            if desk.shared_iterations {
                let [left, right] = &mut desk.tunings;
                panels::sweeps(ui, &mut left.settings.iterations, panels::MOST_ITERATIONS, "iterations of both");
                right.settings.iterations = left.settings.iterations;
            }
        });
        for (index, (name, tuning)) in NAMES.into_iter().zip(&mut desk.tunings).enumerate() {
            section(ui, name, |ui| {
                ui.push_id(index, |ui| panels::tuning(ui, tuning, traits));
            });
        }
    } else {
        section(ui, "Solver", |ui| panels::tuning(ui, &mut desk.tunings[0], traits));
    }
    section(ui, "Look", |ui| panels::look(ui, &mut desk.look, &mut desk.contacts));
    section(ui, "Mouse", |ui| panels::pull(ui, &mut desk.pull_strength));
    if ui.button("As the scene says").on_hover_text("Return all settings to those of the scene").clicked() {
        actions.push(Action::Restore);
    }
}

fn numbers(ui: &mut Ui, desk: &Desk, shown: &mut Shown, timing: &Timing) {
    let names = if desk.comparing { NAMES } else { [""; 2] };
    let facts = names.into_iter().zip(&mut shown.panes).map(|(name, pane)| pane.simulation.facts(name));
    let facts: Vec<Facts> = facts.collect();
    section(ui, "Numbers", |ui| panels::statistics(ui, &facts, timing));
    section(ui, "Over time", |ui| {
        let curves = names.into_iter().zip(&shown.panes);
        let curves: Vec<Curves> =
            curves.map(|(name, pane)| Curves { name, history: pane.simulation.history() }).collect();
        panels::plots(ui, &curves, shown.kept().and_then(|kept| kept.shown_seconds()));
    });
    section(ui, "Particle", |ui| {
        let Some(picked) = &shown.picked else { return panels::inspector(ui, "", None) };
        for (title, pane) in names.into_iter().zip(&shown.panes) {
            let inspection = pane.simulation.inspect(picked.particle, &picked.constraints);
            panels::inspector(ui, title, inspection.as_ref());
        }
    });
}

fn scene(ui: &mut Ui, desk: &mut Desk, contents: &mut Contents) -> Vec<Pointer> {
    let whole = ui.max_rect();
    let mut pointers = Vec::new();
    if let Some(shown) = &mut contents.shown {
        let count = shown.panes.len();
        let width = whole.width() / count as f32;
        for index in 0..count {
            let left = whole.left() + index as f32 * width;
            let gap = if index + 1 < count { 2.0 } else { 0.0 };
            let rect = Rect::from_min_size(egui::pos2(left, whole.top()), Vec2::new(width - gap, whole.height()));
            pointers.push(picture(ui, rect, index, desk, shown));
        }
        hint(ui, whole, desk, shown);
    }
    if let Some(source) = contents.loading {
        caption(
            ui,
            whole.center_top() + Vec2::new(0.0, 16.0),
            Align2::CENTER_TOP,
            14.0,
            &format!("reading {source} …"),
        );
    }
    pointers
}

/// A pane with what is written and drawn over it.
fn picture(ui: &mut Ui, rect: Rect, index: usize, desk: &Desk, shown: &mut Shown) -> Pointer {
    let pane = &mut shown.panes[index];
    pane.size = pane::size_of(rect);
    let id = pane.canvas.id();
    shown.keep_framed();
    let mut orbit = shown.orbit;
    let pointer = pane::show(ui, rect, index, id, &mut orbit, shown.drag.is_some() || desk.tool != Tool::Drag);
    shown.look_from(orbit);
    let pane = &mut shown.panes[index];
    let view = View::new(&shown.orbit, pane.size);
    let positions = pane.simulation.observation().map(|seen| &seen.state.positions[..]).unwrap_or(&[]);
    if let Some(contacts) =
        pane.simulation.observation().and_then(|seen| seen.contacts.as_ref()).filter(|_| desk.contacts)
    {
        pane::contacts(ui, rect, &view, contacts);
    }
    if let Some(&position) = shown.picked.as_ref().and_then(|picked| positions.get(picked.particle)) {
        pane::ring(ui, rect, &view, position);
    }
    for &position in shown.tools.changes.pins.keys().filter_map(|&particle| positions.get(particle)) {
        pane::pin(ui, rect, &view, position);
    }
    if let Some(stroke) = shown.tools.stroke.as_ref().filter(|stroke| stroke.pane == index) {
        pane::stroke(ui, rect, &stroke.points);
    }
    if let Some(drag) = &shown.drag
        && let Some(&position) = positions.get(drag.particle)
    {
        let force = quantity(drag.force(position), "N");
        pane::spring(ui, rect, &view, position, drag.pull.target, &force);
    }
    if desk.comparing {
        let at = rect.center_top() + Vec2::new(0.0, 14.0);
        caption(ui, at, Align2::CENTER_TOP, 18.0, &title(&desk.tunings[index]));
        let stretch = pane.simulation.observation().map(|seen| 100.0 * seen.measurement.max_stretch);
        if let (Some(stretch), Some(sag)) = (stretch, pane.simulation.sag()) {
            let text = format!("sags by {sag:.3} m, stretched by up to {stretch:.0} %");
            caption(ui, at + Vec2::new(0.0, 34.0), Align2::CENTER_TOP, 14.0, &text);
        }
    }
    panels::legend(&ui.painter().with_clip_rect(rect), rect, &desk.look, pane.simulation.full(desk.look.colour));
    pointer
}

/// What a configuration is called in its pane.
fn title(tuning: &Tuning) -> String {
    let settings = &tuning.settings;
    let mode = match settings.mode {
        Mode::Xpbd => "XPBD",
        Mode::Pbd => "PBD",
    };
    let plural = if settings.iterations == 1 { "" } else { "s" };
    let levels = if settings.nested == Some(true) && settings.mode == Mode::Xpbd { ", with levels" } else { "" };
    format!("{mode}, {} iteration{plural}{levels}", settings.iterations)
}

/// What to do, until it was done once, and what is waited for.
fn hint(ui: &Ui, rect: Rect, desk: &Desk, shown: &Shown) {
    if shown.tools.is_waiting() {
        let at = rect.center_top() + Vec2::new(0.0, 16.0);
        caption(ui, at, Align2::CENTER_TOP, 14.0, "preparing …");
    }
    if !desk.has_dragged && desk.tool == Tool::Drag {
        let is_cloth = |body: &Body| matches!(body.content, Content::Cloth(_));
        let what = if shown.loaded.scene.bodies.iter().any(is_cloth) { "the cloth" } else { "a body" };
        let text = format!("drag {what} with the left mouse button · right button turns the view");
        caption(ui, rect.center_bottom() - Vec2::new(0.0, 18.0), Align2::CENTER_BOTTOM, 14.0, &text);
    }
}
