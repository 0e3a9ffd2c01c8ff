//! Draws results of `pliant bench --json`: time against particles, and error against time, beside what others have published.
//! Run: `cargo run --example bench_plot -- benches/results/*.json benches/results/*/*.json`, which draws `out/bench.svg`.

use std::error::Error;
use std::ops::Range;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use serde_json::Value;

/// Name with the machine, particles, and ms a frame; benches/README.md has the sources.
const PUBLISHED: [(&str, f64, f64); 3] = [
    ("Small Steps, RTX 2080 Ti", 150_000.0, 13.5),
    ("XPBD, 20 iterations, GTX 1070", 4_096.0, 0.97),
    ("XPBD, 160 iterations, GTX 1070", 4_096.0, 5.65),
];

const COLOURS: [RGBColor; 10] = [
    RGBColor(31, 59, 153),
    RGBColor(214, 39, 40),
    RGBColor(44, 160, 44),
    RGBColor(255, 127, 14),
    RGBColor(123, 63, 176),
    RGBColor(140, 86, 75),
    RGBColor(23, 160, 180),
    RGBColor(90, 90, 90),
    RGBColor(188, 189, 34),
    RGBColor(227, 119, 194),
];

/// One row of a result.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub particles: f64,
    pub milliseconds: f64,
    /// The fastest frame, ms.
    pub best: f64,
    /// Quartiles of the frames, ms.
    pub spread: [f64; 2],
    /// Largest |length/rest - 1|, where the file has it.
    pub stretch: Option<f64>,
}

/// All rows of a result, under the name of its scene and of its file or its folder, which tells the machine.
#[derive(Clone, Debug)]
pub struct Series {
    pub name: String,
    /// Whether large bodies were solved in clusters, which tells two results of one machine apart.
    pub clusters: bool,
    pub points: Vec<Point>,
}

impl Series {
    /// Reads what `bench --json` wrote: the rows of the scene or of W1, of the CPU engine those with most threads. The solid W2 is no cloth and is left
    /// out.
    pub fn read(file: &Path) -> Result<Self, Box<dyn Error>> {
        let result: Value = serde_json::from_str(&std::fs::read_to_string(file)?)?;
        let rows = result["sizes"].as_array().ok_or("a result without `sizes`")?;
        let point = |row: &Value| {
            let number = |key: &str| row[key].as_f64();
            let milliseconds = number("step_ms_median")?;
            let quartile = |side| number(&format!("step_ms_{side}_quartile")).unwrap_or(milliseconds);
            Some(Point {
                particles: number("particles")?,
                milliseconds,
                best: number("step_ms_min")?,
                spread: [quartile("lower"), quartile("upper")],
                stretch: number("max_stretch").filter(|stretch| *stretch > 0.0),
            })
        };
        let threads = |row: &Value| row["threads"].as_u64().unwrap_or(0);
        let most = rows.iter().map(threads).max().unwrap_or(0);
        let points = rows
            .iter()
            .filter(|row| threads(row) == most)
            .map(point)
            .collect::<Option<_>>()
            .ok_or("a row without particles or a time")?;
        let words = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().replace(['_', '-'], " ");
        let scene = words(Path::new(result["scene"].as_str().unwrap_or("?")));
        let machine = match file.parent().filter(|folder| !folder.ends_with("results")) {
            Some(folder) => words(folder),
            None => words(file),
        };
        let machine = machine.strip_suffix(&scene).unwrap_or(&machine).trim();
        let clusters = result["clusters"].as_bool().unwrap_or(false);
        Ok(Self { name: format!("{scene}, {machine}"), clusters, points })
    }
}

/// What would bear the same name says how it was solved.
fn tell_apart(all: &mut [Series]) {
    let names: Vec<String> = all.iter().map(|series| series.name.clone()).collect();
    for series in all {
        if names.iter().filter(|name| **name == series.name).count() > 1 {
            series.name += if series.clusters { ", clusters" } else { ", colours" };
        }
    }
}

/// A little room around the smallest and the largest, on a logarithmic axis.
fn range(values: impl Iterator<Item = f64> + Clone) -> Range<f64> {
    let (low, high) = (values.clone().fold(f64::INFINITY, f64::min), values.fold(0.0, f64::max));
    low / 4.0..high * 4.0
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Median times with the quartiles of frames as bars, and what others published as crosses.
fn draw_time(area: &Area, series: &[Series]) -> Result<(), Box<dyn Error>> {
    let all = || series.iter().flat_map(|series| &series.points);
    let particles = range(all().map(|point| point.particles).chain(PUBLISHED.map(|point| point.1)));
    // Room for the names beside them.
    let particles = particles.start..1_000.0 * particles.end;
    let times = range(all().flat_map(|point| point.spread).chain(PUBLISHED.map(|point| point.2)));
    let mut chart = ChartBuilder::on(area)
        .caption("Time of a frame", ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(particles.log_scale(), times.log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc("particles")
        .x_label_formatter(&|n| format!("{n}"))
        .y_label_formatter(&|ms| format!("{ms}"))
        .y_desc("ms a frame")
        .draw()?;
    for (series, (index, colour)) in series.iter().zip(COLOURS.iter().cycle().enumerate()) {
        let at = |point: &Point| (point.particles, point.milliseconds);
        // Hollow where a colour comes again.
        let style = if index < COLOURS.len() { colour.filled() } else { colour.stroke_width(2) };
        chart.draw_series(LineSeries::new(series.points.iter().map(at), colour))?;
        chart.draw_series(series.points.iter().map(|point| {
            let [low, high] = point.spread.map(|ms| (point.particles, ms));
            PathElement::new([low, high], colour.stroke_width(3))
        }))?;
        let dots = chart.draw_series(series.points.iter().map(|point| Circle::new(at(point), 3, style)))?;
        dots.label(&series.name).legend(move |(x, y)| Circle::new((x + 8, y), 3, style));
    }
    for ((name, particles, ms), colour) in PUBLISHED.iter().zip(COLOURS.into_iter().rev()) {
        let cross = chart.draw_series([Cross::new((*particles, *ms), 5, colour)])?;
        cross.label(*name).legend(move |(x, y)| Cross::new((x + 8, y), 5, colour));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::MiddleRight)
        .background_style(WHITE)
        .border_style(BLACK)
        .draw()?;
    Ok(())
}

/// The largest stretch after the timed frames against the time of the fastest, for scenes that were measured with several substeps or iterations.
fn draw_error(area: &Area, series: &[Series]) -> Result<(), Box<dyn Error>> {
    let is_swept =
        |points: &[Point]| points.len() > 1 && points.iter().all(|point| point.particles == points[0].particles);
    let known = |series: &Series| -> Vec<(f64, f64)> {
        let points = series.points.iter().filter(|_| is_swept(&series.points));
        points.filter_map(|point| Some((point.best, 100.0 * point.stretch?))).collect()
    };
    let swept: Vec<(usize, Vec<(f64, f64)>)> = series.iter().map(known).enumerate().collect();
    let all = || swept.iter().flat_map(|(_, points)| points);
    if all().next().is_none() {
        return Ok(());
    }
    let mut chart = ChartBuilder::on(area)
        .caption("Error against time", ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(
            range(all().map(|point| point.0)).log_scale(),
            range(all().map(|point| point.1)).log_scale(),
        )?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_label_formatter(&|ms| format!("{ms}"))
        .y_label_formatter(&|share| format!("{share}"))
        .x_desc("ms of the fastest frame")
        .y_desc("largest stretch, %")
        .draw()?;
    for (index, points) in &swept {
        let colour = COLOURS[index % COLOURS.len()];
        chart.draw_series(LineSeries::new(points.iter().copied(), colour))?;
        chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, colour.filled())))?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let mut series = Vec::new();
    for file in &files {
        series.push(Series::read(Path::new(file)).map_err(|error| format!("{file}: {error}"))?);
    }
    series.retain(|series| !series.points.is_empty());
    tell_apart(&mut series);
    if series.is_empty() {
        return Err("give files that `pliant bench --json` wrote".into());
    }
    std::fs::create_dir_all("out")?;
    let area = SVGBackend::new("out/bench.svg", (1300, 460)).into_drawing_area();
    area.fill(&WHITE)?;
    let (left, right) = area.split_horizontally(820);
    draw_time(&left, &series)?;
    draw_error(&right, &series)?;
    area.present()?;
    println!("drawn to out/bench.svg");
    Ok(())
}
