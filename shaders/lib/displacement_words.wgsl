// As displacement.wgsl in words of 64 bits.

@group(0) @binding(3) var<storage, read_write> d: array<vec2<u64>>;

fn displacement(p: u32) -> vec3f {
    return from_words(d[p]).xyz;
}

fn displace(p: u32, to: vec3f) {
    d[p] = to_words(vec4f(to, 0.0));
}
