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
