//! What is known of the particle that was clicked.

use egui::{Grid, RichText, Ui};

use super::{count, quantity};

/// A particle as it was last seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    /// Index in the scene.
    pub particle: usize,
    /// Its body's name.
    pub body: String,
    /// kg; `None` for a fixed particle.
    pub mass: Option<f64>,
    /// m
    pub position: [f64; 3],
    /// m/s
    pub velocity: [f64; 3],
    /// What it is tied by.
    pub constraints: Vec<Line>,
}

/// A constraint that the particle takes part in.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub kind: &'static str,
    /// The other particles.
    pub others: Vec<u32>,
    /// C of the first component, in its unit.
    pub value: f64,
    /// The unit of C.
    pub unit: &'static str,
    /// Mean over the last frame, N.
    pub force: f64,
    pub broken: bool,
}

/// Of the other particles of a constraint; a closed surface has thousands.
const MOST_LISTED: usize = 8;

/// Shows a particle, or how to choose one. `title` tells two simulations apart.
pub fn inspector(ui: &mut Ui, title: &str, inspection: Option<&Inspection>) {
    let Some(shown) = inspection else {
        ui.label(RichText::new("Click a particle to see its mass, motion and constraints.").weak());
        return;
    };
    if !title.is_empty() {
        ui.label(RichText::new(title).strong());
    }
    Grid::new(("particle", title)).num_columns(2).striped(true).show(ui, |ui| {
        let speed = shown.velocity.iter().map(|v| v * v).sum::<f64>().sqrt();
        let rows = [
            ("particle", format!("{} of {}", count(shown.particle as u64), shown.body)),
            ("mass", shown.mass.map_or_else(|| "fixed".to_string(), |mass| quantity(1e3 * mass, "g"))),
            ("position", vector(shown.position, "m")),
            ("velocity", vector(shown.velocity, "m/s")),
            ("speed", quantity(speed, "m/s")),
        ];
        for (name, value) in rows {
            ui.label(name);
            ui.monospace(value);
            ui.end_row();
        }
    });
    ui.add_space(4.0);
    egui::ScrollArea::vertical().id_salt(("constraints", title)).max_height(220.0).show(ui, |ui| {
        Grid::new(("constraints", title)).num_columns(4).striped(true).show(ui, |ui| {
            for (heading, says) in [
                ("held by", "The kind of constraint"),
                ("with", "The other particles that it joins"),
                ("off by", "How far it is from rest: C of the constraint"),
                ("force", "The mean over the last frame"),
            ] {
                ui.label(RichText::new(heading).strong()).on_hover_text(says);
            }
            ui.end_row();
            for line in &shown.constraints {
                ui.label(line.kind.replace('_', " "));
                ui.monospace(match line.others.len() {
                    0..=MOST_LISTED => line.others.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
                    others => format!("{} particles", count(others as u64)),
                });
                ui.monospace(
                    format!("{:.2e} {}", line.value, if line.unit == "1" { "" } else { line.unit }).trim_end(),
                );
                ui.monospace(if line.broken { "broken".to_string() } else { quantity(line.force, "N") });
                ui.end_row();
            }
        });
    });
}

fn vector([x, y, z]: [f64; 3], unit: &str) -> String {
    format!("{x:.3}  {y:.3}  {z:.3} {unit}")
}
