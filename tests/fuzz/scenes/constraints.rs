//! `[[body.constraint]]` and `[[constraint]]` of every kind.

use super::bodies::{Kind, Placed};
use super::scene::Ways;
use super::text::{Text, keyframes, list, number, vector};
use crate::random::Random;

/// What a kind of constraint takes, as far as that is not the same for all.
struct Kinship {
    name: &'static str,
    /// How many particles it may have.
    particles: &'static [usize],
    /// Of its rest value; `None` where there is none that a curve could drive.
    curve: Option<Curve>,
    /// The rest value that limits may take the place of, if any.
    quantity: Option<&'static str>,
    /// XPBD mode only.
    xpbd: bool,
    yields: bool,
    /// Compliances that are usual, in its unit.
    compliance: [f64; 2],
}

#[derive(Clone, Copy)]
enum Curve {
    Factor,
    Angle,
    /// Three numbers.
    Three(f64),
}

impl Kinship {
    /// Whether it may act on either side: a shape has one only, and what is kept away from something has no direction where it is.
    fn sided(&self) -> bool {
        !self.name.ends_with("_matching") && !matches!(self.name, "point_segment" | "point_triangle" | "edge_edge")
    }
}

const fn kind(name: &'static str, particles: &'static [usize], curve: Option<Curve>) -> Kinship {
    Kinship { name, particles, curve, quantity: None, xpbd: false, yields: false, compliance: [1e-9, 1e-2] }
}

const fn flows(kinship: Kinship, quantity: &'static str) -> Kinship {
    Kinship { quantity: Some(quantity), yields: true, ..kinship }
}

const fn of_angle(kinship: Kinship) -> Kinship {
    Kinship { compliance: [1e-4, 1e2], ..kinship }
}

const fn energy(kinship: Kinship) -> Kinship {
    Kinship { xpbd: true, compliance: [1e-8, 1e-3], ..kinship }
}

const KINDS: [Kinship; 20] = [
    flows(kind("distance", &[2], Some(Curve::Factor)), "length"),
    flows(of_angle(kind("angle", &[3], Some(Curve::Angle))), "angle"),
    flows(of_angle(kind("spatial_angle", &[3], Some(Curve::Angle))), "angle"),
    flows(of_angle(kind("dihedral", &[4], Some(Curve::Angle))), "angle"),
    Kinship { xpbd: true, ..of_angle(kind("isometric_bend", &[4], None)) },
    flows(kind("area", &[3, 4, 5], Some(Curve::Factor)), "area"),
    flows(kind("volume", &[4], Some(Curve::Factor)), "volume"),
    kind("shape_matching", &[2, 3, 5, 8], None),
    kind("linear_matching", &[2, 5, 8], None),
    kind("quadratic_matching", &[3, 8, 12], None),
    energy(kind("neo_hookean", &[4], None)),
    Kinship { yields: true, ..kind("strain", &[3, 4], Some(Curve::Three(0.1))) },
    energy(kind("stvk", &[3, 4], None)),
    energy(kind("corotated", &[3, 4], None)),
    kind("tether", &[2], Some(Curve::Factor)),
    kind("attach", &[1, 2, 4], None),
    kind("plane", &[1], None),
    kind("point_segment", &[3], Some(Curve::Factor)),
    kind("point_triangle", &[4], Some(Curve::Factor)),
    kind("edge_edge", &[4], Some(Curve::Factor)),
];

/// Writes constraints between particles of a body.
pub fn inside(random: &mut Random, text: &mut Text, ways: Ways, body: &Placed) {
    // Loose particles have nothing else to hold them.
    let likely = if body.kind == Kind::Particles { 0.7 } else { 0.2 };
    while random.chance(likely) && body.len() > 1 && text.0.matches("[[body.constraint]]").count() < 3 {
        let particles = (0..body.len()).map(|index| (index.to_string(), body.positions[index])).collect();
        let between = Between {
            planar: body.planar,
            hinged: matches!(body.kind, Kind::Cloth | Kind::Balloon | Kind::Shape | Kind::Soft),
            touching: body.touches,
        };
        constraint(random, text, ways, between, ("[[body.constraint]]", particles));
    }
}

/// Writes constraints between particles of any bodies.
pub fn between(random: &mut Random, text: &mut Text, ways: Ways, bodies: &[Placed]) {
    let likely = if bodies.len() > 1 { 0.3 } else { 0.0 };
    for _ in 0..2 {
        if random.chance(likely) {
            let of_body = |body: &Placed| {
                let name = body.name.clone();
                let named = move |(index, &x)| (format!("[\"{name}\", {index}]"), x);
                body.positions.iter().enumerate().map(named).collect::<Vec<_>>()
            };
            let touching = bodies.iter().any(|body| body.touches);
            let between = Between { planar: false, hinged: false, touching };
            constraint(random, text, ways, between, ("[[constraint]]", bodies.iter().flat_map(of_body).collect()));
        }
    }
}

/// What the particles are that constraints are between.
#[derive(Clone, Copy)]
struct Between {
    /// In the plane of x and y, which a planar `angle` needs.
    planar: bool,
    /// Held at a distance from each other by what else there is: a hinge of loose particles whose corner goes through its edge turns round at once, which is told as
    /// energy from nowhere.
    hinged: bool,
    /// They may touch each other, and cannot be drawn to one place.
    touching: bool,
}

impl Between {
    fn fits(self, kinship: &Kinship) -> bool {
        match kinship.name {
            "angle" => self.planar,
            "dihedral" | "isometric_bend" => self.hinged,
            "attach" => !self.touching,
            _ => true,
        }
    }
}

type Named = (String, [f64; 3]);

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>().sqrt()
}

/// Six times the volume of a tetrahedron.
fn volume([a, b, c, d]: [[f64; 3]; 4]) -> f64 {
    let [u, v, w] = [b, c, d].map(|x| [x[0] - a[0], x[1] - a[1], x[2] - a[2]]);
    u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0])
}

/// A particle and some that are near it, or any others now and then.
fn neighbours(random: &mut Random, particles: &[Named], count: usize) -> Vec<Named> {
    let first = particles[random.whole(0, particles.len() as u32 - 1) as usize].clone();
    let anywhere = random.chance(0.15);
    let mut others: Vec<(f64, Named)> = particles
        .iter()
        .filter(|other| other.0 != first.0)
        .map(|other| (if anywhere { 0.0 } else { distance(first.1, other.1) } + random.number(0.0, 0.1), other.clone()))
        .collect();
    others.sort_by(|a, b| a.0.total_cmp(&b.0));
    [first].into_iter().chain(others.into_iter().map(|(_, other)| other)).take(count).collect()
}

fn constraint(
    random: &mut Random,
    text: &mut Text,
    ways: Ways,
    between: Between,
    (header, particles): (&str, Vec<Named>),
) {
    let kinship = &KINDS[random.whole(0, KINDS.len() as u32 - 1) as usize];
    let most = *kinship.particles.last().unwrap_or(&1);
    if ways.pbd && kinship.xpbd || particles.len() < most || !between.fits(kinship) {
        return;
    }
    let count = random.pick(kinship.particles);
    let mut lists: Vec<Vec<Named>> = (0..random.whole(1, 4)).map(|_| neighbours(random, &particles, count)).collect();
    if count == 4 && matches!(kinship.name, "volume" | "neo_hookean" | "strain" | "stvk" | "corotated") {
        lists.iter_mut().for_each(|list| mend(list));
        // What is flat is refused: such a body has no solid elements.
        lists.retain(|list| volume(std::array::from_fn(|i| list[i].1)) > 1e-5);
    }
    lists.retain(|list| has_directions(kinship.name, list));
    if lists.is_empty() {
        return;
    }
    text.header(header);
    text.quoted("kind", kinship.name);
    text.key("particles", list(&lists, |ends| list(ends, |end| end.0.clone())));
    strength(random, text, ways, kinship);
    rest(random, text, ways, kinship, (count, &lists));
}

/// Whether what is near something has one nearest point there: edges that are not parallel, triangles with an area.
fn has_directions(kind: &str, list: &[Named]) -> bool {
    let along =
        |from: usize, to: usize| -> [f64; 3] { std::array::from_fn(|axis| list[to].1[axis] - list[from].1[axis]) };
    let sine = |u: [f64; 3], v: [f64; 3]| {
        let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        distance(cross, [0.0; 3]) / (distance(u, [0.0; 3]) * distance(v, [0.0; 3]))
    };
    match kind {
        "edge_edge" => sine(along(0, 1), along(2, 3)) > 0.2,
        "point_triangle" => sine(along(1, 2), along(1, 3)) > 0.2,
        _ => true,
    }
}

/// Turns a tetrahedron that is inside out.
fn mend(list: &mut [Named]) {
    if volume(std::array::from_fn(|i| list[i].1)) < 0.0 {
        list.swap(2, 3);
    }
}

fn strength(random: &mut Random, text: &mut Text, ways: Ways, kinship: &Kinship) {
    let rigid = random.chance(0.3) && !kinship.xpbd;
    if !rigid {
        text.number("compliance", random.magnitude(kinship.compliance[0], kinship.compliance[1]));
        if random.chance(0.2) {
            text.number("damping", random.magnitude(1e-3, 10.0));
        }
    }
    if ways.pbd {
        text.number("stiffness", random.number(0.0, 1.0));
    }
    if !kinship.name.ends_with("_matching") && random.chance(0.15) {
        text.number("break_force", random.magnitude(0.1, 1e3));
    }
    if kinship.yields && !rigid && !ways.pbd && random.chance(0.2) {
        text.number("yield", random.number(0.01, 0.3));
        if random.chance(0.5) {
            text.number("creep", random.magnitude(0.1, 100.0));
        }
    }
}

fn rest(random: &mut Random, text: &mut Text, ways: Ways, kinship: &Kinship, (count, lists): (usize, &[Vec<Named>])) {
    let length = distance(lists[0][0].1, lists[0].get(1).map_or([0.0; 3], |second| second.1));
    if kinship.name == "attach" && count == 1 {
        let point = lists[0][0].1;
        let moved = random.vector(-0.2, 0.2);
        text.vector("point", std::array::from_fn::<_, 3, _>(|axis| point[axis] + moved[axis]));
    }
    let flows = text.0.rsplit("[[").next().is_some_and(|last| last.contains("yield"));
    match kinship.quantity {
        Some("length") if random.chance(0.2) => text.number("rest_length", length * random.number(0.8, 1.2)),
        Some("length") if !flows && random.chance(0.2) => text.number("max_length", length * random.number(0.9, 1.2)),
        Some("length") if !flows && random.chance(0.2) => text.number("min_length", length * random.number(0.8, 1.1)),
        Some("angle") if !flows && kinship.name == "spatial_angle" && random.chance(0.2) => {
            text.number("min_angle", random.number(0.0, 0.5));
        }
        _ if random.chance(0.15) && kinship.sided() => {
            text.quoted("side", random.pick(&["both", "pull", "push"]));
        }
        _ => {}
    }
    let driven = kinship.curve.filter(|_| random.chance(0.2) && !(ways.pbd && kinship.name == "strain"));
    if let Some(curve) = driven {
        let times = [0.0, 0.1, 0.2];
        let values = match curve {
            Curve::Factor => [1.0, random.number(0.7, 1.3), 1.0].map(number),
            Curve::Angle => [0.0, random.number(-0.4, 0.4), 0.0].map(number),
            Curve::Three(size) => [[0.0; 3], random.vector(-size, size), [0.0; 3]].map(vector),
        };
        text.key("keyframes", keyframes(times.into_iter().zip(values)));
        if random.chance(0.5) {
            text.number("period", 0.2);
        }
        if random.chance(0.3) {
            text.number("delay", random.number(0.0, 0.2));
        }
    }
}
