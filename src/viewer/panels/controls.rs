//! What can be changed while the scene runs: substeps, integrator, order of the sweeps, iterations, method, mode,
//! stiffness, damping, gravity.

use egui::{ComboBox, DragValue, Grid, RichText, Slider, SliderClamping, Ui};

use super::choice::{Meaning, choice, explained, meaning, tick};
use crate::model::{Body, Integrator, Method, Mode, Sweep};
use crate::scene::PRESETS;
use crate::viewer::named_material::NamedMaterial;
use crate::viewer::tuning::{MaterialUse, Tuning};

/// The most substeps and iterations that the sliders reach; more can be typed, or come from the scene.
const MOST_SUBSTEPS: u32 = 200;
pub const MOST_ITERATIONS: u32 = 100;
/// As scenes allow: see the `solver` table of a scene.
const MOST_SWEEPS: u32 = 100_000;
/// The compliances between which the sliders go, m/N for a distance; 0 is below.
const SOFTEST: f64 = 1.0;
const STIFFEST: f64 = 1e-12;

/// The dampings between which the sliders go, 1/s; 0 is below.
const MOST_DAMPING: f64 = 100.0;
const LEAST_DAMPING: f64 = 0.01;

/// What the controls must know of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Traits<'a> {
    pub materials: &'a [MaterialUse],
    pub made: &'a [NamedMaterial],
    /// Whether every kind of constraint has a PBD mode.
    pub pbd: bool,
    /// Whether there is cloth that levels can help.
    pub sheets: bool,
    /// Whether the air acts on anything.
    pub airy: bool,
    /// Whether a body can tear.
    pub tears: bool,
    pub bodies: &'a [Body],
}

/// The controls of one configuration.
pub fn tuning(ui: &mut Ui, tuning: &mut Tuning, traits: Traits) {
    solver(ui, tuning, traits);
    ui.add_space(6.0);
    if !traits.materials.is_empty() {
        let title = match tuning.settings.mode {
            Mode::Xpbd => "Compliance",
            Mode::Pbd => "Stiffness",
        };
        ui.label(RichText::new(title).strong());
    }
    let by_name = |material: &&MaterialUse| {
        tuning.settings.mode == Mode::Xpbd && traits.made.iter().any(|made| made.has(material.index))
    };
    let (named, others): (Vec<_>, Vec<_>) = traits.materials.iter().partition(by_name);
    if !named.is_empty() {
        traits.made.iter().for_each(|made| made_of(ui, tuning, made));
    }
    for material in others {
        stiffness(ui, tuning, material);
    }
    damping(ui, tuning, traits.bodies);
    ui.add_space(6.0);
    Grid::new("world").num_columns(4).show(ui, |ui| {
        vector(ui, "Gravity", "m/s²", &mut tuning.gravity, Ok(()));
        let airy = meaning(traits.airy, "Nothing in this scene feels the air: give a body drag or lift");
        vector(ui, "Wind", "m/s", &mut tuning.wind, airy);
    });
}

fn solver(ui: &mut Ui, tuning: &mut Tuning, traits: Traits) {
    let settings = &mut tuning.settings;
    ui.horizontal_wrapped(|ui| {
        let mode = &mut settings.mode;
        let says = "Compliance in SI units; stiffness independent of iterations and substeps";
        choice(ui, mode, Mode::Xpbd, ("XPBD", says), Ok(()));
        let says = "A stiffness from 0 to 1 at each iteration: more iterations, stiffer";
        choice(ui, mode, Mode::Pbd, ("PBD", says), meaning(traits.pbd, "A constraint of this scene has no PBD mode"));
        ui.separator();
        let method = &mut settings.method;
        let says = "One colour after another, each using the corrections of the earlier ones";
        choice(ui, method, Method::GaussSeidel, ("Gauss-Seidel", says), Ok(()));
        let says = "All constraints at once: fewer dispatches, slower convergence";
        let whole = meaning(!traits.tears, "A body of this scene can tear, which needs Gauss-Seidel");
        choice(ui, method, Method::Jacobi, ("Jacobi", says), whole);
    });
    let levels = meaning(traits.sheets, "No cloth or rope of this scene can have levels")
        .and(meaning(settings.mode == Mode::Xpbd, "Only XPBD has levels"));
    let says = "Coarse nets carry the load of stiff cloth, so that finer cloth needs no more substeps";
    tick(ui, settings.nested.get_or_insert_default(), ("levels", says), levels);
    ui.horizontal_wrapped(|ui| {
        let integrator = &mut settings.integrator;
        let says = "Implicit Euler: calm; a swing loses energy with every substep";
        choice(ui, integrator, Integrator::Euler, ("Euler", says), Ok(()));
        let says = "Second order: a swing keeps its energy; jerks ring longer";
        choice(ui, integrator, Integrator::Bdf2, ("BDF2", says), Ok(()));
    });
    ui.horizontal_wrapped(|ui| {
        let sweep = &mut settings.sweep;
        let says = "No energy from nothing, at any number of substeps";
        choice(ui, sweep, Sweep::ThereAndBack, ("there and back", says), Ok(()));
        let says = "As other solvers sweep, for comparison: slow motion gains energy, faster with more substeps";
        choice(ui, sweep, Sweep::OneWay, ("one way", says), Ok(()));
    });
    sweeps(ui, &mut settings.substeps, MOST_SUBSTEPS, "substeps");
    sweeps(ui, &mut settings.iterations, MOST_ITERATIONS, "iterations");
}

/// A slider for a number of sweeps, at least one.
pub fn sweeps(ui: &mut Ui, value: &mut u32, most: u32, name: &str) {
    let slider = Slider::new(value, 1..=most.max(*value)).logarithmic(true).clamping(SliderClamping::Never).text(name);
    if ui.add(slider).changed() {
        *value = (*value).clamp(1, MOST_SWEEPS);
    }
}

fn stiffness(ui: &mut Ui, tuning: &mut Tuning, used: &MaterialUse) {
    let Some(material) = tuning.materials.get_mut(used.index) else { return };
    let hint = format!("{} constraints", super::count(used.count as u64));
    let response = match tuning.settings.mode {
        Mode::Xpbd => {
            let most = SOFTEST.max(material.compliance);
            let slider = Slider::new(&mut material.compliance, 0.0..=most)
                .logarithmic(true)
                .smallest_positive(STIFFEST)
                .custom_formatter(|value, _| scientific(value))
                .custom_parser(|text| text.trim().parse().ok())
                .text(&used.name);
            ui.add(slider)
        }
        Mode::Pbd => ui.add(Slider::new(&mut material.stiffness, 0.0..=1.0).max_decimals(3).text(&used.name)),
    };
    response.on_hover_text(hint);
}

/// The menu of what a body may be made of.
fn made_of(ui: &mut Ui, tuning: &mut Tuning, made: &NamedMaterial) {
    let now = PRESETS.iter().find(|preset| made.is(tuning, preset));
    let label = format!("{}: made of", made.body);
    let menu = ComboBox::from_label(label).selected_text(now.map_or("something else", |preset| preset.name));
    menu.show_ui(ui, |ui| {
        for preset in &PRESETS {
            let text = format!("Young's modulus {:.1e} Pa; the mass of the body stays", preset.young_modulus());
            if ui.selectable_label(now == Some(preset), preset.name).on_hover_text(text).clicked() {
                made.remake(tuning, preset);
            }
        }
    });
}

/// A slider for each body that the scene damps.
fn damping(ui: &mut Ui, tuning: &mut Tuning, bodies: &[Body]) {
    for (body, rate) in bodies.iter().zip(&mut tuning.damping).filter(|(body, _)| body.damping > 0.0) {
        let slider = Slider::new(rate, 0.0..=MOST_DAMPING.max(body.damping))
            .logarithmic(true)
            .smallest_positive(LEAST_DAMPING)
            .max_decimals(2)
            .suffix(" 1/s")
            .text(format!("{}: damping", body.name));
        ui.add(slider).on_hover_text("How fast wobbles die away; translation and rotation of the body stay");
    }
}

/// `1.0e-6`; 0 is rigid.
fn scientific(value: f64) -> String {
    if value == 0.0 { "rigid".to_string() } else { format!("{value:.1e}") }
}

/// Three numbers with what they are and their unit, or why they mean nothing.
fn vector(ui: &mut Ui, name: &str, unit: &str, value: &mut [f64; 3], meaning: Meaning) {
    ui.label(RichText::new(format!("{name}, {unit}")).strong());
    for (axis, value) in ["x ", "y ", "z "].into_iter().zip(value) {
        let field = DragValue::new(value).speed(0.05).range(-100.0..=100.0).max_decimals(2).prefix(axis);
        explained(ui.add_enabled(meaning.is_ok(), field), "Drag it, or click and type", meaning);
    }
    ui.end_row();
}

/// How stiff the mouse's spring is.
pub fn pull(ui: &mut Ui, strength: &mut f64) {
    let slider = Slider::new(strength, -2.0..=2.0)
        .custom_formatter(|power, _| format!("×{:.2}", 10_f64.powf(power)))
        .custom_parser(|text| Some(text.trim().trim_start_matches('×').parse::<f64>().ok()?.log10()))
        .text("mouse spring");
    ui.add(slider).on_hover_text("Stiffness of the spring by which the left mouse button drags a particle");
}
