// Ends a substep: the velocity from the displacement, u = d - e, and the displacement into the position: the multiple of the
// lattice step q nearest to d moves x, exactly; the rest stays in e. If nothing corrects velocities in between, the next
// substep begins at once: that saves a dispatch and half of the particle's loads.

override BEGINS_NEXT: bool = false;

@group(0) @binding(2) var<storage, read_write> x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> d: array<vec3f>;
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
    let before = x[i];
    let moved = d[i];
    let way = moved - e[i];
    let steps = round(moved / q) * q;
    let position = before.xyz + steps;
    let rest = moved - steps;
    x[i] = vec4f(position, before.w);
    e[i] = rest;
    // Where the next substep begins at once nobody reads u before the next finish.
    if (BEGINS_NEXT) {
        d[i] = rest + predicted(i, before.w, way, substep.index + 1u);
    } else {
        u[i] = way;
    }

    let speed = max(max(abs(way.x), abs(way.y)), abs(way.z)) * substep.inverse_seconds;
    let extent = max(max(abs(position.x), abs(position.y)), abs(position.z));
    // A sum is finite only if all its terms are.
    let all = abs(way) + abs(position);
    let finite = is_finite(all.x + all.y + all.z);
    if (!finite || speed > RUNAWAY_SPEED || extent >= q * LATTICE_STEPS) {
        report(i, finite, speed, extent, q);
    }
}

fn report(i: u32, finite: bool, speed: f32, extent: f32, q: f32) {
    if (!finite || speed > RUNAWAY_SPEED) {
        atomicOr(&status.flags, select(RUNAWAY, NOT_FINITE, !finite));
        atomicMin(&status.particle, i);
    }
    if (finite && extent >= q * LATTICE_STEPS) {
        atomicMax(&status.extent, bitcast<u32>(extent));
    }
}
