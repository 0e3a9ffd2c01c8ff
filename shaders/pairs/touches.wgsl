// How a body touches others.
struct BodyTouch {
    compliance: f32,        // m/N; that of a pair is the sum of the two; restitution is the mean, friction as law/friction.wgsl has it
    friction: f32,
    dynamic_friction: f32,
    restitution: f32,
    groups: u32,            // a bit for the group it is in
    meets: u32,             // a bit for each group with which it collides
    kin: u32,               // the number of the bodies that constraints join to it
}

// Whether the bodies of two balls meet: the same one where it touches itself, others by their groups.
fn bodies_meet(a: u32, b: u32) -> bool {
    if ((a & BODY) == (b & BODY)) {
        return (a & MEETS_ITSELF) != 0u;
    }
    let first = touches[a & BODY];
    let second = touches[b & BODY];
    return (first.groups & second.meets) != 0u && (second.groups & first.meets) != 0u;
}

// Whether constraints may hold two balls together: src/model/touch.rs.
fn are_kin(a: u32, b: u32) -> bool {
    return ((a | b) & UNBOUND) == 0u && touches[a & BODY].kin == touches[b & BODY].kin;
}
