// Thin lines of a width in pixels, smooth at their sides.
struct LineVertex {
    @builtin(position) clip: vec4f,
    /// Distance from the line's middle, pixels.
    @location(0) across: f32,
    @location(1) @interpolate(flat) colour: vec4f,
}

/// Half the width of a line, pixels.
const HALF_WIDTH = 0.7;

/// A corner of the line from a to b; its depth is drawn towards the eye by `pull` in m. Lines of a few pixels fade, or a
/// fine mesh would disappear under them.
fn line_corner(vertex: u32, a: vec3f, b: vec3f, colour: vec4f, pull: f32) -> LineVertex {
    let at = corner(vertex);
    let end = select(a, b, at.y > 0.0);
    let toward = toward_eye(end);
    let pixel = pixel_at(end);
    let side = direction(cross(b - a, toward), direction(cross(frame.up, toward), frame.up.yzx));
    let across = at.x * (HALF_WIDTH + 0.5);
    let local = end + side * across * pixel;
    var clip = frame.clip_from_local * vec4f(local, 1.0);
    clip.z = depth_of(local + toward * min(pull, 0.5 * distance(frame.eye.xyz, local))) * clip.w;
    let seen = distance(a, b) / max(pixel, 1e-12);
    return LineVertex(clip, across, vec4f(colour.rgb, colour.a * clamp(seen / 6.0, 0.2, 1.0)));
}

@fragment
fn line_fragment(in: LineVertex) -> @location(0) vec4f {
    let coverage = clamp(HALF_WIDTH + 0.5 - abs(in.across), 0.0, 1.0);
    return vec4f(encode(in.colour.rgb), in.colour.a * coverage);
}
