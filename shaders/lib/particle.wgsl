// Positions x lie on a lattice whose step is a power of two, so that their differences are exact. Within a substep x
// stays and constraints move the displacement d = e + h v, where e is what lies below the lattice. They see
// (xa - xb) + (da - db): no function meets large coordinates, and small substeps keep their velocities. With BDF2 e is within a substep
// where its velocity is taken from, d = e + H v (step/past.wgsl).
//
// Vectors whose fourth number means nothing are vec3f, 16 bytes apart all the same: software devices load and store number by
// number, and that is what their time goes into (counted on lavapipe: about 25 instructions each).

@group(0) @binding(4) var<storage, read> e: array<vec3f>;           // m

fn below(p: u32) -> vec3f {
    return e[p];
}
