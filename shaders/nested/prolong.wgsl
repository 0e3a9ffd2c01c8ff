// Takes the corrections of the finest levels to the particles: d_i += Σ P_iJ Y_J.

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> d: array<vec3f>;
// Where each list begins, and the end of the last; then the lists, of nodes and shares, each after the slot of its particle.
@group(0) @binding(4) var<storage, read> moved: array<u32>;
@group(0) @binding(5) var<storage, read> nodes: array<Node>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    let slot = moved[moved[i]];
    var sum = vec3f(0.0);
    for (var k = moved[i] + 1u; k < moved[i + 1u]; k += 2u) {
        sum += bitcast<f32>(moved[k + 1u]) * nodes[moved[k]].correction;
    }
    if (x[slot].w > 0.0) {
        d[slot] += sum;
    }
}
