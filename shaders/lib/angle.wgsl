// Cosine and sine to single precision, for rest angles: those of WGSL are good to 5e-4 only.
//   angle = k π/2 + r, |r| ≤ π/4: Cody and Waite's reduction, π/2 in two parts of which k times the first is exact for |k| < 65,536
//   sin r = r + r³ (s0 + r² (s1 + r² s2)),  cos r = 1 - r²/2 + r⁴ (c0 + r² (c1 + r² c2)): the minimax polynomials of Cephes
// Error below 2e-7 for |angle| ≤ 20; beyond that of the angle's own rounding.

const HALF_PI_HIGH: f32 = 1.5703125;            // 201 / 128
const HALF_PI_LOW: f32 = 4.838267948966e-4;

fn cosine_sine(angle: f32) -> vec2f {
    let k = round(angle * 0.6366197723676);
    let r = fma(-k, HALF_PI_LOW, fma(-k, HALF_PI_HIGH, angle));
    let z = r * r;
    let sine = fma(r * z, fma(z, fma(z, -1.9515295891e-4, 8.3321608736e-3), -1.6666654611e-1), r);
    let c = fma(z, fma(z, 2.443315711809948e-5, -1.388731625493765e-3), 4.166664568298827e-2);
    let cosine = fma(z * z, c, fma(-0.5, z, 1.0));
    let quarter = i32(k) & 3;
    let turned = select(vec2f(cosine, sine), vec2f(-sine, cosine), (quarter & 1) == 1);
    return select(turned, -turned, quarter >= 2);
}
