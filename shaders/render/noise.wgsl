// Smooth noise in space, for what grows irregularly.
fn hash(cell: vec3i) -> f32 {
    var n = bitcast<u32>(cell.x) * 0x9E3779B1u ^ bitcast<u32>(cell.y) * 0x85EBCA77u ^ bitcast<u32>(cell.z) * 0xC2B2AE3Du;
    n = (n ^ (n >> 15u)) * 0x2C1B3C6Du;
    n = (n ^ (n >> 12u)) * 0x297A2D39u;
    return f32((n ^ (n >> 15u)) >> 8u) / 8388608.0 - 1.0;
}

/// -1 to 1, with cells of size 1.
fn noise(place: vec3f) -> f32 {
    let first = floor(place);
    let part = place - first;
    let t = part * part * (3.0 - 2.0 * part);
    let cell = vec3i(first);
    var sum = 0.0;
    for (var i = 0; i < 8; i++) {
        let step = vec3i(i & 1, (i >> 1u) & 1, i >> 2u);
        let weight = mix(1.0 - t, t, vec3f(step));
        sum += hash(cell + step) * weight.x * weight.y * weight.z;
    }
    return sum;
}

/// What is left of a pattern of so many cells a pixel: none where it would only flicker.
fn kept(width: f32) -> f32 {
    return exp(-1.25 * width * width);
}
