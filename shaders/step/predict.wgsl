// Begins a substep. u stays as it was until finish.wgsl: contacts need the speed of approach from before the substep.

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> d: array<vec3f>;
@group(0) @binding(4) var<storage, read> e: array<vec3f>;
@group(0) @binding(5) var<storage, read> u: array<vec3f>;
@group(0) @binding(6) var<storage, read> air: array<vec3f>; // m, of air.wgsl

override AIR: bool = false;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    var way = u[i];
    if (AIR) {
        way += air[i];
    }
    d[i] = e[i] + predicted(i, x[i].w, way, substep.index);
}
