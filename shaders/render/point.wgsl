// Particles as balls.
@vertex
fn point_vertex(
    @builtin(vertex_index) vertex: u32,
    @location(0) slot: u32,
    @location(1) style: u32,
    @location(2) radius: f32,
) -> BallVertex {
    // Of liquids whose particles come and go, what has no inverse mass is not there.
    let is_absent = radius < 0.0 && positions[slot].w == 0.0;
    let tone = 1.0 + styles[style].mottle * hash(vec3i(i32(slot), 0, 0));
    var ball = ball_quad(vertex, local_position(slot), abs(radius), style, shown_heat(slot), tone);
    ball.clip = select(ball.clip, vec4f(0.0, 0.0, -1.0, 1.0), is_absent);
    return ball;
}
