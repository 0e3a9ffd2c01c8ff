//! Energy, stretch and residual over time.

use egui::{Color32, Ui, Vec2b};
use egui_plot::{Corner, Legend, Line, LineStyle, Plot, PlotPoints};

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
    let energy = |history: &'_ History| {
        let parts = [("kinetic", KINETIC), ("gravity", GRAVITY), ("elastic", ELASTIC), ("total", TOTAL)];
        let points = [&history.kinetic, &history.gravity, &history.elastic, &history.total].map(Clone::clone);
        parts.into_iter().zip(points).map(|((name, colour), points)| (name, colour, points)).collect::<Vec<_>>()
    };
    ui.label("Energy, J");
    plot(ui, "energy", curves, energy);
    ui.label("Largest stretch, %");
    plot(ui, "stretch", curves, |history| {
        let percent = history.stretch.iter().map(|&[seconds, share]| [seconds, 100.0 * share]);
        vec![("stretch", STRETCH, percent.collect())]
    });
    ui.label("Residual, logarithm to base 10");
    plot(ui, "residual", curves, |history| {
        let logarithms = |points: &[[f64; 2]]| {
            points.iter().filter(|point| point[1] > 0.0).map(|&[seconds, value]| [seconds, value.log10()]).collect()
        };
        let kinds = history.residual.iter().zip(RESIDUAL.into_iter().cycle());
        kinds.map(|((kind, points), colour)| (*kind, colour, logarithms(points))).collect()
    });
}

/// A plot of some curves of each simulation: name, colour, points.
fn plot(
    ui: &mut Ui,
    id: &str,
    curves: &[Curves],
    of: impl Fn(&History) -> Vec<(&'static str, Color32, Vec<[f64; 2]>)>,
) {
    let lines: Vec<Line> = (0..)
        .zip(curves)
        .flat_map(|(index, curves)| {
            let style = if index == 0 { LineStyle::Solid } else { LineStyle::dashed_loose() };
            of(curves.history).into_iter().map(move |(name, colour, points)| {
                let name = if curves.name.is_empty() { name.to_string() } else { format!("{} {name}", curves.name) };
                Line::new(name, PlotPoints::from(points)).color(colour).style(style).width(1.5)
            })
        })
        .collect();
    Plot::new(id)
        .height(128.0)
        .legend(Legend::default().position(Corner::LeftTop).background_alpha(0.5))
        .allow_scroll(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_boxed_zoom(false)
        .auto_bounds(Vec2b::TRUE)
        .show_grid(Vec2b::new(false, true))
        .y_axis_min_width(36.0)
        .show(ui, |plot| lines.into_iter().for_each(|line| plot.line(line)));
}
