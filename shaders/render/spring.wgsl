// Two particles that constraints join; only distance constraints have a rest length.
struct Spring {
    a: u32,
    b: u32,
    /// m, or 0 where there is none.
    rest: f32,
    /// Of its batch: sRGB, 8 bits each.
    colour: u32,
    style: u32,
}

/// Heat of a stretch: full where the length differs from rest by `full_stretch` of it.
fn stretch_heat(length: f32, rest: f32) -> f32 {
    return select(0.0, min(abs(length / rest - 1.0) / frame.full_stretch, 1.0), rest > 0.0);
}
