// How far what is opaque lies ahead, m: of a pixel's samples the farthest.
@group(1) @binding(0) var depths: texture_depth_multisampled_2d;

const NOTHING = 1e9;

@vertex
fn distance_vertex(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
    return vec4f(screen_corner(vertex), 0.0, 1.0);
}

@fragment
fn distance_fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    var depth = 1.0;
    for (var i = 0; i < 4; i++) {
        depth = min(depth, textureLoad(depths, vec2i(at.xy), i));
    }
    return vec4f(min(frame.near / max(depth, 1e-20), NOTHING));
}
