//! Of surfaces that touch what takes many frames or many bodies to show: friction that holds, a thousand fast hits, the weight of
//! layers, levels and air.

use pliant::constraint::Vec3;
use pliant::mesh::crossings;
use pliant::model::{Against, State};
use pliant::step::Engine;

use crate::device::Running;
use crate::proof;
use crate::random::Random;
use crate::stack::crowded_stack;
use crate::surfaces::{Run, lying, parse, sheet};

/// Upright, fixed.
const WALL: &str = "pin = [{ box = [[-9, -9, -9], [9, 9, 9]] }]";

/// A cloth hangs by its upper edge from between two sheets that are fixed a little nearer to each other than it is thick: by friction alone. In
/// ten seconds it does not slip by its thickness. It creeps: `docs/design/surfaces.md` has how far.
#[test]
fn a_pinch_holds() {
    let fixed = format!("{WALL}\nfriction = 0.6");
    let mut text = "solver.substeps = 5\n".to_string();
    text += &sheet(3, 0.1, &fixed);
    text += &sheet(3, 0.1, &format!("position = [0, 0, 0.0039]\n{fixed}"));
    text += &sheet(5, 0.12, "position = [0.003, -0.067, 0.00195]\nfriction = 0.6");
    let mut run = Run::of(&text);
    let first = run.frames(60);
    let later = run.engine.run(600);
    let creep = 1e3 * proof::apart(&first, &later);
    proof::row("a cloth held by friction between two sheets, 10 s: creep", "less than its thickness", creep, 2.0, "mm");
}

/// A thousand points, edges and triangles that fly at 100 m/s, at all angles, against a cloth of 1 mm: each of them is stopped by it. They
/// are placed and turned at random, and meet nothing but the cloth.
#[test]
fn a_thousand_fast_hits_are_stopped() {
    const SIZE: f64 = 2.0;
    let mut random = Random::new(5);
    let mut text = "world.gravity = [0, 0, 0]\n".to_string();
    text += &lying(41, SIZE, [0.0; 3], "pin = ['left', 'right', 'top', 'bottom']");
    for hit in 0..1000 {
        // To a place on the cloth, from up to 75° off the upright.
        let (x, z) = (random.number(-0.8, 0.8), random.number(-0.8, 0.8));
        let way = [random.number(-2.7, 2.7), -1.0, random.number(-2.7, 2.7)];
        let velocity = way.map(|part| 100.0 * part / Vec3::from(way).length());
        let height = random.number(0.02, 0.3);
        let place: [f64; 3] = [x - way[0] * height, height, z - way[2] * height];
        let turn: [f64; 4] = std::array::from_fn(|_| random.number(-1.0, 1.0));
        let other: [f64; 3] = place.map(|x| x + random.number(-0.01, 0.01));
        text += &match hit % 3 {
            0 => format!("[[body]]\nkind = 'particles'\npositions = [{place:?}]\nmasses = [1e-5]\nradius = 0.001\n"),
            1 => format!(
                "[[body]]\nkind = 'rope'\nmesh = {{ line = {{ from = {place:?}, to = {other:?}, segments = 1 }} }}\n\
                 mass = 1e-5\nradius = 0.001\ncontact = 'surface'\n"
            ),
            _ => sheet(2, 0.012, &format!("position = {place:?}\nrotation = {turn:?}")),
        };
        text += &format!("collision_group = 1\ncollides_with = [0]\nvelocity = {velocity:?}\n");
    }
    let text = text.replace("radius = 0.001", "radius = 0.0005");
    let model = parse(&text);
    let mut running = Running::new(&model);
    let own = model.bodies[0].triangles.len();
    let triangles: Vec<[u32; 3]> = model.bodies.iter().flat_map(|body| body.triangles.iter().copied()).collect();
    let mut stopped = vec![true; model.bodies.len()];
    for _ in 0..8 {
        let state = running.run(1);
        for (index, body) in model.bodies.iter().enumerate().skip(1) {
            let over = |particle: u32| is_over(&state, &model.bodies[0].triangles, state.positions[particle as usize]);
            stopped[index] &= body.particles.clone().all(over);
        }
        let crossed = crossings(&state.positions, &triangles, |a, b| (a < own) != (b < own));
        assert!(crossed.is_empty(), "frame {}: {} crossings", state.frame, crossed.len());
    }
    let passed = stopped.iter().filter(|stopped| !**stopped).count();
    assert_eq!(passed, 0, "of 1,000");
    // Each has met the cloth: of its speed downwards, of 25 m/s and more, little is left.
    let state = running.state();
    for body in &model.bodies[1..] {
        let fastest = body.particles.clone().map(|i| state.velocities[i as usize][1]).fold(0.0, f64::min);
        assert!(fastest > -20.0, "'{}' goes on at {fastest} m/s", body.name);
    }
}

/// Whether a place is on the upper side of a lying cloth, by the face under it or over it.
fn is_over(state: &State, triangles: &[[u32; 3]], place: [f64; 3]) -> bool {
    let place = Vec3::from(place);
    triangles.iter().all(|corners| {
        let [a, b, c] = corners.map(|corner| Vec3::from(state.positions[corner as usize]));
        let area = |p: Vec3<f64>, q: Vec3<f64>| (q.x - p.x) * (place.z - p.z) - (q.z - p.z) * (place.x - p.x);
        let turns = [area(a, b), area(b, c), area(c, a)];
        let inside = turns.iter().all(|turn| *turn >= 0.0) || turns.iter().all(|turn| *turn <= 0.0);
        let normal = (b - a).cross(c - a);
        !inside || normal.dot(place - a) * normal.y > 0.0
    })
}

/// Ten sheets at rest on each other press on the lowest, which is fixed, with their weight, and each on the one below with that of those above.
#[test]
fn ten_layers_weigh_what_they_weigh() {
    const LAYERS: usize = 10;
    let mut text = lying(6, 0.3, [0.0; 3], WALL);
    for k in 1..=LAYERS {
        text += &lying(5, 0.2, [0.00202 * k as f64, 0.0, 0.0], "friction = 0.3\nrestitution = 0");
    }
    let model = parse(&text);
    let mut running = Running::new(&model);
    running.solver.average_contacts(true);
    running.run(120);
    let contacts = running.contacts();
    let weight = 0.2 * 0.2 * 0.2 * 9.81;
    let body_of = |particle: u32| model.particles.bodies[particle as usize] as usize;
    let mut worst: f64 = 0.0;
    for layer in 0..LAYERS {
        let between = contacts.iter().filter_map(|contact| {
            let Against::Particle(other) = contact.against else { return None };
            let bodies = [body_of(contact.particle), body_of(other)];
            let (low, high) = (bodies[0].min(bodies[1]), bodies[0].max(bodies[1]));
            let up = if bodies[0] == high { 1.0 } else { -1.0 };
            ((low, high) == (layer, layer + 1))
                .then_some(up * (contact.force * contact.normal[1] + contact.friction[1]))
        });
        let (force, expected) = (between.sum::<f64>(), weight * (LAYERS - layer) as f64);
        worst = worst.max((force / expected - 1.0).abs());
    }
    proof::row(
        "ten sheets at rest on a fixed one: what each presses with on the one below",
        "the weight above",
        100.0 * worst,
        1.0,
        "%",
    );
}

/// Ten sheets that fall at 20 m/s, a millimetre of air between each two, are not held: they fall with the bits with which they do where nothing
/// touches.
#[test]
fn ten_sheets_fall_together() {
    let fallen = |apart: &str| {
        let rest = format!("velocity = [0.3, -20, 0]\nangular_velocity = [0, 0.2, 0]\n{apart}");
        let mut run =
            Run::of(&(0..10).map(|k| lying(7, 0.3, [0.003 * f64::from(k), 0.0, 0.3], &rest)).collect::<String>());
        (run.frames(30), run.engine.status().surfaces_held)
    };
    let ((touching, held), (alone, _)) = (fallen(""), fallen("collides_with = []\nself_collision = false"));
    assert_eq!((&touching.positions, &touching.velocities, held), (&alone.positions, &alone.velocities, 0));
}

/// A cloth under levels that hangs by its upper edge in a wind, which blows it onto a fixed one and folds it up: air and levels move particles
/// before contact sees them, and nothing crosses.
#[test]
fn levels_and_air_push_nothing_through() {
    let mut text = "world.wind = [0, 0, -6]\nsolver.nested = true\n".to_string();
    text += &sheet(9, 1.2, &format!("position = [0, 0.1, -0.15]\n{WALL}\nfriction = 0.2"));
    let rest = "pin = [{ indices = [0, 23] }]\ndrag = 1.1\nlift = 1.1\nfriction = 0.2";
    text += &sheet(24, 0.8, rest).replace("stretch_compliance = 1e-6", "stretch_compliance = 1e-8");
    let mut run = Run::of(&text);
    assert!(!pliant::Plan::new(&parse(&text)).sheets.is_empty(), "no levels");
    let mut most = 0;
    for _ in 0..60 {
        let state = run.step();
        most = most.max(state.contacts);
    }
    let status = run.engine.status();
    assert!(status.is_good() && status.surfaces_forced == 0 && most > 50, "{status:?}, {most} contacts");
}

/// A crowded stack falls: nothing crosses.
#[test]
fn a_crowded_stack_falls() {
    let state = Run::of(&crowded_stack()).frames(8);
    assert!(state.contacts > 100, "{} contacts", state.contacts);
}
