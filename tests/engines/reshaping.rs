//! Rest shapes that change, against what they were told: blend shapes, plastic flow, and their twin.

use pliant::constraint::Vec3;
use pliant::measure::Measurement;
use pliant::model::{Model, State};
use pliant::scene::Scene;

use crate::device::Running;
use crate::proof;

fn scene(text: &str) -> Model {
    let scene = Scene::parse(text, "scene", ".").unwrap_or_else(|error| panic!("{error}\n{text}"));
    scene.build().unwrap_or_else(|error| panic!("{error}\n{text}")).model
}

/// A cube of 20 cm with more keys.
pub fn cube(world: &str, keys: &str) -> Model {
    scene(&format!(
        "{world}\n[[body]]\nkind = 'shape'\nmass = 2\nmesh = {{ box = {{ cells = [3, 3, 3], size = [0.2, 0.2, 0.2] }} }}\n{keys}"
    ))
}

const FREE: &str = "world.gravity = [0, 0, 0]\nsolver.substeps = 10";

/// From the particle that was placed next to one place to that next to another, m. As a free shape changes it turns a little, since its weights
/// are not alike.
fn between(model: &Model, state: &State, places: [[f64; 3]; 2]) -> f64 {
    let placed = &model.particles.positions;
    let [a, b] = places.map(|x| {
        let apart = |place: &[f64; 3]| (Vec3::from(*place) - Vec3::from(x)).length();
        let nearest = (0..placed.len()).min_by(|&a, &b| apart(&placed[a]).total_cmp(&apart(&placed[b])));
        Vec3::from(state.positions[nearest.expect("a particle")])
    });
    (a - b).length()
}

/// The lengths of the edges of a box of these sides about the origin, from its first corner, m.
fn edges(model: &Model, state: &State, sides: [f64; 3]) -> [f64; 3] {
    let first = sides.map(|side| -0.5 * side);
    std::array::from_fn(|axis| {
        let mut other = first;
        other[axis] = -first[axis];
        between(model, state, [first, other])
    })
}

/// A free shape becomes what is blended into it, by as much as there is of that.
#[test]
fn a_shape_becomes_what_is_blended_into_it() {
    let keys = "velocity = [0.3, 0, 0]\n[[body.blend_shape]]\nmesh = { box = { cells = [3, 3, 3], size = [0.4, 0.1, 0.2] } }\n\
                keyframes = [{ time = 0, value = 0 }, { time = 0.2, value = 1 }, { time = 0.4, value = 0.5 }]\n\
                [[body.blend_shape]]\nmesh = { box = { cells = [3, 3, 3], size = [0.2, 0.2, 0.3] } }\n\
                keyframes = [{ time = 0, value = 0 }, { time = 0.4, value = 1 }]\ndelay = 0.1\n";
    let model = cube(FREE, keys);
    let mut running = Running::new(&model);
    let first = Measurement::of(&model, &running.state());
    let state = running.run(12);
    let off = |found: [f64; 3], told: [f64; 3]| proof::largest((0..3).map(|k| (found[k] - told[k]).abs()));
    let apart = off(edges(&model, &state, [0.2; 3]), [0.4, 0.1, 0.225]);
    proof::row("sides of a cube with one blend shape and a quarter of another", "told", apart, 2e-6, "m");
    let state = running.run(18);
    let apart = off(edges(&model, &state, [0.2; 3]), [0.3, 0.15, 0.3]);
    proof::row("sides of a cube with half of one and all of another", "told", apart, 2e-6, "m");
    let last = Measurement::of(&model, &state);
    let momentum = (Vec3::from(last.momentum) - Vec3::from(first.momentum)).length();
    proof::row("momentum of a shape that changes", "kept", momentum, 1e-5, "kg m/s");
}

/// What turns goes on with its angular momentum as it becomes wider, and so more slowly.
#[test]
fn a_wider_shape_turns_more_slowly() {
    let keys = "angular_velocity = [0, 2, 0]\n[[body.blend_shape]]\nmesh = { box = { cells = [3, 3, 3], size = [0.4, 0.2, 0.4] } }\n\
                keyframes = [{ time = 0, value = 0 }, { time = 0.5, value = 1 }]\n";
    let model = cube("world.gravity = [0, 0, 0]\nsolver.substeps = 100", keys);
    let mut running = Running::new(&model);
    let first = Measurement::of(&model, &running.state());
    let last = Measurement::of(&model, &running.run(36));
    let change = (Vec3::from(last.angular_momentum) - Vec3::from(first.angular_momentum)).length();
    // Implicit Euler takes ω² h of a turning in a second: 4e-4 here.
    let size = Vec3::from(first.angular_momentum).length();
    proof::row("angular momentum of a shape that becomes wider", "kept", change / size, 5e-4, "of it");
}

/// A cube between the ground and a plate that comes down for a while.
pub fn pressed(substeps: u32, keys: &str) -> Model {
    let world = "[[collider]]\nshape = { plane = {} }\nfriction = 0.2\n\
                 [[collider]]\nshape = { box = { size = [1, 0.1, 1] } }\nposition = [0, 0.26, 0]\n\
                 keyframes = [{ time = 0.2, value = [0, 0, 0] }, { time = 0.5, value = [0, -0.08, 0] }, \
                 { time = 0.8, value = [0, -0.08, 0] }, { time = 1.0, value = [0, 0.1, 0] }]\n";
    let body =
        "position = [0, 0.1, 0]\nshape_compliance = 2e-4\nregion_radius = 0.16\nregion_spacing = 0.1\ndamping = 2\n";
    cube(&format!("solver.substeps = {substeps}\n{world}"), &format!("{body}{keys}"))
}

/// Blend shapes are scaled and turned with their body, those of meshes and those that are pulled.
#[test]
fn blend_shapes_go_with_their_body() {
    let quarter = "rotation = [0, 0, 0.70710678, 0.70710678]\nscale = [2, 1, 3]\n";
    let blend = "keyframes = [{ time = 0, value = 0 }, { time = 0.1, value = 1 }]\n";
    let mesh = "mesh = { box = { cells = [3, 3, 3], size = [0.4, 0.2, 0.2] } }\n";
    let model = cube(FREE, &format!("{quarter}[[body.blend_shape]]\n{mesh}{blend}"));
    let [width, height, depth] = edges(&model, &Running::new(&model).run(12), [0.2, 0.4, 0.6]);
    let off = proof::largest([width - 0.2, height - 0.8, depth - 0.6].map(f64::abs));
    proof::row("sides of a scaled and turned cube that became twice as long", "told", off, 2e-6, "m");
    let pull = "pull = { at = [0.1, 0.1, 0.1], radius = 0.01, way = [0.05, 0, 0] }\n";
    let model = cube(FREE, &format!("{quarter}[[body.blend_shape]]\n{pull}{blend}"));
    let edge = between(&model, &Running::new(&model).run(12), [[-0.1, 0.2, 0.3], [-0.1, -0.2, 0.3]]);
    proof::row("edge of one whose corner is pulled out by 0.1 m", "0.5 m", (edge - 0.5).abs(), 2e-6, "m");
}

/// Both at once, in regions, as in double precision; and going back.
#[test]
fn changing_shapes_follow_their_twin() {
    let model = pressed(
        20,
        "yield = 0.01\ncreep = 20\nvelocity = [0, -0.5, 0]\n[[body.blend_shape]]\n\
         mesh = { box = { cells = [3, 3, 3], size = [0.3, 0.2, 0.25] } }\n\
         keyframes = [{ time = 0, value = 0 }, { time = 0.1, value = 1 }]\nperiod = 0.1\n",
    );
    let mut running = Running::new(&model);
    running.run(4);
    let amid = running.snapshot();
    let (mine, theirs) = (running.run(4), crate::models::run(&model, 8));
    proof::row("changing shapes after 8 frames", "double precision", proof::apart(&mine, &theirs), 1e-5, "m");
    let flowed = |state: &State, of: &State| {
        let pairs =
            state.rest_shapes.as_flattened().as_flattened().iter().zip(of.rest_shapes.as_flattened().as_flattened());
        proof::largest(pairs.map(|(a, b)| (a - b).abs()))
    };
    proof::row("what has flowed of them", "double precision", flowed(&mine, &theirs), 2e-4, "");
    running.restore(&amid);
    let again = running.run(4);
    proof::row("changing shapes after going back, from where they were", "0", proof::apart(&again, &mine), 1e-6, "m");
    let none = State {
        rest_shapes: vec![[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]; mine.rest_shapes.len()],
        ..State::default()
    };
    assert!(flowed(&mine, &none) > 1e-2, "nothing has flowed: the test shows nothing");
}

/// A filled shape has the mass and nearly the inertia of its solid.
#[test]
fn filled_shapes_weigh_as_solids() {
    let model = scene(
        "[[body]]\nkind = 'shape'\ndensity = 500\nfill = 0.05\nmesh = { box = { cells = [8, 8, 8], size = [0.4, 0.4, 0.4] } }\n",
    );
    let (masses, positions) = (&model.particles.inverse_masses, &model.particles.positions);
    let mass: f64 = masses.iter().map(|w| 1.0 / w).sum();
    proof::relative("mass of a filled cube", "ρ a³", mass, 500.0 * 0.4_f64.powi(3), 1e-9);
    let inertia: f64 = masses.iter().zip(positions).map(|(w, [x, _, z])| (x * x + z * z) / w).sum();
    proof::relative("inertia of a filled cube", "m a²/6", inertia, mass * 0.16 / 6.0, 0.08);
    assert!(model.particles.len() > 386 + 300, "{}", model.particles.len());
}
