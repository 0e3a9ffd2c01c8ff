//! Sines, cosines and angles in lanes, by sums and products alone: those of [`wide`] are contracted to fused ones where
//! a processor has such (NEON), and have other bits there. The polynomials are those of Cephes (Moshier, `sinf.c`,
//! `cosf.c`, `atanf.c`), with errors of some 1e-7.

use std::f32::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, PI};

use super::Lanes;

/// π/2 in three parts, of which the first two have few bits: so many times them is exact.
const QUARTER_TURN: [f32; 3] = [1.570_312_5, 4.837_513e-4, 7.549_79e-8];

/// tan(π/8)
const HALF_OF_EIGHTH: f32 = 0.414_213_57;

/// Of angles of up to some thousand turns.
#[inline(always)]
pub fn sin_cos<L: Lanes>(angle: L) -> (L, L) {
    let of = L::splat;
    let turns = (angle * of(FRAC_2_PI)).rounded();
    let [high, middle, low] = QUARTER_TURN;
    let x = ((angle - turns * of(high)) - turns * of(middle)) - turns * of(low);
    let z = x * x;
    let sine = ((of(-1.951_529_6e-4) * z + of(8.332_161e-3)) * z + of(-1.666_665_5e-1)) * z * x + x;
    let cosine =
        ((of(2.443_315_7e-5) * z + of(-1.388_731_6e-3)) * z + of(4.166_664_6e-2)) * z * z - of(0.5) * z + of(1.0);
    // Which quarter: 0 to 3.
    let quarter = turns - of(4.0) * ((turns - of(1.5)) * of(0.25)).rounded();
    let half = quarter * of(0.5);
    let is_odd = absolute(half - half.rounded()).greater(of(0.25));
    let below = quarter.greater(of(1.5));
    let ahead = absolute(quarter - of(1.5)).greater(of(1.0));
    let (sine, cosine) = (L::select(is_odd, cosine, sine), L::select(is_odd, sine, cosine));
    (L::select(below, -sine, sine), L::select(ahead, cosine, -cosine))
}

/// The angle of (x, y), from -π to π; 0 where both are nothing.
#[inline(always)]
pub fn atan2<L: Lanes>(y: L, x: L) -> L {
    let of = L::splat;
    let zero = of(0.0);
    let (across, along) = (absolute(y), absolute(x));
    let is_steep = across.greater(along);
    let (less, more) = (L::select(is_steep, along, across), L::select(is_steep, across, along));
    // What is not a number stays so.
    let slope = less / (more + L::select(more.greater(zero), zero, of(1.0)));
    let is_far = slope.greater(of(HALF_OF_EIGHTH));
    let near = L::select(is_far, (slope - of(1.0)) / (slope + of(1.0)), slope);
    let z = near * near;
    let series = ((of(8.053_744_5e-2) * z - of(1.387_768_6e-1)) * z + of(1.997_771_1e-1)) * z - of(3.333_295e-1);
    let angle = series * z * near + near + L::select(is_far, of(FRAC_PI_4), zero);
    let angle = L::select(is_steep, of(FRAC_PI_2) - angle, angle);
    let angle = L::select(zero.greater(x), of(PI) - angle, angle);
    L::select(zero.greater(y), -angle, angle)
}

#[inline(always)]
fn absolute<L: Lanes>(x: L) -> L {
    x.max(-x)
}

#[cfg(test)]
mod tests {
    use super::super::{InLanes, Instructions, MOST};
    use super::*;

    /// Of pairs of numbers: sine and cosine of the first, and its angle with the second.
    struct All<'a>(&'a [[f32; 2]], &'a mut Vec<[f32; 3]>);

    impl InLanes for All<'_> {
        #[inline(always)]
        fn run<L: Lanes>(self) {
            for pairs in self.0.chunks_exact(L::COUNT) {
                let (mut y, mut x) = ([0.0; MOST], [0.0; MOST]);
                pairs.iter().enumerate().for_each(|(lane, pair)| (y[lane], x[lane]) = (pair[0], pair[1]));
                let (y, x) = (L::from_array(&y), L::from_array(&x));
                let (sine, cosine) = sin_cos(y);
                let [sines, cosines, angles] = [sine, cosine, atan2(y, x)].map(Lanes::to_array);
                self.1.extend((0..L::COUNT).map(|lane| [sines[lane], cosines[lane], angles[lane]]));
            }
        }
    }

    fn all(instructions: Instructions, pairs: &[[f32; 2]]) -> Vec<[f32; 3]> {
        let mut told = Vec::new();
        instructions.run(All(pairs, &mut told));
        told
    }

    /// They are those of double precision to single precision's rounding, with the same bits by all registers: hashed,
    /// since another processor shall have them, too.
    #[test]
    fn angles_are_right_and_alike() {
        let mut random = 1_u32;
        let mut number = |most: f32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((random >> 8) as f32 / (1 << 24) as f32 - 0.5) * 2.0 * most
        };
        let near: Vec<[f32; 2]> = (0..40_000).map(|_| [number(4.0), number(4.0)]).collect();
        let far = (0..20_000).map(|_| [number(6_000.0), number(1e-3)]);
        let axes = [0.0, 1.0, -1.0, 1e-30, -1e-30].map(|y| [0.0, 1.0, -1.0, 1e-30].map(|x| [y, x]));
        let mut pairs: Vec<[f32; 2]> = near.into_iter().chain(far).chain(axes.into_iter().flatten()).collect();
        pairs.resize(pairs.len().next_multiple_of(MOST), [1.0, 2.0]);
        let expected = all(Instructions::Baseline, &pairs);
        for (told, pair) in expected.iter().zip(&pairs) {
            let [y, x] = pair.map(f64::from);
            for (told, right) in told.iter().zip([y.sin(), y.cos(), y.atan2(x)]) {
                let error = (f64::from(*told) - right).abs();
                assert!(error < 2.5e-7 * right.abs().max(0.5), "{pair:?}: {told} in place of {right}");
            }
        }
        for instructions in Instructions::available() {
            let told = all(instructions, &pairs);
            let same = told.iter().zip(&expected).all(|(a, b)| a.map(f32::to_bits) == b.map(f32::to_bits));
            assert!(same, "{instructions:?}");
        }
        let bits = expected.iter().flatten().map(|number| u64::from(number.to_bits()));
        let hash = bits.fold(0xcbf2_9ce4_8422_2325, |hash: u64, bits| (hash ^ bits).wrapping_mul(0x100_0000_01b3));
        assert_eq!(hash, 0x2da0_742d_0e56_58c5, "{hash:#x}");
        let nowhere = all(Instructions::Baseline, &[[f32::NAN, 0.0], [0.0, f32::NAN], [f32::NAN; 2], [f32::NAN, 1.0]]);
        assert!(nowhere.iter().all(|told| told[2].is_nan()), "{nowhere:?}");
    }
}
