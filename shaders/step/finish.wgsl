// The velocity from the displacement, and the displacement into the position: u = d - e; the multiple of the lattice step q
// nearest to d moves x, exactly; the rest stays in e. Velocities are kept as u = h v, the way of a substep: h times 1/h is not
// 1 in single precision, and a v that goes through both loses up to 0.4 % a second at 1,600 substeps a frame.

@group(0) @binding(2) var<storage, read_write> x: array<vec4f>;
@group(0) @binding(3) var<storage, read> d: array<vec3f>;
@group(0) @binding(4) var<storage, read_write> e: array<vec3f>;
@group(0) @binding(5) var<storage, read_write> u: array<vec3f>;       // m
@group(0) @binding(6) var<storage, read> lattice: array<f32>;       // q, m: this frame's and the next one's
@group(0) @binding(7) var<storage, read_write> status: Status;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    let q = lattice[substep.lattice_slot];
    let moved = d[i];
    let way = moved - e[i];
    let steps = round(moved / q) * q;
    let position = x[i].xyz + steps;
    u[i] = way;
    x[i] = vec4f(position, x[i].w);
    e[i] = moved - steps;

    let speed = max(max(abs(way.x), abs(way.y)), abs(way.z)) * substep.inverse_seconds;
    let extent = max(max(abs(position.x), abs(position.y)), abs(position.z));
    // A sum is finite only if all its terms are.
    let all = abs(way) + abs(position);
    let finite = is_finite(all.x + all.y + all.z);
    if (!finite || speed > RUNAWAY_SPEED) {
        atomicOr(&status.flags, select(RUNAWAY, NOT_FINITE, !finite));
        atomicMin(&status.particle, i);
    }
    if (finite && extent >= q * 16777216.0) {
        atomicMax(&status.extent, bitcast<u32>(extent));
    }
}
