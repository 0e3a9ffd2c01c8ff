// The rotation next to a deformation, for kinds that are measured against it; twin of src/math/polar.rs.

const ROTATION_SWEEPS: u32 = 5u;   // more change nothing in single precision

// Cosine and sine of the rotation that makes [[a, h], [h, b]] diagonal, the smaller of the two.
fn diagonalising(a: f32, b: f32, h: f32) -> vec2f {
    let difference = b - a;
    let hypotenuse = length2(vec2f(difference, 2.0 * h));
    let tangent = select(1.0, -1.0, difference < 0.0) * 2.0 * h / select(1.0, abs(difference) + hypotenuse, hypotenuse > 0.0);
    let cosine = inverseSqrt(fma(tangent, tangent, 1.0));
    return vec2f(cosine, tangent * cosine);
}

// Of numbers between -1 and 1 but for rounding: a clamp is no product, as lib/products.wgsl asks.
fn within_one(v: vec3f) -> vec3f {
    return clamp(v, vec3f(-1.0), vec3f(1.0));
}

// The rotation with the largest tr RᵀF: its quaternion is the eigenvector of K with the largest eigenvalue (Horn 1987), by Jacobi's
// rotations. A rotation for any F, inside out and flat too. F is brought to size 1, whose squares are numbers.
fn rotation_next_to(deformation: mat3x3f) -> mat3x3f {
    let size = max(max(length3(deformation[0]), length3(deformation[1])), length3(deformation[2]));
    let inverse = 1.0 / select(1.0, size, size > 0.0);
    let f = mat3x3f(
        within_one(inverse * deformation[0]),
        within_one(inverse * deformation[1]),
        within_one(inverse * deformation[2]),
    );
    var k = array<vec4f, 4>(
        vec4f(f[0].x + f[1].y + f[2].z, f[1].z - f[2].y, f[2].x - f[0].z, f[0].y - f[1].x),
        vec4f(f[1].z - f[2].y, f[0].x - f[1].y - f[2].z, f[0].y + f[1].x, f[2].x + f[0].z),
        vec4f(f[2].x - f[0].z, f[0].y + f[1].x, f[1].y - f[0].x - f[2].z, f[1].z + f[2].y),
        vec4f(f[0].y - f[1].x, f[2].x + f[0].z, f[1].z + f[2].y, f[2].z - f[0].x - f[1].y),
    );
    var vectors = array<vec4f, 4>(vec4f(1.0, 0.0, 0.0, 0.0), vec4f(0.0, 1.0, 0.0, 0.0), vec4f(0.0, 0.0, 1.0, 0.0), vec4f(0.0, 0.0, 0.0, 1.0));
    var pairs = array<vec2u, 6>(vec2u(0u, 1u), vec2u(2u, 3u), vec2u(0u, 2u), vec2u(1u, 3u), vec2u(0u, 3u), vec2u(1u, 2u));
    for (var sweep = 0u; sweep < 6u * ROTATION_SWEEPS; sweep += 1u) {
        let p = pairs[sweep % 6u].x;
        let q = pairs[sweep % 6u].y;
        let turn = diagonalising(k[p][p], k[q][q], k[p][q]);
        for (var i = 0u; i < 4u; i += 1u) {
            let at_p = k[i][p];
            let at_q = k[i][q];
            k[i][p] = fma(turn.x, at_p, -(turn.y * at_q));
            k[i][q] = fma(turn.y, at_p, turn.x * at_q);
        }
        let row_p = k[p];
        let row_q = k[q];
        k[p] = fma(vec4f(turn.x), row_p, -(turn.y * row_q));
        k[q] = fma(vec4f(turn.y), row_p, turn.x * row_q);
        let vector_p = vectors[p];
        let vector_q = vectors[q];
        vectors[p] = fma(vec4f(turn.x), vector_p, -(turn.y * vector_q));
        vectors[q] = fma(vec4f(turn.y), vector_p, turn.x * vector_q);
    }
    var largest = k[0].x;
    var w = vectors[0];
    for (var i = 1u; i < 4u; i += 1u) {
        w = select(w, vectors[i], k[i][i] > largest);
        largest = max(largest, k[i][i]);
    }
    let q = w * inverseSqrt(dot4(w, w));
    let t = 2.0 * q;
    return mat3x3f(
        1.0 - fma(t.z, q.z, t.w * q.w), fma(t.y, q.z, t.x * q.w), fma(t.y, q.w, -(t.x * q.z)),
        fma(t.y, q.z, -(t.x * q.w)), 1.0 - fma(t.y, q.y, t.w * q.w), fma(t.z, q.w, t.x * q.y),
        fma(t.y, q.w, t.x * q.z), fma(t.z, q.w, -(t.x * q.y)), 1.0 - fma(t.y, q.y, t.z * q.z),
    );
}
