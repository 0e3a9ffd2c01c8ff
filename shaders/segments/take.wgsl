@group(0) @binding(8) var<storage, read> lattice: array<f32>;

// What a particle is moved by, m; nothing is left.
fn take(i: u32) -> vec3f {
    var way = vec3f(0.0);
    for (var k = 0u; k < 3u; k += 1u) {
        let whole = atomicExchange(&segment_sums[WORDS * i + k], 0);
        let fine = atomicExchange(&segment_sums[WORDS * i + 3u + k], 0);
        way[k] = (f32(whole) + f32(fine) / FINE) * lattice[substep.lattice_slot];
    }
    return way;
}
