//! What can be changed while the scene runs: substeps, integrator, order of the sweeps, iterations, method, mode,
//! stiffness, damping, gravity.

use egui::{Color32, ComboBox, DragValue, Response, RichText, Slider, SliderClamping, TextStyle, Ui};

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
    if !traits.materials.is_empty() {
        ui.add_space(6.0);
        let (title, says) = match tuning.settings.mode {
            Mode::Xpbd => ("Softness", "How far each gives way to a force (compliance); 0 is rigid"),
            Mode::Pbd => ("Stiffness", "Which share of its error each puts right in one iteration"),
        };
        ui.label(RichText::new(title).strong()).on_hover_text(says);
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
    vector(ui, "Gravity, m/s²", &mut tuning.gravity, Ok(()));
    let airy = meaning(traits.airy, "Nothing in this scene feels the air: give a body drag or lift");
    vector(ui, "Wind, m/s", &mut tuning.wind, airy);
}

fn solver(ui: &mut Ui, tuning: &mut Tuning, traits: Traits) {
    let settings = &mut tuning.settings;
    let row = |ui: &mut Ui, name: &str, contents: &mut dyn FnMut(&mut Ui)| {
        ui.horizontal_wrapped(|ui| {
            ui.label(name);
            contents(ui);
        });
    };
    row(ui, "Stiffness by", &mut |ui| {
        let mode = &mut settings.mode;
        let says = "In physical units (XPBD): as stiff whatever the number of iterations and substeps";
        choice(ui, mode, Mode::Xpbd, ("XPBD", says), Ok(()));
        let says = "As a share from 0 to 1 for each iteration (PBD): more iterations, stiffer";
        choice(ui, mode, Mode::Pbd, ("PBD", says), meaning(traits.pbd, "A constraint of this scene has no PBD mode"));
    });
    row(ui, "Constraints", &mut |ui| {
        let method = &mut settings.method;
        let says = "Group after group, each by what the earlier ones have done (Gauss-Seidel)";
        choice(ui, method, Method::GaussSeidel, ("in turn", says), Ok(()));
        let whole = meaning(!traits.tears, "A body of this scene can tear, for which constraints are solved in turn");
        let says = "All together, which needs more iterations (Jacobi)";
        choice(ui, method, Method::Jacobi, ("at once", says), whole);
    });
    row(ui, "Order", &mut |ui| {
        let sweep = &mut settings.sweep;
        let says = "From the last to the first and back: no energy comes from nothing (a sweep there and back)";
        choice(ui, sweep, Sweep::ThereAndBack, ("there and back", says), Ok(()));
        let says = "As other solvers do it, to compare with: slow motion gains energy, with more substeps faster";
        choice(ui, sweep, Sweep::OneWay, ("one way", says), Ok(()));
    });
    row(ui, "Swinging", &mut |ui| {
        let integrator = &mut settings.integrator;
        let says = "Calm: a swing loses energy with every substep (implicit Euler)";
        choice(ui, integrator, Integrator::Euler, ("calms", says), Ok(()));
        let says = "A swing keeps its energy, and jerks ring longer (BDF2, of second order)";
        choice(ui, integrator, Integrator::Bdf2, ("lasts", says), Ok(()));
    });
    let nets = meaning(traits.sheets, "No cloth or rope of this scene can have them")
        .and(meaning(settings.mode == Mode::Xpbd, "Only XPBD has them"));
    let says = "They carry the load of stiff cloth and long ropes, which then hold without more substeps (levels)";
    tick(ui, settings.nested.get_or_insert_default(), ("coarse nets", says), nets);
    let says = "Parts of a frame, each solved by itself. More: stiffer, more exact, slower";
    sweeps(ui, &mut settings.substeps, MOST_SUBSTEPS, ("substeps", says));
    let says = "How often each substep goes over all constraints. More: more exact, slower";
    sweeps(ui, &mut settings.iterations, MOST_ITERATIONS, ("iterations", says));
    if traits.bodies.iter().any(|body| body.surface_contact) {
        let says =
            "How often each sweep goes over all contacts of surfaces. More: what is jammed gives way less, slower";
        sweeps(ui, &mut settings.contact_rounds, MOST_ITERATIONS, ("contact rounds", says));
    }
}

/// Of the box with a slider's number, with the gaps around it, points.
const NUMBER: f32 = 76.0;

/// A slider with its name beside it, or above it where there is no room.
fn named(ui: &mut Ui, slider: Slider, name: &str) -> Response {
    let font = TextStyle::Body.resolve(ui.style());
    let width = ui.painter().layout_no_wrap(name.to_string(), font, Color32::WHITE).size().x;
    if ui.spacing().slider_width + NUMBER + width > ui.available_width() {
        let label = ui.label(name);
        return ui.add(slider).labelled_by(label.id);
    }
    let beside = |ui: &mut Ui| {
        let response = ui.add(slider);
        let label = ui.label(name);
        response.labelled_by(label.id)
    };
    ui.horizontal(beside).inner
}

/// A slider for a number of sweeps, at least one.
pub fn sweeps(ui: &mut Ui, value: &mut u32, most: u32, (name, says): (&str, &str)) {
    let slider = Slider::new(value, 1..=most.max(*value)).logarithmic(true).clamping(SliderClamping::Never);
    if named(ui, slider, name).on_hover_text(says).changed() {
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
                .custom_parser(|text| text.trim().parse().ok());
            let name = if used.unit.is_empty() { used.name.clone() } else { format!("{}, {}", used.name, used.unit) };
            named(ui, slider, &name)
        }
        Mode::Pbd => named(ui, Slider::new(&mut material.stiffness, 0.0..=1.0).max_decimals(3), &used.name),
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
            .suffix(" 1/s");
        named(ui, slider, &format!("{}: damping", body.name))
            .on_hover_text("How fast wobbles die away; the body moves and turns on as a whole");
    }
}

/// `1.0e-6`; 0 is rigid.
fn scientific(value: f64) -> String {
    if value == 0.0 { "rigid".to_string() } else { format!("{value:.1e}") }
}

/// Three numbers with what they are and their unit, or why they mean nothing.
fn vector(ui: &mut Ui, name: &str, value: &mut [f64; 3], meaning: Meaning) {
    ui.label(RichText::new(name).strong());
    ui.horizontal_wrapped(|ui| {
        for (axis, value) in ["x ", "y ", "z "].into_iter().zip(value) {
            let field = DragValue::new(value).speed(0.05).range(-100.0..=100.0).max_decimals(2).prefix(axis);
            explained(ui.add_enabled(meaning.is_ok(), field), "Drag it, or click and type", meaning);
        }
    });
}

/// How stiff the mouse's spring is.
pub fn pull(ui: &mut Ui, strength: &mut f64) {
    let slider = Slider::new(strength, -2.0..=2.0)
        .custom_formatter(|power, _| format!("×{:.2}", 10_f64.powf(power)))
        .custom_parser(|text| Some(text.trim().trim_start_matches('×').parse::<f64>().ok()?.log10()));
    named(ui, slider, "pull of the mouse")
        .on_hover_text("How stiff the spring is by which the left mouse button drags a particle");
}
