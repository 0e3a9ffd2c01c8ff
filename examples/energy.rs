//! What integrators do to energy: a swinging chain of springs by explicit, symplectic and implicit Euler, by PBD and by XPBD, all
//! in double precision. Draws `out/energy.svg`. Run: `cargo run --example energy`

use std::error::Error;

use plotters::prelude::*;

use pliant::Reference;
use pliant::measure::{Measurement, strain_energy};
use pliant::model::{Mode, Settings, State};
use pliant::reference::{Euler, Scheme};
use pliant::scene::{Body, Constraint, Scene};
use pliant::{Model, Plan};

/// Frames of 1/60 s with ten substeps each.
const FRAMES: u32 = 240;

/// Twenty springs of 5 cm in a row from a fixed end at the origin, let go from the horizontal. Each particle weighs 25 g. The fastest
/// oscillation has ωh = 2h √(1/mα) = 1.5: symplectic Euler is stable up to 2.
pub fn chain() -> Result<Model, Box<dyn Error>> {
    let positions: Vec<[f64; 3]> = (0..=20).map(|i| [0.05 * f64::from(i), 0.0, 0.0]).collect();
    let springs = Constraint::new("distance", (0..20).map(|i| [i, i + 1])).compliance(2e-4).stiffness(0.5);
    let body = Body::particles(positions).mass(21.0 * 0.025).pin(0).constrain(springs);
    Ok(Scene::new("chain").with(body).build()?.model)
}

/// Energy of motion, in gravity and in the springs, J: zero at the beginning, one for each frame after it.
pub struct Curve {
    pub name: &'static str,
    pub energies: Vec<f64>,
}

impl Curve {
    fn new(name: &'static str, model: &Model, mut next: impl FnMut() -> Result<State, Box<dyn Error>>) -> Self {
        let energy = |state: State| {
            let measured = Measurement::of(model, &state);
            measured.kinetic_energy_j + measured.gravity_energy_j + strain_energy(model, &state)
        };
        // What has blown up ends there.
        let energies = (0..FRAMES).map_while(|_| next().ok().map(energy)).take_while(|energy| energy.is_finite());
        Self { name, energies: std::iter::once(0.0).chain(energies).collect() }
    }
}

/// The chain by each scheme of Euler, and by each solver with one and with many iterations. PBD knows no energy of springs: what
/// they would hold is counted by the same compliance.
pub fn curves(model: &Model) -> Result<Vec<Curve>, Box<dyn Error>> {
    let mut curves = Vec::new();
    for (name, scheme) in [
        ("explicit Euler", Scheme::Explicit),
        ("symplectic Euler", Scheme::Symplectic),
        ("implicit Euler", Scheme::Implicit),
    ] {
        let mut euler = Euler::new(model, scheme)?;
        curves.push(Curve::new(name, model, || {
            euler.step()?;
            Ok(euler.state())
        }));
    }
    for (name, mode, iterations) in [
        ("PBD, 1 iteration", Mode::Pbd, 1),
        ("PBD, 50 iterations", Mode::Pbd, 50),
        ("XPBD, 1 iteration", Mode::Xpbd, 1),
        ("XPBD, 50 iterations", Mode::Xpbd, 50),
    ] {
        let solved = Model { settings: Settings { mode, iterations, ..model.settings.clone() }, ..model.clone() };
        let mut reference = Reference::new(&solved, &Plan::new(&solved));
        curves.push(Curve::new(name, model, || {
            reference.step();
            Ok(reference.state())
        }));
    }
    Ok(curves)
}

fn draw(curves: &[Curve], file: &str) -> Result<(), Box<dyn Error>> {
    let (bottom, top) = (-1.5, 0.5);
    let area = SVGBackend::new(file, (900, 500)).into_drawing_area();
    area.fill(&WHITE)?;
    let seconds = f64::from(FRAMES) / 60.0;
    let mut chart = ChartBuilder::on(&area)
        .caption("Energy of a swinging chain", ("sans-serif", 22))
        .margin(15)
        .x_label_area_size(45)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..seconds, bottom..top)?;
    let axis = ("sans-serif", 17);
    let labels = |value: &f64| format!("{:.1}", (10.0 * value).round() / 10.0 + 0.0);
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .label_style(axis)
        .axis_desc_style(axis)
        .x_desc("time, s")
        .y_desc("energy, J")
        .y_label_formatter(&labels)
        .draw()?;
    // Wide lines first, so that one that another follows shows beneath it.
    let looks =
        [(0xd62728, 2), (0x2ca02c, 2), (0x9ecae1, 8), (0xc5a3e0, 2), (0x7b3fb0, 2), (0xff9f40, 2), (0x1f3b99, 2)];
    for (Curve { name, energies }, (rgb, width)) in curves.iter().zip(looks) {
        let colour = RGBColor((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8);
        let style = ShapeStyle { color: colour.to_rgba(), filled: false, stroke_width: width };
        let inside = energies.iter().take_while(|energy| **energy < top).count();
        let shown = energies.iter().take(inside + 1).map(|energy| energy.min(top));
        let points = shown.enumerate().map(|(frame, energy)| (frame as f64 / 60.0, energy));
        let line = chart.draw_series(LineSeries::new(points, style))?;
        line.label(*name).legend(move |(x, y)| PathElement::new([(x, y), (x + 25, y)], style));
    }
    let mut legend = chart.configure_series_labels();
    legend
        .position(SeriesLabelPosition::LowerLeft)
        .margin(15)
        .label_font(axis)
        .legend_area_size(35)
        .background_style(WHITE)
        .border_style(BLACK)
        .draw()?;
    Ok(area.present()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let curves = curves(&chain()?)?;
    std::fs::create_dir_all("out")?;
    draw(&curves, "out/energy.svg")?;
    println!("{:20} {:>12} {:>12} {:>14}", "energy, J", "largest", "at the end", "from implicit");
    let [_, _, implicit, ..] = &curves[..] else { return Err("a curve is missing".into()) };
    for Curve { name, energies } in &curves {
        let apart = energies.iter().zip(&implicit.energies).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let end =
            if energies.len() > FRAMES as usize { format!("{:.3}", energies[FRAMES as usize]) } else { "-".into() };
        println!("{name:20} {:>12.3e} {end:>12} {apart:>14.3e}", energies.iter().fold(0.0, |a: f64, &b| a.max(b)));
    }
    // 2.6 J are what the chain has to lose. Converged, XPBD stays within a hundredth of that from implicit Euler.
    let [.., xpbd] = &curves[..] else { return Err("a curve is missing".into()) };
    assert!(
        xpbd.energies.iter().zip(&implicit.energies).all(|(a, b)| (a - b).abs() < 0.026),
        "XPBD has left implicit Euler"
    );
    println!("drawn to out/energy.svg");
    Ok(())
}
