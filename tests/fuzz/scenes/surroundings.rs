//! `[[force]]` and `[[collider]]`.

use super::bodies::{self, Placed};
use super::text::{Text, keyframes, list, number, vector};
use crate::random::Random;

pub fn forces(random: &mut Random, text: &mut Text, bodies: &[Placed]) {
    if bodies.is_empty() || !random.chance(0.25) {
        return;
    }
    let body = &bodies[random.whole(0, bodies.len() as u32 - 1) as usize];
    text.header("[[force]]");
    text.quoted("body", &body.name);
    if random.chance(0.6) {
        let last = body.len() as u32 - 1;
        let first = random.whole(0, last);
        text.key("particles", list(first..=last.min(first + 2), |index| index.to_string()));
    }
    let size = random.magnitude(0.01, 2.0);
    if random.chance(0.5) {
        text.vector("value", random.vector(-size, size));
    } else {
        let values = [0; 3].map(|_| vector(random.vector(-size, size)));
        text.key("keyframes", keyframes([0.0, 0.1, 0.2].into_iter().zip(values)));
    }
}

/// The lowest and the highest coordinates of all particles.
fn extent(bodies: &[Placed]) -> [[f64; 3]; 2] {
    let all = || bodies.iter().flat_map(|body| &body.positions);
    let axis = |axis: usize, start: f64, pick: fn(f64, f64) -> f64| all().map(|x| x[axis]).fold(start, pick);
    [
        std::array::from_fn(|i| axis(i, f64::INFINITY, f64::min)),
        std::array::from_fn(|i| axis(i, f64::NEG_INFINITY, f64::max)),
    ]
}

pub fn colliders(random: &mut Random, text: &mut Text, bodies: &[Placed]) {
    if bodies.is_empty() {
        return;
    }
    let [low, high] = extent(bodies);
    for _ in 0..random.pick(&[0, 0, 1, 1, 2, 3, 10]) {
        text.header("[[collider]]");
        // Below all particles, by what they may touch at.
        let top = low[1] - 0.08 - random.number(0.0, 0.3);
        let [x, z] = [0, 2].map(|axis| random.number(low[axis], high[axis]));
        let start = text.0.len();
        shape(random, text, [x, top, z], [low, high]);
        let level = text.0[start..].contains("plane") || text.0[start..].contains("heightfield");
        motion(random, text, level);
        bodies::groups(random, text);
        if random.chance(0.1) {
            text.key("trigger", true);
        } else {
            surface(random, text);
        }
    }
}

fn surface(random: &mut Random, text: &mut Text) {
    bodies::friction(random, text);
    if random.chance(0.15) {
        text.number("thickness", random.number(0.0, 0.05));
    }
    if random.chance(0.15) {
        text.number("adhesion", random.magnitude(1e-3, 1.0));
    }
    if random.chance(0.1) {
        text.vector("belt", random.vector(-1.0, 1.0));
    }
}

/// A shape whose highest point is at `top`, or a container around everything.
fn shape(random: &mut Random, text: &mut Text, top: [f64; 3], extent: [[f64; 3]; 2]) {
    let size = random.number(0.1, 0.5);
    let [length, width] = [random.number(0.1, 1.0), random.number(0.2, 1.0)];
    let below = |depth: f64| [top[0], top[1] - depth, top[2]];
    let (shape, position) = match random.whole(0, 9) {
        0 | 1 => {
            let [x, _, z] = random.vector(-0.5, 0.5);
            // Far enough along its normal for the corners of everything.
            let reach = (0..3).map(|axis| (extent[1][axis] - extent[0][axis]).abs()).sum::<f64>();
            let tilted = random.chance(0.4);
            let normal = if tilted { [x, 1.0, z] } else { [0.0, 1.0, 0.0] };
            let at = if tilted { below(0.5 * reach) } else { top };
            (format!("plane = {{ normal = {} }}", vector(normal)), at)
        }
        2 => (format!("sphere = {{ radius = {} }}", number(size)), below(size)),
        3 => {
            let sizes = format!("radius = {}, length = {}", number(size), number(length));
            (format!("capsule = {{ {sizes} }}"), below(size + 0.5 * length))
        }
        4 => {
            let sizes = format!("radius = {}, length = {}", number(size), number(length));
            (format!("cylinder = {{ {sizes} }}"), below(0.5 * length))
        }
        5 => (format!("box = {{ size = {} }}", vector([width, length, width])), below(0.5 * length)),
        6 => {
            let points: Vec<_> = (0..8).map(|_| random.vector(-size, size)).collect();
            (format!("convex = {{ cells = 8, points = {} }}", list(points, vector)), below(1.5 * size))
        }
        7 => {
            let mesh = random.pick(&[
                "sphere = { radius = 0.3, segments = 10 }",
                "box = { cells = [1, 1, 1], size = [0.6, 0.6, 0.6] }",
                "torus = { radius = 0.4, tube_radius = 0.15, segments = 12, tube_segments = 8 }",
            ]);
            (format!("mesh = {{ cells = 12, {mesh} }}"), below(0.35))
        }
        8 => {
            let rows: Vec<[f64; 4]> = (0..3).map(|_| std::array::from_fn(|_| random.number(-0.3, 0.0))).collect();
            let heights = list(rows, vector);
            (format!("heightfield = {{ heights = {heights}, size = [4.0, 4.0] }}"), top)
        }
        _ => return container(random, text, extent),
    };
    text.key("shape", format_args!("{{ {shape} }}"));
    text.vector("position", position);
}

fn container(random: &mut Random, text: &mut Text, [low, high]: [[f64; 3]; 2]) {
    let size: [f64; 3] = std::array::from_fn(|axis| high[axis] - low[axis] + random.number(0.3, 1.0));
    let diagonal = size.iter().map(|x| x * x).sum::<f64>().sqrt();
    let shape = if random.chance(0.6) {
        format!("box = {{ size = {} }}", vector(size))
    } else {
        format!("sphere = {{ radius = {} }}", number(0.5 * diagonal))
    };
    text.key("shape", format_args!("{{ {shape} }}"));
    text.vector("position", std::array::from_fn::<_, 3, _>(|axis| 0.5 * (low[axis] + high[axis])));
    text.key("inside", true);
}

/// How it moves; ground that would turn over stays level.
fn motion(random: &mut Random, text: &mut Text, level: bool) {
    if random.chance(0.2) {
        let ways = [[0.0; 3], random.vector(-0.3, 0.3), random.vector(-0.3, 0.3)];
        text.key("keyframes", keyframes([0.0, 0.15, 0.3].into_iter().zip(ways.map(vector))));
    }
    if random.chance(0.15) {
        let spin = random.vector(-4.0, 4.0);
        text.vector("spin", if level { [0.0, spin[1], 0.0] } else { spin });
    }
    if !level && random.chance(0.05) {
        let turns = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.2, 0.1, 1.0]];
        text.key("rotations", keyframes([0.0, 0.2].into_iter().zip(turns.map(vector))));
    }
}
