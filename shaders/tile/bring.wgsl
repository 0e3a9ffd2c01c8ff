// Brings a particle to a cluster's memory as it is.

@group(0) @binding(2) var<storage, read> stored_x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> stored_d: array<vec4f>;
@group(0) @binding(4) var<storage, read> stored_e: array<vec3f>;

fn bring(i: u32, slot: u32) {
    x[i] = stored_x[slot];
    d[i] = stored_d[slot];
    if (any_damped()) {
        e[i] = stored_e[slot];
    }
}
