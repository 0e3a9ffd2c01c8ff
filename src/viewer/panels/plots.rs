//! Energy, stretch and residual over time.

use std::ops::RangeInclusive;

use egui::{Color32, RichText, Ui, Vec2b};
use egui_plot::{GridInput, GridMark, Line, LineStyle, Plot, PlotPoints, VLine};

use crate::viewer::history::History;
use crate::viewer::theme::curve;

/// The curves of one simulation, and what to call it.
pub struct Curves<'a> {
    pub name: &'a str,
    pub history: &'a History,
}

/// The size of the names of curves, points.
const LEGEND: f32 = 12.5;

const KINETIC: Color32 = Color32::from_rgb(231, 150, 60);
const GRAVITY: Color32 = Color32::from_rgb(100, 160, 235);
const ELASTIC: Color32 = Color32::from_rgb(110, 195, 120);
const TOTAL: Color32 = Color32::from_rgb(225, 225, 230);
const STRETCH: Color32 = Color32::from_rgb(235, 95, 95);
const NOW: Color32 = Color32::from_rgb(250, 250, 250);
const RESIDUAL: [Color32; 4] = [
    Color32::from_rgb(190, 130, 235),
    Color32::from_rgb(90, 200, 210),
    Color32::from_rgb(235, 200, 90),
    Color32::from_rgb(200, 200, 205),
];

/// The plots of one simulation, or of two over each other: the second dashed. `shown` is the time on show where that is
/// not the latest, s.
pub fn plots(ui: &mut Ui, curves: &[Curves], shown: Option<f64>) {
    if let [first, second] = curves {
        ui.label(RichText::new(format!("{}: solid, {}: dashed", first.name, second.name)).weak());
    }
    plot(ui, ("Energy, J", "Of motion, height, springs and all of it"), curves, shown, |history| {
        vec![
            ("motion", KINETIC, history.kinetic.clone()),
            ("height", GRAVITY, history.gravity.clone()),
            ("springs", ELASTIC, history.elastic.clone()),
            ("all", TOTAL, history.total.clone()),
        ]
    });
    let says = "By how much the most stretched length differs from that at rest";
    plot(ui, ("Largest stretch, %", says), curves, shown, |history| {
        let percent = history.stretch.iter().map(|&[seconds, share]| [seconds, 100.0 * share]);
        vec![("", STRETCH, percent.collect())]
    });
    let says = "What solving leaves undone of each kind of constraint, as a power of ten (residual, the root mean \
                square of |C + α̃λ|)";
    plot(ui, ("Unsolved error, log₁₀", says), curves, shown, |history| {
        let logarithms = |points: &[[f64; 2]]| {
            points.iter().filter(|point| point[1] > 0.0).map(|&[seconds, value]| [seconds, value.log10()]).collect()
        };
        let kinds = history.residual.iter().zip(RESIDUAL.into_iter().cycle());
        kinds.map(|((kind, points), colour)| (*kind, colour, logarithms(points))).collect()
    });
}

/// A plot of some curves of each simulation: name, colour, points. The names stand in the title: a legend in the plot
/// would hide half of it.
fn plot(
    ui: &mut Ui,
    (title, says): (&str, &str),
    curves: &[Curves],
    shown: Option<f64>,
    of: impl Fn(&History) -> Vec<(&'static str, Color32, Vec<[f64; 2]>)>,
) {
    let of_each: Vec<_> = curves.iter().map(|curves| of(curves.history)).collect();
    ui.horizontal_wrapped(|ui| {
        ui.label(title).on_hover_text(says);
        for (name, colour, _) in of_each.first().into_iter().flatten() {
            ui.label(RichText::new(name.replace('_', " ")).color(curve(*colour, ui.visuals().dark_mode)).size(LEGEND));
        }
    });
    let dark_mode = ui.visuals().dark_mode;
    let styles = [LineStyle::Solid, LineStyle::dashed_loose()];
    let lines = of_each.into_iter().zip(styles).flat_map(|(lines, style)| {
        let line = move |(name, colour, points)| {
            Line::new(name, PlotPoints::from(points)).color(curve(colour, dark_mode)).style(style).width(1.5)
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
        .x_grid_spacer(marks)
        .y_grid_spacer(marks)
        .x_axis_formatter(label)
        .y_axis_formatter(label)
        .show(ui, |plot| {
            lines.into_iter().for_each(|line| plot.line(line));
            shown.into_iter().for_each(|seconds| plot.vline(VLine::new("", seconds).color(NOW).width(1.0)));
        });
}

/// Two to five numbers to an axis, all with their labels: 1, 2 or 5 times a power of ten apart. (The plot's own are ten
/// times as dense, and where they are too close for labels, as on plots so low, it draws none.)
fn marks(input: GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let least = (high - low) / 4.0;
    let decade = 10_f64.powf(least.log10().floor());
    let Some(step_size) =
        [1.0, 2.0, 5.0, 10.0].map(|times| times * decade).into_iter().find(|step| *step > 0.0 && *step >= least)
    else {
        return Vec::new();
    };
    let first = (low / step_size).ceil();
    let count = ((high / step_size).floor() - first).clamp(0.0, 4.0) as u32;
    (0..=count).map(|index| GridMark { value: (first + f64::from(index)) * step_size, step_size }).collect()
}

/// With as many decimals as tell a number from the next, and all with a power of ten where one of the axis is long.
/// (The plot's own tells -3.5 as -4.)
fn label(mark: GridMark, range: &RangeInclusive<f64>) -> String {
    let order = |number: f64| number.abs().log10().floor();
    let (size, step) = (order(mark.value), order(mark.step_size));
    let [digits, decimals] = [size - step, -step].map(|count| count.max(0.0) as usize);
    let largest = order(range.start().abs().max(range.end().abs()));
    match mark.value {
        0.0 => "0".to_string(),
        value if largest >= 5.0 || decimals > 4 => format!("{value:.digits$e}"),
        value => format!("{value:.decimals$}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever an axis spans has at least two numbers within it, and not so many that their labels touch.
    #[test]
    fn axes_have_numbers() {
        let spans = [
            (0.0, 1.0),
            (3.8, 15.3),
            (1e-9, 3e-9),
            (-500.0, 19_999.0),
            (-4.55, -4.12),
            (-1.0, 1.0),
            (0.0, 8.1),
            (0.0, 6.1e8),
            (0.0, 1.6e5),
        ];
        for bounds in spans {
            let marks = marks(GridInput { bounds, base_step_size: 1.0 });
            assert!((2..=5).contains(&marks.len()), "{bounds:?}: {marks:?}");
            let within = |mark: &GridMark| {
                let rounding = 1e-9 * mark.step_size;
                (bounds.0 - rounding..=bounds.1 + rounding).contains(&mark.value)
            };
            assert!(marks.iter().all(within), "{bounds:?}: {marks:?}");
            for &mark in &marks {
                let told: f64 = label(mark, &(bounds.0..=bounds.1)).parse().unwrap();
                assert!((told - mark.value).abs() < 1e-6 * mark.step_size, "{mark:?} is told as {told}");
                assert!(label(mark, &(bounds.0..=bounds.1)).len() <= 6, "{mark:?}");
            }
            let others = marks.iter().filter(|mark| mark.value != 0.0);
            let with_power = others.clone().filter(|mark| label(**mark, &(bounds.0..=bounds.1)).contains('e'));
            assert!([0, others.count()].contains(&with_power.count()), "{bounds:?}: of two sorts");
        }
        assert!(marks(GridInput { bounds: (0.0, f64::NAN), base_step_size: 1.0 }).is_empty());
        assert!(marks(GridInput { bounds: (1.0, 1.0), base_step_size: 1.0 }).is_empty());
    }
}
