// A new particle has the past of that which it was split from (step/past.wgsl).

@group(0) @binding(9) var<storage, read_write> d: array<vec3f>;

fn copy_past(source: u32, slot: u32) {
    for (var k = 1u; k <= 2u; k += 1u) {
        d[k * substep.particles + slot] = d[k * substep.particles + source];
    }
}
