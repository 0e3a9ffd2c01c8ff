// What takes part in fluids: a particle of one, or of a solid that touches one.
struct Wet {
    share: f32,         // m³
    pushed: f32,        // of a solid Σ |∇C| of what is near
    viscosity: f32,     // Pa s; below 0 of solids
    compliance: f32,    // α of a particle of a fluid, 1/J; below 0 of solids
    body: u32,          // 32 times its number, and the group it is in
    meets: u32,         // a bit for each group with which it collides
    slot: u32,
    bucket: u32,        // of its cell
}

// Whether the bodies of two act on each other.
fn bodies_meet(a: Wet, b: Wet) -> bool {
    let groups = (a.meets & (1u << (b.body & 31u))) != 0u && (b.meets & (1u << (a.body & 31u))) != 0u;
    return (a.body >> 5u) == (b.body >> 5u) || groups;
}
