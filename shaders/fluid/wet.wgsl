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

// Whether particles of fluids may be absent: those have no inverse mass.
override FLOWS: bool = false;

// Where one is that takes part, from the origin, m: what is absent is far from all, and from all else that is absent.
fn place_of(one: Wet, at: vec4f, place: vec3f) -> vec3f {
    let is_absent = FLOWS && one.compliance >= 0.0 && at.w == 0.0;
    return select(place, vec3f(1e10 * f32(one.slot + 2u)), is_absent);
}

// Whether the bodies of two act on each other.
fn bodies_meet(a: Wet, b: Wet) -> bool {
    let groups = (a.meets & (1u << (b.body & 31u))) != 0u && (b.meets & (1u << (a.body & 31u))) != 0u;
    return (a.body >> 5u) == (b.body >> 5u) || groups;
}
