// h times the velocity that a particle would have without forces: u.
fn way_without_forces(i: u32) -> vec3f {
    return u[i];
}
