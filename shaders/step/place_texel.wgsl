// As place.wgsl where constraints read positions from a texture, see src/solver/texels.rs.

@group(0) @binding(12) var x_texels: texture_storage_2d<rgba32float, write>;

fn place(i: u32, position: vec4f) {
    x[i] = position;
    textureStore(x_texels, texel(i), position);
}
