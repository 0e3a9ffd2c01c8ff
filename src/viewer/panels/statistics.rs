//! The panel of numbers: sizes, work, times.

use egui::{CollapsingHeader, Grid, RichText, Ui};

use super::{count, quantity};

/// Numbers of one simulation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// What tells it from another; empty where there is none.
    pub name: &'static str,
    /// How many there are.
    pub particles: usize,
    /// Kind, constraints, colours.
    pub constraints: Vec<(&'static str, usize, u32)>,
    /// Of the last step, on a device.
    pub dispatches: Option<u32>,
    /// Of all that is solved and drawn.
    pub memory_bytes: u64,
    /// Simulated time, s.
    pub seconds: f64,
    /// Frames recorded.
    pub frame: u64,
    /// The largest stretch, as a share, once it is measured.
    pub stretch: Option<f64>,
    /// All energy, J, of height less what it was at first, once it is measured.
    pub energy_j: Option<f64>,
    /// Contacts that pressed in the last substep.
    pub contacts: u32,
    /// How many splits of torn surfaces wait for particles.
    pub spares_missing: u32,
    /// Whether the device has seen what no simulation should do.
    pub blown_up: bool,
    /// The first frame seen in which motion had more energy than anything accounts for.
    pub from_nowhere: Option<u64>,
    /// Time on the device of each pass of a step, ms.
    pub passes: Vec<(&'static str, f64)>,
}

/// Times of the window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timing {
    /// What solves, and draws.
    pub device: String,
    /// Whether that is the CPU.
    pub on_cpu: bool,
    /// From one picture to the next, s.
    pub frame_seconds: f64,
    /// A step, s; 0 where it is not known.
    pub step_seconds: f64,
}

/// Numbers of each simulation that is shown: first what everybody understands, the rest folded away.
pub fn statistics(ui: &mut Ui, facts: &[Facts], timing: &Timing) {
    ui.label(RichText::new(&timing.device).weak());
    let grid = |name| Grid::new(name).num_columns(1 + facts.len()).striped(true).min_col_width(56.0);
    grid("statistics").show(ui, |ui| {
        let picture = format!("{:.1} ms", 1e3 * timing.frame_seconds);
        single(ui, ("picture", "From one picture of the window to the next: 16.7 ms is 60 a second"), &picture);
        if facts.len() > 1 {
            row(ui, facts, ("", ""), |facts| facts.name.to_string());
        }
        let known = |value: Option<String>| value.unwrap_or_else(|| "…".to_string());
        row(ui, facts, ("time", "How much time has passed in the scene"), |facts| format!("{:.2} s", facts.seconds));
        row(ui, facts, ("particles", "The points that move"), |facts| count(facts.particles as u64));
        row(ui, facts, ("stretch", "The largest share by which a length differs from that at rest"), |facts| {
            known(facts.stretch.map(|share| format!("{:.2} %", 100.0 * share)))
        });
        let says = "Of motion, of height above the beginning, and of what is stretched and bent";
        row(ui, facts, ("energy", says), |facts| known(facts.energy_j.map(|energy| quantity(energy, "J"))));
    });
    warnings(ui, facts);
    CollapsingHeader::new("Details").id_salt("statistics").show(ui, |ui| {
        grid("details").show(ui, |ui| details(ui, facts, timing));
        passes(ui, facts);
    });
}

fn details(ui: &mut Ui, facts: &[Facts], timing: &Timing) {
    if timing.step_seconds > 0.0 {
        let name = if facts.len() > 1 { "steps on" } else { "step on" };
        let name = format!("{name} {}", if timing.on_cpu { "CPU" } else { "GPU" });
        let says = "How long it takes to compute a frame of the scene";
        single(ui, (&name, says), &format!("{:.2} ms", 1e3 * timing.step_seconds));
    }
    row(ui, facts, ("frame", "Frames of the scene since its beginning"), |facts| count(facts.frame));
    row(ui, facts, ("contacts", "Places where something presses"), |facts| count(facts.contacts.into()));
    for (index, &(kind, ..)) in facts.first().map_or(&[][..], |facts| &facts.constraints).iter().enumerate() {
        let of = move |facts: &Facts| facts.constraints.get(index).copied().unwrap_or_default();
        let says = format!("Constraints of the kind {kind}");
        row(ui, facts, (&kind.replace('_', " "), &says), move |facts| count(of(facts).1 as u64));
        let says = "Constraints of one group share no particle and are solved at the same time (colours, batches)";
        row(ui, facts, ("   in groups", says), move |facts| match of(facts).2 {
            0 => "all at once".to_string(),
            colours => colours.to_string(),
        });
    }
    if facts.iter().any(|facts| facts.dispatches.is_some()) {
        let says = "Pieces of work that a frame gives the GPU (dispatches)";
        row(ui, facts, ("GPU tasks", says), |facts| count(facts.dispatches.unwrap_or_default().into()));
    }
    row(ui, facts, ("memory", "Of all that is solved and drawn"), |facts| quantity(facts.memory_bytes as f64, "B"));
}

fn warnings(ui: &mut Ui, facts: &[Facts]) {
    if facts.iter().any(|facts| facts.blown_up) {
        ui.colored_label(ui.visuals().error_fg_color, "The simulation blew up: reset it, and try more substeps.");
    }
    if let Some(frame) = facts.iter().filter_map(|facts| facts.from_nowhere).min() {
        let text =
            format!("Energy from nowhere since frame {frame}: more motion than gravity, forces and wind account for.");
        ui.colored_label(ui.visuals().warn_fg_color, text);
    }
    if facts.iter().any(|facts| facts.spares_missing > 0) {
        let text = "Out of spare particles: the tear waits. Raise spare_particles in the scene.";
        ui.colored_label(ui.visuals().warn_fg_color, text);
    }
}

fn passes(ui: &mut Ui, facts: &[Facts]) {
    if facts.iter().all(|facts| facts.passes.is_empty()) {
        return;
    }
    ui.add_space(6.0);
    ui.label(RichText::new("GPU time in a frame").strong()).on_hover_text("Of each pass of the solver");
    for facts in facts {
        if !facts.name.is_empty() {
            ui.label(facts.name);
        }
        let total: f64 = facts.passes.iter().map(|(_, milliseconds)| milliseconds).sum();
        for (name, milliseconds) in &facts.passes {
            let share = if total > 0.0 { milliseconds / total } else { 0.0 };
            let text = format!("{name}  {milliseconds:.2} ms");
            ui.add(egui::ProgressBar::new(share as f32).desired_height(16.0).corner_radius(3).text(text));
        }
    }
}

/// A name, what it says when the pointer rests on it, and one value.
fn single(ui: &mut Ui, (name, says): (&str, &str), value: &str) {
    ui.label(name).on_hover_text(says);
    ui.monospace(value);
    ui.end_row();
}

/// The same with a value of each simulation.
fn row(ui: &mut Ui, facts: &[Facts], (name, says): (&str, &str), value: impl Fn(&Facts) -> String) {
    let label = ui.label(name);
    if !says.is_empty() {
        label.on_hover_text(says);
    }
    for facts in facts {
        ui.monospace(value(facts));
    }
    ui.end_row();
}
