//! The origin of a model whose scene lies far from its own, as in coordinates of a survey: single precision then has
//! its digits for what is there, not for where it is.

use super::super::check;
use crate::constraint::Symmetry;
use crate::math::Vec3;
use crate::math::rotation::rotate;
use crate::model::{Group, Model, Shape};

/// Nearer to its origin a scene stays as it is, m.
const FAR: f64 = 1e4;
/// And where what moves is larger than its distance over this: three digits in binary are not worth another origin.
const SIZES: f64 = 8.0;
/// Origins are whole multiples of this, so that coordinates keep their digits, m.
const STEP: f64 = 1000.0;

/// Where to move the origin for what lies in a box, if that is far from it.
pub(super) fn of_box(low: [f64; 3], high: [f64; 3]) -> Option<[f64; 3]> {
    let middle: [f64; 3] = std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis]));
    let farthest = middle.iter().fold(0.0, |farthest: f64, x| farthest.max(x.abs()));
    let extent = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
    (farthest > FAR && farthest > SIZES * extent).then(|| middle.map(|x| (x / STEP).round() * STEP))
}

/// Moves the origin of a model to its particles if these are far from it, and says so.
pub(super) fn recentre(model: &mut Model) -> Option<String> {
    let (low, high) = crate::mesh::bounds(&model.particles.positions);
    let origin = of_box(low, high)?;
    if !model.groups.iter().all(is_movable) {
        return None;
    }
    let moved = |place: [f64; 3]| std::array::from_fn(|axis| place[axis] - origin[axis]);
    model.particles.positions.iter_mut().for_each(|place| *place = moved(*place));
    model.groups.iter_mut().for_each(|group| move_points(group, moved));
    for joint in &mut model.joints {
        joint.positions = joint.positions.map(moved);
    }
    for emitter in &mut model.emitters {
        emitter.places.iter_mut().for_each(|place| *place = moved(*place));
    }
    for drain in &mut model.drains {
        (drain.min, drain.max) = (moved(drain.min), moved(drain.max));
    }
    for collider in &mut model.colliders {
        collider.position = moved(collider.position);
        if matches!(collider.shape, Shape::Plane) && collider.turning.is_none() {
            // Any point of a plane will do, and a near one has more digits.
            let normal = Vec3::from(rotate(collider.rotation, [0.0, 1.0, 0.0]));
            collider.position = (normal * normal.dot(collider.position.into())).into();
        }
    }
    model.origin = origin;
    let [x, y, z] = origin.map(check::display);
    Some(format!(
        "the scene lies far from its origin: it is simulated, drawn and exported relative to [{x}, {y}, {z}] m; \
         reports and tables have the scene's own coordinates"
    ))
}

/// Where the rest values of a kind hold a point of the world, by its first coordinate.
fn point_of(group: &Group) -> Option<usize> {
    group.kind.rest().iter().position(|rest| rest.name == "point_x")
}

/// Whether a group stays right when all places are moved: it knows no place of the world, or one point.
fn is_movable(group: &Group) -> bool {
    group.is_empty() || group.kind.symmetries().contains(&Symmetry::Translation) || point_of(group).is_some()
}

fn move_points(group: &mut Group, moved: impl Fn([f64; 3]) -> [f64; 3]) {
    let Some(first) = point_of(group) else { return };
    let each = group.kind.rest().len();
    for rest in group.rest.chunks_exact_mut(each) {
        let point = moved([rest[first], rest[first + 1], rest[first + 2]]);
        rest[first..first + 3].copy_from_slice(&point);
    }
}
