// Balls that are flat along an axis, as the quads that cover the round ones.
struct FlatBall {
    @builtin(position) clip: vec4f,
    @location(0) local: vec3f,
    @location(1) @interpolate(flat) ball: vec4f,
    /// Unit vector, and the radius along it as a share of that across.
    @location(2) @interpolate(flat) axis: vec4f,
    @location(3) @interpolate(flat) style: u32,
}

/// The quad of a shape as `crowd.wgsl` has it; outside of the picture if it has no radius.
fn flat_quad(vertex: u32, ball: vec4f, axis: vec3f, style: u32) -> FlatBall {
    let round = ball_quad(vertex, ball.xyz, ball.w, style, -1.0, 1.0);
    let share = max(length(axis), 0.05);
    let clip = select(vec4f(0.0, 0.0, -1.0, 1.0), round.clip, ball.w > 0.0);
    return FlatBall(clip, round.local, round.ball, vec4f(axis / share, share), style);
}
