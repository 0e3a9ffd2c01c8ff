@group(0) @binding(8) var<storage, read> lattice: array<f32>;

// What a particle is moved by, m; nothing is left.
fn take(i: u32) -> vec3f {
    return vec3f(taken(WORDS * i), taken(WORDS * i + 1u), taken(WORDS * i + 2u)) * lattice[substep.lattice_slot];
}

fn taken(at: u32) -> f32 {
    let whole = atomicExchange(&segment_sums[at], 0);
    let fine = atomicExchange(&segment_sums[at + 3u], 0);
    return f32(whole) + f32(fine) / FINE;
}
