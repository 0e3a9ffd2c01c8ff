//! Breaks the guard, to see that what judges motions notices: a pair left out, an axis the other way, half the floor.

use std::cell::Cell;

use super::Contacts;
use crate::law::surface::{Certificate, FLOOR, Features};
use crate::mesh::crossings;
use crate::model::{Body, Model, Particles};
use crate::pass::surfaces::features::Pair;
use crate::pass::surfaces::near::Proximity;
use crate::reference::pass::Points;

#[derive(Clone, Copy, PartialEq)]
enum Mutation {
    Drop,
    Flip,
    HalveFloor,
}

thread_local! {
    static MUTATION: Cell<Option<Mutation>> = const { Cell::new(None) };
}

/// The corner that comes first, and the face that it meets.
const PAIR: Pair = (Features::VertexFace, [3, 0, 1, 2]);
/// m
const RADIUS: f64 = 0.01;

/// What is said along the axis the other way.
fn turned(Certificate { axis, gap, before, weights }: Certificate<f64>) -> Certificate<f64> {
    Certificate { axis: -axis, gap: -gap, before: -before, weights }
}

/// What a certificate says while a mutation is set.
pub fn changed(pair: Pair, certificate: Certificate<f64>) -> Certificate<f64> {
    match MUTATION.get() {
        Some(Mutation::Drop) if pair == PAIR => Certificate { before: 0.0, ..certificate },
        Some(Mutation::Flip) if pair == PAIR => turned(certificate),
        // Half the floor is taken for gap.
        Some(Mutation::HalveFloor) => Certificate { gap: certificate.gap + FLOOR * RADIUS, ..certificate },
        _ => certificate,
    }
}

/// A triangle falls with a corner ahead on a larger one that is fixed, and nothing but the guard stops it. Returns how
/// many edges pierce faces afterwards, and the least distance by the sum of the radii.
fn judged(mutation: Option<Mutation>) -> (usize, f64) {
    let positions = vec![
        [-1.0, 0.0, -1.0],
        [1.0, 0.0, -1.0],
        [0.0, 0.0, 1.0],
        [0.1, 0.05, 0.0],
        [0.2, 0.15, 0.1],
        [0.0, 0.16, -0.1],
    ];
    let body = |first: u32| Body {
        particles: first..first + 3,
        triangles: vec![[first, first + 1, first + 2]],
        radius: RADIUS,
        surface_contact: true,
        ..Body::default()
    };
    let mut particles = Particles::at_rest(positions, vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    particles.bodies = vec![0, 0, 0, 1, 1, 1];
    particles.velocities[3..].fill([0.1, -1.0, 0.0]);
    let model = Model { particles, bodies: vec![body(0), body(3)], ..Model::default() };
    let mut contacts = Contacts::new(&model).unwrap();
    let mut points = Points::new(&model.particles);
    MUTATION.set(mutation);
    for _ in 0..10 {
        points.predict(&model, 0.01, 0.0, &[]);
        contacts.hold(&mut points);
        points.finish(0.01);
    }
    MUTATION.set(None);
    let places: Vec<[f64; 3]> = points.positions.iter().map(|&place| place.into()).collect();
    let crossed = crossings(&places, &[[0, 1, 2], [3, 4, 5]], |_, _| true).len();
    let least = Proximity::new(&model).unwrap().of(&places).1.unwrap_or(f64::INFINITY);
    (crossed, least / (2.0 * RADIUS))
}

/// Nothing pierces and the floor is kept; each mutation makes one of the two judges cry.
#[test]
fn the_judges_notice_what_is_broken() {
    let (crossed, least) = judged(None);
    assert!(crossed == 0 && least > 0.999 * FLOOR && least < 2.0 * FLOOR, "{crossed} crossings, {least}");
    for mutation in [Mutation::Drop, Mutation::Flip] {
        assert!(judged(Some(mutation)).0 > 0, "nothing is pierced");
    }
    let (crossed, least) = judged(Some(Mutation::HalveFloor));
    assert!(crossed > 0 || least < 0.6 * FLOOR, "{crossed} crossings, {least}");
}
