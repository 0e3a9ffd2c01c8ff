// Places of nodes of a level by those of what is finer, a row by LANES threads: of particles there are up to some five hundred in one.

var<workgroup> shares: array<vec3f, GROUP_SIZE>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let piece = piece_of(group);
    let i = piece.x + thread / LANES;
    if (i < piece.y) {
        shares[thread] = lift(i, thread % LANES);
    }
    workgroupBarrier();
    if (i < piece.y && thread % LANES == 0u) {
        var sum = vec3f(0.0);
        for (var lane = 0u; lane < LANES; lane += 1u) {
            sum += shares[thread + lane];
        }
        nodes[i].place = sum;
        nodes[i].at = x[nodes[i].centre].xyz;
    }
}
