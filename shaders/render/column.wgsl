// How much liquid lies along a ray: each particle's volume, spread over a disc across it.
/// How far opaque things lie ahead, m.
@group(1) @binding(0) var distances: texture_2d<f32>;

/// Radius of the discs, spacings: that of the camera's, and of the sun's, whose sum must be smooth enough for its
/// second derivative.
const SPREAD = 0.9;
const SUN_SPREAD = 1.7;
const PI = 3.14159265;

@vertex
fn column_vertex(
    @builtin(vertex_index) vertex: u32,
    @location(0) ball: vec4f,
    @location(1) axis: vec3f,
    @location(2) style: u32,
) -> FlatBall {
    let spread = select(SUN_SPREAD, SPREAD, frame.eye.w > 0.0);
    let radius = select(0.0, spread * frame.spacing, ball.w > 0.0);
    return flat_quad(vertex, vec4f(ball.xyz, radius), axis, style & 0xFFFFFFu);
}

/// The particle's share of a ray: optical depths by colour, and its way in m. Over the disc it sums to the particle's
/// volume.
fn column_of(in: FlatBall) -> vec4f {
    let ray = -toward_eye(in.local);
    let from_centre = in.local - in.ball.xyz;
    let miss = length(from_centre - ray * dot(from_centre, ray)) / in.ball.w;
    let inside = max(1.0 - miss * miss, 0.0);
    let volume = frame.spacing * frame.spacing * frame.spacing;
    let way = volume * 3.0 / (PI * in.ball.w * in.ball.w) * inside * inside;
    let style = styles[in.style];
    let absorbs = select(vec3f(0.0), -log(clamp(style.front, vec3f(0.002), vec3f(1.0))) / style.clear, style.clear > 0.0);
    return vec4f(absorbs * way, way);
}

@fragment
fn column_fragment(in: FlatBall) -> @location(0) vec4f {
    // The map is half as fine as the picture.
    let size = vec2i(textureDimensions(distances));
    let distance = textureLoad(distances, min(vec2i(in.clip.xy) * 2, size - 1), 0).x;
    let shown = (distance - ahead_of(in.ball.xyz)) / frame.spacing + 0.5;
    return column_of(in) * clamp(shown, 0.0, 1.0);
}

struct SunColumn {
    @location(0) column: vec4f,
    /// The sun's depth.
    @location(1) front: vec4f,
}

@fragment
fn sun_column_fragment(in: FlatBall) -> SunColumn {
    return SunColumn(column_of(in), vec4f(depth_of(in.ball.xyz + 0.5 * frame.spacing * frame.sun)));
}
