// Sums over each chunk of a damped body's particles, relative to its reference particle: no large coordinates, and no large
// velocities that all have in common.

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read> e: array<vec3f>;
@group(0) @binding(4) var<storage, read> u: array<vec3f>;
@group(0) @binding(5) var<storage, read> damped: array<Damped>;
@group(0) @binding(6) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(7) var<storage, read> damped_slots: array<u32>;
@group(0) @binding(8) var<storage, read_write> chunk_sums: array<Sums>;

fn sums_of(i: u32, reference: u32) -> Sums {
    var sums: Sums;
    let w = x[i].w;
    if (w == 0.0) {
        return sums;
    }
    let m = 1.0 / w;
    let r = lattice_way(x[reference].xyz, x[i].xyz) + e[i];
    let momentum = m * (u[i] - u[reference]);
    sums.mass = m;
    sums.moment = m * r;
    sums.momentum = momentum;
    sums.spin = cross(r, momentum);
    sums.squares = m * r * r;
    sums.xy = m * r.x * r.y;
    sums.yz = m * r.y * r.z;
    sums.zx = m * r.z * r.x;
    return sums;
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let index = group.x + group.y * batch.row;
    if (index >= batch.count) {
        return;
    }
    let chunk = chunks[index];
    var mine: Sums;
    for (var k = thread; k < chunk.count; k += GROUP_SIZE) {
        mine = added(mine, sums_of(damped_slots[chunk.first + k], damped[chunk.body].reference));
    }
    let sum = reduced(thread, mine);
    if (thread == 0u) {
        chunk_sums[index] = sum;
    }
}
