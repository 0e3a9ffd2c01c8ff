// The velocity from the displacement, and the displacement into the position: v = (d - e)/h; the multiple of the lattice
// step q nearest to d moves x, exactly; the rest stays in e.

@group(0) @binding(2) var<storage, read_write> x: array<vec4f>;
@group(0) @binding(3) var<storage, read> d: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> e: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> v: array<vec4f>;
@group(0) @binding(6) var<storage, read> lattice: array<f32>;       // q, m: this frame's and the next one's
@group(0) @binding(7) var<storage, read_write> status: Status;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    let q = lattice[substep.lattice_slot];
    let moved = d[i].xyz;
    let velocity = (moved - e[i].xyz) * substep.inverse_seconds;
    let steps = round(moved / q) * q;
    let position = x[i].xyz + steps;
    v[i] = vec4f(velocity, 0.0);
    x[i] = vec4f(position, x[i].w);
    e[i] = vec4f(moved - steps, 0.0);

    let speed = max(max(abs(velocity.x), abs(velocity.y)), abs(velocity.z));
    let finite = is_finite(velocity.x) && is_finite(velocity.y) && is_finite(velocity.z);
    if (!finite || speed > RUNAWAY_SPEED) {
        atomicOr(&status.flags, select(RUNAWAY, NOT_FINITE, !finite));
        atomicMin(&status.particle, i);
    }
    let extent = max(max(abs(position.x), abs(position.y)), abs(position.z));
    if (finite && extent >= q * 16777216.0) {
        atomicMax(&status.extent, bitcast<u32>(extent));
    }
}
