// The mean of the occlusion over 4 x 4 texels, of those at the same distance.
@group(1) @binding(0) var occlusion: texture_2d<f32>;

@vertex
fn blur_vertex(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
    return vec4f(screen_corner(vertex), 0.0, 1.0);
}

@fragment
fn blur_fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let texel = vec2i(at.xy);
    let size = vec2i(textureDimensions(occlusion));
    let ahead = textureLoad(occlusion, texel, 0).y;
    var sum = vec2f(0.0);
    // Five texels wide with half weights at the ends: centred, and each of the 4 x 4 directions counts alike.
    for (var y = -2; y < 3; y++) {
        for (var x = -2; x < 3; x++) {
            let other = textureLoad(occlusion, clamp(texel + vec2i(x, y), vec2i(0), size - 1), 0).xy;
            let ends = select(1.0, 0.5, abs(x) == 2) * select(1.0, 0.5, abs(y) == 2);
            let weight = ends * clamp(1.0 - 3.0 * abs(other.y - ahead) / frame.occlusion_radius, 0.0, 1.0);
            sum += vec2f(other.x, 1.0) * weight;
        }
    }
    return vec4f(sum.x / sum.y, ahead, 0.0, 0.0);
}
