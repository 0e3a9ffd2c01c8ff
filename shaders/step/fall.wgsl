// Where a particle would go if nothing held it: from `way` = H v (of symplectic Euler h v) by H v + H² (g + w F). A fixed particle
// follows its keyframes.
// Velocities are kept as u = h v, the way of a substep: h times 1/h is not 1 in single precision, and a v that goes through
// both loses up to 0.4 % a second at 1,600 substeps a frame.

struct Drive {
    force: vec3f,           // N, on free particles
    reserved0: u32,
    displacement: vec3f,    // m over this substep, of fixed particles
    reserved1: u32,
    turn: vec3f,            // over this substep, of orientations that are held: the vector part of a quaternion
    reserved2: u32,
}

// The displacement of a substep.
fn displaced(drive: Drive, inverse_mass: f32, way: vec3f) -> vec3f {
    let acceleration = fma(vec3f(inverse_mass), drive.force, substep.gravity);
    let next = fma(vec3f(substep.implicit_seconds * substep.implicit_seconds), acceleration, way);
    let length = length3(next);
    let most = substep.max_speed * substep.implicit_seconds;
    // A length that overflows would stop the particle in silence: finish.wgsl shall see it.
    let share = select(1.0, most / length, length > most && is_finite(length));
    let slowed = fma(next, vec3f(share), vec3f(nothing()));
    return select(drive.displacement, slowed, inverse_mass > 0.0);
}
