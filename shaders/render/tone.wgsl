// From linear light to the picture: AgX (Sobotka 2022), a filmic curve that keeps the hue of strong colours where they
// become bright, where a curve for each channel by itself turns red to salmon.
const AGX = mat3x3f(
    0.842479062253094, 0.0423282422610123, 0.0423756549057051,
    0.0784335999999992, 0.878468636469772, 0.0784336,
    0.0792237451477643, 0.0791661274605434, 0.879142973793104,
);
const AGX_INVERSE = mat3x3f(
    1.19687900512017, -0.0528968517574562, -0.0529716355144438,
    -0.0980208811401368, 1.15190312990417, -0.0980434501171241,
    -0.0990297440797205, -0.0989611768448433, 1.15107367264116,
);
/// The stops of light that the curve spans, as exponents of two.
const DARKEST = -12.47393;
const BRIGHTEST = 4.026069;
const EXPOSURE = 0.6;
const SATURATION = 1.25;

/// Wrensch's polynomial of the AgX curve to the power of 1.3, for contrast: fitted as one polynomial to 0.001.
fn filmic(x: vec3f) -> vec3f {
    let upper = ((16.079 * x - 32.0639) * x + 7.6439) * x + 15.5198;
    return max((((upper * x - 7.4012) * x + 1.2684) * x - 0.0476) * x + 0.0004, vec3f(0.0));
}

/// Linear light to the picture.
fn picture(light: vec3f) -> vec3f {
    let stops = clamp(log2(max(AGX * (light * EXPOSURE), vec3f(1e-10))), vec3f(DARKEST), vec3f(BRIGHTEST));
    let graded = filmic((stops - DARKEST) / (BRIGHTEST - DARKEST));
    let grey = vec3f(dot(graded, vec3f(0.2126, 0.7152, 0.0722)));
    let srgb = max(AGX_INVERSE * (grey + SATURATION * (graded - grey)), vec3f(0.0));
    // The curve ends in sRGB. Its decoding as a polynomial, to 0.001.
    return encode(srgb * (srgb * (srgb * 0.305306011 + 0.682171111) + 0.012522878));
}

/// A linear colour of the picture as the target takes it: sRGB where it does not encode by itself.
fn encode(colour: vec3f) -> vec3f {
    let c = clamp(colour, vec3f(0.0), vec3f(1.0));
    if frame.encode == 0.0 {
        return c;
    }
    return select(1.055 * pow(c, vec3f(1.0 / 2.4)) - 0.055, 12.92 * c, c <= vec3f(0.0031308));
}
