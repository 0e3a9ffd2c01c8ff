// The front of a liquid: its particles' shapes, as far as they lie in their container.
/// How far a container's near side lies ahead, m: 0 around the eye, below 0 beside all containers.
@group(1) @binding(0) var entries: texture_2d<f32>;

/// What touches a container's wall lies so far behind it, as a share of the distance.
const BEHIND_GLASS = 1.0002;
/// What is nearer to a wall touches it, spacings: between particles there would be dents.
const TOUCHES = 0.3;

@vertex
fn drop_vertex(
    @builtin(vertex_index) vertex: u32,
    @location(0) ball: vec4f,
    @location(1) axis: vec3f,
    @location(2) style: u32,
) -> FlatBall {
    return flat_quad(vertex, ball, axis, style);
}

struct DropFragment {
    /// Distance ahead, m, and the style with the foam as its fraction.
    @location(0) front: vec4f,
    @builtin(frag_depth) depth: f32,
}

/// Stretched along the axis until the shape is a ball.
fn rounded(v: vec3f, axis: vec4f) -> vec3f {
    return v + axis.xyz * (dot(v, axis.xyz) * (1.0 / axis.w - 1.0));
}

@fragment
fn drop_fragment(in: FlatBall) -> DropFragment {
    let ray = -toward_eye(in.local);
    let start = rounded(in.local - in.ball.xyz, in.axis);
    let along = rounded(ray, in.axis);
    let scale = dot(along, along);
    let half_way = dot(start, along) / scale;
    let beyond = half_way * half_way - (dot(start, start) - in.ball.w * in.ball.w) / scale;
    let entry = textureLoad(entries, vec2i(in.clip.xy), 0).x;
    if beyond < 0.0 || entry < 0.0 {
        discard;
    }
    let local = in.local + ray * (-half_way - sqrt(beyond));
    let own = ahead_of(local);
    let at_glass = entry > 0.0 && own < entry + TOUCHES * frame.spacing;
    let ahead = select(own, entry * BEHIND_GLASS, at_glass);
    let foam = f32(in.style >> 24u) / 256.0;
    return DropFragment(vec4f(ahead, f32(in.style & 0xFFFFFFu) + foam, 0.0, 0.0), frame.near / ahead);
}
