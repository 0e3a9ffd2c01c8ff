// What a substep begins and ends with besides displacements, by accessors as in lib/displacement.wgsl.

@group(0) @binding(2) var<storage, read_write> x: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> e: array<vec3f>;
@group(0) @binding(5) var<storage, read_write> u: array<vec3f>;       // m

fn position(i: u32) -> vec4f {
    return x[i];
}

fn place(i: u32, at: vec4f) {
    x[i] = at;
}

fn below(i: u32) -> vec3f {
    return e[i];
}

fn set_below(i: u32, to: vec3f) {
    e[i] = to;
}

fn way_before(i: u32) -> vec3f {
    return u[i];
}

fn set_way(i: u32, to: vec3f) {
    u[i] = to;
}
