// As position.wgsl where what is only read lies in textures, see src/solver/texels.rs.

@group(0) @binding(2) var x_texels: texture_2d<f32>;

fn position(p: u32) -> vec4f {
    return textureLoad(x_texels, texel(p), 0);
}
