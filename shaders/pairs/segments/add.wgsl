@group(0) @binding(8) var<storage, read> lattice: array<f32>;

fn add(i: u32, way: vec3f) {
    let steps = clamp(way / lattice[substep.lattice_slot], vec3f(-MOST_STEPS), vec3f(MOST_STEPS));
    let whole = round(steps);
    let fine = round((steps - whole) * FINE);
    for (var k = 0u; k < 3u; k += 1u) {
        atomicAdd(&segment_sums[WORDS * i + k], i32(whole[k]));
        atomicAdd(&segment_sums[WORDS * i + 3u + k], i32(fine[k]));
    }
}

// The same push on all three, along this direction for the particle; by their inverse masses.
fn add_to_ends(ends: vec2u, share: f32, push: vec3f) {
    add(ends.x, -(balls[ends.x].inverse_mass * (1.0 - share)) * push);
    add(ends.y, -(balls[ends.y].inverse_mass * share) * push);
}
