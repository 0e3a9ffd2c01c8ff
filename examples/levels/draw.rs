//! Error against time, one curve for each method.

use std::error::Error;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::Curve;
use super::hang::Measured;

const COLOURS: [u32; 7] = [0xd62728, 0x1f3b99, 0xb565c9, 0x6a3d9a, 0xff9f40, 0x5aa9e6, 0x2ca02c];

fn colour(index: usize) -> RGBColor {
    let rgb = COLOURS[index % COLOURS.len()];
    RGBColor((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
}

/// Draws sag and stretch of a sheet of n × n to an SVG file.
pub fn draw(curves: &[Curve], n: u32, file: &str) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::new(file, (1200, 560)).into_drawing_area();
    area.fill(&WHITE)?;
    let title =
        format!("A stiff sheet of {n} × {n} by two corners: error against time; the numbers are substeps a frame");
    let area = area.titled(&title, ("sans-serif", 20))?;
    for (index, half) in area.split_evenly((1, 2)).iter().enumerate() {
        match index {
            0 => panel(half, curves, "largest sag, % of the height", |measured| measured.sag, true)?,
            _ => panel(half, curves, "largest stretch of an edge, %", |measured| measured.stretch, false)?,
        }
    }
    Ok(area.present()?)
}

/// The whole decades around some numbers.
fn decades(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    10_f64.powf(low.log10().floor())..10_f64.powf(high.log10().ceil())
}

fn panel(
    area: &DrawingArea<SVGBackend, Shift>,
    curves: &[Curve],
    what: &str,
    value: impl Fn(&Measured) -> f64 + Copy,
    legend: bool,
) -> Result<(), Box<dyn Error>> {
    let all = || curves.iter().flat_map(|curve| &curve.points).map(|(_, measured)| measured);
    let errors = decades(all().map(value).filter(|value| value.is_finite() && *value > 0.0));
    let times = decades(all().map(|measured| measured.ms));
    let axis = ("sans-serif", 15);
    let mut chart = ChartBuilder::on(area)
        .margin(15)
        .x_label_area_size(45)
        .y_label_area_size(70)
        .build_cartesian_2d(times.log_scale(), errors.log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .bold_line_style(RGBColor(0xdd, 0xdd, 0xdd))
        .label_style(axis)
        .axis_desc_style(axis)
        .x_desc("ms a frame, the fastest")
        .y_desc(what)
        .x_label_formatter(&|value| format!("{value}"))
        .y_label_formatter(&|value| format!("{value:.0e}"))
        .draw()?;
    for (index, Curve { name, points }) in curves.iter().enumerate() {
        let colour = colour(index);
        let places: Vec<(u32, (f64, f64))> =
            points.iter().map(|(substeps, measured)| (*substeps, (measured.ms, value(measured)))).collect();
        let line = places.iter().map(|(_, place)| *place);
        let drawn = chart.draw_series(LineSeries::new(line.clone(), colour.stroke_width(2)))?;
        drawn.label(*name).legend(move |(x, y)| Circle::new((x + 10, y), 4, colour.filled()));
        chart.draw_series(line.map(|place| Circle::new(place, 4, colour.filled())))?;
        let number = |(substeps, place): &(u32, (f64, f64))| {
            let font = ("sans-serif", 12).into_font().color(&colour);
            EmptyElement::at(*place) + Text::new(substeps.to_string(), (5, -13), font)
        };
        chart.draw_series(places.iter().map(number))?;
    }
    if legend {
        let labels = &mut chart.configure_series_labels();
        labels.position(SeriesLabelPosition::UpperRight).label_font(axis).background_style(WHITE).border_style(BLACK);
        labels.draw()?;
    }
    Ok(())
}
