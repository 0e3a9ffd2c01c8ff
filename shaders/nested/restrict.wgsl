// Where the nodes of the finest levels are: X_J = c_J + Σ R_Ji ((x_i - c_J) + d_i). One thread per node.

// Whether anything can come apart.
override PARTING: bool = false;

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read> d: array<vec3f>;
// Where each node's list begins, and the end of the last; then the lists, of slots and shares.
@group(0) @binding(4) var<storage, read> restrictions: array<u32>;
@group(0) @binding(5) var<storage, read_write> nodes: array<Node>;
@group(0) @binding(6) var<storage, read> parted: array<u32>;    // 1 for each slot that has lost an edge

fn apart(slot: u32, centre: vec3f) -> vec3f {
    return (x[slot].xyz - centre) + d[slot];
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    let centre = x[nodes[i].centre].xyz;
    var sum = Gathering();
    for (var k = restrictions[i]; k < restrictions[i + 1u]; k += 2u) {
        let slot = restrictions[k];
        var inverse_mass = x[slot].w;
        if (PARTING) {
            inverse_mass = select(inverse_mass, PARTED, parted[slot] == 1u);
        }
        sum = with_child(sum, apart(slot, centre), inverse_mass, bitcast<f32>(restrictions[k + 1u]));
    }
    let node = gathered(sum, apart(restrictions[restrictions[i]], centre));
    nodes[i].place = node.xyz;
    nodes[i].inverse_mass = node.w;
}
