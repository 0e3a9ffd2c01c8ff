// Moves all by what they and their neighbours pull by, by what they cohere, and by what walls do.

override WETTING: bool = false;

@group(0) @binding(4) var<storage, read> fluid_wet: array<Wet>;
@group(0) @binding(5) var<storage, read_write> d: array<vec3f>;
@group(0) @binding(6) var<storage, read> fluid_pulls: array<vec4f>;
@group(0) @binding(7) var<storage, read> fluid_traits: array<vec2f>;            // √σ and cos θ, by slot

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

fn wall_force() -> vec3f {
    let root = max(pull.w, 0.0);
    let wetted = root * root * fluid_traits[me.slot].y;
    var sum = vec3f(0.0);
    for (var a = 0u; a < wall_count; a += 1u) {
        sum += normals[a] * tension_of_wall(tension, wetted, mirrors.gaps[a]);
    }
    return sum;
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
    if (WETTING) {
        force += wall_force();
    }
    if (place.w > 0.0) {
        d[me.slot] += force * (substep.seconds * substep.seconds * place.w);
    }
}
