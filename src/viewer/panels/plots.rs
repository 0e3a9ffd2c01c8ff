//! Energy, stretch and residual over time.

use egui::{Color32, RichText, Ui, Vec2b};
use egui_plot::{Line, LineStyle, Plot, PlotPoints};

use crate::viewer::history::History;

/// The curves of one simulation, and what to call it.
pub struct Curves<'a> {
    pub name: &'a str,
    pub history: &'a History,
}

const KINETIC: Color32 = Color32::from_rgb(231, 150, 60);
const GRAVITY: Color32 = Color32::from_rgb(100, 160, 235);
const ELASTIC: Color32 = Color32::from_rgb(110, 195, 120);
const TOTAL: Color32 = Color32::from_rgb(225, 225, 230);
const STRETCH: Color32 = Color32::from_rgb(235, 95, 95);
const RESIDUAL: [Color32; 4] = [
    Color32::from_rgb(190, 130, 235),
    Color32::from_rgb(90, 200, 210),
    Color32::from_rgb(235, 200, 90),
    Color32::from_rgb(200, 200, 205),
];

/// The plots of one simulation, or of two over each other: the second dashed.
pub fn plots(ui: &mut Ui, curves: &[Curves]) {
    if let [first, second] = curves {
        ui.label(RichText::new(format!("{}: solid, {}: dashed", first.name, second.name)).weak());
    }
    plot(ui, "Energy, J", curves, |history| {
        vec![
            ("kinetic", KINETIC, history.kinetic.clone()),
            ("gravity", GRAVITY, history.gravity.clone()),
            ("elastic", ELASTIC, history.elastic.clone()),
            ("total", TOTAL, history.total.clone()),
        ]
    });
    plot(ui, "Largest stretch, %", curves, |history| {
        let percent = history.stretch.iter().map(|&[seconds, share]| [seconds, 100.0 * share]);
        vec![("", STRETCH, percent.collect())]
    });
    plot(ui, "Residual, log₁₀", curves, |history| {
        let logarithms = |points: &[[f64; 2]]| {
            points.iter().filter(|point| point[1] > 0.0).map(|&[seconds, value]| [seconds, value.log10()]).collect()
        };
        let kinds = history.residual.iter().zip(RESIDUAL.into_iter().cycle());
        kinds.map(|((kind, points), colour)| (*kind, colour, logarithms(points))).collect()
    });
}

/// A plot of some curves of each simulation: name, colour, points. The names stand in the title: a legend in the plot would
/// hide half of it.
fn plot(
    ui: &mut Ui,
    title: &str,
    curves: &[Curves],
    of: impl Fn(&History) -> Vec<(&'static str, Color32, Vec<[f64; 2]>)>,
) {
    let of_each: Vec<_> = curves.iter().map(|curves| of(curves.history)).collect();
    ui.horizontal(|ui| {
        ui.label(title);
        for (name, colour, _) in of_each.first().into_iter().flatten() {
            ui.label(RichText::new(*name).color(*colour).small());
        }
    });
    let styles = [LineStyle::Solid, LineStyle::dashed_loose()];
    let lines = of_each.into_iter().zip(styles).flat_map(|(lines, style)| {
        let line = move |(name, colour, points)| {
            Line::new(name, PlotPoints::from(points)).color(colour).style(style).width(1.5)
        };
        lines.into_iter().map(line)
    });
    let lines: Vec<Line> = lines.collect();
    Plot::new(title)
        .height(112.0)
        .allow_scroll(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_boxed_zoom(false)
        .auto_bounds(Vec2b::TRUE)
        .show_grid(Vec2b::new(false, true))
        .y_axis_min_width(36.0)
        .show(ui, |plot| lines.into_iter().for_each(|line| plot.line(line)));
}
