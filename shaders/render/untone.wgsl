// From the picture back to linear light: the inverse of `tone.wgsl`, for what is seen through a liquid.
/// Halvings, and Newton's steps after them: they leave less than an 8-bit picture's own steps.
const HALVINGS = 5;
const NEWTON_STEPS = 2;

fn filmic_slope(x: vec3f) -> vec3f {
    let upper = ((7.0 * 16.079 * x - 6.0 * 32.0639) * x + 5.0 * 7.6439) * x + 4.0 * 15.5198;
    return ((upper * x - 3.0 * 7.4012) * x + 2.0 * 1.2684) * x - 0.0476;
}

/// The share of the stops' span that the curve takes to this.
fn unfilmic(graded: vec3f) -> vec3f {
    let g = clamp(graded, vec3f(0.002), vec3f(0.995));
    var x = vec3f(0.5);
    var step = 0.25;
    for (var i = 0; i < HALVINGS; i++) {
        x += select(vec3f(-step), vec3f(step), filmic(x) < g);
        step *= 0.5;
    }
    for (var i = 0; i < NEWTON_STEPS; i++) {
        x = clamp(x - (filmic(x) - g) / max(filmic_slope(x), vec3f(0.05)), vec3f(0.02), vec3f(1.0));
    }
    return x;
}

/// The light of which `picture` made this colour.
fn light_of(shown: vec3f) -> vec3f {
    let c = clamp(shown, vec3f(0.0), vec3f(1.0));
    let encoded = select(1.055 * pow(c, vec3f(1.0 / 2.4)) - 0.055, 12.92 * c, c <= vec3f(0.0031308));
    let srgb = select(encoded, c, frame.encode > 0.0);
    let saturated = AGX * srgb;
    let grey = vec3f(dot(saturated, vec3f(0.2126, 0.7152, 0.0722)));
    let stops = unfilmic(grey + (saturated - grey) / SATURATION) * (BRIGHTEST - DARKEST) + DARKEST;
    return max(AGX_INVERSE * exp2(stops), vec3f(0.0)) / EXPOSURE;
}
