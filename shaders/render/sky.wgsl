// The one environment that lights every scene, made in code: a pale studio with a warm floor. Colours are linear.
const ZENITH = vec3f(0.80, 1.22, 1.90);
const HORIZON = vec3f(3.24, 3.29, 3.34);
/// What the floor sends back up.
const BOUNCE = vec3f(0.40, 0.355, 0.31);
const GLOW = vec3f(1.0, 0.90, 0.76);

/// Light from a direction, as one sees it behind the scene.
fn sky(ray: vec3f) -> vec3f {
    let height = max(dot(ray, frame.up), 0.0);
    let near_sun = max(dot(ray, frame.sun), 0.0);
    let wide = near_sun * near_sun * near_sun * near_sun;
    return mix(ZENITH, HORIZON, exp(-3.2 * height)) + GLOW * 0.22 * wide;
}

/// Light that a surface of a roughness from 0 to 1 reflects from around a direction: the sky, the floor, a wide lamp overhead
/// and a narrow one behind, which give glossy things their shine.
fn reflected_sky(ray: vec3f, roughness: f32) -> vec3f {
    let height = dot(ray, frame.up);
    let spread = 0.08 + 0.9 * roughness;
    let above = smoothstep(-spread, spread, height);
    let behind = normalize(frame.up * 0.55 - (frame.sun - frame.up * dot(frame.sun, frame.up)));
    let sharp = mix(46.0, 3.0, sqrt(roughness));
    let share = mix(1.0, 0.28, roughness);
    let overhead = smoothstep(0.80 - 0.5 * spread, 0.86 + 0.5 * spread, height) * 0.45 * share;
    let rim = exp(sharp * (dot(ray, behind) - 1.0)) * 1.6 * share;
    let key = exp(sharp * (dot(ray, frame.sun) - 1.0)) * 2.2 * share;
    return mix(BOUNCE * 0.8, sky(ray) * 0.36, above) + vec3f(overhead) + vec3f(0.86, 0.93, 1.0) * rim + GLOW * key;
}

/// Light from all around on a surface with this normal: sky from above, the lit floor from below.
fn ambient(normal: vec3f) -> vec3f {
    let height = dot(normal, frame.up) * 0.5 + 0.5;
    let sunny = GLOW * 0.10 * (dot(normal, frame.sun) * 0.5 + 0.5);
    return mix(BOUNCE * 0.62, vec3f(0.56, 0.60, 0.66), height) + sunny;
}
