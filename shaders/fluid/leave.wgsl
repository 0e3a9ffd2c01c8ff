// Hands the ways over.

@group(0) @binding(4) var<storage, read> fluid_wet: array<Wet>;
@group(0) @binding(5) var<storage, read_write> u: array<vec3f>;
@group(0) @binding(11) var<storage, read> fluid_ways_after: array<vec3f>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let own = item(id);
    if (own < batch.count) {
        u[fluid_wet[own].slot] = fluid_ways_after[own];
    }
}
