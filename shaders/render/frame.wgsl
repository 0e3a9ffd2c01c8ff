// What every draw of a frame shares. Positions are made local by subtracting the origin (near what the camera looks at)
// before anything else, so that a scene far from the world's origin does not tremble.
struct Frame {
    clip_from_local: mat4x4f,
    /// xy: texture coordinates of the shadow map, z: its depth.
    shadow_from_local: mat4x4f,
    /// w = 1: the eye of a perspective view, local. w = 0: direction to the sun, for its parallel view.
    eye: vec4f,
    /// World position of the local origin, m.
    origin: vec3f,
    /// Radius around the origin that is in view and has shadows, m.
    reach: f32,
    /// Unit vector to the sun.
    sun: vec3f,
    /// Width of a texel of the shadow map, m.
    shadow_texel: f32,
    /// Unit vector against gravity.
    up: vec3f,
    /// Width of a pixel at a distance of 1 m, m; 0 in the sun's view.
    pixel: f32,
    /// A view ray is ray_forward + x ray_right + y ray_up, x and y from -1 to 1 across the picture.
    ray_right: vec3f,
    /// 1 where the target does not encode sRGB by itself.
    encode: f32,
    ray_up: vec3f,
    /// Distance of the near plane, m: what is at a distance z ahead has the depth near / z.
    near: f32,
    ray_forward: vec3f,
    /// How far surfaces take the sky's light from each other, m.
    occlusion_radius: f32,
    /// Width and height of the picture, pixels.
    pixels: vec2f,
    /// Depth of the shadow map from 0 to 1, m.
    shadow_depth: f32,
    /// 1 where bodies show the heat of their particles in place of their colours.
    heated: f32,
    /// 1 where bodies are pale, so that the colours of lines on them can be told apart.
    pale: f32,
    /// 1 where constraints show the heat of their stretch in place of their batch.
    lines_heated: f32,
    /// Stretch at which heat is full.
    full_stretch: f32,
    /// Speed at which heat is full, m/s.
    full_speed: f32,
    /// Length of a substep, s.
    substep: f32,
    /// Length of a velocity's line at 1 m/s, m.
    arrow: f32,
    /// Distance between a liquid's particles at rest, m; 0 where no liquid is drawn by its surface.
    spacing: f32,
    _pad0: f32,
}

// What `Style::pattern` may be; 0 is none.
const WEAVE = 1u;
const WOOD = 2u;
const STONE = 3u;
const LEATHER = 4u;
const FIBRES = 5u;
const PAPER = 6u;
const HAIR = 7u;

// How a body looks. Colours are linear; shares are from 0 to 1.
struct Style {
    front: vec3f,
    /// How far its depth is drawn towards the eye, m: keeps cloth in front of the collider it lies on.
    pull: f32,
    back: vec3f,
    roughness: f32,
    metalness: f32,
    /// As `Matter` has them.
    sheen: f32,
    transmission: f32,
    scatter: f32,
    coat: f32,
    /// Of those above; 0 is none.
    pattern: u32,
    /// Size of the pattern's cells, m.
    grain: f32,
    /// Height of its relief, cells.
    relief: f32,
    /// 1 where its edges are shown as such, 0 where the surface is smooth across them.
    edged: f32,
    /// Half its thickness, m: it is drawn so far outside of its particles.
    half_thickness: f32,
    /// How much the tones of its particles differ.
    mottle: f32,
    /// Of a clear liquid: the way on which white light takes its colour, m. 0 is not clear.
    clear: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> styles: array<Style>;
/// Linear colours of heat from 0 to 1, evenly.
@group(0) @binding(2) var<uniform> palette: array<vec4f, 33>;

/// Unit vector from a local point to the eye, or to the sun in its view.
fn toward_eye(local: vec3f) -> vec3f {
    return normalize(frame.eye.xyz - local * frame.eye.w);
}

/// Width of a pixel at a local point, m.
fn pixel_at(local: vec3f) -> f32 {
    return frame.pixel * distance(frame.eye.xyz, local);
}

/// Distance ahead of the eye along the middle ray, m.
fn ahead_of(local: vec3f) -> f32 {
    return dot(local - frame.eye.xyz, frame.ray_forward);
}

fn depth_of(local: vec3f) -> f32 {
    let clip = frame.clip_from_local * vec4f(local, 1.0);
    return clip.z / clip.w;
}

/// The unit vector, or the fallback where there is no direction.
fn direction(v: vec3f, fallback: vec3f) -> vec3f {
    let squared = dot(v, v);
    return select(fallback, v * inverseSqrt(squared), squared > 1e-24);
}

/// A corner of a quad drawn as a strip of four vertices, -1 or 1 in x and y.
fn corner(vertex: u32) -> vec2f {
    return vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 2.0 - 1.0;
}
