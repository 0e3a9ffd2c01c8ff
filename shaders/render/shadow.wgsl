// The sun's shadow, softer the farther what throws it is away (percentage-closer soft shadows, Fernando 2005).
@group(1) @binding(0) var shadow_map: texture_depth_2d;
@group(1) @binding(1) var shadow_sampler: sampler_comparison;
@group(1) @binding(2) var blocker_sampler: sampler;

/// In the sun's view: a liquid's optical depths by colour and its way in m, and the sun's depth where it begins.
@group(1) @binding(4) var sun_columns: texture_2d<f32>;
@group(1) @binding(5) var sun_fronts: texture_2d<f32>;

/// A turn by the golden angle: points that turn by it and lie at the square roots of even steps fill a disc evenly.
const GOLDEN_TURN = mat2x2f(-0.73736888, 0.67549029, -0.67549029, -0.73736888);
const SEARCHES = 6;
const TAPS = 32;
/// Tangent of the sun's radius as seen from the ground: wider than in nature, as through thin cloud.
const SUN_RADIUS = 0.045;
/// Width of the shadow's edge, texels: the least that hides the texels, and the most that the taps fill.
const SHARPEST = 1.6;
const SOFTEST = 13.0;

/// Change of the shadow map's depth along the surface per change of the texture coordinates, limited where the sun
/// grazes.
fn receiver_plane(normal: vec3f) -> vec2f {
    let rows = transpose(frame.shadow_from_local);
    let along = vec3f(
        dot(normal, rows[0].xyz) / dot(rows[0].xyz, rows[0].xyz),
        dot(normal, rows[1].xyz) / dot(rows[1].xyz, rows[1].xyz),
        dot(normal, rows[2].xyz) / dot(rows[2].xyz, rows[2].xyz),
    );
    let slope = -along.xy / select(min(along.z, -1e-6), max(along.z, 1e-6), along.z > 0.0);
    // At most 2 m of depth per m across.
    let steepest = 2.0 / (frame.shadow_depth * length(rows[0].xyz));
    return slope * min(1.0, steepest / max(length(slope), 1e-9));
}

/// Share of the sun that reaches a point, 0 to 1; `normal` points to the sun's side.
fn sunlight(local: vec3f, normal: vec3f) -> f32 {
    // Moved off the surface where the sun grazes it, or what is not quite flat would shadow itself.
    let slope = sqrt(max(1.0 - pow(dot(normal, frame.sun), 2.0), 0.0));
    let moved = local + normal * frame.shadow_texel * (1.0 + 3.0 * slope);
    let place = (frame.shadow_from_local * vec4f(moved, 1.0)).xyz;
    let edge = abs(place.xy - 0.5) * 2.0;
    let fade = smoothstep(0.85, 1.0, max(edge.x, edge.y));
    if fade >= 1.0 {
        return 1.0;
    }
    let texel = 1.0 / vec2f(textureDimensions(shadow_map));
    let plane = receiver_plane(normal);
    var blockers = 0.0;
    var gap = 0.0;
    var turn = vec2f(1.0, 0.0);
    for (var i = 0; i < SEARCHES; i++) {
        turn = GOLDEN_TURN * turn;
        let offset = sqrt((f32(i) + 0.5) / f32(SEARCHES)) * SOFTEST * texel * turn;
        let near = textureGather(shadow_map, blocker_sampler, place.xy + offset);
        let below = vec4f(place.z + dot(plane, offset)) - near;
        let blocks = vec4f(below > vec4f(0.0));
        blockers += dot(blocks, vec4f(1.0));
        gap += dot(blocks, below);
    }
    if blockers == 0.0 {
        return 1.0;
    }
    if blockers == f32(4 * SEARCHES) {
        return fade;
    }
    let width = gap / blockers * frame.shadow_depth * SUN_RADIUS / frame.shadow_texel;
    let radius = clamp(width, SHARPEST, SOFTEST);
    var lit = 0.0;
    for (var i = 0; i < TAPS; i++) {
        turn = GOLDEN_TURN * turn;
        let offset = sqrt((f32(i) + 0.5) / f32(TAPS)) * radius * texel * turn;
        let depth = place.z + dot(plane, offset);
        lit += textureSampleCompareLevel(shadow_map, shadow_sampler, place.xy + offset, depth);
    }
    return mix(lit / f32(TAPS), 1.0, fade);
}

/// How far the sun's light goes through solid matter before it comes to a point, m: a mean around it.
fn depth_in_shade(local: vec3f) -> f32 {
    let place = (frame.shadow_from_local * vec4f(local, 1.0)).xyz;
    let texel = 1.0 / vec2f(textureDimensions(shadow_map));
    var turn = vec2f(1.0, 0.0);
    var sum = 0.0;
    for (var i = 0; i < SEARCHES; i++) {
        turn = GOLDEN_TURN * turn;
        let offset = sqrt((f32(i) + 0.5) / f32(SEARCHES)) * SOFTEST * texel * turn;
        let near = textureGather(shadow_map, blocker_sampler, place.xy + offset);
        sum += dot(max(vec4f(place.z) - near, vec4f(0.0)), vec4f(0.25));
    }
    return sum / f32(SEARCHES) * frame.shadow_depth;
}
