// Puts particles elsewhere between two frames, with other velocities, on the lattice as the last frame left it. What is beyond that is told, and fit.wgsl makes
// it coarser before the next.

struct Placed {
    position: vec3f,    // m, to single precision
    slot: u32,
    rest: vec3f,        // and what that leaves of it, m
    lattice_slot: u32,  // which entry of the lattice buffer holds the last frame's step
    way: vec3f,         // u, m
    particles: u32,     // of all
    fall: vec3f,        // h² g, m
    reserved: u32,
}

override BDF2: bool = false;

@group(0) @binding(2) var<storage, read> placed: array<Placed>;
@group(0) @binding(3) var<storage, read_write> x: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> e: array<vec3f>;
@group(0) @binding(5) var<storage, read_write> u: array<vec3f>;
@group(0) @binding(6) var<storage, read_write> d: array<vec3f>;
@group(0) @binding(7) var<storage, read> lattice: array<f32>;
@group(0) @binding(8) var<storage, read_write> status: Status;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let k = item(id);
    if (k >= batch.count) {
        return;
    }
    let one = placed[k];
    let i = one.slot;
    let q = lattice[one.lattice_slot];
    let steps = round(one.position / q);
    let inverse_mass = x[i].w;
    x[i] = vec4f(steps * q, inverse_mass);
    e[i] = fma(steps, vec3f(-q), one.position) + one.rest;
    u[i] = select(vec3f(0.0), one.way, inverse_mass > 0.0);
    if (BDF2) {
        // Its past is a free fall to there (past.wgsl): from v - h g, and by what lies between.
        let fall = select(vec3f(0.0), one.fall, inverse_mass > 0.0);
        d[one.particles + i] = -0.5 * fall;
        d[2u * one.particles + i] = fall;
    }
    let extent = max(max(abs(one.position.x), abs(one.position.y)), abs(one.position.z));
    if (extent >= q * LATTICE_STEPS) {
        atomicMax(&status.extent, bitcast<u32>(extent));
    }
}
