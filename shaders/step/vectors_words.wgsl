// As vectors.wgsl in words of 64 bits, where constraints read positions from a texture, see src/solver/texels.rs.

@group(0) @binding(2) var<storage, read_write> x: array<vec2<u64>>;
@group(0) @binding(4) var<storage, read_write> e: array<vec2<u64>>;
@group(0) @binding(5) var<storage, read_write> u: array<vec2<u64>>;
@group(0) @binding(12) var x_texels: texture_storage_2d<rgba32float, write>;

fn position(i: u32) -> vec4f {
    return from_words(x[i]);
}

fn place(i: u32, at: vec4f) {
    x[i] = to_words(at);
    textureStore(x_texels, texel(i), at);
}

fn below(i: u32) -> vec3f {
    return from_words(e[i]).xyz;
}

fn set_below(i: u32, to: vec3f) {
    e[i] = to_words(vec4f(to, 0.0));
}

fn way_before(i: u32) -> vec3f {
    return from_words(u[i]).xyz;
}

fn set_way(i: u32, to: vec3f) {
    u[i] = to_words(vec4f(to, 0.0));
}
