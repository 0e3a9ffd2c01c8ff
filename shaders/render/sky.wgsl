// The sky: a gradient with haze at the horizon and a glow around the sun, and the light that it sheds on surfaces.
const ZENITH = vec3f(0.40, 0.64, 1.05);
const HORIZON = vec3f(2.05, 2.2, 2.35);
const GLOW = vec3f(1.0, 0.86, 0.66);

/// Light from a direction.
fn sky(ray: vec3f) -> vec3f {
    let height = max(dot(ray, frame.up), 0.0);
    // The air's thickness along the ray, 1 at the horizon.
    let haze = exp(-4.0 * height);
    let near_sun = max(dot(ray, frame.sun), 0.0);
    let wide = near_sun * near_sun * near_sun * near_sun;
    var glow = 0.30 * wide;
    if near_sun > 0.9 {
        glow += 1.2 * pow(near_sun, 80.0);
    }
    return mix(ZENITH, HORIZON, haze) + GLOW * glow;
}

/// Light from all around on a surface with this normal: sky from above, the lit ground from below.
fn ambient(normal: vec3f) -> vec3f {
    let height = dot(normal, frame.up) * 0.5 + 0.5;
    let sunny = GLOW * 0.10 * (dot(normal, frame.sun) * 0.5 + 0.5);
    return mix(vec3f(0.235, 0.22, 0.205), vec3f(0.52, 0.56, 0.61), height) + sunny;
}
