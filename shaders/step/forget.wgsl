// What a contact leaves of the past with BDF2 (step/past.wgsl): no formula may look across a jump of the velocity. Along the normal of what
// presses the past is that of a uniform motion with the velocity with which it leaves; after an impact it is so in every direction, since
// friction was part of the jump, but for `fall`, by which the way grew in a substep: by that of gravity, or what leaves upwards would rise too far.
// Where nothing but u is kept there is nothing to forget: step/forget_nothing.wgsl.

@group(0) @binding(9) var<storage, read_write> d: array<vec3f>;

fn forget(i: u32, normal: vec3f, impact: bool, fall: vec3f) {
    let lag = substep.particles + i;
    let change = lag + substep.particles;
    d[lag] = select(d[lag] - dot(normal, d[lag]) * normal, -0.5 * fall, impact);
    d[change] = select(d[change] - dot(normal, d[change]) * normal, fall, impact);
}
