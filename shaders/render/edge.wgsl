// The edges of triangles.
const EDGE = vec4f(0.012, 0.013, 0.016, 0.75);

@vertex
fn edge_vertex(@builtin(vertex_index) vertex: u32, @location(0) ends: vec2u, @location(1) style: u32) -> LineVertex {
    let a = local_position(ends.x);
    let b = local_position(ends.y);
    return line_corner(vertex, a, b, EDGE, 1.5 * styles[style].pull + pixel_at(a));
}
