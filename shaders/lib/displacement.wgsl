// Displacements, four numbers each: cards take four with one instruction, and three with two or three.

@group(0) @binding(3) var<storage, read_write> d: array<vec4f>;     // m

fn displacement(p: u32) -> vec3f {
    return d[p].xyz;
}

fn displace(p: u32, to: vec3f) {
    d[p] = vec4f(to, 0.0);
}
