//! What rods hold.

use crate::law::rod::Link;
use crate::math::Vec3;
use crate::math::turn::{Orientation, Quaternion};
use crate::model::{Curve, Model, Rod, State};

/// What rods bear, J: Σ α f²/2 by the means of the last frame.
pub fn elastic_energy(model: &Model, state: &State) -> f64 {
    let stored = |compliances: &[f64; 3], load: [f64; 3]| {
        compliances.iter().zip(load).map(|(alpha, f)| 0.5 * alpha * f * f).sum::<f64>()
    };
    let of_rod = |rod: &Rod| {
        let at = |place: usize| state.loads.get(rod.orientations.start as usize + place).copied().unwrap_or_default();
        let first = usize::from(rod.clamped[0]);
        let segments = rod.segments.iter().enumerate().map(|(i, s)| stored(&s.compliances, at(first + i).force));
        let joints = rod.bends.iter().enumerate().map(|(i, j)| stored(&j.compliances, at(i).moment));
        segments.chain(joints).sum::<f64>()
    };
    model.rods.iter().map(of_rod).sum()
}

/// Σ C²/2α of all rods, J: at most what they could turn into motion. What contacts undid since they were solved is in
/// it.
pub fn recoverable_energy(model: &Model, state: &State) -> f64 {
    if state.orientations.is_empty() {
        return 0.0;
    }
    let of_rod =
        |rod: &Rod| (0..rod.orientations.len()).map(|link| energy(&model.curves, state, rod, link)).sum::<f64>();
    model.rods.iter().map(of_rod).sum()
}

/// Of the segment at a place of a rod, and of the joint behind it.
fn energy(curves: &[Curve], state: &State, rod: &Rod, place: usize) -> f64 {
    let (segment, joint) = (rod.segment_at(place).map(|segment| rod.segments[segment]), rod.bends.get(place));
    let orientation = |place: usize| {
        let index = rod.orientations.start as usize + place.min(rod.orientations.len() - 1);
        Orientation { reference: Quaternion::from(state.orientations[index]), turn: Vec3::zero() }
    };
    let ends = segment.and(rod.node(place).zip(rod.node(place + 1)));
    let at = |particle: u32| Vec3::from(state.positions[particle as usize]);
    let zero = [Vec3::zero(); 2];
    let rows = Link {
        present: [f64::from(segment.is_some()), f64::from(joint.is_some())],
        inverse_masses: [0.0; 2],
        inverse_inertias: [0.0; 2],
        orientations: [orientation(place), orientation(place + 1)],
        way: ends.map_or(Vec3::zero(), |(a, b)| at(b) - at(a)),
        length: segment.map_or(0.0, |segment| segment.length),
        rest: joint.map_or(Vec3::zero(), |joint| joint.rest_at(curves, state.seconds).into()),
        compliances: zero,
        damping: 0.0,
        moved: Vec3::zero(),
        turned: zero,
        multipliers: zero,
    }
    .rows();
    let stored = |values: Vec3<f64>, compliances: Option<[f64; 3]>| {
        let values = <[f64; 3]>::from(values);
        compliances.map_or(0.0, |all| values.iter().zip(all).map(|(c, alpha)| 0.5 * c * c / alpha).sum())
    };
    stored(rows.residuals[0], segment.map(|segment| segment.compliances))
        + stored(rows.residuals[1], joint.map(|joint| joint.compliances))
}

/// Kinetic energy, J, and angular momentum about their own centres, kg m²/s, of all that turns.
pub fn spin(model: &Model, state: &State) -> (f64, Vec3<f64>) {
    let all = state.angular_velocities.iter().zip(&model.orientations.inverse_inertias);
    let free = all.filter(|(_, w)| **w > 0.0).map(|(&speed, w)| (Vec3::from(speed), 1.0 / w));
    free.fold((0.0, Vec3::zero()), |(energy, momentum), (speed, inertia)| {
        (energy + 0.5 * inertia * speed.dot(speed), momentum + speed * inertia)
    })
}
