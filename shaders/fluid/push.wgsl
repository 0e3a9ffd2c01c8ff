// Moves all by what the sweep changed of λ: a pair by both of its own.

override SOLIDS: bool = true;

// Whether there is surface tension.
override TENSE: bool = true;

@group(0) @binding(4) var<storage, read> fluid_wet: array<Wet>;
@group(0) @binding(5) var<storage, read_write> d: array<vec3f>;
@group(0) @binding(6) var<storage, read> fluid_pushes: array<vec4f>;

var<private> change: f32;
var<private> push: vec3f;

// In the first sweep nothing has, but what constraints and surface tension moved.
fn may_have_moved() -> bool {
    return SOLIDS || TENSE || (batch.visit & OPENS) == 0u;
}

fn seen(j: u32) -> vec4f {
    return fluid_pushes[j];
}

fn meet(j: u32, their_change: f32, way: vec3f, squared: f32) {
    var share = me.share;
    if (SOLIDS) {
        share = fluid_wet[j].share;
    }
    push += way * (kernel_at(kernel, squared).y * (change * share + their_change * me.share));
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let own = item(id);
    if (own >= batch.count) {
        return;
    }
    let place = fluid_pushes[own];
    me = fluid_wet[own];
    change = place.w;
    load_kernel();
    load_mirrors(own);
    walk(own, place.xyz);
    let weight = fluid_places[own].w;
    if (weight > 0.0) {
        d[me.slot] += weight * push;
    }
}
