//! Sweeps make no energy: what is at rest and nudged never moves faster than at first, in double precision, whatever the kind, the method and the substeps.

use pliant::Reference;
use pliant::model::{Integrator, Method, Mode, Model, State, Sweep};
use pliant::plan::Plan;
use pliant::scene::Scene;

use crate::proof;
use crate::random::Random;

/// Speed of the nudge, m/s: small enough that all stays nearly linear, large enough that rounding is nothing.
const NUDGE: f64 = 1e-4;
/// Substeps a second: 10 and 1,000 of them in a frame of 60 Hz.
const RATES: [f64; 2] = [600.0, 6e4];
/// How much more than at first the root of the kinetic energy may be after so many substeps: a part in a million each.
const SUBSTEPS: u32 = 400;
const GROWTH: f64 = 1e-6 * SUBSTEPS as f64;
/// Substeps in which what is pressed comes to rest.
const SETTLING: u32 = 600;
/// The share of its motion that it keeps in each.
const SLOWER: f64 = 0.96;

fn parse(text: &str) -> Model {
    let scene = Scene::parse(text, "scene", ".").unwrap_or_else(|error| panic!("{error}\n{text}"));
    scene.build().unwrap_or_else(|error| panic!("{error}\n{text}")).model
}

fn scene(body: &str) -> Model {
    parse(&format!("world.gravity = [0, 0, 0]\n[[body]]\nself_collision = false\nmass = 1.0\n{body}\n"))
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

/// A ball of cloth that rests on several of its vertices.
fn ball_in_a_cup() -> Model {
    parse(
        "[[collider]]\nshape = { sphere = { radius = 0.8 } }\ninside = true\nposition = [0, 0.3, 0]\nfriction = 0.5\n[[body]]\n\
         kind = 'cloth'\nmesh = { sphere = { radius = 0.5, segments = 12 } }\nmass = 1.0\nself_collision = false\nradius = 0.01\n\
         position = [0, 0.015, 0]\n",
    )
}

/// What acts on a body beside its own constraints, each with the body pressed, held or damped by it where it is at rest.
fn beside() -> Vec<(&'static str, Model)> {
    const GROUND: &str = "[[collider]]\nshape = { plane = {} }\nfriction = 0.5\n";
    let cube = |y: f64, rest: &str| {
        format!(
            "[[body]]\nkind = 'soft'\nmesh = {{ box = {{ cells = [2, 2, 2], size = [0.2, 0.2, 0.2] }} }}\nmass = 1.0\n\
             self_collision = false\nfriction = 0.5\nradius = 0.05\nposition = [0, {y}, 0]\nyoung_modulus = 1e5\n{rest}\n"
        )
    };
    let shape = "[[body]]\nkind = 'shape'\nmesh = { box = { cells = [2, 2, 2], size = [0.2, 0.2, 0.2] } }\nmass = 0.5\n\
                 radius = 0.01\nposition = [0, 0.112, 0]\nself_collision = false\n";
    // A net in a frame, stretched by its own weight and by the ball on which it lies.
    let net = "[[body]]\nkind = 'cloth'\nmesh = { grid = { columns = 9, rows = 9, width = 1.0, height = 1.0 } }\nmass = 1.0\n\
               rotation = [0.70710678, 0, 0, 0.70710678]\nstretch_compliance = 1e-4\nshear_compliance = 1e-4\nradius = 0.02\n\
               bend = { kind = 'distance', compliance = 1e-2 }\nself_collision = false\n\
               pin = ['left', 'right', 'top', 'bottom']\n";
    let ball = |friction: f64| {
        format!(
            "[[collider]]\nshape = {{ sphere = {{ radius = 0.3 }} }}\nposition = [0, -0.2, 0]\nfriction = {friction}\n"
        )
    };
    let rope = |from: &str, to: &str, segments: u32| {
        format!(
            "[[body]]\nkind = 'rope'\nmesh = {{ line = {{ from = {from}, to = {to}, segments = {segments} }} }}\nmass = 0.1\n\
             radius = 0.03\nsegments = true\nself_collision = false\npin = [0, {segments}]\n"
        )
    };
    let ropes = [rope("[-0.5, 0, 0]", "[0.5, 0, 0]", 8), rope("[0.02, 0.06, -0.5]", "[0.02, 0.06, 0.5]", 11)].concat();
    let hair = "[[body]]\nkind = 'hair'\nmesh = { line = { from = [0, 0, 0], to = [0, -0.3, 0], segments = 16 } }\nmass = 0.1\n\
                pin = ['root']\ntether = {}\nbend = { kind = 'spatial_angle', compliance = 2 }\n";
    let with_levels = |text: &str| {
        let mut model = parse(text);
        model.settings.nested = Some(true);
        assert!(!Plan::new(&model).sheets.is_empty());
        model
    };
    vec![
        ("a ball of cloth in a cup", ball_in_a_cup()),
        ("a solid on the ground", parse(&format!("{GROUND}{}", cube(0.14, "")))),
        ("a solid held by strain on the ground", parse(&format!("{GROUND}{}", cube(0.14, "elasticity = 'strain'")))),
        ("a damped solid on the ground", parse(&format!("{GROUND}{}", cube(0.14, "damping = 5.0")))),
        ("a solid on a solid", parse(&format!("{GROUND}{}{}", cube(0.14, ""), cube(0.43, "")))),
        ("a shape on the ground", parse(&format!("{GROUND}{shape}"))),
        ("a net on a ball", parse(&format!("{}{net}", ball(0.5)))),
        ("a net on a slippery ball", parse(&format!("{}{net}", ball(0.0)))),
        ("a net with levels on a slippery ball", with_levels(&format!("{}{net}", ball(0.0)))),
        ("a rope across a rope", parse(&ropes)),
        ("hair on tethers", parse(hair)),
    ]
}

/// The root of the kinetic energy of a model with these velocities relative to those, √J.
fn motion(model: &Model, velocities: &[[f64; 3]], others: &[[f64; 3]]) -> f64 {
    let square = |v: &[f64; 3], u: &[f64; 3]| (0..3).map(|axis| (v[axis] - u[axis]).powi(2)).sum::<f64>();
    let squares = velocities.iter().zip(others).map(|(v, u)| square(v, u));
    let energy = |(square, &w): (f64, &f64)| if w > 0.0 { square / w } else { 0.0 };
    squares.zip(&model.particles.inverse_masses).map(energy).sum::<f64>().sqrt()
}

/// The model in substeps of which a second has so many, one a frame.
fn at_rate(model: &Model, rate: f64) -> Model {
    let mut model = model.clone();
    (model.settings.frame_rate, model.settings.substeps) = (rate, 1);
    model
}

/// Where a model comes to rest: after so many substeps that take most of all motion away.
fn settled(model: &Model, from: State, substeps: u32) -> State {
    let mut reference = Reference::new(model, &Plan::new(model));
    let mut state = from;
    for _ in 0..substeps {
        state.velocities.iter_mut().flatten().for_each(|velocity| *velocity *= SLOWER);
        for (now, [position, velocity]) in state.positions.iter().zip(&mut state.past) {
            for axis in 0..3 {
                position[axis] = now[axis] + SLOWER * (position[axis] - now[axis]);
                velocity[axis] *= SLOWER;
            }
        }
        reference.restore(&state);
        reference.step();
        state = reference.state();
    }
    state
}

/// A model nudged in a state, and its motion relative to that, √J.
fn nudged(model: &Model, plan: &Plan, rest: &State) -> (Reference, f64) {
    let mut random = Random::new(7);
    let mut nudged = rest.clone();
    for (i, velocity) in nudged.velocities.iter_mut().enumerate() {
        let nudge = random.vector(-NUDGE, NUDGE);
        if model.particles.inverse_masses[i] > 0.0 {
            *velocity = std::array::from_fn(|axis| velocity[axis] + nudge[axis]);
            if let Some([position, before]) = nudged.past.get_mut(i) {
                *before = std::array::from_fn(|axis| before[axis] + nudge[axis]);
                *position = std::array::from_fn(|axis| position[axis] - nudge[axis] / model.settings.frame_rate);
            }
        }
    }
    let first = motion(model, &nudged.velocities, &rest.velocities);
    (resumed(model, plan, &nudged), first)
}

fn resumed(model: &Model, plan: &Plan, state: &State) -> Reference {
    let mut reference = Reference::new(model, plan);
    reference.restore(state);
    reference
}

/// The largest of the motions in so many substeps over the first one, less one.
fn most(substeps: u32, first: f64, mut motion: impl FnMut() -> f64) -> f64 {
    let finite = |motion: f64| if motion.is_nan() { f64::INFINITY } else { motion };
    let most = (0..substeps).map(|_| finite(motion())).fold(0.0, f64::max);
    (most / first - 1.0).max(0.0)
}

/// How much the motion of a nudged model grows, relative to one that is not nudged.
fn growth_about(model: &Model, plan: &Plan, rest: &State, substeps: u32) -> f64 {
    let (mut nudged, first) = nudged(model, plan, rest);
    let mut still = resumed(model, plan, rest);
    most(substeps, first, || {
        nudged.step();
        still.step();
        motion(model, &nudged.state().velocities, &still.state().velocities)
    })
}

/// The same of a model that comes to rest from near there.
fn pressed_growth(model: &Model, near: &State) -> f64 {
    // A past is of substeps as long.
    let rest = settled(model, State { past: Vec::new(), ..near.clone() }, SETTLING);
    growth_about(model, &Plan::new(model), &rest, SUBSTEPS / 2)
}

/// The same of a model that is at rest where it was placed, relative to that.
fn growth(model: &Model, plan: impl Fn(&Model) -> Plan, rate: f64, substeps: u32) -> f64 {
    let model = at_rate(model, rate);
    let plan = plan(&model);
    let rest = Reference::new(&model, &plan).state();
    let (mut nudged, first) = nudged(&model, &plan, &rest);
    most(substeps, first, || {
        nudged.step();
        motion(&model, &nudged.state().velocities, &rest.velocities)
    })
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

/// What is pressed by colliders and by others, held by tethers, lies on levels or is damped, in every way, nudged where it is at rest: none moves
/// faster than at first.
#[test]
fn what_acts_beside_the_sweep_makes_no_energy() {
    for (way, change) in WAYS {
        let mut worst = (0.0, String::new());
        for (name, mut model) in beside() {
            change(&mut model);
            let placed = Reference::new(&model, &Plan::new(&model)).state();
            let rest = settled(&at_rate(&model, RATES[0]), placed, SETTLING);
            for rate in RATES {
                let grown = pressed_growth(&at_rate(&model, rate), &rest);
                if grown > worst.0 {
                    worst = (grown, format!("{name} at {rate} Hz"));
                }
            }
        }
        println!("{way}: {worst:?}");
        let claim = format!("bodies pressed, held and damped, nudged at rest, {way}");
        proof::row(&claim, "no motion grows", worst.0, GROWTH, "");
    }
}

/// By clusters and with levels, too.
#[test]
fn clusters_and_levels_make_no_energy() {
    let large = sheet(100, "['top-left', 'top-right']");
    assert!(!Plan::clustered(&large).phases.is_empty());
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

/// One way a ball flies apart, free and in a cup, and there and back it does not: what the tests above would find.
#[test]
fn one_way_gains() {
    let mut ball = scene("kind = 'cloth'\nmesh = { sphere = { radius = 0.5, segments = 12 } }");
    let there_and_back = growth(&ball, Plan::new, 6e3, 6_000);
    ball.settings.sweep = Sweep::OneWay;
    let one_way = growth(&ball, Plan::new, 6e3, 6_000);
    assert!(there_and_back < GROWTH && one_way > 10.0, "{there_and_back} and {one_way}");

    let mut pressed = at_rate(&ball_in_a_cup(), RATES[0]);
    let rest = settled(&pressed, Reference::new(&pressed, &Plan::new(&pressed)).state(), SETTLING);
    let there_and_back = pressed_growth(&pressed, &rest);
    pressed.settings.sweep = Sweep::OneWay;
    let one_way = growth_about(&pressed, &Plan::new(&pressed), &rest, SUBSTEPS / 2);
    assert!(there_and_back < GROWTH && one_way > 10.0, "in a cup: {there_and_back} and {one_way}");
}
