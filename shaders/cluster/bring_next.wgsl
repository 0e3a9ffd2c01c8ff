// Ends the substep before for a particle and begins this one, as step/finish.wgsl does, on its way to a cluster's memory: each particle is in one cluster of
// the first phase. Where nothing but constraints and gravity acts on any.

@group(0) @binding(2) var<storage, read_write> stored_x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> stored_d: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> stored_e: array<vec4f>;
@group(0) @binding(7) var<storage, read> lattice: array<f32>;
@group(0) @binding(8) var<storage, read_write> status: Status;

struct Stored {
    x: vec4f,
    d: vec4f,
    e: vec4f,
}

fn load(slot: u32) -> Stored {
    return Stored(stored_x[slot], stored_d[slot], stored_e[slot]);
}

fn bring(i: u32, slot: u32, stored: Stored) {
    let q = lattice[substep.lattice_slot];
    let after = settled(stored.x.xyz, stored.d.xyz, stored.e.xyz, q);
    watch(slot, after.way, after.position, q);
    x[i] = vec4f(after.position, stored.x.w);
    stored_x[slot] = x[i];
    stored_e[slot] = vec4f(after.rest, 0.0);
    if (any_damped()) {
        keep_below(i, after.rest);
    }
    var nothing: Drive;
    d[i] = vec4f(after.rest + displaced(nothing, stored.x.w, after.way), 0.0);
}
