//! Surfaces that pierce each other as they begin: they come apart slowly, nothing is thrown, and what has come apart never crosses again.
//! `mesh::crossings` is the judge.

use pliant::constraint::Vec3;
use pliant::mesh::crossings;
use pliant::model::{Model, State};

use crate::device::Running;
use crate::surfaces::{lying, parse, sheet};

struct Tangled {
    model: Model,
    triangles: Vec<[u32; 3]>,
    /// The body of each triangle.
    owners: Vec<usize>,
    /// Two bodies that constraints join, which are not judged.
    joined: Option<[usize; 2]>,
    running: Running,
}

impl Tangled {
    fn of(text: &str) -> Self {
        let model = parse(text);
        let triangles = model.bodies.iter().flat_map(|body| body.triangles.iter().copied()).collect();
        let owned = model.bodies.iter().enumerate().flat_map(|(index, body)| vec![index; body.triangles.len()]);
        Self { running: Running::new(&model), triangles, owners: owned.collect(), joined: None, model }
    }

    fn crossings(&self, state: &State) -> usize {
        let judged = |one: usize, other: usize| {
            let bodies = [one, other].map(|triangle| self.owners[triangle]);
            self.joined.is_none_or(|joined| bodies != joined && bodies != [joined[1], joined[0]])
        };
        crossings(&state.positions, &self.triangles, judged).len()
    }

    /// The largest speed, m/s.
    fn speed(state: &State) -> f64 {
        state.velocities.iter().map(|&v| Vec3::from(v).length()).fold(0.0, f64::max)
    }

    /// One frame, in which nothing is thrown.
    fn step(&mut self) -> State {
        let state = self.running.run(1);
        let speed = Self::speed(&state);
        assert!(speed < 1.0, "frame {}: {speed} m/s", state.frame);
        state
    }

    /// Comes apart within so many frames, and then never crosses again. Returns the last state.
    fn comes_apart(&mut self, frames: u32) -> State {
        let start = self.running.state();
        assert!(self.crossings(&start) > 0);
        let parted = (0..frames).any(|_| {
            let state = self.step();
            self.crossings(&state) == 0
        });
        assert!(parted, "it has not come apart in {frames} frames");
        for _ in 0..29 {
            let state = self.step();
            assert_eq!(self.crossings(&state), 0, "frame {}", state.frame);
        }
        self.step()
    }
}

const WEIGHTLESS: &str = "world.gravity = [0, 0, 0]\n";

/// A sheet whose corner is through another's middle.
#[test]
fn a_corner_is_drawn_back() {
    let mut text = WEIGHTLESS.to_string();
    text += &lying(9, 0.3, [0.0, 0.0, 0.0], "");
    text += &sheet(8, 0.2, "rotation = [0, 0, 0.38268343, 0.92387953]\nposition = [0.09, 0.10, 0.021]");
    Tangled::of(&text).comes_apart(240);
}

/// Two sheets that lie one in the other at an angle, from the border of one to that of the other.
#[test]
fn borders_part() {
    let mut text = WEIGHTLESS.to_string();
    text += &lying(9, 0.3, [0.0, 0.0, 0.0], "");
    text += &lying(8, 0.25, [0.005, 0.2, 0.15], "");
    Tangled::of(&text).comes_apart(240);
}

fn ball(kind: &str, radius: f64, segments: u32, rest: &str) -> String {
    format!(
        "[[body]]\nkind = '{kind}'\nmesh = {{ sphere = {{ radius = {radius}, segments = {segments} }} }}\nradius = 0.002\n\
         contact = 'surface'\n{rest}\n"
    )
}

/// A balloon that begins with a part of it through a cloth.
#[test]
fn a_balloon_leaves_a_cloth() {
    let mut text = WEIGHTLESS.to_string();
    text += &lying(13, 0.4, [0.0, 0.0, 0.0], "");
    text += &ball("balloon", 0.08, 12, "mass = 0.02\nposition = [0.011, 0.05, 0.007]");
    Tangled::of(&text).comes_apart(240);
}

/// Two balloons of which each begins with a part in the other.
#[test]
fn balloons_part() {
    let mut text = WEIGHTLESS.to_string();
    text += &ball("balloon", 0.08, 10, "mass = 0.02");
    text += &ball("balloon", 0.06, 10, "mass = 0.02\nposition = [0.1, 0.031, 0.017]");
    Tangled::of(&text).comes_apart(240);
}

/// What is all the way through the middle of a sheet.
fn through_the_middle(rest: &str) -> String {
    sheet(8, 0.2, &format!("rotation = [0, 0.70710678, 0, 0.70710678]\nposition = [0.013, -0.04, 0.02]\n{rest}"))
}

/// A sheet and a rope that are all the way through the middle of another sheet are drawn out by their shorter ends.
#[test]
fn what_is_all_the_way_through_is_drawn_out() {
    let line = "{ line = { from = [-0.07, -0.21, 0.11], to = [-0.08, -0.24, -0.05], segments = 9 } }";
    let mut text = WEIGHTLESS.to_string() + &sheet(9, 0.3, "") + &through_the_middle("");
    text += &format!("[[body]]\nkind = 'rope'\nmesh = {line}\nmass = 0.01\nradius = 0.002\ncontact = 'surface'\n");
    let end = Tangled::of(&text).comes_apart(240);
    let rope = &end.positions[81 + 64..];
    assert!(rope.iter().all(|place| place[2] > rope[0][2] - 0.2), "{rope:?}");
    let sides = rope.iter().map(|place| place[2] > end.positions[40][2]);
    assert!(sides.clone().all(|side| side) || sides.clone().all(|side| !side), "the rope is still through: {rope:?}");
}

/// Two sheets of which each is held at both ends, so that they cannot part, stay calm.
#[test]
fn a_knot_stays_calm() {
    let ends = "pin = ['left', 'right']";
    let mut tangled = Tangled::of(&(WEIGHTLESS.to_string() + &sheet(9, 0.3, ends) + &through_the_middle(ends)));
    for _ in 0..120 {
        tangled.step();
    }
    let (first, state) = (tangled.step(), tangled.step());
    assert!(tangled.crossings(&state) > 0);
    let moved = first.positions.iter().zip(&state.positions).map(|(&a, &b)| (Vec3::from(a) - Vec3::from(b)).length());
    let moved = moved.fold(0.0, f64::max);
    assert!(moved < 1e-3, "{moved} m in a frame");
}

/// Sheets that are placed in one place, and in one plane, open to the side of the one that comes later, and never cross.
#[test]
fn sheets_in_one_place_open() {
    for aside in [0.0, 0.013] {
        let mut text = WEIGHTLESS.to_string();
        text += &sheet(7, 0.2, "velocity = [0, 0, 0.02]");
        text += &sheet(7, 0.2, &format!("position = [{aside}, {}, 0]", 0.5 * aside));
        let mut tangled = Tangled::of(&text);
        for _ in 0..40 {
            let state = tangled.step();
            assert_eq!(tangled.crossings(&state), 0, "frame {}, {aside} m aside", state.frame);
        }
        let state = tangled.step();
        let mean = |body: usize| {
            let range = tangled.model.bodies[body].particles.clone();
            range.clone().map(|i| state.positions[i as usize][2]).sum::<f64>() / range.len() as f64
        };
        let open = mean(1) - mean(0);
        // What was placed in one place touches at a hundredth of the thickness of 2 mm.
        // They come apart no faster than the first goes, but for what parts them.
        let most = 0.02 * 41.0 / 60.0 + 0.002;
        assert!((1.9e-5..most).contains(&open.abs()), "open by {open} m, {aside} m aside");
    }
}

/// Two halves of a sheet that constraints sew together where they were placed together, and that a third one pierces.
#[test]
fn a_sewn_sheet_is_left() {
    let mut text = WEIGHTLESS.to_string();
    text += &sheet(6, 0.2, "name = 'left'");
    text += &sheet(6, 0.2, "name = 'right'\nposition = [0.2, 0, 0]");
    let ends: Vec<String> = (0..6).map(|row| format!("[['left', {}], ['right', {}]]", 6 * row + 5, 6 * row)).collect();
    text += &format!("[[constraint]]\nkind = 'weld'\nparticles = [{}]\n", ends.join(", "));
    text += &sheet(5, 0.1, "rotation = [0, 0.70710678, 0, 0.70710678]\nposition = [0.0831, -0.0517, 0.0313]");
    let mut tangled = Tangled::of(&text);
    tangled.joined = Some([0, 1]);
    tangled.comes_apart(240);
}

/// A cloth that is placed through the top of a fixed ball slides off it upwards, against its weight, and lies on it.
#[test]
fn a_cloth_slides_off_a_ball() {
    // Its border, which swings down by 0.2 m at most, gets to 0.9 m/s.
    let mut text = "world.gravity = [0, -2, 0]\n".to_string();
    text +=
        &ball("cloth", 0.08, 12, "density = 1\nposition = [0, -0.06, 0]\npin = [{ box = [[-9, -9, -9], [9, 9, 9]] }]");
    text += &lying(13, 0.3, [0.0, 0.1, 0.02], "friction = 0.3");
    let state = Tangled::of(&text).comes_apart(240);
    let highest = state.positions.iter().map(|place| place[1]).fold(f64::NEG_INFINITY, f64::max);
    assert!((0.02..0.03).contains(&highest), "the cloth's top is at {highest} m, the ball's at 0.02 m");
}
