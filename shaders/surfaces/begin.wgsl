// Where contacts are sought: where vertices are now.

@group(0) @binding(3) var<storage, read> d: array<vec4f>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i == 0u) {
        atomicStore(&surface_contacts.wanted, 0u);
        atomicStore(&surface_contacts.crowded, 0u);
        atomicStore(&surface_contacts.strays, 0u);
        atomicStore(&surface_contacts.failing, 0u);
        surface_contacts.turn = OPENING;
        surface_contacts.lost = 0u;
        if (substep.index == 0u) {
            atomicStore(&surface_contacts.held, 0u);
            atomicStore(&surface_contacts.forced, 0u);
            surface_contacts.most = 0u;
        }
    }
    if (i >= batch.count || surface_vertices[i].slack == 0.0) {
        return;
    }
    surface_vertices[i].sought = d[i].xyz;
    surface_vertices[i].taken = vec4u(0u);
    surface_vertices[i].stray = 0u;
    surface_vertices[i].held = 0u;
    atomicStore(&surface_vertices[i].moved, 0u);
    atomicStore(&surface_vertices[i].claimed, 0u);
    atomicStore(&surface_vertices[i].bid, NO_BID);
}
