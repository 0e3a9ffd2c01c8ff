// Moves all by what they and their neighbours pull by, and by what they cohere.

@group(0) @binding(4) var<storage, read> fluid_wet: array<Wet>;
@group(0) @binding(5) var<storage, read_write> d: array<vec3f>;
@group(0) @binding(6) var<storage, read> fluid_pulls: array<vec4f>;

var<private> tension: Tension;
var<private> pull: vec4f;
var<private> force: vec3f;

// It comes first in a substep.
fn may_have_moved() -> bool {
    return false;
}

fn seen(j: u32) -> vec4f {
    return fluid_places[j];
}

fn meet(j: u32, weight: f32, way: vec3f, squared: f32) {
    let share = fluid_wet[j].share;
    let theirs = fluid_pulls[j];
    let sigma = tension_between(pull.w, theirs.w) * min(me.share, share) / tension.share;
    let difference = pull.xyz * share - mirrored(theirs.xyz) * me.share;
    force += tension_force(tension, way, squared, kernel_at(kernel, squared).y, sigma, difference);
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let own = item(id);
    if (own >= batch.count) {
        return;
    }
    let place = fluid_places[own];
    me = fluid_wet[own];
    pull = fluid_pulls[own];
    tension = load_tension();
    load_kernel();
    load_mirrors(own);
    walk(own, place.xyz);
    if (place.w > 0.0) {
        d[me.slot] += force * (substep.seconds * substep.seconds * place.w);
    }
}
