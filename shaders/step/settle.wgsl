// What the end of a substep makes of a displacement d: the way d - e, of symplectic Euler the velocity u; the multiple of the lattice step q nearest to d moves
// x, exactly; the rest stays in e.

struct Settled {
    way: vec3f,         // u, m
    position: vec3f,    // x
    rest: vec3f,        // e
}

fn settled(position: vec3f, moved: vec3f, below: vec3f, q: f32) -> Settled {
    let steps = round(moved / q);
    return Settled(moved - below, fma(steps, vec3f(q), position), fma(steps, vec3f(-q), moved));
}

// What no particle should do: be nowhere, fly off, leave the lattice.
fn watch(i: u32, way: vec3f, position: vec3f, q: f32) {
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
