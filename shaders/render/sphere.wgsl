// Balls as the quads that just cover them; each pixel meets the ball on its view ray.
struct BallVertex {
    @builtin(position) clip: vec4f,
    @location(0) local: vec3f,
    @location(1) @interpolate(flat) ball: vec4f,
    @location(2) @interpolate(flat) style: u32,
    /// 0 to 1, or -1 where it shows its own colour.
    @location(3) @interpolate(flat) heat: f32,
    /// Multiplies its colour.
    @location(4) @interpolate(flat) tone: f32,
}

/// A point of a view ray near a ball.
struct Meeting {
    local: vec3f,
    normal: vec3f,
    /// Share of the pixel that the ball covers, 0 to 1.
    coverage: f32,
}

fn ball_quad(vertex: u32, centre: vec3f, radius: f32, style: u32, heat: f32, tone: f32) -> BallVertex {
    let toward = toward_eye(centre);
    let right = direction(cross(toward, frame.up), direction(cross(toward, frame.up.yzx), frame.up.zxy));
    // The cone from the eye that touches the ball is wider than the ball at its centre.
    let away = distance(frame.eye.xyz, centre);
    let cone = away * inverseSqrt(max(away * away - radius * radius, 1e-12 * away * away));
    let seen = max(radius, pixel_at(centre) * 0.7);
    let half_size = seen * select(1.0, cone, frame.eye.w > 0.0) + pixel_at(centre);
    // Nothing is drawn of a ball around the eye.
    let shown = select(0.0, half_size, frame.eye.w == 0.0 || away > radius * 1.02);
    let xy = corner(vertex) * shown;
    let local = centre + right * xy.x + cross(right, toward) * xy.y;
    return BallVertex(frame.clip_from_local * vec4f(local, 1.0), local, vec4f(centre, seen), style, heat, tone);
}

/// Where the ray through a fragment meets the ball: nearest with `side` -1, farthest with 1.
fn meet(in: BallVertex, side: f32) -> Meeting {
    let ray = -toward_eye(in.local);
    let along = dot(in.ball.xyz - in.local, ray);
    let closest = in.local + ray * along - in.ball.xyz;
    let miss = length(closest);
    let radius = in.ball.w;
    let depth = sqrt(max(radius * radius - miss * miss, 0.0));
    let normal = direction(closest + ray * depth * side, -ray);
    let coverage = clamp((radius - miss) / max(pixel_at(in.ball.xyz), 1e-12) + 0.5, 0.0, 1.0);
    return Meeting(in.ball.xyz + normal * radius, normal, coverage);
}
