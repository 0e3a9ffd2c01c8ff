// h times the velocity that a particle would have without forces: h v̄ (step/past.wgsl).

@group(0) @binding(9) var<storage, read> d: array<vec3f>;

fn way_without_forces(i: u32) -> vec3f {
    return u[i] + (1.0 - substep.share) * d[2u * substep.particles + i];
}
