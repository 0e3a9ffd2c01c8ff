//! A cord that is turned until it winds about itself: what is turned is twist and writhe (Călugăreanu, White, Fuller).

use std::f64::consts::{PI, TAU};

use pliant::constraint::Vec3;
use pliant::model::State;
use pliant::scene::Scene;

use crate::device::Running;
use crate::proof;

/// Straight ends before and behind the cord, m: the curve is closed far away.
const TAIL: f64 = 500.0;

/// The writhe of an open polygon, turns: Klenin and Langowski, Computation of Writhe in Modeling of Supercoiled DNA, 2000.
fn writhe(points: &[Vec3<f64>]) -> f64 {
    let edges: Vec<[Vec3<f64>; 2]> = points.windows(2).map(|ends| [ends[0], ends[1]]).collect();
    let pairs = edges.iter().enumerate().flat_map(|(i, a)| edges.iter().skip(i + 2).map(move |b| [*a, *b]));
    pairs.map(solid_angle).sum::<f64>() / TAU
}

/// The cord with its tails.
fn positions(state: &State) -> Vec<Vec3<f64>> {
    let cord = state.positions.iter().map(|&x| Vec3::from(x));
    let (first, last) = (state.positions[0], state.positions[state.positions.len() - 1]);
    let tail = |[x, y, z]: [f64; 3], way: f64| std::iter::once(Vec3::new(x + way, y, z));
    tail(first, -TAIL).chain(cord).chain(tail(last, TAIL)).collect()
}

/// From how many directions two edges are seen to cross, with its sign.
fn solid_angle([[p1, p2], [p3, p4]]: [[Vec3<f64>; 2]; 2]) -> f64 {
    let (r13, r14, r23, r24) = (p3 - p1, p4 - p1, p3 - p2, p4 - p2);
    let normal = |a: Vec3<f64>, b: Vec3<f64>| a.cross(b).direction_and_length().0;
    let n = [normal(r13, r14), normal(r14, r24), normal(r24, r23), normal(r23, r13)];
    let angle: f64 = (0..4).map(|k| n[k].dot(n[(k + 1) % 4]).clamp(-1.0, 1.0).asin()).sum();
    angle * (p4 - p3).cross(p2 - p1).dot(r13).signum()
}

/// The twist from the first orientation to the last, turns, each against the one before turned along by the shortest way.
fn twist(state: &State) -> f64 {
    let of_joint = |pair: &[[f64; 4]]| {
        let ([ax, ay, az, aw], [bx, by, bz, bw]) = (pair[0], pair[1]);
        let z = aw * bz - az * bw - ax * by + ay * bx;
        let w = aw * bw + ax * bx + ay * by + az * bz;
        let angle = 2.0 * z.atan2(w);
        if angle > PI {
            angle - TAU
        } else if angle < -PI {
            angle + TAU
        } else {
            angle
        }
    };
    state.orientations.windows(2).map(of_joint).sum::<f64>() / TAU
}

/// Twist becomes writhe as the cord bows out into its first loop, and their sum stays what its end was turned by. If the
/// cord passed through itself once, it would change by two. Later, where contact presses turns together that are shorter
/// than the cord is thick, segments shear, and orientations no longer tell the cord's direction.
#[test]
fn a_plectoneme_keeps_its_link() {
    let scene = Scene::gallery("plectoneme").expect("it is in the gallery").unwrap_or_else(|error| panic!("{error}"));
    let model = scene.build().unwrap_or_else(|error| panic!("{error}")).model;
    let mut running = Running::new(&model);
    let mut wound = 0.0;
    for (frames, seconds) in [(120, 2.0), (30, 2.5), (30, 3.0)] {
        let state = running.run(frames);
        let turned = 13.0 * f64::min(seconds, 4.0) / TAU;
        wound = writhe(&positions(&state));
        let link = twist(&state) + wound;
        let claim = format!("twist and writhe of the gallery's cord at {seconds} s");
        proof::row(&claim, "what its end was turned by", (link.abs() - turned).abs(), 0.02, "turns");
    }
    assert!(wound.abs() > 0.9, "{wound} turns of writhe: it has no loop");
    let turns = writhe(&positions(&running.run(150)));
    assert!(turns.abs() > 5.0, "{turns} turns of writhe: it has not wound up");
}
