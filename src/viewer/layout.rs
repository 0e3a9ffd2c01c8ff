//! Where things are in the window: the bar above, controls on the left, numbers on the right, the scene between them.

use egui::{
    Align2, CentralPanel, CollapsingHeader, Event, Frame, Key, Modifiers, Panel, Rect, RichText, ScrollArea, Ui, Vec2,
};

use super::keys;
use super::orbit::View;
use super::overlay::Labels;
use super::pane::{self, Pointer};
use super::panels::{self, Action, Curves, Desk, Facts, Timing, quantity};
use super::shelves::Shelf;
use super::shown::{Shown, sights, traits};
use super::tools::Tool;
use super::tuning::Tuning;
use crate::model::Mode;
use crate::scene::Body;

/// The width of a panel beside the scene, and what is left to the scene at the least, points.
const SIDE: f32 = 330.0;
const LEAST_SIDE: f32 = 180.0;
const LEAST_SCENE: f32 = 360.0;
const TOOLS: f32 = 66.0;
/// What the two configurations are called.
pub const NAMES: [&str; 2] = ["Left", "Right"];

/// What a frame of the window shows beside the desk.
pub struct Contents<'a> {
    pub shown: Option<&'a mut Shown>,
    /// What is being read.
    pub loading: Option<&'a str>,
    pub timing: &'a Timing,
    /// The scenes to choose from.
    pub shelves: &'a [Shelf],
    /// What is written over the pictures.
    pub labels: Labels,
}

/// Lays out the window. Returns what the pointer does in each pane.
pub fn window(ui: &mut Ui, desk: &mut Desk, contents: &mut Contents, actions: &mut Vec<Action>) -> Vec<Pointer> {
    let focused = |ui: &Ui| ui.memory(|memory| memory.focused());
    let (typing, before) = (ui.ctx().text_edit_focused(), focused(ui));
    let source = contents.shown.as_ref().map_or("", |shown| shown.loaded.source.as_str()).to_string();
    let slowed = contents.shown.as_ref().filter(|_| desk.playing).and_then(|shown| shown.pace.slowed(desk.speed));
    Panel::top("toolbar").show(ui, |ui| {
        ui.add_space(4.0);
        panels::toolbar(ui, desk, contents.shelves, &source, slowed, actions);
        ui.add_space(4.0);
    });
    if let Some((source, now)) = contents.shown.as_ref().and_then(|shown| {
        let loaded = &shown.loaded;
        Some((loaded.source.as_str(), loaded.mesh_use?))
    }) {
        Panel::top("mesh").show(ui, |ui| panels::mesh_use(ui, source, now, actions));
    }
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
    let pointers = middle.show(ui, |ui| scene(ui, desk, contents)).inner;
    panels::help(ui, &mut desk.help_open);
    // A click of this very frame may have put the cursor into a field, and Enter may have taken it out of one. A number
    // is a field only in the frame after.
    let is_entered = focused(ui).is_some_and(|now| before != Some(now));
    if !typing && !is_entered && !ui.ctx().text_edit_focused() {
        shortcuts(ui, desk, actions);
        keys::of_files_and_view(ui, desk, actions);
    }
    pointers
}

/// Keys, while nothing is being typed. They come after the panels, which show what they did in the next frame.
fn shortcuts(ui: &Ui, desk: &mut Desk, actions: &mut Vec<Action>) {
    if ui.input(|input| input.events.iter().any(|event| matches!(event, Event::Key { .. }))) {
        ui.ctx().request_repaint();
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
    let most = (0.5 * (ui.ctx().content_rect().width() - LEAST_SCENE)).clamp(LEAST_SIDE, 560.0);
    panel.default_size(SIDE.min(most)).size_range(LEAST_SIDE..=most).show(ui, |ui| {
        // What is too wide for a narrow panel must not make it wider.
        ScrollArea::both().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().slider_width = (0.4 * ui.available_width()).clamp(60.0, 130.0);
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
                let name = ("iterations of both", "How often each substep goes over all constraints");
                panels::sweeps(ui, &mut left.settings.iterations, panels::MOST_ITERATIONS, name);
                right.settings.iterations = left.settings.iterations;
            }
        });
        for (index, (name, tuning)) in NAMES.into_iter().zip(&mut desk.tunings).enumerate() {
            section(ui, name, |ui| {
                ui.push_id(index, |ui| panels::tuning(ui, tuning, traits));
            });
        }
    } else {
        section(ui, "Simulation", |ui| panels::tuning(ui, &mut desk.tunings[0], traits));
    }
    section(ui, "Look", |ui| panels::look(ui, &mut desk.look, &mut desk.contacts, sights(shown)));
    section(ui, "Mouse", |ui| panels::pull(ui, &mut desk.pull_strength));
    if ui.button("Back to the scene's settings").on_hover_text("All that was changed in this panel, undone").clicked() {
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
    let Contents { shown, loading, labels, .. } = contents;
    let mut pointers = Vec::new();
    if let Some(shown) = shown {
        let count = shown.panes.len();
        let width = whole.width() / count as f32;
        for index in 0..count {
            let left = whole.left() + index as f32 * width;
            let gap = if index + 1 < count { 2.0 } else { 0.0 };
            let rect = Rect::from_min_size(egui::pos2(left, whole.top()), Vec2::new(width - gap, whole.height()));
            pointers.push(picture(ui, rect, index, desk, shown, labels));
        }
        hint(ui, whole, desk, shown, labels);
    }
    if let Some(source) = loading {
        labels.write(ui.painter(), whole, Align2::CENTER_TOP, 14.0, &format!("reading {source} …"));
    }
    pointers
}

/// A pane with what is written and drawn over it.
fn picture(ui: &mut Ui, rect: Rect, index: usize, desk: &Desk, shown: &mut Shown, labels: &mut Labels) -> Pointer {
    let pane = &mut shown.panes[index];
    pane.size = pane::size_of(rect);
    let id = pane.canvas.id();
    shown.keep_framed();
    let mut orbit = shown.orbit;
    let pointer = pane::show(ui, rect, index, id, &mut orbit, shown.drag.is_some() || desk.tool != Tool::Drag);
    shown.look_from(orbit);
    let pane = &mut shown.panes[index];
    let view = View::new(&shown.orbit, pane.size);
    let painter = ui.painter().with_clip_rect(rect);
    if desk.comparing {
        labels.write(&painter, rect, Align2::CENTER_TOP, 18.0, &title(&desk.tunings[index]));
        let stretch = pane.simulation.observation().map(|seen| 100.0 * seen.measurement.max_stretch);
        if let (Some(stretch), Some(sag)) = (stretch, pane.simulation.sag()) {
            let text = format!("sags by {sag:.3} m, stretched by up to {stretch:.0} %");
            labels.write(&painter, rect, Align2::CENTER_TOP, 14.0, &text);
        }
    }
    panels::legend(&painter, rect, &desk.look, pane.simulation.full(desk.look.colour), labels);
    let positions = pane.simulation.observation().map(|seen| &seen.state.positions[..]).unwrap_or(&[]);
    if let Some(contacts) =
        pane.simulation.observation().and_then(|seen| seen.contacts.as_ref()).filter(|_| desk.contacts)
    {
        let text = pane::contacts(ui, rect, &view, contacts);
        labels.write(&painter, rect, Align2::RIGHT_TOP, 13.0, &text);
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
        && let Some(end) = pane::spring(ui, rect, &view, position, drag.pull.target)
    {
        let force = quantity(drag.force(position), "N");
        labels.write_at(&painter, rect, end + Vec2::new(14.0, -14.0), 14.0, &force);
    }
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
    let levels = if settings.nested == Some(true) && settings.mode == Mode::Xpbd { ", with coarse nets" } else { "" };
    format!("{mode}, {} iteration{plural}{levels}", settings.iterations)
}

/// What to do, until it was done once, and what is waited for.
fn hint(ui: &Ui, rect: Rect, desk: &Desk, shown: &Shown, labels: &mut Labels) {
    if shown.tools.is_waiting() {
        labels.write(ui.painter(), rect, Align2::CENTER_TOP, 14.0, "preparing …");
    }
    if !desk.has_dragged && desk.tool == Tool::Drag {
        let is_cloth = |body: &Body| body.content.is_cloth();
        let what = if shown.loaded.scene.bodies.iter().any(is_cloth) { "the cloth" } else { "a body" };
        let text = format!("drag {what} with the left mouse button · right button turns the view");
        labels.write(ui.painter(), rect, Align2::CENTER_BOTTOM, 14.0, &text);
    }
}
