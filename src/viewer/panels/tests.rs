//! The panels as a user meets them: clicked and slid through egui's accessibility tree, without a device or a window.

use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

use super::look::scale;
use super::*;
use crate::model::{Body, Integrator, Material, Method, Mode, Settings};
use crate::render::{Colour, Look};
use crate::scene::{PRESETS, Scene};
use crate::viewer::history::History;
use crate::viewer::named_material::{NamedMaterial, made};
use crate::viewer::recording::Kept;
use crate::viewer::tools::Tool;
use crate::viewer::tuning::{MaterialUse, materials};

/// A desk over a scene with one material, and what was asked for.
struct Bench {
    desk: Desk,
    materials: Vec<MaterialUse>,
    made: Vec<NamedMaterial>,
    bodies: Vec<Body>,
    actions: Vec<Action>,
    slowed: Option<f64>,
}

fn bench() -> Bench {
    let material = Material { compliance: 1e-6, stiffness: 0.5, ..Material::default() };
    let settings = Settings { iterations: 3, ..Settings::default() };
    let mut bodies = Scene::gallery("damping").unwrap().unwrap().build().unwrap().model.bodies;
    bodies[0].surface_contact = true;
    let damping = bodies.iter().map(|body| body.damping).collect();
    let tuning = Tuning { settings, gravity: [0.0, -9.81, 0.0], wind: [0.0; 3], materials: vec![material], damping };
    let materials = vec![MaterialUse { index: 0, name: "sail: stretch".to_string(), count: 12, unit: "m/N" }];
    let (made, actions) = (Vec::new(), Vec::new());
    Bench { desk: Desk::new([tuning.clone(), tuning]), materials, made, bodies, actions, slowed: None }
}

fn show_toolbar(ui: &mut egui::Ui, bench: &mut Bench) {
    toolbar(ui, &mut bench.desk, &[], "chain", bench.slowed, &mut bench.actions);
}

fn show_controls(ui: &mut egui::Ui, bench: &mut Bench) {
    let traits = Traits {
        materials: &bench.materials,
        made: &bench.made,
        pbd: true,
        sheets: true,
        airy: true,
        tears: false,
        bodies: &bench.bodies,
    };
    tuning(ui, &mut bench.desk.tunings[0], traits);
}

/// Play starts and the same button pauses; step and reset ask for what they say.
#[test]
fn buttons_act() {
    let mut harness = Harness::new_ui_state(show_toolbar, bench());
    harness.get_by_label("Play").click();
    harness.run();
    assert!(harness.state().desk.playing);
    harness.get_by_label("Pause").click();
    harness.run();
    assert!(!harness.state().desk.playing);
    for label in ["Step", "Reset", "Compare", "?"] {
        harness.get_by_label(label).click();
        harness.run();
    }
    assert_eq!(harness.state().actions, [Action::Step, Action::Reset]);
    assert!(harness.state().desk.comparing && harness.state().desk.help_open);
}

/// The timeline goes to where its slider is put, a step back or on; before the first step there is nothing to go to,
/// and at the oldest moment no way back.
#[test]
fn timeline_goes_through_time() {
    let show =
        |ui: &mut egui::Ui, state: &mut (Option<Kept>, Vec<Action>)| timeline(ui, state.0.as_ref(), &mut state.1);
    let wide = || Harness::builder().with_size(egui::Vec2::new(900.0, 60.0));
    let kept = Kept { frames: [60, 804], now: 300, frame_rate: 60.0, bytes: 83_000_000 };
    let mut harness = wide().build_ui_state(show, (Some(kept), Vec::new()));
    assert!(harness.query_by_label("12.4 s kept, 83 MB").is_some());
    for label in ["Back", "Forward"] {
        harness.get_by_label(label).click();
        harness.run();
    }
    harness.get_by_role(Role::Slider).set_value_accesskit(120.0);
    harness.run();
    assert_eq!(harness.state().1, [Action::Back, Action::Step, Action::Seek(120)]);
    for kept in [None, Some(Kept { now: 60, ..kept })] {
        let mut harness = wide().build_ui_state(show, (kept, Vec::new()));
        harness.get_by_label("Back").click();
        harness.run();
        assert_eq!(harness.state().1, []);
    }
}

/// The bar of tools takes up the one that is clicked, unless it does nothing in the scene, and undoes where something
/// was done.
#[test]
fn tools_are_taken_up() {
    let refusal = |tool: Tool| (tool == Tool::Inflate).then_some("no balloon");
    for can_undo in [true, false] {
        let show = |ui: &mut egui::Ui, state: &mut (Tool, Vec<Action>)| {
            tools(ui, &mut state.0, refusal, can_undo, &mut state.1);
        };
        let mut harness = Harness::new_ui_state(show, (Tool::Drag, Vec::new()));
        let mut click = |label: &str| {
            harness.get_by_label(label).click();
            harness.run();
            harness.state().clone()
        };
        for tool in &Tool::ALL[..5] {
            assert_eq!(click(tool.name()).0, *tool);
        }
        assert_eq!(click("Inflate").0, Tool::Blow);
        assert_eq!(click("Undo").1, if can_undo { vec![Action::Undo] } else { vec![] });
    }
}

/// A simulation that cannot keep up says how fast it runs; one that can says nothing.
#[test]
fn slowing_is_told() {
    // Wide enough for the warning, which gives way to the buttons in a narrow window.
    let wide = Harness::builder().with_size(egui::Vec2::new(1200.0, 100.0));
    let mut harness = wide.build_ui_state(show_toolbar, Bench { slowed: Some(0.4), ..bench() });
    assert!(harness.query_by_label("simulation at 0.40× real time").is_some());
    harness.state_mut().slowed = None;
    harness.run();
    assert!(harness.query_by_label_contains("real time").is_none());
}

/// Sliders and choices change the settings that they are called after, and no number of sweeps below one comes out.
#[test]
fn sliders_change_settings() {
    let mut harness = Harness::new_ui_state(show_controls, bench());
    let slide = |harness: &mut Harness<Bench>, label: &str, value: f64| {
        harness.get_by_role_and_label(Role::Slider, label).set_value_accesskit(value);
        harness.run();
    };
    slide(&mut harness, "substeps", 40.0);
    slide(&mut harness, "iterations", 0.0);
    slide(&mut harness, "contact rounds", 12.0);
    slide(&mut harness, "sail: stretch, m/N", 1e-3);
    slide(&mut harness, "damped: damping", 8.0);
    assert!(harness.query_by_label_contains("free: damping").is_none(), "the scene does not damp it");
    harness.get_by_label("at once").click();
    harness.run();
    harness.get_by_label("lasts").click();
    harness.run();
    let tuning = &harness.state().desk.tunings[0];
    assert_eq!((tuning.settings.substeps, tuning.settings.iterations), (40, 1));
    assert_eq!(tuning.settings.contact_rounds, 12);
    assert_eq!((tuning.settings.method, tuning.settings.integrator), (Method::Jacobi, Integrator::Bdf2));
    assert!((tuning.materials[0].compliance - 1e-3).abs() < 1e-9, "{:?}", tuning.materials);
    assert_eq!(tuning.damping, [0.0, 8.0]);
}

/// A body that is made of a material has a menu of all of them in place of its springs' sliders.
#[test]
fn materials_are_a_menu() {
    let scene = Scene::gallery("materials").unwrap().unwrap();
    let model = scene.build().unwrap().model;
    let tuning = Tuning::of(&model);
    let (made, materials) = (made(&scene, &model), materials(&scene, &model));
    let desk = Desk::new([tuning.clone(), tuning]);
    let bench = Bench { desk, materials, made, bodies: model.bodies, actions: Vec::new(), slowed: None };
    let mut harness = Harness::new_ui_state(show_controls, bench);
    assert!(harness.query_by_label_contains("distance").is_none(), "springs of materials have sliders");
    harness.get_by_role_and_label(Role::ComboBox, "concrete: made of").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "fat").click();
    harness.run();
    let bench = harness.state();
    let is = |index: usize| bench.made[index].is(&bench.desk.tunings[0], &PRESETS[6]);
    assert!(is(0) && !is(1) && is(6));
}

/// The menu of colours has those of strain and stress, and the scale beside a picture says what its end stands for, in
/// the unit of the colour; where there is nothing to show it says so.
#[test]
fn colours_are_chosen_and_explained() {
    let all = Sights { distances: true, constraints: true, strain: true, stress: true, contacts: true };
    let show = move |ui: &mut egui::Ui, state: &mut Look| look(ui, state, &mut false, all);
    let mut harness = Harness::new_ui_state(show, Look::default());
    for (name, colour) in [("strain", Colour::Strain), ("stress", Colour::Stress), ("speed", Colour::Speed)] {
        harness.get_by_label(name).click();
        harness.run();
        assert_eq!(harness.state().colour, colour);
    }
    let scale = |colour, full| scale(&Look { colour, ..Look::default() }, full);
    let expect = |title: &'static str, full: &str| Some((title, full.to_string()));
    assert_eq!(scale(Colour::Strain, Some(0.1)), expect("strain", "10 %"));
    assert_eq!(scale(Colour::Stress, Some(5e3)), expect("von Mises stress", "5 kPa"));
    assert_eq!(scale(Colour::Stress, Some(2e7)), expect("von Mises stress", "20 MPa"));
    assert_eq!(scale(Colour::Stress, Some(100.0)), expect("von Mises stress", "100 Pa"));
    assert_eq!(scale(Colour::Speed, Some(3.0)), expect("speed", "3 m/s"));
    assert_eq!(scale(Colour::Strain, None), expect("no solid here has one", ""));
    assert_eq!(scale(Colour::Body, None), None);
}

/// What means nothing in a scene can be seen and not be set.
#[test]
fn what_means_nothing_is_greyed() {
    let mut harness = Harness::new_ui_state(
        |ui: &mut egui::Ui, bench: &mut Bench| {
            let (materials, made, bodies) = (&bench.materials, &bench.made, &bench.bodies);
            let (pbd, sheets, airy, tears) = (false, false, false, true);
            tuning(ui, &mut bench.desk.tunings[0], Traits { materials, made, pbd, sheets, airy, tears, bodies });
            look(ui, &mut bench.desk.look, &mut bench.desk.contacts, Sights::default());
        },
        bench(),
    );
    let before = harness.state().desk.tunings[0].clone();
    for label in ["PBD", "at once", "coarse nets", "strain", "stress", "in groups", "contacts"] {
        let node = harness.get_by_label(label);
        assert!(node.accesskit_node().is_disabled(), "{label}");
        node.click();
        harness.run();
    }
    let desk = &harness.state().desk;
    assert_eq!((desk.look, desk.contacts), (Look::default(), false));
    assert_eq!(Tuning { settings: before.settings.clone(), ..desk.tunings[0].clone() }, before);
    assert_eq!((desk.tunings[0].settings.mode, desk.tunings[0].settings.method), (Mode::Xpbd, Method::GaussSeidel));
    let fields = harness.query_all_by_role(Role::SpinButton);
    let greyed = fields.filter(|node| node.accesskit_node().is_disabled()).count();
    assert_eq!(greyed, 3, "the three numbers of the wind");
}

/// In PBD mode the same slider is that of the stiffness.
#[test]
fn pbd_has_stiffnesses() {
    let mut harness = Harness::new_ui_state(show_controls, bench());
    harness.get_by_label("PBD").click();
    harness.run();
    harness.get_by_role_and_label(Role::Slider, "sail: stretch").set_value_accesskit(0.25);
    harness.run();
    let tuning = &harness.state().desk.tunings[0];
    assert_eq!(tuning.settings.mode, Mode::Pbd);
    assert_eq!((tuning.materials[0].stiffness, tuning.materials[0].compliance), (0.25, 1e-6));
}

/// A scene's fault is shown with file, line and column, and goes when it is dismissed.
#[test]
fn trouble_names_its_place() {
    let error = Scene::parse("[solver]\nsubsteps = \"many\"\n", "my.toml", "").expect_err("a refusal");
    let show = |ui: &mut egui::Ui, state: &mut (Option<Trouble>, Vec<String>)| trouble(ui, &mut state.0, &mut state.1);
    let mut harness = Harness::new_ui_state(show, (Some(Trouble::from(&error)), Vec::new()));
    assert!(harness.query_by_label("my.toml, line 2, column 12").is_some());
    assert!(harness.query_by_label_contains("solver.substeps: must be a whole number").is_some());
    harness.get_by_label("Dismiss").click();
    harness.run();
    assert_eq!(harness.state().0, None);
}

/// The inspector shows what is known of a particle, and which of its constraints broke.
#[test]
fn inspector_lists_constraints() {
    let line = |others: u32, broken| Line {
        kind: "distance",
        others: vec![others],
        value: 1e-4,
        unit: "m",
        force: 2.5,
        broken,
    };
    let inspection = Inspection {
        particle: 1234,
        body: "sail".to_string(),
        mass: Some(0.002),
        position: [0.0, 1.0, 2.0],
        velocity: [3.0, 0.0, 4.0],
        constraints: vec![line(7, false), line(8, true)],
    };
    let harness = Harness::new_ui(|ui| inspector(ui, "", Some(&inspection)));
    for text in ["1,234 of sail", "2.00 g", "5.00 m/s", "2.50 N", "broken"] {
        assert!(harness.query_by_label(text).is_some(), "{text}");
    }
    let fixed = Inspection { mass: None, ..inspection.clone() };
    let harness = Harness::new_ui(|ui| inspector(ui, "", Some(&fixed)));
    assert!(harness.query_by_label("fixed").is_some());
}

/// The panel of numbers and the plots can be drawn for no simulation, one and two, with nothing measured yet.
#[test]
fn numbers_of_any_count() {
    let facts = Facts {
        constraints: vec![("distance", 2000, 12)],
        energy_j: Some(0.25),
        stretch: Some(0.0125),
        ..Facts::default()
    };
    for count in 0..=2 {
        let facts = vec![facts.clone(); count];
        let history = History::default();
        let mut harness = Harness::new_ui(|ui| {
            statistics(ui, &facts, &Timing::default());
            let curves: Vec<Curves> = facts.iter().map(|_| Curves { name: "", history: &history }).collect();
            plots(ui, &curves, Some(0.5));
        });
        let shown = |harness: &Harness, label| harness.query_all_by_label(label).count();
        assert_eq!(["250 mJ", "1.25 %", "2,000"].map(|label| shown(&harness, label)), [count, count, 0]);
        harness.get_by_label("Details").click();
        harness.run();
        assert_eq!(shown(&harness, "2,000"), count);
    }
}

/// Quantities have three digits and the prefix that suits them; nothing and what is not a number can be read too.
#[test]
fn quantities_are_short() {
    let cases = [(0.003214, "3.21 mJ"), (1234.0, "1.23 kJ"), (0.9999, "1.00 J"), (-56.78, "-56.8 J"), (0.0, "0 J")];
    for (value, text) in cases {
        assert_eq!(quantity(value, "J"), text);
    }
    assert_eq!(quantity(999.9, "N"), "1.00 kN");
    assert_eq!(quantity(f64::NAN, "N"), "NaN N");
    assert_eq!(quantity(f64::INFINITY, "N"), "inf N");
}

/// Thousands are set apart.
#[test]
fn counts_are_grouped() {
    assert_eq!([0, 999, 1000, 1_048_576].map(count), ["0", "999", "1,000", "1,048,576"]);
}
