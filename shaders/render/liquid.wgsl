// Liquids, over the picture of all that is opaque: the surface that `narrow.wgsl` makes of their particles.
/// Distance ahead, m, and style of the particles' front, with the foam as its fraction; 0 where there is none.
@group(2) @binding(0) var fronts: texture_2d<f32>;
/// The same distances, smooth.
@group(2) @binding(1) var surface: texture_2d<f32>;
/// Optical depths by colour and way through the liquid in m, half as fine.
@group(2) @binding(2) var columns: texture_2d<f32>;
/// What is behind, and how far ahead, m.
@group(2) @binding(3) var behind: texture_2d<f32>;
@group(2) @binding(4) var distances: texture_2d<f32>;
@group(2) @binding(5) var smoothly: sampler;

/// How far apart the pixels lie that slopes are taken from, spacings.
const BASE = 0.16;

@vertex
fn liquid_vertex(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
    return vec4f(screen_corner(vertex), 0.0, 1.0);
}

fn ahead_at(texel: vec2i) -> f32 {
    let size = vec2i(textureDimensions(surface));
    return textureLoad(surface, clamp(texel, vec2i(0), size - 1), 0).x;
}

/// Local place of what lies so far ahead at a pixel.
fn place_at(texel: vec2i, ahead: f32) -> vec3f {
    let xy = (vec2f(texel) + 0.5) / frame.pixels * vec2f(2.0, -2.0) - vec2f(1.0, -1.0);
    return frame.eye.xyz + ahead * (frame.ray_forward + xy.x * frame.ray_right + xy.y * frame.ray_up);
}

/// Change of place from a pixel to one a little further on: of both sides the mean, or where the surface ends on one
/// the other.
fn change(texel: vec2i, along: vec2i, ahead: f32) -> vec3f {
    let here = place_at(texel, ahead);
    let next = ahead_at(texel + along);
    let last = ahead_at(texel - along);
    let rise = select(1e9, abs(next - ahead), next > 0.0);
    let fall = select(1e9, abs(ahead - last), last > 0.0);
    let forward = place_at(texel + along, next) - here;
    let backward = here - place_at(texel - along, last);
    let limit = 2.0 * min(rise, fall) + 2.0 * f32(along.x + along.y) * ahead * frame.pixel;
    if max(rise, fall) <= limit {
        return 0.5 * (forward + backward);
    }
    return select(backward, forward, rise < fall);
}

struct LiquidFragment {
    @location(0) colour: vec4f,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn liquid_fragment(@builtin(position) at: vec4f) -> LiquidFragment {
    var texel = vec2i(at.xy);
    // Edges are smooth over two pixels: the share is that of the neighbours, and a pixel beside the surface is like the
    // nearest of it.
    var share = 0.0;
    var nearest = 0.0;
    var like = texel;
    for (var i = 0; i < 9; i++) {
        let offset = vec2i(i % 3 - 1, i / 3 - 1);
        let weight = 0.25 / f32(1 << u32(abs(offset.x) + abs(offset.y)));
        if ahead_at(texel + offset) > 0.0 {
            share += weight;
            if weight > nearest {
                nearest = weight;
                like = texel + offset;
            }
        }
    }
    if share == 0.0 {
        discard;
    }
    texel = clamp(like, vec2i(0), vec2i(frame.pixels) - 1);
    let ahead = ahead_at(texel);
    let local = place_at(texel, ahead);
    let view = toward_eye(local);
    let base = i32(clamp(BASE * frame.spacing / (ahead * frame.pixel), 1.0, 6.0));
    let across = change(texel, vec2i(base, 0), ahead);
    let down = change(texel, vec2i(0, base), ahead);
    let facing = direction(cross(down, across), view);
    // What would face away is seen edge on.
    let normal = normalize(facing + view * max(0.04 - dot(facing, view), 0.0));
    let style = styles[u32(textureLoad(fronts, texel, 0).y)];
    var light = vec3f(0.0);
    if style.clear > 0.0 {
        let sun = select(0.0, sunlight(local, normal), dot(normal, frame.sun) > 0.0);
        light = water(style, texel, local, normal, sun);
    } else {
        light = shade(matter_of(style, style.front), local, normal, normal, 1.0);
    }
    return LiquidFragment(vec4f(picture(light), share), frame.near / ahead);
}
