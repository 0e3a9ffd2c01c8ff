// Which vertices went farther from where contacts were sought than what was not found allows; they are sought again
// from where they are.

@group(0) @binding(3) var<storage, read> d: array<vec4f>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || surface_vertices[i].slack == 0.0) {
        return;
    }
    let now = d[i].xyz;
    if (length3(now - surface_vertices[i].sought) > surface_vertices[i].slack) {
        surface_vertices[i].sought = now;
        surface_vertices[i].stray = surface_contacts.turn;
        atomicAdd(&surface_contacts.strays, 1u);
    }
}
