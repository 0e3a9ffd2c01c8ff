//! `[[body]]` of every kind.

use super::scene::{self, Ways};
use super::text::{Text, keyframes, list, number, vector};
use crate::random::Random;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Cloth,
    Balloon,
    Shape,
    Strand,
    Soft,
    Grains,
    Particles,
}

const KINDS: [Kind; 9] = [
    Kind::Cloth,
    Kind::Cloth,
    Kind::Balloon,
    Kind::Shape,
    Kind::Strand,
    Kind::Soft,
    Kind::Soft,
    Kind::Grains,
    Kind::Particles,
];

/// A body as it is placed.
pub struct Placed {
    pub name: String,
    pub kind: Kind,
    pub positions: Vec<[f64; 3]>,
    /// Whether its particles have a size.
    pub touches: bool,
    /// Whether they stay in the plane of x and y.
    pub planar: bool,
}

impl Placed {
    pub fn of(settings: &Text, body: &Text, kind: Kind, index: u32) -> Option<Self> {
        let positions = scene::places(settings, body)?;
        let touches = body.0.contains("\nradius") || body.0.contains("\nthickness");
        let planar = (body.0.contains("planar") || body.0.contains("strip")) && !body.0.contains("rotation");
        Some(Self { name: format!("body{index}"), kind, positions, touches, planar })
    }

    pub fn len(&self) -> usize {
        self.positions.len()
    }
}

/// Writes a body of some kind.
pub fn body(random: &mut Random, text: &mut Text, ways: Ways, index: u32) -> Kind {
    let kind = random.pick(&KINDS);
    text.header("[[body]]");
    let tears = match kind {
        Kind::Cloth => cloth(random, text, ways),
        Kind::Balloon => balloon(random, text, ways),
        Kind::Shape => shape(random, text, ways),
        Kind::Strand => strand(random, text, ways),
        Kind::Soft => soft(random, text, ways),
        Kind::Grains => grains(random, text),
        Kind::Particles => particles(random, text),
    };
    let position = placement(random, text, index);
    contact(random, text, kind);
    air(random, text, kind);
    if random.chance(0.15) && !tears {
        text.number("damping", random.magnitude(0.1, 50.0));
    }
    let pinned = kind != Kind::Grains && random.chance(0.5);
    if pinned {
        pins(random, text, kind, position);
    }
    if pinned && !tears && matches!(kind, Kind::Cloth | Kind::Strand) && random.chance(0.2) {
        let [compliance, slack] = [compliance(random), number(random.number(1.0, 1.1))];
        let nearest = random.whole(1, 3);
        text.key("tether", format_args!("{{ compliance = {compliance}, slack = {slack}, nearest = {nearest} }}"));
    }
    if random.chance(0.07) && !tears {
        text.key("planar", true);
    }
    // What is rigid and driven by something rigid has no state to go to.
    if kind == Kind::Soft && !tears && !ways.pbd && random.chance(0.2) {
        muscle(random, text);
    }
    kind
}

/// Of a spring, m/N; rigid now and then.
pub fn compliance(random: &mut Random) -> String {
    if random.chance(0.3) { "0.0".into() } else { number(random.magnitude(1e-9, 1e-2)) }
}

fn grid(random: &mut Random) -> String {
    let [columns, rows] = [0; 2].map(|_| random.whole(2, 9));
    let [width, height] = [columns, rows].map(|count| number(f64::from(count - 1) * random.number(0.08, 0.15)));
    format!("{{ grid = {{ columns = {columns}, rows = {rows}, width = {width}, height = {height} }} }}")
}

fn cuboid(random: &mut Random, most: u32) -> String {
    let cells = [0; 3].map(|_| random.whole(1, most).to_string());
    let size = random.vector(0.2, 0.6);
    format!("box = {{ cells = [{}], size = {} }}", cells.join(", "), vector(size))
}

fn closed(random: &mut Random) -> String {
    match random.whole(0, 2) {
        0 => cuboid(random, 3),
        1 => {
            let segments = random.pick(&[5, 10]);
            format!("sphere = {{ radius = {}, segments = {segments} }}", number(random.number(0.2, 0.5)))
        }
        _ => {
            let [radius, tube] = [random.number(0.25, 0.4), random.number(0.08, 0.2)].map(number);
            let [around, across] = [random.whole(3, 9), random.whole(3, 6)];
            let segments = format!("segments = {around}, tube_segments = {across}");
            format!("torus = {{ radius = {radius}, tube_radius = {tube}, {segments} }}")
        }
    }
}

fn any_surface(random: &mut Random) -> String {
    if random.chance(0.4) { grid(random) } else { format!("{{ {} }}", closed(random)) }
}

/// What holds a surface; returns whether it is held by strain.
fn surface(random: &mut Random, text: &mut Text, ways: Ways, mesh: String) -> bool {
    let is_grid = mesh.contains("grid");
    text.key("mesh", mesh);
    let strained = random.chance(0.3);
    if strained {
        text.quoted("stretch", "strain");
    }
    for (name, fits) in [("stretch", true), ("weft", strained), ("shear", is_grid || strained)] {
        if fits && random.chance(0.6) {
            text.key(&format!("{name}_compliance"), compliance(random));
        }
        if fits && ways.pbd && random.chance(0.6) {
            text.number(&format!("{name}_stiffness"), random.number(0.0, 1.0));
        }
    }
    if random.chance(0.6) {
        let kind = random.pick(&["distance", "dihedral", if ways.pbd { "distance" } else { "isometric_bend" }]);
        let compliance = if random.chance(0.2) { "0.0".into() } else { number(random.magnitude(1e-6, 10.0)) };
        text.key("bend", format_args!("{{ kind = \"{kind}\", compliance = {compliance} }}"));
    }
    if ways.pbd && random.chance(0.4) {
        text.number("bend_stiffness", random.number(0.0, 1.0));
    }
    strained
}

/// Returns whether it may tear.
fn cloth(random: &mut Random, text: &mut Text, ways: Ways) -> bool {
    text.quoted("kind", "cloth");
    let mesh = any_surface(random);
    let strained = surface(random, text, ways, mesh);
    weight(random, text, 0.1, 2.0);
    let tears = !strained && !ways.jacobi && random.chance(0.2);
    if tears {
        text.number("break_force", random.magnitude(0.1, 1e3));
        if random.chance(0.3) {
            text.key("spare_particles", random.whole(1, 30));
        }
    }
    tears
}

fn balloon(random: &mut Random, text: &mut Text, ways: Ways) -> bool {
    text.quoted("kind", "balloon");
    let mesh = format!("{{ {} }}", closed(random));
    surface(random, text, ways, mesh);
    weight(random, text, 0.1, 2.0);
    if random.chance(0.5) {
        text.number("volume_compliance", random.magnitude(1e-8, 1e-4));
    }
    if ways.pbd {
        text.number("volume_stiffness", random.number(0.0, 1.0));
    }
    if random.chance(0.4) {
        text.number("inflation", random.number(0.8, 1.3));
    }
    if random.chance(0.2) {
        let factors = [(0.0, 1.0), (0.1, random.number(0.7, 1.2)), (0.2, 1.0)];
        text.key("keyframes", keyframes(factors.map(|(time, factor)| (time, number(factor)))));
        text.number("period", 0.2);
    }
    false
}

fn shape(random: &mut Random, text: &mut Text, ways: Ways) -> bool {
    text.quoted("kind", "shape");
    text.key("mesh", any_surface(random));
    weight(random, text, 0.1, 10.0);
    if random.chance(0.5) {
        text.number("shape_compliance", random.magnitude(1e-8, 1e-3));
    }
    if ways.pbd {
        text.number("shape_stiffness", random.number(0.0, 1.0));
    }
    if random.chance(0.4) {
        text.number("region_radius", random.number(0.3, 0.8));
    }
    false
}

fn strand(random: &mut Random, text: &mut Text, ways: Ways) -> bool {
    text.quoted("kind", random.pick(&["rope", "hair", "strip"]));
    let long = random.chance(0.15);
    let segments = if long { random.whole(128, 150) } else { random.whole(2, 30) };
    let length = f64::from(segments) * random.number(0.02, 0.1);
    let mesh = match random.whole(0, 2) {
        0 => {
            let to = [length, 0.0, 0.0].map(number);
            format!("{{ line = {{ from = [0.0, 0.0, 0.0], to = [{}], segments = {segments} }} }}", to.join(", "))
        }
        1 => {
            let through = [[0.0, 0.0], [0.4, 0.2], [0.7, -0.1], [1.0, 0.1]];
            let through = list(through, |[x, y]| vector([x * length, y * length, 0.0]));
            format!("{{ curve = {{ through = {through}, segments = {segments} }} }}")
        }
        _ => {
            let points = (0..segments).map(|i| [f64::from(i) * 0.08, random.number(-0.05, 0.05), 0.0]);
            format!("{{ points = {} }}", list(points, vector))
        }
    };
    text.key("mesh", mesh);
    if !long && random.chance(0.3) {
        text.key("strands", random.whole(2, 4));
        text.vector("spacing", [0.0, 0.0, 0.1]);
    }
    text.key("stretch_compliance", compliance(random));
    weight(random, text, 0.05, 1.0);
    if random.chance(0.6) {
        let kind = random.pick(&["distance", "angle", "spatial_angle"]);
        let compliance = if random.chance(0.2) { "0.0".into() } else { number(random.magnitude(1e-4, 100.0)) };
        text.key("bend", format_args!("{{ kind = \"{kind}\", compliance = {compliance} }}"));
    }
    if ways.pbd {
        text.number("stretch_stiffness", random.number(0.0, 1.0));
        text.number("bend_stiffness", random.number(0.0, 1.0));
    }
    false
}

/// Returns whether it may tear.
fn soft(random: &mut Random, text: &mut Text, ways: Ways) -> bool {
    text.quoted("kind", "soft");
    let filled = random.chance(0.2);
    let mesh = if filled {
        format!("{{ surface = {{ {} }}, cell = {} }}", closed(random), number(random.number(0.15, 0.3)))
    } else {
        format!("{{ {} }}", cuboid(random, 3))
    };
    text.key("mesh", mesh);
    let elasticities = ["strain", "edges", "neo-hookean", "stvk", "corotated"];
    let elasticity = random.pick(if ways.pbd { &elasticities[..2] } else { &elasticities[..] });
    text.quoted("elasticity", elasticity);
    match elasticity {
        "edges" => text.key("stretch_compliance", compliance(random)),
        _ => text.number("young_modulus", random.magnitude(1e3, 1e9)),
    }
    if !matches!(elasticity, "edges" | "strain") {
        text.number("poisson_ratio", random.pick(&[0.0, 0.2, 0.3, 0.45, 0.49]));
    }
    if ways.pbd {
        text.number("stretch_stiffness", random.number(0.0, 1.0));
    }
    weight(random, text, 0.5, 50.0);
    if elasticity == "strain" && !ways.pbd && random.chance(0.25) {
        text.number("yield", random.number(0.001, 0.2));
        if random.chance(0.5) {
            text.number("creep", random.magnitude(0.1, 100.0));
        }
    }
    let tears = elasticity == "neo-hookean" && !filled && !ways.jacobi && random.chance(0.3);
    if tears {
        text.number("tear_stress", random.magnitude(1e2, 1e6));
    }
    tears
}

/// `[[body.muscle]]`
fn muscle(random: &mut Random, text: &mut Text) {
    text.header("[[body.muscle]]");
    let strains = [[0.0; 3], random.vector(-0.2, 0.2), [0.0; 3]];
    text.key("keyframes", keyframes([0.0, 0.1, 0.2].into_iter().zip(strains.map(vector))));
    text.number("period", 0.2);
    text.number("young_modulus", random.magnitude(1e3, 1e6));
}

fn grains(random: &mut Random, text: &mut Text) -> bool {
    text.quoted("kind", "grains");
    text.key("mesh", format_args!("{{ {} }}", closed(random)));
    if random.chance(0.3) {
        text.number("spacing", random.number(0.1, 0.15));
    }
    weight(random, text, 0.1, 10.0);
    false
}

fn particles(random: &mut Random, text: &mut Text) -> bool {
    text.quoted("kind", "particles");
    let count = random.whole(1, 25);
    let positions: Vec<_> = (0..count).map(|i| place_in_lattice(random, i)).collect();
    text.key("positions", list(positions, vector));
    if random.chance(0.4) {
        let masses: Vec<_> =
            (0..count).map(|_| if random.chance(0.2) { 0.0 } else { random.magnitude(0.01, 10.0) }).collect();
        text.key("masses", list(masses, number));
    } else {
        weight(random, text, 0.1, 10.0);
    }
    if random.chance(0.4) {
        let velocities: Vec<_> = (0..count).map(|_| random.vector(-3.0, 3.0)).collect();
        text.key("velocities", list(velocities, vector));
    }
    false
}

/// Near its point of a lattice of 3 × 3 × 3, so that no two are in one place.
fn place_in_lattice(random: &mut Random, index: u32) -> [f64; 3] {
    let cell = [index % 3, index / 3 % 3, index / 9].map(f64::from);
    let offset = random.vector(-0.06, 0.06);
    std::array::from_fn(|axis| 0.2 * cell[axis] + offset[axis])
}

fn weight(random: &mut Random, text: &mut Text, least: f64, most: f64) {
    text.number("mass", random.magnitude(least, most));
}

/// Returns where the body's origin comes to lie.
fn placement(random: &mut Random, text: &mut Text, index: u32) -> [f64; 3] {
    if random.chance(0.15) {
        let scale = random.number(0.7, 1.4);
        let scales = [scale, random.number(0.7, 1.4), scale];
        if random.chance(0.5) { text.number("scale", scale) } else { text.vector("scale", scales) }
    }
    if random.chance(0.4) {
        let [x, y, z] = random.vector(-1.0, 1.0);
        text.vector("rotation", [x, y, z, random.number(0.2, 1.0)]);
    }
    // One above another now and then, else side by side.
    let beside = if random.chance(0.25) { [0.0, 1.0, 0.0] } else { [1.3, 0.1, 0.0] };
    let offset = random.vector(-0.1, 0.1);
    let position = std::array::from_fn(|axis| f64::from(index) * beside[axis] + offset[axis]);
    text.vector("position", position);
    if random.chance(0.3) {
        text.vector("velocity", random.vector(-2.0, 2.0));
    }
    if random.chance(0.2) {
        text.vector("angular_velocity", random.vector(-5.0, 5.0));
    }
    position
}

fn contact(random: &mut Random, text: &mut Text, kind: Kind) {
    let radius = match kind {
        Kind::Grains => random.number(0.03, 0.05),
        _ => random.number(0.005, 0.06),
    };
    if kind != Kind::Grains && random.chance(0.4) {
        return;
    }
    if random.chance(0.2) {
        text.number("thickness", 2.0 * radius)
    } else {
        text.number("radius", radius)
    }
    if kind != Kind::Grains && random.chance(0.35) {
        text.key("self_collision", true);
    }
    if kind == Kind::Strand && random.chance(0.3) {
        text.key("segments", true);
    }
    if random.chance(0.2) {
        text.number("contact_compliance", random.magnitude(1e-8, 1e-3));
    }
    friction(random, text);
    groups(random, text);
}

pub fn friction(random: &mut Random, text: &mut Text) {
    if random.chance(0.5) {
        let friction = random.number(0.0, 1.2);
        text.number("friction", friction);
        if random.chance(0.3) {
            text.number("dynamic_friction", friction * random.number(0.5, 1.0));
        }
    }
    if random.chance(0.3) {
        text.number("restitution", random.number(0.0, 1.0));
    }
}

pub fn groups(random: &mut Random, text: &mut Text) {
    if random.chance(0.1) {
        text.key("collision_group", random.whole(0, 2));
        text.key("collides_with", list(0..random.whole(1, 3), |group| group.to_string()));
    }
}

fn air(random: &mut Random, text: &mut Text, kind: Kind) {
    let sized = text.0.contains("radius") || text.0.contains("thickness");
    let surface = !matches!(kind, Kind::Strand | Kind::Grains | Kind::Particles);
    if (surface || sized) && random.chance(0.25) {
        text.number("drag", random.number(0.0, 1.5));
    }
    if surface && random.chance(0.2) {
        text.number("lift", random.number(0.0, 1.5));
    }
}

fn pins(random: &mut Random, text: &mut Text, kind: Kind, position: [f64; 3]) {
    let names: &[&str] = match kind {
        Kind::Strand => &["first", "last", "root"],
        _ => &["top", "bottom", "left", "right"],
    };
    let mut select = || match random.whole(0, 4) {
        0 | 1 => format!("names = [\"{}\"]", random.pick(names)),
        2 => "indices = [0, 1]".to_string(),
        3 => "indices = [2]".to_string(),
        _ => format!("sphere = [{}, {}]", vector(position), number(random.number(0.3, 0.6))),
    };
    let selected = [select(), select()];
    // What is pinned twice must move alike.
    if random.chance(0.35) {
        let way = [[0.0; 3], random.vector(-0.2, 0.2), random.vector(-0.2, 0.2)];
        let way = keyframes([0.0, 0.1, 0.25].into_iter().zip(way.map(vector)));
        text.key("pin", format_args!("{{ {}, keyframes = {way} }}", selected[0]));
    } else {
        text.key("pin", list(&selected[..random.whole(1, 2) as usize], |select| format!("{{ {select} }}")));
    }
}
