// The sky: a gradient with haze at the horizon and a glow around the sun, and the light that it sheds on surfaces.
const ZENITH = vec3f(0.17, 0.28, 0.47);
const HORIZON = vec3f(0.78, 0.81, 0.84);
const GLOW = vec3f(1.0, 0.86, 0.66);

/// Light from a direction.
fn sky(ray: vec3f) -> vec3f {
    let height = max(dot(ray, frame.up), 0.0);
    // The air's thickness along the ray, 1 at the horizon.
    let haze = exp(-4.0 * height);
    let near_sun = max(dot(ray, frame.sun), 0.0);
    let glow = 0.30 * pow(near_sun, 5.0) + 1.2 * pow(near_sun, 80.0);
    return mix(ZENITH, HORIZON, haze) + GLOW * glow;
}

/// Light from all around on a surface with this normal: sky from above, the lit ground from below.
fn ambient(normal: vec3f) -> vec3f {
    let height = dot(normal, frame.up) * 0.5 + 0.5;
    let sunny = GLOW * 0.10 * (dot(normal, frame.sun) * 0.5 + 0.5);
    return mix(vec3f(0.235, 0.22, 0.205), vec3f(0.44, 0.49, 0.56), height) + sunny;
}
