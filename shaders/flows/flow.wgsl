// Emitters and drains. What is in a drain as the substep begins is absent from then on. The layers of the substep are
// poured, each from where it would have been as the substep began.

// A particle of a fluid.
struct Flowing {
    position: vec3f,    // where it is poured, m, to single precision
    slot: u32,
    rest: vec3f,        // and what that leaves of it, m
    emitter: u32,       // which pours it, or NO_EMITTER
    layer: u32,         // in which
}

// What an emitter pours in a substep.
struct Pour {
    way: vec3f,         // of the substep, m
    first: u32,         // layer
    back: vec3f,        // from a layer to the one behind it, m
    count: u32,         // of layers
    behind: vec3f,      // from where it pours to the first one, m
    layers: u32,        // of all that it has
    weight: f32,        // inverse mass of each particle, 1/kg
}

struct DrainBox {
    min: vec3f,         // m
    reserved0: u32,
    max: vec3f,
    reserved1: u32,
}

@group(0) @binding(2) var<storage, read_write> x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> d: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> e: array<vec3f>;
@group(0) @binding(5) var<storage, read_write> u: array<vec3f>;
@group(0) @binding(6) var<storage, read> flowing: array<Flowing>;
@group(0) @binding(7) var<storage, read> pours: array<Pour>;
@group(0) @binding(8) var<storage, read> drains: array<DrainBox>;
@group(0) @binding(9) var<storage, read> lattice: array<f32>;

override DRAINS: bool = true;

// Of a particle that no emitter pours.
const NO_EMITTER: u32 = 0xffffffffu;

fn in_drain(place: vec3f) -> bool {
    var found = false;
    for (var k = 0u; k < arrayLength(&drains); k += 1u) {
        found = found || (all(drains[k].min <= place) && all(place <= drains[k].max));
    }
    return found;
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let k = item(id);
    if (k >= batch.count) {
        return;
    }
    let one = flowing[k];
    let i = one.slot;
    if (DRAINS) {
        let at = x[i];
        if (at.w > 0.0 && in_drain(at.xyz + e[i])) {
            x[i] = vec4f(at.xyz, 0.0);
            d[i] = vec4f(e[i], 0.0);
            u[i] = vec3f(0.0);
        }
    }
    if (one.emitter == NO_EMITTER) {
        return;
    }
    let emitters = arrayLength(&pours) / substep.count;
    let pour = pours[emitters * substep.index + one.emitter];
    let turn = one.layer + select(0u, pour.layers, one.layer < pour.first) - pour.first;
    if (turn >= pour.count) {
        return;
    }
    let q = lattice[substep.lattice_slot];
    let steps = round(one.position / q);
    let rest = fma(steps, vec3f(-q), one.position) + one.rest + (pour.behind + f32(turn) * pour.back);
    x[i] = vec4f(steps * q, pour.weight);
    e[i] = rest;
    d[i] = vec4f(rest + pour.way, 0.0);
    u[i] = pour.way;
}
