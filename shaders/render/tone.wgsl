// From linear light to the picture: AgX (Sobotka 2022, polynomial by Wrensch), a filmic curve that keeps the hue of strong
// colours where they become bright, where a curve for each channel by itself turns red to salmon.
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
const EXPOSURE = 1.25;
const CONTRAST = 1.3;
const SATURATION = 1.3;

/// Linear light to the picture.
fn picture(light: vec3f) -> vec3f {
    let stops = clamp(log2(max(AGX * (light * EXPOSURE), vec3f(1e-10))), vec3f(DARKEST), vec3f(BRIGHTEST));
    let x = (stops - DARKEST) / (BRIGHTEST - DARKEST);
    let x2 = x * x;
    let x4 = x2 * x2;
    let curve = 15.5 * x4 * x2 - 40.14 * x4 * x + 31.96 * x4 - 6.868 * x2 * x + 0.4298 * x2 + 0.1191 * x - 0.00232;
    let graded = pow(max(curve, vec3f(0.0)), vec3f(CONTRAST));
    let grey = vec3f(dot(graded, vec3f(0.2126, 0.7152, 0.0722)));
    let display = AGX_INVERSE * (grey + SATURATION * (graded - grey));
    return encode(pow(max(display, vec3f(0.0)), vec3f(2.2)));
}

/// A linear colour of the picture as the target takes it: sRGB where it does not encode by itself.
fn encode(colour: vec3f) -> vec3f {
    let c = clamp(colour, vec3f(0.0), vec3f(1.0));
    let encoded = select(1.055 * pow(c, vec3f(1.0 / 2.4)) - 0.055, 12.92 * c, c <= vec3f(0.0031308));
    return mix(c, encoded, frame.encode);
}
