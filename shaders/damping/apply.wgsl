// Brings each particle of a damped body nearer to the body's rigid motion, v += (1 - e^(-k h)) (v_c + ω × r - v).

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read> e: array<vec3f>;
@group(0) @binding(4) var<storage, read_write> u: array<vec3f>;
@group(0) @binding(5) var<storage, read> chunks: array<Chunk>;
@group(0) @binding(6) var<storage, read> damped_slots: array<u32>;
@group(0) @binding(7) var<storage, read> rigid_motions: array<RigidMotion>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let index = group.x + group.y * batch.row;
    if (index >= batch.count) {
        return;
    }
    let chunk = chunks[index];
    let motion = rigid_motions[chunk.body];
    for (var k = thread; k < chunk.count; k += GROUP_SIZE) {
        let i = damped_slots[chunk.first + k];
        let place = x[i];
        if (place.w > 0.0) {
            let r = lattice_way(motion.origin, place.xyz) + e[i];
            let rigid = motion.way + cross(motion.turn, r);
            u[i] += motion.share * (rigid - (u[i] - motion.base));
        }
    }
}
