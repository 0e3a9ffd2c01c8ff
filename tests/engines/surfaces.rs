//! Surfaces that touch with their faces and edges: nothing crosses after any frame, and what theory says of rest, motion, friction and
//! momentum. `mesh::crossings` is the judge; it knows nothing of the pass.

use pliant::constraint::Vec3;
use pliant::mesh::crossings;
use pliant::model::{Model, State};
use pliant::scene::Scene;

use crate::device::Running;
use crate::proof;

pub fn parse(text: &str) -> Model {
    let scene = Scene::parse(text, "scene", ".").unwrap_or_else(|error| panic!("{error}\n{text}"));
    scene.build().unwrap_or_else(|error| panic!("{error}\n{text}")).model
}

/// A run in which nothing may cross.
pub struct Run {
    model: Model,
    triangles: Vec<[u32; 3]>,
    pub engine: Running,
}

impl Run {
    pub fn of(text: &str) -> Self {
        let model = parse(text);
        let triangles = model.bodies.iter().flat_map(|body| body.triangles.iter().copied()).collect();
        Self { engine: Running::new(&model), triangles, model }
    }

    pub fn step(&mut self) -> State {
        let state = self.engine.run(1);
        let crossed = crossings(&state.positions, &self.triangles, |_, _| true);
        assert!(crossed.is_empty(), "frame {}: {} crossings, such as {:?}", state.frame, crossed.len(), crossed[0]);
        state
    }

    pub fn frames(&mut self, count: u32) -> State {
        (0..count).map(|_| self.step()).last().unwrap()
    }

    /// Mean of a body's positions.
    pub fn middle(&self, state: &State, body: usize) -> Vec3<f64> {
        self.mean(&state.positions, body)
    }

    fn mean(&self, list: &[[f64; 3]], body: usize) -> Vec3<f64> {
        let range = self.model.bodies[body].particles.clone();
        let sum = range.clone().fold(Vec3::zero(), |sum, i| sum + Vec3::from(list[i as usize]));
        sum * (1.0 / range.len() as f64)
    }

    fn momentum(&self, state: &State) -> Vec3<f64> {
        let masses = self.model.particles.inverse_masses.iter().map(|w| if *w > 0.0 { 1.0 / w } else { 0.0 });
        masses.zip(&state.velocities).fold(Vec3::zero(), |sum, (mass, &v)| sum + Vec3::from(v) * mass)
    }

    fn kinetic_energy(&self, state: &State) -> f64 {
        let masses = self.model.particles.inverse_masses.iter().map(|w| if *w > 0.0 { 1.0 / w } else { 0.0 });
        masses.zip(&state.velocities).map(|(mass, &v)| 0.5 * mass * Vec3::from(v).dot(v.into())).sum()
    }
}

/// Of 2 mm, n x n, upright in z = 0 with its upper edge at y = 0.
pub fn sheet(n: u32, size: f64, rest: &str) -> String {
    let spacing = size / f64::from(n - 1);
    format!(
        "[[body]]\nkind = 'cloth'\nmesh = {{ grid = {{ columns = {n}, rows = {n}, width = {size}, height = {size} }} }}\n\
         density = 0.2\nradius = 0.001\ncontact = 'surface'\nstretch_compliance = 1e-6\nshear_compliance = 1e-5\n\
         bend = {{ kind = 'distance', compliance = {} }}\n{rest}\n",
        1e-5 / spacing
    )
}

/// A sheet that lies at a height about the axis of y, turned about it by twice `half_angle`, and tilted about x by `tilt`.
pub fn lying(n: u32, size: f64, [height, half_angle, tilt]: [f64; 3], rest: &str) -> String {
    // Laid flat by a quarter turn about x, which brings its middle half its size along z, then turned about y; its middle to the axis.
    let ((sin, cos), (s, c)) = (half_angle.sin_cos(), (std::f64::consts::FRAC_PI_4 + 0.5 * tilt).sin_cos());
    let rotation = [-cos * s, sin * c, sin * s, cos * c];
    let (across, along) = (2.0 * half_angle).sin_cos();
    let (up, flat) = (-tilt).sin_cos();
    let position = [-0.5 * size * flat * across, height + 0.5 * size * up, -0.5 * size * flat * along];
    sheet(n, size, &format!("position = {position:?}\nrotation = {rotation:?}\n{rest}"))
}

const FIXED: &str = "pin = [{ box = [[-9, -9, -9], [9, 9, 9]] }]";

/// Two sheets fall on a fixed one, each turned against the one below, and come to rest a thickness apart.
#[test]
fn sheets_lie_on_each_other() {
    let mut text = String::new();
    for k in 0..3 {
        let rest = if k == 0 { FIXED } else { "friction = 0.3" };
        text += &lying(7, 0.225, [0.006 * f64::from(k), 0.1 * f64::from(k), 0.0], rest);
    }
    let mut run = Run::of(&text);
    let rest = run.frames(45);
    let later = run.frames(15);
    for k in 0..3 {
        let height = later.positions[k * 49 + 24][1];
        assert!((height - 0.002 * k as f64).abs() < 3e-4 * (1 + k) as f64, "sheet {k} at {height} m");
    }
    let drift = 1e3 * proof::apart(&rest, &later);
    proof::row("two sheets on a fixed one, a quarter of a second: drift of any particle", "0", drift, 0.5, "mm");
}

/// A triangle at 20 m/s, whose way in a substep is 17 thicknesses, is stopped by a sheet, whether it comes with a corner, an edge or flat.
#[test]
fn fast_triangles_are_stopped() {
    for rotation in ["[0, 0, 0, 1]", "[0.6, 0.2, 0, 1]", "[0.3, 0.5, 1, 0.2]", "[0.1, 1, 0.4, 1]"] {
        let mut text = "world.gravity = [0, 0, 0]\n".to_string();
        text += &sheet(9, 0.3, "pin = ['left', 'right']");
        text += &sheet(
            2,
            0.04,
            &format!("position = [0.013, -0.143, 0.11]\nrotation = {rotation}\nvelocity = [1, 2, -20]"),
        );
        let mut run = Run::of(&text);
        let state = run.frames(20);
        let [large, small] = [0, 1].map(|body| run.middle(&state, body).z);
        assert!(small > large, "{rotation}: at {small} m, the sheet at {large} m");
    }
}

/// Sheets that fall side by side at 20 m/s, a thickness and a half apart, fall with the bits with which they do where nothing touches.
#[test]
fn what_falls_together_is_not_held() {
    let fallen = |apart: &str| {
        let sheet = |k: u32| {
            let rest = format!("velocity = [0, -20, 0]\nangular_velocity = [0, 0.2, 0]\n{apart}");
            lying(7, 0.3, [0.003 * f64::from(k), 0.0, 0.3], &rest)
        };
        Run::of(&(0..3).map(sheet).collect::<String>()).frames(20)
    };
    let (touching, alone) = (fallen(""), fallen("collides_with = []\nself_collision = false"));
    assert_eq!((&touching.positions, &touching.velocities), (&alone.positions, &alone.velocities));
}

/// Two sheets thrown at each other without anything else: momentum stays, and their energy does not grow.
#[test]
fn momentum_is_kept() {
    let mut text = "world.gravity = [0, 0, 0]\n".to_string();
    text += &lying(9, 0.3, [0.0, 0.0, 0.0], "friction = 0.4\nrestitution = 0.3");
    text += &lying(9, 0.2, [0.03, 0.3, 0.2], "velocity = [0.5, -2, 0.3]\nfriction = 0.4\nrestitution = 0.3");
    let mut run = Run::of(&text);
    let start = run.engine.state();
    let (momentum, mut energy) = (run.momentum(&start), run.kinetic_energy(&start));
    let before = energy;
    for _ in 0..30 {
        let state = run.step();
        // Elastic energy comes back: a part of what there was may turn into motion again.
        energy = run.kinetic_energy(&state);
        assert!(energy <= before, "{energy} J, {before} J at first");
        let lost = (run.momentum(&state) - momentum).length() / momentum.length();
        assert!(lost < 2e-5, "{lost} of the momentum in frame {}", state.frame);
    }
    assert!(energy < 0.7 * before, "they have not met: {energy} J of {before} J");
}

/// A sheet slides over a fixed one without friction at 1 m/s and keeps its speed: contact holds back no tangential way.
#[test]
fn sliding_sheets_keep_their_speed() {
    let mut text = lying(8, 1.0, [0.0, 0.0, 0.0], FIXED);
    text += &lying(7, 0.2, [0.0021, 0.2, 0.0], "velocity = [1, 0, 0]");
    let mut run = Run::of(&text);
    let state = run.frames(20);
    assert!(run.middle(&state, 1).y < 0.0025);
    let speed = run.mean(&state.velocities, 1).x;
    proof::row(
        "a sheet slides on another without friction, a third of a second: speed",
        "1 m/s",
        100.0 * (1.0 - speed),
        1.0,
        "%",
    );
}

/// On a slope a sheet stays on another by more friction than its slope, and slides by less as fast as Coulomb says.
#[test]
fn slopes_hold_by_friction() {
    let angle = 0.3_f64;
    for (friction, slides) in [(1.05 * angle.tan(), false), (0.8 * angle.tan(), true)] {
        let rest = format!("friction = {friction}");
        let mut text = lying(8, 1.0, [0.0, 0.0, angle], &format!("{FIXED}\n{rest}"));
        text += &lying(7, 0.2, [0.0021 / angle.cos(), 0.0, angle], &rest);
        let mut run = Run::of(&text);
        let state = run.frames(20);
        let velocity = run.mean(&state.velocities, 1);
        let expected = if slides { 9.81 * (angle.sin() - friction * angle.cos()) * 20.0 / 60.0 } else { 0.0 };
        let error = velocity.length() - expected;
        assert!(error.abs() < 0.03, "friction {friction}: {} m/s, not {expected}", velocity.length());
    }
}

/// A rope and loose grains fall on a coarse cloth, whose meshes are ten times as wide as they are thick, and lie on it.
#[test]
fn ropes_and_grains_lie_on_cloth() {
    let mut text = lying(7, 0.6, [0.0, 0.0, 0.0], &format!("{FIXED}\nfriction = 0.5"));
    text += "[[body]]\nkind = 'rope'\nmesh = { line = { from = [-0.15, 0.02, 0.03], to = [0.15, 0.03, -0.02], segments = 12 } }\n\
             mass = 0.05\nradius = 0.003\ncontact = 'surface'\nfriction = 0.5\n\
             [[body]]\nkind = 'particles'\npositions = [[0.05, 0.05, 0.05], [0.06, 0.04, -0.1], [-0.11, 0.03, 0.04]]\n\
             masses = [0.01, 0.01, 0.01]\nradius = 0.004\nself_collision = true\nfriction = 0.5\n";
    let mut run = Run::of(&text);
    let state = run.frames(60);
    for (index, place) in state.positions.iter().enumerate().skip(49) {
        let radius = if index < 49 + 13 { 0.003 } else { 0.004 };
        let off = place[1] - 0.001 - radius;
        // A rope may lie across a grain.
        assert!((-2e-4..0.012).contains(&off), "particle {index} is {off} m over the cloth");
    }
}

/// Sheets that cross as they begin stay so, and nothing is thrown.
#[test]
fn a_start_that_crosses_throws_nothing() {
    let mut text = "world.gravity = [0, 0, 0]\n".to_string();
    text += &sheet(9, 0.3, "");
    text += &sheet(8, 0.2, "rotation = [0, 0.70710678, 0, 0.70710678]\nposition = [0.013, -0.04, 0.02]");
    let model = parse(&text);
    let triangles: Vec<[u32; 3]> = model.bodies.iter().flat_map(|body| body.triangles.iter().copied()).collect();
    let mut running = Running::new(&model);
    let count = |state: &State| crossings(&state.positions, &triangles, |_, _| true).len();
    let before = count(&running.state());
    assert!(before > 0);
    for _ in 0..20 {
        let state = running.run(1);
        let speed = state.velocities.iter().map(|&v| Vec3::from(v).length()).fold(0.0, f64::max);
        assert!(speed < 0.5, "frame {}: {speed} m/s", state.frame);
        assert!(count(&state) <= before, "frame {}: {} crossings, {before} at first", state.frame, count(&state));
    }
}
