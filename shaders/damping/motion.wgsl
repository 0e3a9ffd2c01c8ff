// Each damped body's rigid motion from the sums of its chunks: the mean velocity v_c and the angular velocity ω = I⁻¹ L about
// the centre of mass c (Müller et al., Position Based Dynamics, 2007, section 3.5). Velocities are times h, as u is.

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read> u: array<vec3f>;
@group(0) @binding(4) var<storage, read> damped: array<Damped>;
@group(0) @binding(5) var<storage, read> chunk_sums: array<Sums>;
@group(0) @binding(6) var<storage, read_write> rigid_motions: array<RigidMotion>;

fn motion(sums: Sums, body: Damped) -> RigidMotion {
    var motion: RigidMotion;
    // Nothing moves where all particles are fixed.
    if (sums.mass == 0.0) {
        return motion;
    }
    let centre = sums.moment / sums.mass;
    let way = sums.momentum / sums.mass;
    // From the reference particle to the centre by the parallel-axis theorem.
    let squares = sums.squares - sums.moment * centre;
    let xy = sums.xy - sums.moment.x * centre.y;
    let yz = sums.yz - sums.moment.y * centre.z;
    let zx = sums.zx - sums.moment.z * centre.x;
    let inertia = mat3x3f(
        squares.y + squares.z, -xy, -zx,
        -xy, squares.z + squares.x, -yz,
        -zx, -yz, squares.x + squares.y,
    );
    let negligible = 2.0 * NEGLIGIBLE * dot(sums.squares, vec3f(1.0));
    motion.turn = angular_velocity(inertia, sums.spin - cross(centre, sums.momentum), negligible);
    motion.way = way - cross(motion.turn, centre);
    motion.origin = x[body.reference].xyz;
    motion.base = u[body.reference];
    motion.share = body.share;
    return motion;
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let index = group.x + group.y * batch.row;
    if (index >= batch.count) {
        return;
    }
    let body = damped[index];
    var mine: Sums;
    for (var k = thread; k < body.chunks; k += GROUP_SIZE) {
        mine = added(mine, chunk_sums[body.first_chunk + k]);
    }
    let sums = reduced(thread, mine);
    if (thread == 0u) {
        rigid_motions[index] = motion(sums, body);
    }
}
