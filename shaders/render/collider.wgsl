// Sphere colliders, as balls with a place of their own.
@vertex
fn collider_vertex(@builtin(vertex_index) vertex: u32, @location(0) ball: vec4f, @location(1) style: u32) -> BallVertex {
    // Cloth that lies on the ball is made of flat triangles: at the ball's rim, where depth changes by many millimetres a
    // pixel, a pixel or two less keeps the ball from showing.
    let rim = min(1.5 * pixel_at(ball.xyz), 0.02 * ball.w);
    return ball_quad(vertex, ball.xyz, ball.w - rim, style, -1.0, 1.0);
}
