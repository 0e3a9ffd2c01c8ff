// What each particle pulls by to make the surface smaller, N/m, by the gradient of what is filled; and √σ.

@group(0) @binding(4) var<storage, read> fluid_wet: array<Wet>;
@group(0) @binding(5) var<storage, read> fluid_traits: array<vec2f>;            // √σ and cos θ, by slot
@group(0) @binding(6) var<storage, read_write> fluid_pulls: array<vec4f>;

var<private> gradient: vec3f;

// It comes first in a substep.
fn may_have_moved() -> bool {
    return false;
}

fn seen(j: u32) -> vec4f {
    return fluid_places[j];
}

fn meet(j: u32, weight: f32, way: vec3f, squared: f32) {
    gradient -= way * (fluid_wet[j].share * kernel_at(kernel, squared).y);
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let own = item(id);
    if (own >= batch.count) {
        return;
    }
    me = fluid_wet[own];
    load_kernel();
    load_mirrors(own);
    let place = fluid_places[own];
    walk(own, place.xyz);
    let root = held_root(fluid_traits[me.slot].x, place.w, substep.seconds * substep.seconds);
    let held = max(root, 0.0);
    fluid_pulls[own] = vec4f(tension_pull(load_tension(), held * held, gradient), root);
}
