// Particles as balls.
@vertex
fn point_vertex(
    @builtin(vertex_index) vertex: u32,
    @location(0) slot: u32,
    @location(1) style: u32,
    @location(2) radius: f32,
) -> BallVertex {
    let tone = 1.0 + styles[style].mottle * hash(vec3i(i32(slot), 0, 0));
    return ball_quad(vertex, local_position(slot), radius, style, shown_heat(slot), tone);
}
