//! Sweeps make no energy: what is at rest and nudged never moves faster than at first, in double precision, whatever the kind, the method and the substeps.

#[path = "common/proof.rs"]
mod proof;
#[path = "common/random.rs"]
mod random;

use pliant::model::{Integrator, Method, Mode, Model, Sweep};
use pliant::plan::Plan;
use pliant::reference::Reference;
use pliant::scene::Scene;
use random::Random;

/// Speed of the nudge, m/s: small enough that all stays nearly linear, large enough that rounding is nothing.
const NUDGE: f64 = 1e-4;
/// Substeps a second: 10 and 1,000 of them in a frame of 60 Hz.
const RATES: [f64; 2] = [600.0, 6e4];
/// How much more than at first the root of the kinetic energy may be after so many substeps: a part in a million each.
const SUBSTEPS: u32 = 400;
const GROWTH: f64 = 1e-6 * SUBSTEPS as f64;

fn scene(body: &str) -> Model {
    let text = format!("world.gravity = [0, 0, 0]\n[[body]]\nself_collision = false\nmass = 1.0\n{body}\n");
    let scene = Scene::parse(&text, "scene", ".").unwrap_or_else(|error| panic!("{error}\n{text}"));
    scene.build().unwrap_or_else(|error| panic!("{error}\n{text}")).model
}

fn sheet(n: u32, pins: &str) -> Model {
    let grid = format!("grid = {{ columns = {n}, rows = {n}, width = 1.0, height = 1.0 }}");
    scene(&format!(
        "kind = 'cloth'\nmesh = {{ {grid} }}\npin = {pins}\nstretch_compliance = 1e-8\nshear_compliance = 1e-6\n\
         bend = {{ kind = 'distance', compliance = 1e-4 }}"
    ))
}

fn shell(rest: &str) -> Model {
    scene(&format!("kind = 'cloth'\nmesh = {{ sphere = {{ radius = 0.5, segments = 8 }} }}\n{rest}"))
}

fn solid(rest: &str) -> Model {
    scene(&format!("kind = 'soft'\nmesh = {{ box = {{ cells = [2, 2, 3], size = [0.2, 0.2, 0.3] }} }}\n{rest}"))
}

/// Every way in which bodies are held together, closed and open, pinned and free.
fn bodies() -> Vec<(&'static str, Model)> {
    vec![
        ("a sphere of rigid edges", shell("")),
        ("a sphere that bends", shell("stretch_compliance = 1e-7\nbend = { kind = 'dihedral', compliance = 1.0 }")),
        ("a sphere held by strain", shell("stretch = 'strain'\nstretch_compliance = 1e-7")),
        ("a sheet between corners", sheet(12, "['top-left', 'top-right']")),
        ("a free sheet", sheet(12, "[]")),
        (
            "a rope",
            scene("kind = 'rope'\nmesh = { line = { from = [0, 0, 0], to = [1, 0, 0], segments = 60 } }\npin = [0]"),
        ),
        ("a balloon", scene("kind = 'balloon'\nmesh = { sphere = { radius = 0.5, segments = 8 } }")),
        ("a shape", scene("kind = 'shape'\nmesh = { box = { cells = [2, 2, 2], size = [0.3, 0.3, 0.3] } }")),
        ("a solid", solid("young_modulus = 1e5\npoisson_ratio = 0.3")),
        ("a stiff solid", solid("young_modulus = 1e8\npoisson_ratio = 0.45")),
        ("a solid held by strain", solid("elasticity = 'strain'\nyoung_modulus = 1e5")),
        ("a solid of St. Venant and Kirchhoff", solid("elasticity = 'stvk'\nyoung_modulus = 1e5")),
        ("a corotated solid", solid("elasticity = 'corotated'\nyoung_modulus = 1e5")),
        ("a solid of edges", solid("elasticity = 'edges'")),
    ]
}

/// The root of the kinetic energy, √J.
fn motion(model: &Model, velocities: &[[f64; 3]]) -> f64 {
    let energy = |(v, &w): (&[f64; 3], &f64)| if w > 0.0 { (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / w } else { 0.0 };
    velocities.iter().zip(&model.particles.inverse_masses).map(energy).sum::<f64>().sqrt()
}

/// The largest motion of a nudged model over that of the nudge, less one.
fn growth(model: &Model, plan: impl Fn(&Model) -> Plan, rate: f64, substeps: u32) -> f64 {
    let mut model = model.clone();
    (model.settings.frame_rate, model.settings.substeps) = (rate, 1);
    let mut random = Random::new(7);
    for (velocity, &w) in model.particles.velocities.iter_mut().zip(&model.particles.inverse_masses) {
        let nudge = random.vector(-NUDGE, NUDGE);
        *velocity = if w > 0.0 { nudge } else { [0.0; 3] };
    }
    let first = motion(&model, &model.particles.velocities);
    let mut reference = Reference::new(&model, &plan(&model));
    let mut most = 0.0_f64;
    for _ in 0..substeps {
        reference.step();
        let now = motion(&model, &reference.state().velocities);
        most = if now.is_nan() { f64::INFINITY } else { most.max(now) };
    }
    (most / first - 1.0).max(0.0)
}

/// What changes of the settings.
type Change = fn(&mut Model);

const WAYS: [(&str, Change); 8] = [
    ("XPBD", |_| {}),
    ("three iterations", |model| model.settings.iterations = 3),
    ("BDF2", |model| model.settings.integrator = Integrator::Bdf2),
    ("Jacobi", |model| model.settings.method = Method::Jacobi),
    ("three colours and a Jacobi remainder", |model| model.settings.max_colours = 3),
    ("PBD", |model| model.settings.mode = Mode::Pbd),
    ("PBD, three colours and a Jacobi remainder", |model| {
        (model.settings.mode, model.settings.max_colours) = (Mode::Pbd, 3);
    }),
    ("PBD by Jacobi", |model| {
        (model.settings.mode, model.settings.method) = (Mode::Pbd, Method::Jacobi);
    }),
];

/// Every body, nudged, in every way at 10 and 1,000 substeps: none moves faster than at first.
#[test]
fn what_is_nudged_never_gains() {
    for (way, change) in WAYS {
        let mut worst = (0.0, String::new());
        for (name, mut model) in bodies() {
            model.settings.nested = Some(false);
            change(&mut model);
            for rate in RATES {
                let grown = growth(&model, Plan::new, rate, SUBSTEPS);
                if grown > worst.0 {
                    worst = (grown, format!("{name} at {rate} Hz"));
                }
            }
        }
        println!("{way}: {worst:?}");
        proof::row(&format!("all kinds of bodies nudged at rest, {way}"), "no motion grows", worst.0, GROWTH, "");
    }
}

/// By clusters and with levels, too.
#[test]
fn clusters_and_levels_make_no_energy() {
    let large = sheet(100, "['top-left', 'top-right']");
    assert!(!Plan::clustered(&large).tilings.is_empty());
    let mut large = large.clone();
    large.settings.nested = Some(false);
    let grown = growth(&large, Plan::clustered, 6e3, SUBSTEPS);
    proof::row("a sheet in clusters, nudged", "no motion grows", grown, GROWTH, "");
    let mut levels = sheet(40, "['top-left', 'top-right']");
    levels.settings.nested = Some(true);
    assert!(!Plan::new(&levels).sheets.is_empty());
    let grown = RATES.map(|rate| growth(&levels, Plan::new, rate, SUBSTEPS)).into_iter().fold(0.0, f64::max);
    proof::row("a sheet with levels, nudged", "no motion grows", grown, GROWTH, "");
}

/// One way a ball flies apart, and there and back it does not: what the tests above would find.
#[test]
fn one_way_gains() {
    let mut ball = scene("kind = 'cloth'\nmesh = { sphere = { radius = 0.5, segments = 12 } }");
    let there_and_back = growth(&ball, Plan::new, 6e3, 6_000);
    ball.settings.sweep = Sweep::OneWay;
    let one_way = growth(&ball, Plan::new, 6e3, 6_000);
    assert!(there_and_back < GROWTH && one_way > 10.0, "{there_and_back} and {one_way}");
}
