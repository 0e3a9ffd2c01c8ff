/// Light (xyz) and share (w) of a pane of glass. `shown` is its normal on the side that the eye sees.
fn glass_light(style: Style, shown: vec3f, view: vec3f) -> vec4f {
    let rim = pow(1.0 - abs(dot(shown, view)), 3.0);
    let shine = pow(clamp(dot(shown, direction(view + frame.sun, shown)), 0.0, 1.0), 120.0);
    let light = style.front * 0.6 * ambient(shown) + reflected_sky(reflect(-view, shown), 0.05) * rim * 0.6 + SUN * shine;
    return vec4f(light, clamp(0.05 + 0.5 * rim + shine, 0.0, 1.0));
}
