// By how much the particles of solids are pushed at most: Σ |∇C| of all of fluids that is near, and of their own
// images.

@group(0) @binding(4) var<storage, read_write> fluid_wet: array<Wet>;

var<private> own: u32;
var<private> pushed: f32;

fn may_have_moved() -> bool {
    return false;
}

fn seen(j: u32) -> vec4f {
    return fluid_places[j];
}

fn meet(j: u32, weight: f32, way: vec3f, squared: f32) {
    if (j == own || fluid_wet[j].compliance >= 0.0) {
        pushed += me.share * kernel_at(kernel, squared).y * sqrt(squared);
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    own = item(id);
    if (own >= batch.count) {
        return;
    }
    me = fluid_wet[own];
    if (me.compliance >= 0.0) {
        return;
    }
    load_kernel();
    load_mirrors(own);
    walk(own, fluid_places[own].xyz);
    fluid_wet[own].pushed = pushed;
}
