// Where the nodes of the finest levels are: X_J = c_J + Σ R_Ji ((x_i - c_J) + d_i). One thread per node.

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read> d: array<vec3f>;
// Where each node's list begins, and the end of the last; then the lists, of slots and shares.
@group(0) @binding(4) var<storage, read> restrictions: array<u32>;
@group(0) @binding(5) var<storage, read_write> nodes: array<Node>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    let centre = x[nodes[i].centre].xyz;
    var sum = vec3f(0.0);
    for (var k = restrictions[i]; k < restrictions[i + 1u]; k += 2u) {
        let p = restrictions[k];
        sum += bitcast<f32>(restrictions[k + 1u]) * (lattice_way(centre, x[p].xyz) + d[p]);
    }
    nodes[i].place = sum;
}
