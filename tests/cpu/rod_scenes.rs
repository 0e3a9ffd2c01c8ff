//! What the gallery's rods do, by their own physics.

use pliant::constraint::Vec3;
use pliant::scene::Scene;

use crate::device::Running;
use crate::proof;

fn length(points: &[[f64; 3]]) -> f64 {
    points.windows(2).map(|ends| (Vec3::from(ends[1]) - Vec3::from(ends[0])).length()).sum()
}

/// How much a run of points turns in all, rad.
fn turned(points: &[[f64; 3]]) -> f64 {
    let arms: Vec<Vec3<f64>> = points.windows(2).map(|ends| Vec3::from(ends[1]) - Vec3::from(ends[0])).collect();
    arms.windows(2).map(|pair| pair[0].cross(pair[1]).length().atan2(pair[0].dot(pair[1]))).sum()
}

/// While the head nods, curls keep their length and most of their turns with five substeps, and their roots go round its
/// pivot. They stretch by a force of EA = 9.5 N for their whole length, which is theirs at 950 g.
#[test]
fn curls_keep_their_curl() {
    let model = Scene::gallery("curls").expect("its name").expect("its text").build().expect("its model").model;
    let state = Running::new(&model).run(60);
    let each = model.bodies[0].strand.unwrap() as usize;
    let strands = || model.particles.positions.chunks(each).zip(state.positions.chunks(each));
    let longer = strands().map(|(placed, now)| 100.0 * (length(now) / length(placed) - 1.0).abs());
    proof::row("lengths of curls on a head that nods", "as placed", proof::largest(longer), 2.0, "%");
    let [before, after] =
        [strands().map(|(placed, _)| turned(placed)).sum::<f64>(), strands().map(|(_, now)| turned(now)).sum()];
    proof::row("what curls have lost of their turns", "little", 100.0 * (1.0 - after / before), 25.0, "%");
    let pivot = Vec3::new(0.0, -0.105, -0.01);
    let off = strands().map(|(placed, now)| {
        let [was, is] = [placed, now].map(|strand| Vec3::from(strand[0]) - pivot);
        (was.length() - is.length()).abs()
    });
    proof::row("roots of curls from their place on the head", "0", 1e3 * proof::largest(off), 0.01, "mm");
}

/// The anemones' arms keep their length, but for those that are pressed on the ground, and open and close again as often as their curvature changes.
#[test]
fn anemones_open_and_close() {
    let model = Scene::gallery("anemones").expect("its name").expect("its text").build().expect("its model").model;
    let mut running = Running::new(&model);
    let mut heights: Vec<[f64; 2]> = Vec::new();
    let mut longest = 0.0_f64;
    for _ in 0..36 {
        let state = running.run(12);
        let of_body = |body: &pliant::model::Body| {
            let range = body.particles.start as usize..body.particles.end as usize;
            let arms = state.positions[range.clone()].chunks(body.strand.unwrap() as usize);
            let placed = model.particles.positions[range].chunks(body.strand.unwrap() as usize);
            let longer = arms.clone().zip(placed).map(|(now, placed)| (length(now) / length(placed) - 1.0).abs());
            let tips: Vec<f64> = arms.map(|arm| arm[arm.len() - 1][1]).collect();
            (tips.iter().sum::<f64>() / tips.len() as f64, longer.fold(0.0, f64::max))
        };
        let [large, small] = [0, 1].map(|body| of_body(&model.bodies[body]));
        heights.push([large.0, small.0]);
        longest = longest.max(large.1).max(small.1);
    }
    proof::row("lengths of an anemone's arms", "as grown", 100.0 * longest, 2.0, "%");
    let large: Vec<f64> = heights.iter().map(|one| one[0]).collect();
    let (least, most) = large.iter().fold((f64::MAX, f64::MIN), |(a, b), &h| (a.min(h), b.max(h)));
    assert!(most - least > 0.15, "its tips rise by {} m", most - least);
    // A period is 144 frames.
    let apart = large[12..].iter().zip(&large[24..]).map(|(one, next)| (one - next).abs());
    let off = 100.0 * proof::largest(apart) / (most - least);
    proof::row("tips of an anemone after a period, of their way", "0", off, 10.0, "%");
}

/// Slinkies that hung are let go after 126 frames. Each falls as a stone does, and its last turn hovers until the turns
/// above have closed on it, which the stiffest does in ten frames.
#[test]
fn slinkies_hover() {
    const TURN: usize = 22;
    let model = Scene::gallery("slinky").expect("its name").expect("its text").build().expect("its model").model;
    let mut running = Running::new(&model);
    let begin = running.run(126);
    let end = running.run(10);
    let seconds = 10.0 / 60.0;
    let rods: Vec<_> = model.rods.iter().map(|rod| rod.particles.start as usize..rod.particles.end as usize).collect();
    assert_eq!(rods.len(), 5);
    for rod in rods {
        let mean = |state: &[[f64; 3]], range: std::ops::Range<usize>| {
            let mass = |p: usize| 1.0 / model.particles.inverse_masses[p];
            let all: f64 = range.clone().map(mass).sum();
            range.map(|p| mass(p) * state[p][1]).sum::<f64>() / all
        };
        let [was, is] = [&begin, &end].map(|state| mean(&state.positions, rod.clone()));
        let thrown = was + seconds * mean(&begin.velocities, rod.clone()) - 0.5 * 9.81 * seconds * seconds;
        proof::row("the middle of a slinky that falls, from the parabola", "0", 1e3 * (is - thrown).abs(), 3.0, "mm");
        let fallen = |turn: std::ops::Range<usize>| mean(&begin.positions, turn.clone()) - mean(&end.positions, turn);
        let (first, last) = (fallen(rod.start..rod.start + TURN), fallen(rod.end - TURN..rod.end));
        proof::row("how far a slinky's last turn falls in ten frames", "0", 1e3 * last.abs(), 12.0, "mm");
        assert!(first > 0.3, "its first turn falls by {first} m only");
    }
}
