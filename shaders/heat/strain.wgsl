// Heat of the particles by strain, the largest |s - 1| of an element's principal stretches s: the singular values of F, the least
// of them negative where it is inside out (Irving, Teran and Fedkiw 2004).

/// The largest and the least eigenvalue of FᵀF - 1 (Smith, Eigenvalues of a symmetric 3 × 3 matrix, 1961).
fn extremes(f: mat3x3f) -> vec2f {
    let squares = vec3f(dot(f[0], f[0]), dot(f[1], f[1]), dot(f[2], f[2])) - 1.0;
    let s = vec3f(dot(f[1], f[2]), dot(f[2], f[0]), dot(f[0], f[1]));
    let mean = (squares.x + squares.y + squares.z) / 3.0;
    let d = squares - mean;
    let size = sqrt((dot(d, d) + 2.0 * dot(s, s)) / 6.0);
    if (size < 1e-18) {
        return vec2f(mean);
    }
    // Before the determinant, as the cube of a small strain is out of range.
    let e = d / size;
    let t = s / size;
    let determinant = e.x * e.y * e.z + 2.0 * t.x * t.y * t.z - dot(e, t * t);
    let angle = acos(clamp(0.5 * determinant, -1.0, 1.0)) / 3.0;
    return mean + 2.0 * size * cos(vec2f(angle, angle + 2.0943951));
}

/// √(1 + e) - 1 with the digits of small e.
fn lengthening(e: f32) -> f32 {
    let inside = max(e, -1.0);
    return inside / (1.0 + sqrt(1.0 + inside));
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x >= arrayLength(&elements)) {
        return;
    }
    let element = elements[id.x];
    let f = edges_of(element) * transpose(mat3x3f(element.inverse0, element.inverse1, element.inverse2));
    let extreme = extremes(f);
    let least = lengthening(extreme.y);
    let inside_out = dot(f[0], cross(f[1], f[2])) < 0.0;
    let strain = max(abs(lengthening(extreme.x)), select(abs(least), 2.0 + least, inside_out));
    spread(element, strain / FULL_STRAIN);
}
