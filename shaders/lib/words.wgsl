// Vectors as words of 64 bits: software devices load and store word by word, and a vector then has two, see src/solver/texels.rs.

fn from_words(words: vec2<u64>) -> vec4f {
    let low = bitcast<vec2f>(vec2u(u32(words.x), u32(words.y)));
    let high = bitcast<vec2f>(vec2u(u32(words.x >> 32u), u32(words.y >> 32u)));
    return vec4f(low.x, high.x, low.y, high.y);
}

fn to_words(v: vec4f) -> vec2<u64> {
    let bits = bitcast<vec4u>(v);
    return vec2<u64>(u64(bits.x) | (u64(bits.y) << 32u), u64(bits.z) | (u64(bits.w) << 32u));
}
