// Begins a substep (d = e + u + h² (g + w F), or as in past.wgsl). u stays as it was until finish.wgsl: contacts need the speed of approach from before the substep.

@group(0) @binding(6) var<storage, read> air: array<vec3f>; // m, of air.wgsl

override AIR: bool = false;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    var push = vec3f(0.0);
    if (AIR) {
        push = air[i];
    }
    if (BDF2) {
        begin(i, position(i).w, below(i), way_before(i), past_of(i), push, substep.index);
    } else {
        displace(i, below(i) + predicted(i, position(i).w, way_before(i) + push, substep.index));
    }
}
