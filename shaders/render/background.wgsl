// The sky, behind everything.
struct BackgroundVertex {
    @builtin(position) clip: vec4f,
    @location(0) ray: vec3f,
}

@vertex
fn background_vertex(@builtin(vertex_index) vertex: u32) -> BackgroundVertex {
    let xy = screen_corner(vertex);
    let ray = frame.ray_forward + xy.x * frame.ray_right + xy.y * frame.ray_up;
    // Depth 0 is infinitely far.
    return BackgroundVertex(vec4f(xy, 0.0, 1.0), ray);
}

@fragment
fn background_fragment(in: BackgroundVertex) -> @location(0) vec4f {
    return vec4f(picture(sky(normalize(in.ray))), 1.0);
}
