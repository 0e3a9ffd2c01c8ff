//! What a camera frames where a scene gives none: all that there is to see at the beginning, and where it is likely to
//! go.

use glam::{DQuat, DVec3};

use super::camera;
use crate::model::{Collider, Drive, Keyframes, Model, Shape, Spin};

/// What falls is followed so many times its size down: further and it would be a dot.
const MOST_FALL: f64 = 8.0;
/// Colliders are framed up to so many times the size of what moves: larger ones are ground.
const LARGEST: f64 = 4.0;
/// Ground is looked for so many times its size below, and as near as this share of it.
const FARTHEST: f64 = 1e3;
const NEAR: f64 = 1e-3;
/// Steps of a way down at most; what grazes a wall takes many.
const STEPS: usize = 100;

/// A box along the axes of the world.
#[derive(Clone, Copy)]
struct Extent {
    low: DVec3,
    high: DVec3,
}

impl Extent {
    const NONE: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    fn point(at: DVec3) -> Self {
        Self { low: at, high: at }
    }
    fn with(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
    /// With all places to which it moves by one of these.
    fn along(self, ways: impl Iterator<Item = DVec3>) -> Self {
        ways.fold(self, |extent, way| extent.with(Self { low: self.low + way, high: self.high + way }))
    }
    fn size(self) -> f64 {
        (self.high - self.low).max_element()
    }
}

/// Displacements, at all keyframes.
fn ways(motion: Option<&Keyframes>) -> impl Iterator<Item = DVec3> {
    motion.into_iter().flat_map(|motion| motion.values()).map(DVec3::from)
}

/// Displacements by a drive, those of its keyframes and of an eighth of each turn of its spin.
fn ways_of(drive: &Drive) -> impl Iterator<Item = DVec3> {
    let eighth = |spin: &Spin, k: i32| spin.at(std::f64::consts::FRAC_PI_4 / spin.rate.abs() * f64::from(k));
    let turned = drive.spin.into_iter().flat_map(move |spin| (1..8).map(move |k| DVec3::from(eighth(&spin, k))));
    let by_keyframes = drive.turn.iter().flat_map(|turn| turn.rotations.times().map(|time| DVec3::from(turn.at(time))));
    ways(drive.motion.as_ref()).chain(turned).chain(by_keyframes)
}

/// The particles of each body, as balls where they touch, with the ways of those that are moved, and whether any is
/// fixed.
fn of_bodies(model: &Model) -> Vec<(Extent, bool)> {
    let particles = &model.particles;
    let driven = |drive: u32| {
        let ways = model.drives.get(drive as usize).into_iter().flat_map(ways_of);
        Extent::point(DVec3::ZERO).along(ways)
    };
    let driven: Vec<Extent> = (0..model.drives.len() as u32).map(driven).collect();
    let mut bodies = vec![(Extent::NONE, false); model.bodies.len()];
    for (i, &place) in particles.positions.iter().enumerate() {
        let body = particles.bodies[i] as usize;
        let (extent, held) = &mut bodies[body];
        let radius = model.bodies[body].radius;
        let (place, is_fixed) = (DVec3::from(place), particles.inverse_masses[i] == 0.0);
        // A model made by hand may have no list of drives.
        let driven = driven.get(particles.drives[i] as usize).copied().filter(|_| is_fixed);
        let ways = driven.unwrap_or(Extent::point(DVec3::ZERO));
        *extent = extent.with(Extent { low: place + ways.low - radius, high: place + ways.high + radius });
        *held |= is_fixed;
    }
    for animation in &model.animations {
        for (&particle, &way) in animation.particles.iter().cycle().zip(&*animation.displacements) {
            let body = particles.bodies[particle as usize] as usize;
            let place = DVec3::from(particles.positions[particle as usize]) + DVec3::from(way);
            let radius = model.bodies[body].radius;
            bodies[body].0 = bodies[body].0.with(Extent { low: place - radius, high: place + radius });
        }
    }
    bodies
}

/// A collider of finite size, wherever it moves; however it turns.
fn of_collider(collider: &Collider) -> Option<Extent> {
    let (low, high) = match &collider.shape {
        Shape::Plane | Shape::Heights(_) => return None,
        Shape::Sphere { radius } => (DVec3::splat(-radius), DVec3::splat(*radius)),
        Shape::Capsule { radius, length } => {
            let half = DVec3::new(*radius, radius + 0.5 * length, *radius);
            (-half, half)
        }
        Shape::Box { size } => (-0.5 * DVec3::from(*size), 0.5 * DVec3::from(*size)),
        Shape::Cylinder { radius, length } => {
            let half = DVec3::new(*radius, 0.5 * length, *radius);
            (-half, half)
        }
        Shape::Mesh(mesh) => {
            mesh.surface.positions.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &place| {
                (low.min(DVec3::from(place)), high.max(DVec3::from(place)))
            })
        }
    };
    let corners = (0..8).map(|corner| {
        let side = |axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
        DVec3::new(side(0), side(1), side(2))
    });
    let place = DVec3::from(collider.position);
    let extent = match collider.turning {
        None => {
            let rotation = DQuat::from_array(collider.rotation);
            corners.map(|corner| Extent::point(place + rotation * corner)).fold(Extent::NONE, Extent::with)
        }
        Some(_) => {
            let far = corners.map(DVec3::length).fold(0.0, f64::max);
            Extent { low: place - far, high: place + far }
        }
    };
    Some(extent.along(ways(collider.motion.as_ref())))
}

/// How far it is from a place down to a collider for what is of this size: steps go by the distance to the nearest
/// (sphere tracing). `None` if there is none.
fn room_below(model: &Model, place: DVec3, down: DVec3, size: f64) -> Option<f64> {
    let mut way = 0.0;
    for _ in 0..STEPS {
        let at = (place + way * down).into();
        let solid = model.colliders.iter().filter(|collider| !collider.trigger);
        let gap = solid.map(|collider| collider.distance(0.0, at).1).fold(f64::INFINITY, f64::min);
        if gap <= NEAR * size {
            return Some(way);
        }
        way += gap;
        if way > FARTHEST * size {
            return None;
        }
    }
    Some(way)
}

/// With where it goes: what is held swings down by its own size at most, what is not falls to the ground.
fn falling(model: &Model, (extent, held): (Extent, bool), up: DVec3) -> Extent {
    let size = extent.size();
    let height = (extent.high - extent.low).dot(up.abs());
    let swing = (size - height).max(0.0);
    let underside = 0.5 * (extent.low + extent.high - height * up);
    let most = if held { swing } else { MOST_FALL * size };
    let fall = room_below(model, underside, -up, size).map_or(swing, |room| room.min(most));
    extent.along(std::iter::once(-fall * up))
}

/// The box around everything, m; nothing where there is nothing.
pub fn subject(model: &Model, up: [f64; 3]) -> ([f64; 3], [f64; 3]) {
    let Some((low, high)) = camera::bounds(model) else { return ([0.0; 3], [0.0; 3]) };
    let bodies = of_bodies(model);
    let moved = bodies.iter().map(|(extent, _)| *extent).fold(Extent::NONE, Extent::with);
    let fallen = bodies.iter().map(|&body| falling(model, body, DVec3::from(up)));
    let colliders = model.colliders.iter().filter(|collider| !collider.trigger).filter_map(of_collider);
    let colliders = colliders.filter(|collider| collider.size() <= LARGEST * moved.size());
    let all = Extent { low: low.into(), high: high.into() };
    let all = fallen.chain(colliders).filter(|extent| extent.low.cmple(extent.high).all()).fold(all, Extent::with);
    (all.low.into(), all.high.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Drive;
    use crate::scene::{Body, Collider as SceneCollider, Scene};

    const UP: [f64; 3] = [0.0, 1.0, 0.0];

    fn ball(height: f64) -> Body {
        Body::particles(vec![[0.0, height, 0.0]]).mass(1.0).radius(0.1)
    }

    fn model(scene: Scene) -> Model {
        scene.build().expect("a scene").model
    }

    fn close(a: [f64; 3], b: [f64; 3]) {
        assert!((0..3).all(|i| (a[i] - b[i]).abs() < 1e-3), "{a:?} is not {b:?}");
    }

    /// What falls is seen until it lies: on the ground, on a slope below its middle, on a box, and 8 times its size
    /// down where that is further away; without ground nowhere. What lies on the ground stays.
    #[test]
    fn follows_what_falls() {
        let ground = || SceneCollider::plane(UP, 0.0);
        let on_ground = |height: f64| subject(&model(Scene::new("falls").with(ball(height)).collider(ground())), UP);
        close(on_ground(1.0).0, [-0.1, 0.0, -0.1]);
        close(on_ground(1.0).1, [0.1, 1.1, 0.1]);
        close(on_ground(10.0).0, [-0.1, 9.9 - 8.0 * 0.2, -0.1]);
        close(on_ground(0.1).0, [-0.1, 0.0, -0.1]);
        let slope = SceneCollider::plane([0.6, 0.8, 0.0], -0.4);
        close(subject(&model(Scene::new("slope").with(ball(1.0)).collider(slope)), UP).0, [-0.1, -0.5, -0.1]);
        let table = SceneCollider::cuboid([0.3, 0.2, 0.3]).position([0.0, 0.2, 0.0]);
        close(subject(&model(Scene::new("table").with(ball(1.0)).collider(table)), UP).0, [-0.15, 0.1, -0.15]);
        close(subject(&model(Scene::new("nothing").with(ball(1.0))), UP).0, [-0.1, 0.9, -0.1]);
    }

    /// What is held by one end swings down by what it is longer than high, not to the ground; where it is moved it is
    /// seen.
    #[test]
    fn follows_what_is_held() {
        let row = Body::particles(vec![[0.0, 2.0, 0.0], [1.0, 2.0, 0.0]]).mass(1.0).pin(0);
        let mut model = model(Scene::new("held").with(row).collider(SceneCollider::plane(UP, 0.0)));
        close(subject(&model, UP).0, [0.0, 1.0, 0.0]);
        model.drives.push(Drive {
            motion: Keyframes::new(vec![(0.0, [0.0; 3]), (1.0, [0.0, 0.0, 3.0])]),
            forces: Vec::new(),
            ..Drive::default()
        });
        model.particles.drives[0] = model.drives.len() as u32 - 1;
        close(subject(&model, UP).1, [1.0, 2.0, 3.0]);
    }

    /// Colliders are seen wherever they go and however they turn, but for those that are much larger than all that
    /// moves.
    #[test]
    fn shows_colliders_but_not_ground() {
        let seen =
            |collider: SceneCollider| subject(&model(Scene::new("collider").with(ball(1.0)).collider(collider)), UP);
        close(seen(SceneCollider::cuboid([0.2; 3]).position([0.6, 1.0, 0.0])).1, [0.7, 1.1, 0.1]);
        close(seen(SceneCollider::cuboid([9.0; 3]).position([9.0, 1.0, 0.0])).1, [0.1, 1.1, 0.1]);
        let turns = seen(SceneCollider::cuboid([0.2; 3]).position([0.6, 1.0, 0.0]).spin([0.0, 1.0, 0.0])).1;
        close(turns, [0.6 + 0.03_f64.sqrt(), 1.0 + 0.03_f64.sqrt(), 0.03_f64.sqrt()]);
    }
}
