// A triangle that covers the picture.
fn screen_corner(vertex: u32) -> vec2f {
    return vec2f(f32((vertex << 1u) & 2u), f32(vertex & 2u)) * 2.0 - 1.0;
}
