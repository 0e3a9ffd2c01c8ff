//! What falls on others of its kind and stays: a tower, a curtain that catches balls, heavy balls on light ones.

use pliant::constraint::Vec3;
use pliant::measure::Measurement;
use pliant::model::{Model, State};
use pliant::scene::Scene;

use crate::billiards::{BURDENS, assert_sinks};
use crate::device::{Running, WATCHED, run};
use crate::proof;

fn gallery(name: &str) -> Model {
    Scene::open(name).unwrap().build().unwrap().model
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (Vec3::from(a) - Vec3::from(b)).length()
}

/// How far the particle went that went farthest, m.
fn farthest(one: &State, other: &State) -> f64 {
    one.positions.iter().zip(&other.positions).map(|(&a, &b)| distance(a, b)).fold(0.0, f64::max)
}

/// Ten soft boxes that fell onto each other stand as a tower. It is wider than a third of what it is high: a slender one sways for long, and
/// nothing but the integration damps that.
#[test]
fn a_tower_of_soft_boxes_stands() {
    let model = gallery("tower");
    let mut running = Running::new(&model);
    let kinetic = |state: &State| Measurement::of(&model, state).kinetic_energy_j;
    // The highest falls for half a second.
    let fall = (0..10).map(|_| kinetic(&running.run(4))).fold(0.0, f64::max);
    let rest = running.run(260);
    let (mut drift, mut left) = (0.0_f64, Vec::new());
    for _ in 0..WATCHED {
        let state = running.run(60);
        drift = drift.max(farthest(&rest, &state));
        left.push(kinetic(&state));
    }
    // It sways, less and less.
    let (earlier, later) = left.split_at(left.len() / 2);
    let most = |times: &[f64]| times.iter().copied().fold(0.0, f64::max);
    assert!(earlier.is_empty() || most(later) < most(earlier), "{left:?}");
    let left = most(&left);
    let top = rest.positions.iter().map(|x| x[1]).fold(0.0, f64::max);
    // Ten boxes of 20 cm with 1 cm of radius below and above each, less the last above: 2.19 m. Each sinks into the next, and their weight of
    // 1 kPa at the foot squashes 2 m of 2.2e5 Pa by 4 mm.
    assert!((2.18..2.19).contains(&top), "its top is at {top} m");
    assert!(running.status().is_good());
    let claim = format!("a tower of ten soft boxes, {WATCHED} s");
    // Its top sways about a place that stays: by 1.0 mm from side to side in the first ten seconds, by 0.6 mm in the next ten.
    proof::row(&format!("{claim}: drift of any particle"), "0", 1e3 * drift, 1.5, "mm");
    proof::row(&format!("{claim}: kinetic energy, of the most in the fall"), "0", left / fall, 1e-5, "");
}

/// On which side of the curtain a ball is that is near it: ahead of it with +z, where all came from. What is within a ball's size of its free edges is not asked:
/// a corner may turn round a ball and touch it with its back.
fn side(model: &Model, state: &State, ball: usize) -> Option<f64> {
    let curtain = &model.bodies[0];
    let inner = |p: &u32| {
        let [x, y, _] = model.particles.positions[*p as usize];
        let size = 2.0 * model.bodies[1].radius;
        x.abs() < 0.9 - size && y > size - 1.2
    };
    let place = Vec3::from(state.positions[ball]);
    let at = |p: u32| Vec3::from(state.positions[p as usize]);
    let gap = |p: u32| (place - at(p)).length();
    let nearest = curtain.particles.clone().min_by(|&a, &b| gap(a).total_cmp(&gap(b))).filter(inner)?;
    let mut normal = Vec3::zero();
    for &[a, b, c] in curtain.triangles.iter().filter(|corners| corners.contains(&nearest)) {
        normal += (at(b) - at(a)).cross(at(c) - at(a));
    }
    let radius = model.bodies[1].radius + curtain.radius;
    (gap(nearest) < 1.2 * radius).then(|| (place - at(nearest)).dot(normal))
}

/// Balls larger than the mesh of a curtain, at 15 m/s, do not pass through it. It is deflected, and takes what they lose.
#[test]
fn a_curtain_catches_fast_balls() {
    let model = gallery("volley");
    let mut running = Running::new(&model);
    let balls = model.bodies[1].particles.clone();
    let mut met = [false; 8];
    let mut behind = 0.0_f64;
    for _ in 0..40 {
        let state = running.run(1);
        for (k, ball) in balls.clone().enumerate() {
            if let Some(side) = side(&model, &state, ball as usize) {
                met[k] = true;
                assert!(side > 0.0, "frame {}: ball {k} has passed", state.frame);
            }
        }
        behind = model.bodies[0].particles.clone().map(|p| -state.positions[p as usize][2]).fold(behind, f64::max);
    }
    assert_eq!(met, [true; 8]);
    assert!(behind > 0.2, "it was pushed back by {behind} m only");
    assert!(running.status().is_good());
    // Held by nothing and weightless, it gets what the balls lose.
    let mut free = model.clone();
    free.world.gravity = [0.0; 3];
    free.colliders.clear();
    free.bodies[0].damping = 0.0;
    let end = free.bodies[0].particles.end as usize;
    let loose = free.particles.inverse_masses[end - 1];
    free.particles.inverse_masses[..end].fill(loose);
    let momentum = |body: usize, velocities: &[[f64; 3]]| {
        let one = |p: u32| Vec3::from(velocities[p as usize]) * (1.0 / free.particles.inverse_masses[p as usize]);
        free.bodies[body].particles.clone().map(one).fold(Vec3::zero(), |sum, one| sum + one)
    };
    let state = run(&free, 12);
    let before = momentum(1, &free.particles.velocities);
    let [curtain, left] = [0, 1].map(|body| momentum(body, &state.velocities));
    assert!(curtain.dot(before) > 0.2 * before.dot(before), "{curtain:?} of {before:?}");
    let lost = (curtain + left - before).length() / before.length();
    // A rounding of 6e-8 for each of 240 substeps, up or down alike.
    proof::row("balls thrown at a curtain: momentum of both", "that before", lost, 1e-6, "of it");
}

/// A ball on a lighter one sinks in by (1 + M/m) g h², shared by the sweeps of a substep.
#[test]
fn heavy_balls_rest_on_light_ones() {
    for burden in BURDENS {
        assert_sinks("", burden, run);
    }
}
