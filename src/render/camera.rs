//! Where a picture is taken from.

use glam::DVec3;

use super::subject::subject;
use crate::model::{Model, Shape, World};
use crate::scene;

/// A perspective camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// m
    pub eye: [f64; 3],
    /// The point in the middle of the picture, m. Shadows are sharpest around it.
    pub target: [f64; 3],
    /// Any vector that points up in the picture.
    pub up: [f64; 3],
    /// Angle between the lower and the upper edge of the picture, 1 to 170 degrees. Raising it shows more.
    pub vertical_field_of_view_degrees: f64,
}

/// The camera's unit vectors; right-handed, `back` points to the eye.
#[derive(Clone, Copy, Debug)]
pub(super) struct Basis {
    pub right: DVec3,
    pub up: DVec3,
    pub back: DVec3,
}

/// Room left between a framed box and the edge of the picture.
const MARGIN: f64 = 1.12;
const FIELD_OF_VIEW_DEGREES: f64 = 32.0;

impl Camera {
    /// Sees the whole box from three quarters and slightly above. `up` is usually [`up`] of the world; `aspect` is
    /// width over height of the picture. A box that is empty or not finite is replaced by 1 m around the origin.
    pub fn framing(min: [f64; 3], max: [f64; 3], up: [f64; 3], aspect: f64) -> Self {
        let (mut min, mut max) = (DVec3::from(min), DVec3::from(max));
        if !(min.is_finite() && max.is_finite() && min.cmple(max).all()) {
            (min, max) = (DVec3::splat(-0.5), DVec3::splat(0.5));
        }
        let aspect = if aspect.is_finite() && aspect > 0.0 { aspect } else { 1.0 };
        let (centre, half) = ((min + max) / 2.0, (max - min) / 2.0);
        let around = Basis::around(DVec3::from(up));
        let back = (0.5 * around.right + 0.36 * around.up + around.back).normalize();
        let view = Basis::looking(back, around.up);
        let tangent = (FIELD_OF_VIEW_DEGREES.to_radians() / 2.0).tan();
        // Each corner asks for the distance at which it just touches the (narrowed) edge.
        let distance = (0..8).fold(0.0, |distance: f64, corner| {
            let sign = |bit: usize| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
            let from_centre = half * DVec3::new(sign(0), sign(1), sign(2));
            let across = from_centre.dot(view.right).abs() / aspect;
            let height = from_centre.dot(view.up).abs();
            distance.max(from_centre.dot(back) + MARGIN * across.max(height) / tangent)
        });
        let nearest = 1e-3 * (1.0 + centre.abs().max_element());
        let distance = if distance > nearest { distance } else { 2.0 };
        Self {
            eye: (centre + back * distance).into(),
            target: centre.into(),
            up: around.up.into(),
            vertical_field_of_view_degrees: FIELD_OF_VIEW_DEGREES,
        }
    }

    /// The camera that a scene gives, or one that sees everything at the beginning and where it is likely to go.
    /// `model` is made of the scene; `aspect` is width over height of the picture.
    pub fn of_scene(camera: Option<scene::Camera>, model: &Model, aspect: f64) -> Self {
        let up = up(&model.world);
        let Some(camera) = camera else {
            let (min, max) = subject(model, up);
            return Self::framing(min, max, up, aspect);
        };
        let local = |place: [f64; 3]| std::array::from_fn(|axis| place[axis] - model.origin[axis]);
        let (eye, target) = (local(camera.eye), local(camera.target));
        Self { eye, target, up, vertical_field_of_view_degrees: camera.field_of_view }
    }

    pub(super) fn distance(&self) -> f64 {
        let distance = DVec3::from(self.eye).distance(DVec3::from(self.target));
        if distance.is_finite() && distance > 0.0 { distance } else { 1.0 }
    }

    pub(super) fn basis(&self) -> Basis {
        Basis::looking(DVec3::from(self.eye) - DVec3::from(self.target), DVec3::from(self.up))
    }

    /// Half the picture's height at a distance of 1.
    pub(super) fn tangent(&self) -> f64 {
        (self.vertical_field_of_view_degrees.clamp(1.0, 170.0).to_radians() / 2.0).tan()
    }
}

impl Basis {
    /// `up` and the two horizontal axes that go with it: x and z where y is up, x and -y where z is up.
    pub fn around(up: DVec3) -> Self {
        let up = up.try_normalize().unwrap_or(DVec3::Y);
        let axis = if up.x.abs() < 0.9 { DVec3::X } else { DVec3::NEG_Y };
        let back = axis.cross(up).normalize();
        Self { right: up.cross(back), up, back }
    }

    /// Looking along `-back`, with `up` upwards where that is possible.
    pub fn looking(back: DVec3, up: DVec3) -> Self {
        let back = back.try_normalize().unwrap_or(DVec3::Z);
        let right = up.cross(back).try_normalize().unwrap_or_else(|| back.any_orthonormal_vector());
        Self { right, up: back.cross(right), back }
    }
}

/// Unit vector against gravity; y where there is none.
pub fn up(world: &World) -> [f64; 3] {
    (-DVec3::from(world.gravity)).try_normalize().unwrap_or(DVec3::Y).into()
}

/// The box around all particles and sphere colliders as the model places them: (min, max), m. `None` if there are none.
pub fn bounds(model: &Model) -> Option<([f64; 3], [f64; 3])> {
    let particles = model.particles.positions.iter().map(|&p| (DVec3::from(p), 0.0));
    let shown = model.colliders.iter().filter(|collider| !collider.trigger);
    let spheres = shown.filter_map(|collider| match collider.shape {
        Shape::Sphere { radius } => Some((DVec3::from(collider.position), radius)),
        _ => None,
    });
    let join = |(min, max): (DVec3, DVec3), (centre, radius): (DVec3, f64)| {
        (min.min(centre - radius), max.max(centre + radius))
    };
    let empty = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (min, max) = particles.chain(spheres).fold(empty, join);
    min.cmple(max).all().then(|| (min.into(), max.into()))
}
