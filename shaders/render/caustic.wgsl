// The sun's light under a liquid: tinted, and gathered and spread by its surface.
/// Share of the light that a surface of water lets through, all of its reflections and its foam taken together.
const LET_IN = 0.86;
/// How strongly a bent surface gathers light: 1 - n₁/n₂ of air and water.
const BENDS = 0.25;

fn sun_column(texel: vec2i) -> vec4f {
    return textureLoad(sun_columns, clamp(texel, vec2i(0), vec2i(textureDimensions(sun_columns)) - 1), 0);
}

/// The same between texels.
fn sun_column_at(place: vec2f) -> vec4f {
    let texel = place * vec2f(textureDimensions(sun_columns)) - 0.5;
    let first = vec2i(floor(texel));
    let part = texel - floor(texel);
    let above = mix(sun_column(first), sun_column(first + vec2i(1, 0)), part.x);
    let below = mix(sun_column(first + vec2i(0, 1)), sun_column(first + vec2i(1, 1)), part.x);
    return mix(above, below, part.y);
}

/// The nearest to the sun of the texels around.
fn sun_front_at(place: vec2f) -> f32 {
    let last = vec2i(textureDimensions(sun_fronts)) - 1;
    let first = vec2i(floor(place * vec2f(last + 1) - 0.5));
    var front = 1.0;
    for (var i = 0; i < 4; i++) {
        front = min(front, textureLoad(sun_fronts, clamp(first + vec2i(i & 1, i >> 1), vec2i(0), last), 0).x);
    }
    return front;
}

/// Share of the sun's light, by colour, that liquid lets through to a point. A surface of height h focuses what falls a
/// way D below it by 1 / (1 + D (1 - 1/n) ∇²h); the way through the liquid stands for its height.
fn through_liquid(local: vec3f) -> vec3f {
    if frame.spacing == 0.0 {
        return vec3f(1.0);
    }
    let place = (frame.shadow_from_local * vec4f(local, 1.0)).xyz;
    if any(abs(place.xy - 0.5) > vec2f(0.499)) {
        return vec3f(1.0);
    }
    let column = sun_column_at(place.xy);
    let front = sun_front_at(place.xy);
    let below = (place.z - front) * frame.shadow_depth;
    if column.w <= 1e-5 || below <= 0.0 {
        return vec3f(1.0);
    }
    let inside = clamp(below / column.w, 0.0, 1.0);
    let step = 1.1 * frame.spacing;
    let side = step / (frame.shadow_texel * f32(textureDimensions(shadow_map).x));
    let around = sun_column_at(place.xy + vec2f(side, 0.0)).w + sun_column_at(place.xy - vec2f(side, 0.0)).w
        + sun_column_at(place.xy + vec2f(0.0, side)).w + sun_column_at(place.xy - vec2f(0.0, side)).w;
    let bend = (around - 4.0 * column.w) / (step * step);
    // Drops and thin sheets have no surface that the map could show.
    let sheet = smoothstep(1.0, 4.0, column.w / frame.spacing);
    let focus = mix(1.0, 1.0 / max(1.0 + min(below, 6.0 * frame.spacing) * BENDS * bend, 0.35), sheet);
    let lets_in = mix(1.0, LET_IN * clamp(focus, 0.55, 2.2), inside * smoothstep(0.0, 0.7 * frame.spacing, column.w));
    return exp(-column.rgb * inside) * lets_in;
}
