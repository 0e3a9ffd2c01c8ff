// Where a particle would go if nothing held it: from `way` = H v (of symplectic Euler h v) by H v + H² (g + w F). A fixed particle
// follows its keyframes.
// Velocities are kept as u = h v, the way of a substep: h times 1/h is not 1 in single precision, and a v that goes through
// both loses up to 0.4 % a second at 1,600 substeps a frame.

struct Drive {
    force: vec3f,           // N, on free particles
    reserved0: u32,
    displacement: vec3f,    // m over this substep, of fixed particles
    reserved1: u32,
}

@group(0) @binding(8) var<storage, read> properties: array<Properties>;
@group(0) @binding(9) var<storage, read> drives: array<Drive>;   // all of substep 0, all of substep 1, ...

fn predicted(i: u32, inverse_mass: f32, way: vec3f, index: u32) -> vec3f {
    // Drive 0 is "nothing": where it is the only one, as in most scenes, there is nothing to look up.
    var drive: Drive;
    if (substep.drives > 1u) {
        drive = drives[index * substep.drives + properties[i].drive];
    }
    let next = way + substep.implicit_seconds * substep.implicit_seconds * (substep.gravity + inverse_mass * drive.force);
    let length = length(next);
    let most = substep.max_speed * substep.implicit_seconds;
    // A length that overflows would stop the particle in silence: finish.wgsl shall see it.
    let slowed = next * select(1.0, most / length, length > most && is_finite(length));
    return select(drive.displacement, slowed, inverse_mass > 0.0);
}
