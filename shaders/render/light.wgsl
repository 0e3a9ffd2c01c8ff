// One sun with a soft shadow, a sky, and the way from linear light to the picture.
@group(1) @binding(0) var shadow_map: texture_depth_2d;
@group(1) @binding(1) var shadow_sampler: sampler_comparison;

const SUN = vec3f(2.9, 2.65, 2.3);
const ZENITH = vec3f(0.16, 0.30, 0.52);
const HORIZON = vec3f(0.80, 0.85, 0.90);
const BELOW = vec3f(0.50, 0.54, 0.60);
const GOLDEN_ANGLE = 2.3999632;
const TAPS = 16;
/// Radius of the shadow's soft edge, texels.
const SOFTNESS = 4.0;

/// Light from a direction of the sky.
fn sky(ray: vec3f) -> vec3f {
    let height = dot(ray, frame.up);
    let above = mix(HORIZON, ZENITH, pow(clamp(height, 0.0, 1.0), 0.55));
    return mix(above, BELOW, smoothstep(0.0, 0.8, -height));
}

/// Light from all around on a surface with this normal.
fn ambient(normal: vec3f) -> vec3f {
    let height = dot(normal, frame.up) * 0.5 + 0.5;
    return mix(vec3f(0.25, 0.23, 0.21), vec3f(0.52, 0.56, 0.61), height);
}

/// Share of the sun that reaches a point, 0 to 1; `normal` points to the sun's side.
fn sunlight(local: vec3f, normal: vec3f) -> f32 {
    // Moved off the surface by the filter's width where the sun grazes it, or the surface would shadow itself.
    let slope = sqrt(max(1.0 - pow(dot(normal, frame.sun), 2.0), 0.0));
    let moved = local + normal * frame.shadow_texel * (0.75 + SOFTNESS * slope);
    let place = (frame.shadow_from_local * vec4f(moved, 1.0)).xyz;
    let edge = abs(place.xy - 0.5) * 2.0;
    let fade = smoothstep(0.85, 1.0, max(edge.x, edge.y));
    if fade >= 1.0 {
        return 1.0;
    }
    let texel = 1.0 / vec2f(textureDimensions(shadow_map));
    var lit = 0.0;
    for (var i = 0; i < TAPS; i++) {
        let angle = GOLDEN_ANGLE * f32(i);
        let offset = sqrt((f32(i) + 0.5) / f32(TAPS)) * SOFTNESS * vec2f(cos(angle), sin(angle));
        lit += textureSampleCompareLevel(shadow_map, shadow_sampler, place.xy + offset * texel, place.z);
    }
    return mix(lit / f32(TAPS), 1.0, fade);
}

/// Light from a surface to the eye. `transmission`: share of the sun that shines through; `sheen`: light edges of cloth.
fn shade(colour: vec3f, local: vec3f, normal: vec3f, gloss: f32, transmission: f32, sheen: f32) -> vec3f {
    let view = toward_eye(local);
    let towards_sun = dot(normal, frame.sun);
    let share = select(-towards_sun * transmission, towards_sun, towards_sun > 0.0);
    var sun = 0.0;
    if share > 0.0 {
        sun = sunlight(local, normal * sign(towards_sun));
    }
    let grazing = pow(1.0 - min(abs(dot(normal, view)), 1.0), 4.0);
    let half_way = direction(view + frame.sun, normal);
    let highlight = pow(clamp(dot(normal, half_way), 0.0, 1.0), 48.0) * step(0.0, towards_sun);
    let diffuse = colour * (SUN * share * sun * 0.8 + ambient(normal));
    let edge = sky(reflect(-view, normal)) * grazing * (gloss * 0.35 + sheen * mix(colour, vec3f(0.3), 0.3));
    return diffuse + edge + SUN * sun * gloss * highlight * 0.35;
}

/// Linear light to the picture: a filmic curve (Narkowicz 2015, fitted to ACES), then sRGB where the target does not.
fn picture(light: vec3f) -> vec3f {
    let x = light * 0.63;
    let c = clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), vec3f(0.0), vec3f(1.0));
    let encoded = select(1.055 * pow(c, vec3f(1.0 / 2.4)) - 0.055, 12.92 * c, c <= vec3f(0.0031308));
    return mix(c, encoded, frame.encode);
}
