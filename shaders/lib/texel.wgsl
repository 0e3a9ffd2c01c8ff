// Textures that hold lists: entry i is texel i, row after row.

const TEXELS_A_ROW: u32 = 4096u;

fn texel(i: u32) -> vec2u {
    return vec2u(i % TEXELS_A_ROW, i / TEXELS_A_ROW);
}
