// Counts the particles between two corners in the last substep of a frame.

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read> corners: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> counts: atomic<u32>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || substep.index + 1u != substep.count) {
        return;
    }
    let inside = all(x[i].xyz >= corners[0].xyz) && all(x[i].xyz <= corners[1].xyz);
    if (inside) {
        atomicAdd(&counts, 1u);
    }
}
