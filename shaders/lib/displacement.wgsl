// Displacements, by accessors: what they are stored as is not the same everywhere.

@group(0) @binding(3) var<storage, read_write> d: array<vec3f>;     // m

fn displacement(p: u32) -> vec3f {
    return d[p];
}

fn displace(p: u32, to: vec3f) {
    d[p] = to;
}
