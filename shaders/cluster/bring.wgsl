// Brings a particle to a cluster's memory as it is.

@group(0) @binding(2) var<storage, read> stored_x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> stored_d: array<vec4f>;
@group(0) @binding(4) var<storage, read> stored_e: array<vec3f>;

struct Stored {
    x: vec4f,
    d: vec4f,
    e: vec3f,
}

fn load(slot: u32) -> Stored {
    var stored: Stored;
    stored.x = stored_x[slot];
    stored.d = stored_d[slot];
    if (any_damped()) {
        stored.e = stored_e[slot];
    }
    return stored;
}

fn bring(i: u32, slot: u32, stored: Stored) {
    x[i] = stored.x;
    d[i] = stored.d;
    if (any_damped()) {
        keep_below(i, stored.e);
    }
}
