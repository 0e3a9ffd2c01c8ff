//! What every draw of a frame shares: the view, the sun's view, and how bodies look.

use glam::dcamera::rh::{proj::directx, view};
use glam::{DMat4, DVec3, DVec4};

use super::camera::Basis;
use super::look::{self, Constraints};
use super::renderer::Shot;

crate::gpu_record! {
    /// A view of the scene. Positions are relative to `origin`; see `shaders/render/frame.wgsl` for each field.
    pub(super) struct Frame {
        pub clip_from_local: [[f32; 4]; 4],
        pub shadow_from_local: [[f32; 4]; 4],
        pub eye: [f32; 4],
        pub origin: [f32; 3],
        pub reach: f32,
        pub sun: [f32; 3],
        pub shadow_texel: f32,
        pub up: [f32; 3],
        pub pixel: f32,
        pub ray_right: [f32; 3],
        pub encode: f32,
        pub ray_up: [f32; 3],
        pub near: f32,
        pub ray_forward: [f32; 3],
        pub occlusion_radius: f32,
        pub pixels: [f32; 2],
        pub shadow_depth: f32,
        pub heated: f32,
        pub pale: f32,
        pub lines_heated: f32,
        pub full_stretch: f32,
        pub full_speed: f32,
        pub substep: f32,
        pub arrow: f32,
        pub spacing: f32,
        pub _pad0: f32,
    }
}

crate::gpu_record! {
    /// How a body looks; see `shaders/render/frame.wgsl` for each field.
    pub(super) struct Style {
        pub front: [f32; 3],
        pub pull: f32,
        pub back: [f32; 3],
        pub roughness: f32,
        pub metalness: f32,
        pub sheen: f32,
        pub transmission: f32,
        pub scatter: f32,
        pub coat: f32,
        pub pattern: u32,
        pub grain: f32,
        pub relief: f32,
        pub edged: f32,
        pub half_thickness: f32,
        pub mottle: f32,
        pub clear: f32,
    }
}

/// Texels along a side of the shadow map: about 1.5 mm each for a scene of a metre or two.
pub(super) const SHADOW_SIZE: u32 = 2048;
/// The near plane, as a share of the distance to the target.
const NEAR: f64 = 0.01;
/// How far beyond the reach, in reaches, something may be and still cast a shadow into it.
const CASTER_DEPTH: f64 = 4.0;
/// How far surfaces take the sky's light from each other, in the scene's half diagonals.
const OCCLUSION: f64 = 0.22;

/// The two views of a frame, and the origin that both are relative to.
pub(super) struct Views {
    pub camera: Frame,
    pub sun: Frame,
    /// World position of the local origin, exact in f32.
    pub origin: DVec3,
    pub reach: f64,
}

impl Views {
    /// `up` and `scale`, its half diagonal in m, are the scene's; `encode` is set where the target does not encode sRGB
    /// by itself.
    pub fn new(shot: &Shot, up: DVec3, scale: f64, encode: bool) -> Self {
        let (camera, size, look) = (&shot.camera, shot.size, &shot.look);
        let aspect = f64::from(size[0]) / f64::from(size[1]);
        let (basis, tangent, distance) = (camera.basis(), camera.tangent(), camera.distance());
        let target = DVec3::from(camera.target);
        let origin = if target.is_finite() { target.as_vec3().as_dvec3() } else { DVec3::ZERO };
        let eye = target + basis.back * distance - origin;
        let field_of_view = 2.0 * tangent.atan();
        let clip_from_view = directx::perspective_infinite_reverse(field_of_view, aspect, distance * NEAR);
        let clip_from_local = clip_from_view * view::look_to_mat4(eye, -basis.back, basis.up);

        let reach = distance * tangent * aspect.max(1.0) * 1.1;
        let sun = sun_direction(up);
        let texel = 2.0 * reach / f64::from(SHADOW_SIZE);
        let shadow_clip = sun_view(sun, up, origin, reach, texel);
        let shared = Frame {
            shadow_from_local: columns(texture_from_clip() * shadow_clip),
            origin: vector(origin),
            reach: reach as f32,
            sun: vector(sun),
            shadow_texel: texel as f32,
            up: vector(up),
            encode: flag(encode),
            near: (distance * NEAR) as f32,
            occlusion_radius: (OCCLUSION * scale) as f32,
            pixels: size.map(|side| side as f32),
            shadow_depth: (2.0 * CASTER_DEPTH * reach) as f32,
            heated: flag(look.heated()),
            pale: flag(look.pale()),
            lines_heated: flag(look.constraints == Constraints::Stretch),
            full_stretch: look::FULL_STRETCH as f32,
            full_speed: look::FULL_SPEED as f32,
            substep: shot.substep_seconds.max(f64::from(f32::MIN_POSITIVE)) as f32,
            arrow: look::VELOCITY_SECONDS as f32,
            ..Frame::default()
        };
        let camera = Frame {
            clip_from_local: columns(clip_from_local),
            eye: eye.extend(1.0).as_vec4().into(),
            pixel: (2.0 * tangent / f64::from(size[1])) as f32,
            ray_right: vector(basis.right * tangent * aspect),
            ray_up: vector(basis.up * tangent),
            ray_forward: vector(-basis.back),
            ..shared
        };
        let sun = Frame { clip_from_local: columns(shadow_clip), eye: sun.extend(0.0).as_vec4().into(), ..shared };
        Self { camera, sun, origin, reach }
    }

    /// With liquids of this spacing drawn by their surfaces, m.
    pub fn with_liquid(mut self, spacing: f64) -> Self {
        self.camera.spacing = spacing as f32;
        self.sun.spacing = spacing as f32;
        self
    }
}

/// From the left, above and a little in front of a camera that frames the scene: shadows fall to the right and back.
fn sun_direction(up: DVec3) -> DVec3 {
    let around = Basis::around(up);
    (-0.55 * around.right + 1.0 * around.up + 0.42 * around.back).normalize()
}

/// The sun's parallel view of a ball of radius `reach`, moved in whole texels so that shadows stay calm as a camera
/// flies.
fn sun_view(sun: DVec3, up: DVec3, origin: DVec3, reach: f64, texel: f64) -> DMat4 {
    let basis = Basis::looking(sun, up);
    let snap = |axis: DVec3| axis * (origin.dot(axis) % texel);
    let centre = -snap(basis.right) - snap(basis.up);
    let depth = CASTER_DEPTH * reach;
    let clip_from_sun = directx::orthographic(-reach, reach, -reach, reach, 0.0, 2.0 * depth);
    clip_from_sun * view::look_to_mat4(centre + sun * depth, -sun, basis.up)
}

/// Clip space's x and y, -1 to 1 upwards, to those of a texture, 0 to 1 downwards.
fn texture_from_clip() -> DMat4 {
    DMat4::from_cols(
        DVec4::new(0.5, 0.0, 0.0, 0.0),
        DVec4::new(0.0, -0.5, 0.0, 0.0),
        DVec4::new(0.0, 0.0, 1.0, 0.0),
        DVec4::new(0.5, 0.5, 0.0, 1.0),
    )
}

fn flag(set: bool) -> f32 {
    if set { 1.0 } else { 0.0 }
}

fn columns(matrix: DMat4) -> [[f32; 4]; 4] {
    matrix.as_mat4().to_cols_array_2d()
}

pub(super) fn vector(v: DVec3) -> [f32; 3] {
    v.as_vec3().into()
}
