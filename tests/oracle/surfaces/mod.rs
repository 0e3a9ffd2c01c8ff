//! Surfaces that never cross, in double precision: the reference of a pass to come, on which its design is measured
//! (`docs/design/surfaces.md`). It is a pass of the caller's own, so that nobody takes it for a feature.

mod axis;
mod faces;
mod pass;

use std::fmt::Write;
use std::sync::atomic::Ordering::Relaxed;

use axis::Pair;
use faces::Faces;
use pass::{FLOOR, Surfaces};
use pliant::Reference;
use pliant::constraint::Vec3;
use pliant::mesh::crossings;
use pliant::model::{Model, State};
use pliant::plan::Plan;
use pliant::scene::Scene;

use crate::proof;
use crate::random::Random;

fn parse(text: &str) -> Model {
    let scene = Scene::parse(text, "scene", ".").unwrap_or_else(|error| panic!("{error}\n{text}"));
    scene.build().unwrap_or_else(|error| panic!("{error}\n{text}")).model
}

/// A run with surface contact.
struct Run {
    model: Model,
    told: &'static Surfaces,
    solver: Reference,
}

impl Run {
    fn new(model: Model) -> Self {
        let told: &'static Surfaces = Box::leak(Box::default());
        let solver = Reference::with_passes(&model, &Plan::new(&model), &[told]);
        Self { model, told, solver }
    }

    fn triangles(&self) -> Vec<[u32; 3]> {
        self.model.bodies.iter().flat_map(|body| body.triangles.iter().copied()).collect()
    }

    /// One frame, after which nothing may cross.
    fn step(&mut self) -> State {
        self.solver.step();
        let state = self.solver.state();
        let crossed = crossings(&state.positions, &self.triangles(), |_, _| true);
        assert!(crossed.is_empty(), "frame {}: {} crossings, such as {:?}", state.frame, crossed.len(), crossed[0]);
        state
    }

    /// The least distance of features without a common vertex, m, if it is less than `reach`.
    fn least(&self, state: &State, reach: f64) -> f64 {
        let places: Vec<Vec3<f64>> = state.positions.iter().map(|&place| place.into()).collect();
        let near = Faces::new(self.triangles()).near(&places, &places, reach);
        let distance = |pair: Pair| pair.between(&pair.vertices().map(|vertex| places[vertex])).length();
        near.into_iter().map(distance).fold(reach, f64::min)
    }
}

/// A pair that an axis certifies never comes nearer than the lesser of its two gaps, all along its way: a hundred thousand of
/// each kind, slivers and near parallels among them, with common motions of up to five lengths.
#[test]
fn an_axis_is_a_certificate() {
    let mut random = Random::new(7);
    let mut certified = 0;
    for trial in 0..200_000_u32 {
        let pair = if trial % 2 == 0 { Pair::VertexFace([0, 1, 2, 3]) } else { Pair::EdgeEdge([0, 1, 2, 3]) };
        let mut vector = |size: f64| Vec3::from(std::array::from_fn(|_| size * (2.0 * random.number(0.0, 1.0) - 1.0)));
        let flat = if trial % 5 == 0 { 1e-4 } else { 1.0 };
        let begin: [Vec3<f64>; 4] = std::array::from_fn(|_| {
            let place = vector(1.0);
            Vec3::new(place.x, flat * place.y, place.z)
        });
        let common = vector(5.0);
        let end = begin.map(|place| place + common + vector(0.3));
        let (axis, gap) = pair.widest(&begin, &end);
        let least = gap.min(pair.gap(axis, &begin));
        if least <= 0.0 {
            continue;
        }
        certified += 1;
        for part in 0..=40 {
            let now = std::array::from_fn(|i| begin[i] + (end[i] - begin[i]) * (f64::from(part) / 40.0));
            let apart = pair.between(&now).length();
            assert!(apart >= least - 1e-12, "{pair:?}, {begin:?} to {end:?}: {apart} m, certified {least} m");
        }
    }
    assert!(certified > 60_000, "only {certified}");
}

/// Every pair of features that come near is found once, as by asking all of them.
#[test]
fn no_pair_is_missed() {
    let mut random = Random::new(3);
    let places: Vec<Vec3<f64>> =
        (0..120).map(|_| Vec3::from(std::array::from_fn(|_| random.number(0.0, 1.0)))).collect();
    let moved: Vec<Vec3<f64>> = places
        .iter()
        .map(|&place| place + Vec3::from(std::array::from_fn(|_| 0.1 * random.number(0.0, 1.0))))
        .collect();
    let triangles: Vec<[u32; 3]> = (0..40).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let found = Faces::new(triangles.clone()).near(&places, &moved, 0.05);
    let close = |pair: Pair| pair.between(&pair.vertices().map(|vertex| places[vertex])).length() < 0.05;
    let mut wanted = 0;
    for (k, &[a, b, c]) in triangles.iter().enumerate() {
        for (l, &[d, e, f]) in triangles.iter().enumerate().filter(|(l, _)| *l != k) {
            let vertices = [a, b, c].map(|vertex| Pair::VertexFace([vertex, d, e, f]));
            let edges = [[a, b], [b, c], [c, a]].into_iter().flat_map(|[a, b]| {
                [[d, e], [e, f], [f, d]].map(|[c, d]| Pair::EdgeEdge([a, b, c, d])).into_iter().filter(|_| l > k)
            });
            for pair in vertices.into_iter().chain(edges).filter(|&pair| close(pair)) {
                wanted += 1;
                assert_eq!(found.iter().filter(|&&other| other == pair).count(), 1, "{pair:?}");
            }
        }
    }
    assert!(wanted > 20, "{wanted}");
}

fn sheet(n: u32, size: f64, place: &str) -> String {
    let spacing = size / f64::from(n - 1);
    format!(
        "[[body]]\nkind = 'cloth'\nmesh = {{ grid = {{ columns = {n}, rows = {n}, width = {size}, height = {size} }} }}\n\
         density = 0.2\nradius = 0.001\nfriction = 0.3\ncollides_with = []\nstretch_compliance = 1e-6\n\
         shear_compliance = 1e-5\nbend = {{ kind = 'distance', compliance = {} }}\n{place}\n",
        1e-5 / spacing
    )
}

/// Four sheets fall on a fixed one, each turned against the one below, and come to rest a thickness apart: none crosses another, and
/// nothing is held back.
#[test]
fn sheets_lie_on_each_other() {
    let mut text = String::new();
    for k in 0..5 {
        let (height, half_angle) = (0.006 * f64::from(k), 0.1 * f64::from(k));
        // Laid flat by a quarter turn about x, which brings its middle 15 cm along z, then turned about y, and its middle to the origin.
        let ((sin, cos), quarter) = (half_angle.sin_cos(), std::f64::consts::FRAC_1_SQRT_2);
        let rotation = [-cos * quarter, sin * quarter, sin * quarter, cos * quarter];
        let (across, along) = (2.0 * half_angle).sin_cos();
        let position = [-0.15 * across, height, -0.15 * along];
        let pin = if k == 0 { "pin = [{ box = [[-9, -9, -9], [9, 9, 9]] }]" } else { "" };
        text += &sheet(9, 0.3, &format!("position = {position:?}\nrotation = {rotation:?}\n{pin}"));
    }
    let mut run = Run::new(parse(&text));
    let rest = (0..60).map(|_| run.step()).last().unwrap();
    let later = (0..30).map(|_| run.step()).last().unwrap();
    let drift = rest.positions.iter().zip(&later.positions).map(|(a, b)| (Vec3::from(*a) - Vec3::from(*b)).length());
    assert_eq!((run.told.held.load(Relaxed), run.told.frozen.load(Relaxed)), (0, 0));
    let heights = (0..5).map(|k| later.positions[k * 81 + 40][1]).collect::<Vec<f64>>();
    for (k, height) in heights.iter().enumerate() {
        assert!((height - 0.002 * k as f64).abs() < 3e-4 * (1 + k) as f64, "{heights:?}");
    }
    let least = run.least(&later, 0.01);
    assert!(least > 0.0016, "{least} m");
    proof::row(
        "four sheets on a fixed one, half a second: drift of any particle",
        "0",
        1e3 * drift.fold(0.0, f64::max),
        0.5,
        "mm",
    );
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
        let mut run = Run::new(parse(&text));
        let state = (0..20).map(|_| run.step()).last().unwrap();
        let [small, large] = [81..85, 0..81].map(|range| {
            let z = state.positions[range.clone()].iter().map(|place| place[2]);
            z.sum::<f64>() / range.len() as f64
        });
        assert!(small > large, "{rotation}: at {small} m, the sheet at {large} m");
    }
}

/// A cloth whose ends turn against each other by one turn: nothing crosses, and no gap falls below the floor.
#[test]
fn a_cloth_is_twisted() {
    const N: u32 = 12;
    const SECONDS: f64 = 1.0;
    let ends = |column: u32, sense: f64| {
        (0..N).map(move |row| {
            let y = f64::from(row) / f64::from(N - 1) - 0.5;
            let frames = (0..=48).map(|k| {
                let time = SECONDS * f64::from(k) / 48.0;
                let (sin, cos) = (sense * std::f64::consts::PI * time).sin_cos();
                format!("{{ time = {time}, value = [0, {}, {}] }}", y * (cos - 1.0), y * sin)
            });
            let frames = frames.collect::<Vec<_>>().join(", ");
            format!("{{ indices = [{}], keyframes = [{frames}] }}", row * N + column)
        })
    };
    let pins: Vec<String> = ends(0, 1.0).chain(ends(N - 1, -1.0)).collect();
    let mut text = "world.gravity = [0, 0, 0]\n".to_string();
    write!(text, "{}", sheet(N, 1.0, &format!("pin = [{}]", pins.join(", ")))).unwrap();
    let mut run = Run::new(parse(&text.replace("radius = 0.001", "radius = 0.004")));
    let mut least = f64::INFINITY;
    for _ in 0..60 {
        let state = run.step();
        least = least.min(run.least(&state, 0.008));
    }
    let share = run.told.held.load(Relaxed) as f64 / (60.0 * 10.0 * f64::from(N * N));
    proof::row("a cloth twisted by a turn: vertices held back, of all in a substep", "few", 100.0 * share, 2.0, "%");
    assert!(least >= FLOOR * 0.008 * (1.0 - 1e-9), "{least} m");
}
