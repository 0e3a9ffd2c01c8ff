// Numbers as colours.
/// The linear colour of a heat from 0 to 1.
fn heat(t: f32) -> vec3f {
    let place = clamp(t, 0.0, 1.0) * 32.0;
    let first = min(u32(place), 31u);
    return mix(palette[first].rgb, palette[first + 1u].rgb, place - f32(first));
}

/// A surface that shows a heat: lit from the eye and neither shadowed nor graded, so that where it faces the eye it has the
/// very colour of the scale.
fn heated(t: f32, local: vec3f, normal: vec3f, open: f32) -> vec3f {
    let facing = abs(dot(normal, toward_eye(local)));
    return encode(heat(t) * mix(0.35, 1.0, facing) * mix(0.5, 1.0, open));
}
