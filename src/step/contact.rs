//! Colliders and surfaces as the engines read them.

use std::collections::HashMap;

use crate::math::Vec3;
use crate::model::inside::bodies_inside;
use crate::model::pose::Pose;
use crate::model::tree::nodes;
use crate::model::{self, Collider as ModelCollider, Model};
use crate::step::records::{Bound, Collider, Surface};

/// Words of each surface, which come before samples.
pub const SURFACE_WORDS: usize = size_of::<Surface>() / size_of::<u32>();

/// In place of adhesion: the collider is a trigger.
pub const TRIGGER: f32 = -1.0;

/// The push-out speed of bodies that begin outside all colliders, m/s. It is finite, since devices need not have
/// infinity.
pub const AT_ONCE: f32 = 1e30;

/// Words of the tree of a model's colliders, which come before all.
pub fn tree_words(model: &Model) -> usize {
    nodes(model.colliders.len()) * size_of::<Bound>() / size_of::<u32>()
}

/// Where the samples of each collider begin among them.
pub fn firsts(model: &Model) -> Vec<u32> {
    let mut known = HashMap::new();
    let mut next = tree_words(model) + SURFACE_WORDS * model.bodies.len();
    let first = |collider: &ModelCollider| {
        let samples = collider.shape.samples();
        *known.entry(samples.as_ptr()).or_insert_with(|| {
            next += samples.len();
            (next - samples.len()) as u32
        })
    };
    model.colliders.iter().map(first).collect()
}

/// How the particles of each body touch.
pub fn surfaces(model: &Model) -> Vec<Surface> {
    let inside = bodies_inside(model);
    let surface = |(body, inside): (&model::Body, bool)| Surface {
        radius: model.collider_radius(body) as f32,
        friction: body.friction as f32,
        dynamic_friction: body.dynamic_friction as f32,
        restitution: body.restitution as f32,
        groups: body.groups.of,
        meets: body.groups.with,
        push_out_speed: if inside { model.world.push_out_speed as f32 } else { AT_ONCE },
    };
    model.bodies.iter().zip(inside).map(surface).collect()
}

/// A collider as it stands at time `to`, having moved since `from` (s). `first`: where its samples begin.
pub fn collider_record(collider: &model::Collider, first: u32, from: f64, to: f64) -> Collider {
    let pose = Pose::new(collider, from, to);
    let single = |v: Vec3<f64>| [v.x as f32, v.y as f32, v.z as f32];
    let place = collider.position_at(to);
    let high = place.map(|value| value as f32);
    let [axis_x, axis_y, axis_z] = pose.axes.map(single);
    Collider {
        place: high,
        shape: pose.solid.shape,
        place_low: std::array::from_fn(|i| (place[i] - f64::from(high[i])) as f32),
        inside: pose.solid.inside.into(),
        axis_x,
        friction: collider.friction as f32,
        axis_y,
        dynamic_friction: collider.dynamic_friction as f32,
        axis_z,
        restitution: collider.restitution as f32,
        size: single(pose.solid.size),
        thickness: collider.thickness as f32,
        displacement: single(pose.displacement),
        adhesion: if collider.trigger { TRIGGER } else { collider.adhesion as f32 },
        turn: single(pose.turn),
        groups: collider.groups.of,
        spin: single(pose.spin),
        meets: collider.groups.with,
        belt: single(pose.belt),
        cell: pose.solid.field.cell as f32,
        nodes: pose.solid.field.nodes,
        first,
    }
}
