//! What levels bring and what they cost: a stiff sheet of n × n particles, 1 m and 1 kg, hangs by two corners for two seconds.
//!
//! `cargo run --release --example levels -- sizes 64 256`: at five substeps a frame, as a grid and as triangles of all shapes.
//! `cargo run --release --example levels -- methods 64 out/work_precision.svg`: error against time by several methods, drawn to a file.
//! [docs/levels.md](../../docs/levels.md) has the results; `scripts/levels.sh` writes it.

mod draw;
mod hang;
#[path = "../../tests/common/sheets.rs"]
mod sheets;

use std::error::Error;
use std::time::Instant;

use pliant::model::{Integrator, Method, Settings};
use pliant::solver::{Solver, level_bytes};
use pliant::{Model, Plan, wgpu};

use hang::Measured;
use sheets::{Held, sheet};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => sizes(&[32]),
        ["sizes", ref all @ ..] => sizes(&all.iter().map(|n| n.parse()).collect::<Result<Vec<_>, _>>()?),
        ["methods", n, file] => methods(n.parse()?, file),
        _ => Err("give `sizes N...` or `methods N FILE.svg`".into()),
    }
}

/// The largest sag that is let pass, %.
const MOST_SAG: f64 = 0.1;

fn sizes(sizes: &[u32]) -> Result<(), Box<dyn Error>> {
    println!(
        "| sheet | levels | nodes | edges | MiB | planned in, s | without levels, s | sag, % | stretch, % | ms a frame |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut worst = 0.0_f64;
    for (&n, irregular) in sizes.iter().flat_map(|n| [(n, false), (n, true)]) {
        let model = sheet(n, irregular, Held::Corners, 5, 1.0);
        let [plain, nested] = [false, true].map(|nested| {
            let begin = Instant::now();
            let plan = Plan::new(&with(&model, |model| model.settings.nested = Some(nested)));
            (plan, begin.elapsed().as_secs_f64())
        });
        let (plan, seconds) = nested;
        let levels = plan.sheets.first().ok_or("it has no levels")?;
        let gpu = hang::device(Solver::required_limits(&plan))?;
        let Measured { sag, stretch, ms } = hang::on_device(&gpu, &model, &plan)?;
        worst = worst.max(sag);
        println!(
            "| {n} × {n}, {} | {} | {} | {} | {:.2} | {seconds:.2} | {:.2} | {sag:.3} | {stretch:.2} | {ms:.1} |",
            if irregular { "triangles" } else { "grid" },
            levels.levels.len(),
            levels.node_count(),
            levels.edge_count(),
            level_bytes(&plan) as f64 / f64::from(1 << 20),
            plain.1,
        );
    }
    if worst > MOST_SAG {
        return Err(format!("a sheet sags by {worst} %, more than {MOST_SAG} %").into());
    }
    Ok(())
}

/// A model with something changed.
fn with(model: &Model, change: impl FnOnce(&mut Model)) -> Model {
    let mut model = model.clone();
    change(&mut model);
    model
}

/// What a method makes of a sheet, by its substeps.
pub struct Curve {
    pub name: &'static str,
    pub points: Vec<(u32, Measured)>,
}

/// Of the implicit scheme, whose frames take seconds; they differ little, since the sheet is at rest but for its own stretch.
const NEWTON_FRAMES: usize = 3;

fn methods(n: u32, file: &str) -> Result<(), Box<dyn Error>> {
    let model = sheet(n, false, Held::Corners, 5, 1.0);
    let gpu = hang::device(wgpu::Limits::default())?;
    let few = [2, 5, 10, 20, 40];
    let many = [5, 10, 20, 40, 80, 160, 320];
    let mut curves = Vec::new();
    for (name, nested, method, integrator, substeps) in [
        ("plain", false, Method::GaussSeidel, Integrator::Euler, &many[..]),
        ("levels", true, Method::GaussSeidel, Integrator::Euler, &few[..]),
        ("BDF2", false, Method::GaussSeidel, Integrator::Bdf2, &many[..]),
        ("BDF2 with levels", true, Method::GaussSeidel, Integrator::Bdf2, &few[..]),
        ("Jacobi", false, Method::Jacobi, Integrator::Euler, &many[..]),
        ("Jacobi with levels", true, Method::Jacobi, Integrator::Euler, &few[..]),
    ] {
        let mut curve = Curve { name, points: Vec::new() };
        for &substeps in substeps {
            let model = with(&model, |model| {
                let settings =
                    Settings { nested: Some(nested), method, integrator, substeps, ..model.settings.clone() };
                model.settings = settings;
            });
            curve.points.push((substeps, hang::on_device(&gpu, &model, &Plan::new(&model))?));
        }
        curves.push(curve);
    }
    let newton = with(&model, |model| model.settings.substeps = 1);
    curves.push(Curve {
        name: "implicit Euler by Newton's method, CPU",
        points: vec![(1, hang::by_newton(&newton, NEWTON_FRAMES)?)],
    });
    println!("| method | substeps | sag, % | stretch, % | ms a frame |");
    println!("|---|---|---|---|---|");
    for Curve { name, points } in &curves {
        for (substeps, Measured { sag, stretch, ms }) in points {
            println!("| {name} | {substeps} | {sag:.2e} | {stretch:.2e} | {ms:.2} |");
        }
    }
    draw::draw(&curves, n, file)
}
