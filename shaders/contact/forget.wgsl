// What a contact leaves of the past with BDF2 (step/past.wgsl): no formula may look across a jump of the velocity. Along the normal of what
// presses the past is that of a uniform motion with the velocity with which it leaves; after an impact it is so in every direction, since
// friction was part of the jump. Where nothing but u is kept there is nothing to forget: contact/forget_nothing.wgsl.

@group(0) @binding(9) var<storage, read_write> d: array<vec3f>;

fn forget(i: u32, normal: vec3f, impact: bool) {
    for (var k = 1u; k <= 2u; k += 1u) {
        let at = k * substep.particles + i;
        let past = d[at];
        d[at] = select(past - dot(normal, past) * normal, vec3f(0.0), impact);
    }
}
