// Ambient occlusion: the share of the sky that what lies near on the screen leaves, from the horizons on both sides in a
// few slices through each point (ground-truth ambient occlusion, Jimenez et al. 2016).
@group(1) @binding(0) var depths: texture_depth_2d;
@group(1) @binding(1) var normals: texture_2d<f32>;

const PI = 3.14159265;
const SLICES = 2;
const STEPS = 4;
/// Farthest that is looked at, texels.
const FARTHEST = 48.0;
/// A flat surface seen at a grazing angle does not hide itself for all that its normal is rounded: cosine.
const BIAS = 0.02;
/// Distance of the sky, m.
const NOTHING = 6e4;

@vertex
fn occlusion_vertex(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
    return vec4f(screen_corner(vertex), 0.0, 1.0);
}

fn ahead_at(texel: vec2i) -> f32 {
    return frame.near / max(textureLoad(depths, texel, 0), 1e-9);
}

/// Place of a texel relative to the eye, m.
fn place_at(texel: vec2i, ahead: f32) -> vec3f {
    let xy = (vec2f(texel) + 0.5) / vec2f(textureDimensions(depths)) * vec2f(2.0, -2.0) - vec2f(1.0, -1.0);
    return ahead * (frame.ray_forward + xy.x * frame.ray_right + xy.y * frame.ray_up);
}

/// Share of a slice's sky below a horizon, of the cosine-weighted whole.
fn arc(horizon: f32, normal_angle: f32) -> f32 {
    return 0.25 * (cos(normal_angle) + 2.0 * horizon * sin(normal_angle) - cos(2.0 * horizon - normal_angle));
}

@fragment
fn occlusion_fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let texel = vec2i(at.xy);
    let ahead = ahead_at(texel);
    let radius = frame.occlusion_radius;
    let size = vec2i(textureDimensions(depths));
    // Texels that the radius spans here.
    let span = radius / (ahead * frame.pixel * frame.pixels.y / f32(size.y));
    if ahead > NOTHING || span < 1.0 {
        return vec4f(1.0, min(ahead, NOTHING), 0.0, 0.0);
    }
    let place = place_at(texel, ahead);
    let view = -normalize(place);
    let normal = direction(textureLoad(normals, texel, 0).xyz, view);
    let right = normalize(frame.ray_right);
    let up = normalize(frame.ray_up);
    // 16 directions and 4 distances, spread over 4 x 4 texels, which the blur then takes together.
    let turn = f32(((texel.x & 3) << 2u) + ((texel.x + texel.y) & 3)) / 16.0;
    let start = f32((texel.y - texel.x) & 3) / 4.0;
    let reach = min(span, FARTHEST);
    var open = 0.0;
    for (var slice = 0; slice < SLICES; slice++) {
        let angle = PI * (f32(slice) + turn) / f32(SLICES);
        let along = vec2f(cos(angle), sin(angle));
        let tangent = right * along.x + up * along.y;
        let flat_tangent = tangent - dot(tangent, view) * view;
        let axis = direction(cross(tangent, view), up);
        let in_slice = normal - axis * dot(normal, axis);
        let share = length(in_slice);
        let cosine = clamp(dot(in_slice, view) / max(share, 1e-6), -1.0, 1.0);
        let normal_angle = sign(dot(flat_tangent, in_slice)) * acos(cosine);
        for (var side = -1.0; side < 2.0; side += 2.0) {
            let lowest = cos(normal_angle + side * 0.5 * PI);
            var horizon = lowest;
            for (var step = 0; step < STEPS; step++) {
                let part = (f32(step) + start + 0.15) / f32(STEPS);
                let offset = side * along * vec2f(1.0, -1.0) * max(part * part * reach, f32(step) + 1.0);
                let other = clamp(texel + vec2i(round(offset)), vec2i(0), size - 1);
                let toward = place_at(other, ahead_at(other)) - place;
                let away = max(length(toward), 1e-9);
                let weight = clamp(1.0 - away * away / (radius * radius), 0.0, 1.0);
                horizon = max(horizon, mix(lowest, dot(toward, view) / away - BIAS, weight));
            }
            let raised = side * acos(clamp(horizon, -1.0, 1.0));
            let bounded = normal_angle + clamp(raised - normal_angle, -0.5 * PI, 0.5 * PI);
            open += share * arc(bounded, normal_angle);
        }
    }
    let seen = clamp(open / f32(SLICES), 0.0, 1.0);
    // What the screen does not show hides the sky as well: taken twice it comes near to what is known from whole scenes.
    return vec4f(seen * seen, ahead, 0.0, 0.0);
}
