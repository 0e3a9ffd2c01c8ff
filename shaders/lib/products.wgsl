// Sums of products, rounded at the same places in every kernel. A driver may contract a * b + c to one operation wherever it likes, and chooses
// differently from kernel to kernel: then a constraint has other bits by colours than in clusters. So what solves constraints leaves nothing to
// choose. No sum or difference has a product or a quotient as an operand: it is fma(a, b, c), whose addend may be a product. The functions of
// WGSL that sum products within, and products with matrices, are those below. tests/model/rounding.rs holds the kernels to it.

fn dot2(a: vec2f, b: vec2f) -> f32 {
    return fma(a.y, b.y, a.x * b.x);
}

fn dot3(a: vec3f, b: vec3f) -> f32 {
    return fma(a.z, b.z, fma(a.y, b.y, a.x * b.x));
}

// A scalar product and what is added to it: several are one chain, which a driver does not put in another order.
fn dot3_and(a: vec3f, b: vec3f, c: f32) -> f32 {
    return fma(a.z, b.z, fma(a.y, b.y, fma(a.x, b.x, c)));
}

fn dot4(a: vec4f, b: vec4f) -> f32 {
    return fma(a.w, b.w, dot3(a.xyz, b.xyz));
}

fn cross3(a: vec3f, b: vec3f) -> vec3f {
    return fma(a.yzx, b.zxy, -(a.zxy * b.yzx));
}

fn length2(v: vec2f) -> f32 {
    return sqrt(dot2(v, v));
}

fn length3(v: vec3f) -> f32 {
    return sqrt(dot3(v, v));
}

// A matrix times a vector.
fn times(m: mat3x3f, v: vec3f) -> vec3f {
    return fma(m[2], vec3f(v.z), fma(m[1], vec3f(v.y), m[0] * v.x));
}

// A matrix times a matrix.
fn product(a: mat3x3f, b: mat3x3f) -> mat3x3f {
    return mat3x3f(times(a, b[0]), times(a, b[1]), times(a, b[2]));
}
