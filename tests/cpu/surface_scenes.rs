//! The gallery's scenes of surfaces that touch: nothing crosses in any frame, and what theory says of each.

use std::ops::Range;

use pliant::constraint::Vec3;
use pliant::measure::Measurement;
use pliant::mesh::crossings;
use pliant::model::{Model, State};
use pliant::scene::Scene;

use crate::device::Running;

/// A scene that runs frame by frame. In each of them nothing may cross, and nothing may be forced through anything.
struct Watched {
    model: Model,
    triangles: Vec<[u32; 3]>,
    /// The body of each triangle.
    owners: Vec<usize>,
    running: Running,
    /// Vertices that were held back so far, once for each substep.
    held: u64,
    /// The most contacts of any frame.
    contacts: u32,
    /// The most kinetic energy after any frame, J.
    most_energy: f64,
}

impl Watched {
    fn open(name: &str) -> Self {
        Self::of(Scene::open(name).unwrap().build().unwrap().model)
    }

    fn of(model: Model) -> Self {
        let triangles = model.bodies.iter().flat_map(|body| body.triangles.iter().copied()).collect();
        let owned = model.bodies.iter().enumerate().flat_map(|(index, body)| vec![index; body.triangles.len()]);
        let owners = owned.collect();
        let running = Running::new(&model);
        Self { model, triangles, owners, running, held: 0, contacts: 0, most_energy: 0.0 }
    }

    fn step(&mut self) -> State {
        let state = self.running.run(1);
        let status = self.running.status();
        assert!(status.is_good() && status.surfaces_forced == 0, "frame {}: {status:?}", state.frame);
        self.held += u64::from(status.surfaces_held);
        self.contacts = self.contacts.max(status.contacts);
        self.most_energy = self.most_energy.max(self.energy(&state));
        let meet = |a: usize, b: usize| {
            let [a, b] = [a, b].map(|triangle| self.owners[triangle]);
            a != b || self.model.bodies[a].self_collision
        };
        let crossed = crossings(&state.positions, &self.triangles, meet);
        assert!(crossed.is_empty(), "frame {}: {} crossings, such as {:?}", state.frame, crossed.len(), crossed[0]);
        state
    }

    fn frames(&mut self, count: u32) -> State {
        (0..count).map(|_| self.step()).last().unwrap()
    }

    /// Kinetic, of all that is free, J.
    fn energy(&self, state: &State) -> f64 {
        Measurement::of(&self.model, state).kinetic_energy_j
    }

    fn body(&self, name: &str) -> Range<usize> {
        let body = self.model.bodies.iter().find(|body| body.name == name).unwrap();
        body.particles.start as usize..body.particles.end as usize
    }
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (Vec3::from(a) - Vec3::from(b)).length()
}

/// Between the segments from a to b and from c to d.
fn between_segments([a, b, c, d]: [[f64; 3]; 4]) -> f64 {
    let [a, b, c, d] = [a, b, c, d].map(Vec3::from);
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, uv, vv, uw, vw) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let across = uu * vv - uv * uv;
    let first = if across > 1e-12 { ((uv * vw - vv * uw) / across).clamp(0.0, 1.0) } else { 0.0 };
    let second = ((uv * first + vw) / vv).clamp(0.0, 1.0);
    let first = ((uv * second - uw) / uu).clamp(0.0, 1.0);
    (w + u * first - v * second).length()
}

/// The ropes never come nearer to themselves than their diameter, from one crossing of the knot to the next. Drawn tight, a knot engages
/// more rope than the tightest that there can be: 10.1 diameters in an overhand and 13.7 in a figure of eight (Pieranski, Przybył and
/// Stasiak, Tight open knots, 2001), and not much more. The ends hold, and the rope comes to rest.
#[test]
fn knots_are_drawn_tight() {
    const DIAMETER: f64 = 0.045;
    let mut scene = Watched::open("knots");
    let ropes = ["overhand", "figure of eight"].map(|name| scene.body(name));
    for _ in 0..46 {
        let state = scene.frames(5);
        for rope in &ropes {
            let places = &state.positions[rope.clone()];
            let segments = places.len() - 1;
            for first in 0..segments {
                // Six segments along the rope are 2.7 diameters.
                for second in first + 6..segments {
                    if distance(places[first], places[second]) > 2.0 * DIAMETER {
                        continue;
                    }
                    let near = between_segments([places[first], places[first + 1], places[second], places[second + 1]]);
                    assert!(near > 0.97 * DIAMETER, "frame {}: {near} m between {first} and {second}", state.frame);
                }
            }
        }
    }
    let state = scene.running.state();
    for (rope, (name, ideal)) in ropes.iter().zip([("overhand", 10.1), ("figure of eight", 13.7)]) {
        let places = &state.positions[rope.clone()];
        let length: f64 = places.windows(2).map(|ends| distance(ends[0], ends[1])).sum();
        let engaged = (length - distance(places[0], places[places.len() - 1])) / DIAMETER;
        assert!((1.0..1.3).contains(&(engaged / ideal)), "{name}: {engaged} diameters of rope, {ideal} at least");
    }
    let energy = scene.energy(&state);
    assert!(energy < 0.02 * scene.most_energy, "{energy} J of {} J", scene.most_energy);
    assert_eq!(scene.held, 0);
}

/// The flags are blown against each other and part again, and do not stretch much in the gusts.
#[test]
fn flags_slap_and_part() {
    let mut scene = Watched::open("flags");
    let flags = ["front", "back"].map(|name| scene.body(name));
    let (mut met, mut parted) = (false, false);
    for _ in 0..115 {
        let state = scene.step();
        let contacts = scene.running.status().contacts;
        parted |= met && contacts == 0;
        met |= contacts > 50;
        // Edges along the rows of both, which the wind pulls.
        for flag in &flags {
            let places = &state.positions[flag.clone()];
            let longest = places.chunks(49).flat_map(|row| row.windows(2)).map(|ends| distance(ends[0], ends[1]));
            let stretch = longest.fold(0.0, f64::max) / (1.2 / 48.0) - 1.0;
            assert!(stretch < STRETCH, "frame {}: stretched by {stretch}", state.frame);
        }
    }
    assert!(met && parted, "met: {met}, parted: {parted}");
}

/// The most that an edge along a flag's rows is stretched by.
const STRETCH: f64 = 0.15;

/// The band rolls itself up until folds lie on folds, and is flat again when its pins have turned back: it only waves, by less than 3 cm,
/// which bends it hardly, each row is as long as it was to 0.5 %, and threads bear less than a hundredth of the energy that they did.
#[test]
fn a_band_is_twisted_and_untwisted() {
    let mut scene = Watched::open("twist");
    let band = scene.body("band");
    let elastic = |scene: &Watched, state: &State| Measurement::of(&scene.model, state).elastic_energy_j;
    let twisted = scene.frames(165);
    let most = elastic(&scene, &twisted);
    let state = scene.frames(255);
    assert!(scene.contacts > 200, "{} contacts at most", scene.contacts);
    let left = elastic(&scene, &state);
    assert!(left < 0.01 * most, "{left} J of {most} J");
    let places = &state.positions[band];
    let off = places.iter().map(|place| place[2].abs()).fold(0.0, f64::max);
    assert!(off < 0.03, "{off} m off its plane");
    for row in places.chunks(49) {
        let length: f64 = row.windows(2).map(|ends| distance(ends[0], ends[1])).sum();
        assert!((length / 1.1 - 1.0).abs() < 5e-3, "a row is {length} m long");
    }
    assert_eq!(scene.held, 0);
}

/// The stack comes to rest with its sheets a thickness apart: the highest vertex of the n-th lies n - 1/2 thicknesses over the top of the
/// ball, up to half a thickness less or more, and higher than that of the sheet below.
#[test]
fn ten_sheets_lie_on_a_ball() {
    const THICKNESS: f64 = 0.007;
    const TOP: f64 = 0.31;
    let mut scene = Watched::open("layers");
    let state = scene.frames(90);
    let energy = scene.energy(&state);
    assert!(energy < 2e-3 * scene.most_energy, "{energy} J of {} J", scene.most_energy);
    let mut below = TOP;
    for n in 1..=10_u32 {
        let sheet = scene.body(&format!("sheet {n}"));
        let height = state.positions[sheet].iter().map(|place| place[1]).fold(f64::NEG_INFINITY, f64::max);
        let layers = (height - TOP) / THICKNESS;
        assert!((layers - (f64::from(n) - 0.5)).abs() < 0.5, "sheet {n} lies {layers} thicknesses over the ball");
        assert!(height > below, "sheet {n} at {height} m, the one below at {below} m");
        below = height;
    }
    assert_eq!(scene.held, 0);
}

/// The sack is lifted with all of its balls. No ball comes nearer to another, or to a vertex of the cloth, than they touch.
#[test]
fn the_sack_holds_its_balls() {
    const RADIUS: f64 = 0.042;
    let mut scene = Watched::open("sack");
    let cloth = scene.body("cloth");
    let balls: Vec<usize> =
        ["white", "blue", "yellow"].iter().flat_map(|colour| scene.body(&format!("{colour} balls"))).collect();
    for _ in 0..18 {
        let state = scene.frames(10);
        for (index, &ball) in balls.iter().enumerate() {
            let place = state.positions[ball];
            let vertices = state.positions[cloth.clone()].iter().map(|&vertex| distance(vertex, place));
            let near = vertices.fold(f64::INFINITY, f64::min);
            assert!(near > 0.97 * (RADIUS + 0.005), "frame {}: ball {index} is {near} m off the cloth", state.frame);
            for &other in &balls[index + 1..] {
                let apart = distance(state.positions[other], place);
                assert!(apart > 1.9 * RADIUS, "frame {}: two balls are {apart} m apart", state.frame);
            }
        }
    }
    let state = scene.running.state();
    let lowest = state.positions[cloth].iter().map(|place| place[1]).fold(f64::INFINITY, f64::min);
    assert!(lowest > 0.4, "lifted to {lowest} m");
    for ball in balls {
        let height = state.positions[ball][1];
        assert!(height > lowest, "a ball at {height} m, the sack's lowest at {lowest} m");
    }
    assert_eq!(scene.held, 0);
}

/// The seams close: the edges of the two panels come to a thickness of each other, and no seam is further open than two. The shirt hangs
/// by its shoulders and comes to rest.
#[test]
fn a_shirt_is_sewn_and_hangs() {
    const THICKNESS: f64 = 0.008;
    const COLUMNS: usize = 27;
    let mut scene = Watched::open("shirt");
    let [front, back] = ["front", "back"].map(|name| scene.body(name));
    let state = scene.frames(120);
    let shoulders = (0..COLUMNS).filter(|column| !(9..18).contains(column));
    let sides = (11..33).flat_map(|row| [row * COLUMNS, row * COLUMNS + COLUMNS - 1]);
    for particle in shoulders.chain(sides) {
        let open = distance(state.positions[front.start + particle], state.positions[back.start + particle]);
        assert!((0.9..2.0).contains(&(open / THICKNESS)), "particle {particle}: the seam is open by {open} m");
    }
    // Its shoulders are 1.205 m high.
    let highest = state.positions.iter().map(|place| place[1]).fold(0.0, f64::max);
    assert!((1.2..1.3).contains(&highest), "it hangs at {highest} m");
    let energy = scene.energy(&state);
    assert!(energy < 1e-3 * scene.most_energy, "{energy} J of {} J", scene.most_energy);
}

/// The house of cards, without the ball where `ball` is false, and with another friction.
fn house(ball: bool, friction: f64) -> Watched {
    let text = Scene::gallery_text("cards").unwrap();
    let text = text.replace("friction = 0.8", &format!("friction = {friction}"));
    let text = if ball { text } else { text.replace("velocities = [[0.9, 0.0, 0.0]]", "velocities = [[0, 0, 0]]") };
    Watched::of(Scene::parse(&text, "cards.toml", "").unwrap().build().unwrap().model)
}

/// How high the house is, m.
fn height(state: &State) -> f64 {
    state.positions.iter().map(|place| place[1]).fold(0.0, f64::max)
}

/// Two cards that lean against each other at an angle θ from the upright need a friction of tan θ/2 at their feet, and more the more they
/// carry, up to tan θ. At 20° the house of cards stands as it was built with 0.38, which is more than 0.364, and falls with 0.16, which is
/// less than 0.182.
#[test]
fn a_house_of_cards_stands_by_friction() {
    let mut standing = house(false, 0.38);
    let before = standing.running.state();
    let after = standing.frames(120);
    let moved = before.positions.iter().zip(&after.positions).map(|(&a, &b)| distance(a, b)).fold(0.0, f64::max);
    assert!(moved < 3e-3, "it moved by {moved} m");
    let mut slippery = house(false, 0.16);
    let fallen = slippery.frames(120);
    assert!(height(&fallen) < 0.25 * height(&before), "{} m of {} m", height(&fallen), height(&before));
}

/// The ball knocks it down: two seconds later no card is higher than a quarter of the house was.
#[test]
fn a_ball_knocks_the_house_of_cards_down() {
    let mut scene = house(true, 0.8);
    let before = height(&scene.running.state());
    let state = scene.frames(120);
    assert!(height(&state) < 0.25 * before, "{} m of {before} m", height(&state));
    assert!(scene.contacts > 100, "{} contacts", scene.contacts);
}
