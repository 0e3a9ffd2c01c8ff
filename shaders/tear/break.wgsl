// Marks the vertices of edges that broke in this frame. One thread per edge.

struct TearEdge {
    place: u32,             // of its constraint
    reserved: u32,
    vertices: vec2u,
}

@group(0) @binding(2) var<storage, read> edges: array<TearEdge>;
@group(0) @binding(3) var<storage, read> multipliers: array<vec2f>;
@group(0) @binding(4) var<storage, read_write> broken: array<u32>;  // 1 for each joint that is
@group(0) @binding(5) var<storage, read_write> tear_vertices: array<TearVertex>;
@group(0) @binding(6) var<storage, read_write> tear: Tear;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || broken[i] == 1u || multipliers[edges[i].place].x != BROKEN) {
        return;
    }
    broken[i] = 1u;
    atomicStore(&tear_vertices[edges[i].vertices.x].torn, 1u);
    atomicStore(&tear_vertices[edges[i].vertices.y].torn, 1u);
    atomicStore(&tear.changed, 1u);
}
