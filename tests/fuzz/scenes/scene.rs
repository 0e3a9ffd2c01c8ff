//! A random scene: settings, world, bodies, and what is around them.

use pliant::scene::Scene;

use super::bodies::{self, Placed};
use super::constraints;
use super::surroundings;
use super::text::Text;
use crate::random::Random;

/// The particles that a scene has room for.
const MOST_PARTICLES: usize = 200;
/// Particles, substeps, iterations and frames multiply to no more than that, so that no scene takes long.
const MOST_WORK: f64 = 400_000.0;

/// What the settings allow of bodies and constraints.
#[derive(Clone, Copy)]
pub struct Ways {
    pub pbd: bool,
    pub jacobi: bool,
}

pub struct RandomScene {
    pub text: String,
    pub frames: u32,
}

/// The scene of a seed.
pub fn scene(seed: u64) -> RandomScene {
    let mut random = Random::new(seed);
    let mut text = Text::default();
    let (ways, sweeps) = solver(&mut random, &mut text);
    world(&mut random, &mut text);
    let settings = text.clone();
    let count = random.pick(&[1, 1, 1, 2, 2, 3]);
    let mut placed: Vec<Placed> = Vec::new();
    for index in 0..count {
        let mut body = Text::default();
        let kind = bodies::body(&mut random, &mut body, ways, index);
        // Tables of tables come last.
        let Some(mut new) = Placed::of(&settings, &body, kind, index) else {
            text.0 += &body.0;
            continue;
        };
        if placed.iter().map(Placed::len).sum::<usize>() + new.len() > MOST_PARTICLES {
            continue;
        }
        new.name = format!("body{}", placed.len());
        constraints::inside(&mut random, &mut body, ways, &new);
        text.0 += &body.0;
        placed.push(new);
    }
    constraints::between(&mut random, &mut text, ways, &placed);
    surroundings::forces(&mut random, &mut text, &placed);
    surroundings::colliders(&mut random, &mut text, &placed);
    let work = sweeps * placed.iter().map(Placed::len).sum::<usize>().max(1) as f64;
    let frames = random.whole(2, 20).min((MOST_WORK / work) as u32).max(2);
    RandomScene { text: text.0, frames }
}

/// `[solver]`: what it allows, and how many sweeps there are in a frame.
fn solver(random: &mut Random, text: &mut Text) -> (Ways, f64) {
    let ways = Ways { pbd: random.chance(0.2), jacobi: random.chance(0.15) };
    text.header("[solver]");
    text.quoted("mode", if ways.pbd { "pbd" } else { "xpbd" });
    if ways.jacobi {
        text.quoted("method", "jacobi");
    } else if random.chance(0.2) {
        text.key("max_colours", random.whole(1, 6));
    }
    if random.chance(0.25) {
        text.quoted("integrator", "bdf2");
    }
    if random.chance(0.05) {
        text.quoted("sweep", "one-way");
    }
    text.number("frame_rate", random.pick(&[60.0, 60.0, 60.0, 24.0, 144.0, 1000.0]));
    let substeps = random.pick(&[1, 2, 4, 5, 10, 10, 20, 40]);
    text.key("substeps", substeps);
    let iterations = random.pick(&[1, 1, 1, 1, 2, 3, 8]);
    text.key("iterations", iterations);
    if random.chance(0.15) {
        text.number("relaxation", random.number(0.5, 1.3));
    }
    if ways.pbd && random.chance(0.3) {
        text.key("corrected_stiffness", true);
    }
    if !ways.pbd && random.chance(0.4) {
        text.key("nested", random.chance(0.6));
    }
    (ways, f64::from(substeps * iterations))
}

/// `[world]`
fn world(random: &mut Random, text: &mut Text) {
    text.header("[world]");
    if random.chance(0.4) {
        let gravity = if random.chance(0.5) { [0.0; 3] } else { random.vector(-10.0, 10.0) };
        text.vector("gravity", gravity);
    }
    if random.chance(0.25) {
        text.vector("wind", random.vector(-8.0, 8.0));
    }
    if random.chance(0.1) {
        text.number("air_density", random.number(0.0, 3.0));
    }
    if random.chance(0.05) {
        text.number("max_speed", random.number(1.0, 100.0));
    }
}

/// Where the settings and one body place its particles; `None` where they are refused.
pub fn places(settings: &Text, body: &Text) -> Option<Vec<[f64; 3]>> {
    let text = format!("{}{}", settings.0, body.0);
    let model = Scene::parse(&text, "scene.toml", ".").ok()?.build().ok()?.model;
    Some(model.particles.positions[..model.placed_particles()].to_vec())
}
