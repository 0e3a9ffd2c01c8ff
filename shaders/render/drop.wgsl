// The front of a liquid: its particles as balls, as far as they lie in their container.
/// How far a container's near side lies ahead, m: 0 around the eye, below 0 beside all containers.
@group(1) @binding(0) var entries: texture_2d<f32>;

/// Radius of the balls, spacings: neighbours of a ragged surface overlap.
const SIZE = 0.85;
/// What touches a container's wall lies so far behind it, as a share of the distance.
const BEHIND_GLASS = 1.0002;

@vertex
fn drop_vertex(
    @builtin(vertex_index) vertex: u32,
    @location(0) slot: u32,
    @location(1) style: u32,
) -> BallVertex {
    return ball_quad(vertex, local_position(slot), SIZE * frame.spacing, style, -1.0, 1.0);
}

struct DropFragment {
    /// Distance ahead, m, and the style.
    @location(0) front: vec4f,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn drop_fragment(in: BallVertex) -> DropFragment {
    let at = meet(in, -1.0);
    let entry = textureLoad(entries, vec2i(in.clip.xy), 0).x;
    if at.coverage < 0.5 || entry < 0.0 {
        discard;
    }
    let ahead = max(ahead_of(at.local), entry * BEHIND_GLASS);
    return DropFragment(vec4f(ahead, f32(in.style), 0.0, 0.0), frame.near / ahead);
}
