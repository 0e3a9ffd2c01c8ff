//! Points along a smooth curve.

use crate::math::Vec3;

/// A smooth curve through points, in segments of equal length along it.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// At least 2, no two neighbours the same, m.
    pub through: Vec<[f64; 3]>,
    /// At least 1; there is one point more.
    pub segments: u32,
}

/// A right-handed screw about the y axis, upwards from the height 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Helix {
    /// From the axis, m, above 0.
    pub radius: f64,
    /// Height of a turn, m; below 0 it is left-handed and goes down.
    pub pitch: f64,
    /// Above 0.
    pub turns: f64,
    /// At least 1; there is one point more.
    pub segments: u32,
}

impl Helix {
    /// `segments + 1` points.
    pub fn points(&self) -> Vec<[f64; 3]> {
        let point = |i: u32| {
            let turns = self.turns * f64::from(i) / f64::from(self.segments.max(1));
            let (sin, cos) = (turns * std::f64::consts::TAU).sin_cos();
            [self.radius * sin, self.pitch * turns, self.radius * cos]
        };
        (0..=self.segments).map(point).collect()
    }
}

/// Chords into which a piece between two points of a curve is cut to measure its length.
const CHORDS: usize = 64;

impl Curve {
    /// `segments + 1` points; the curve through fewer than two points is those points.
    pub fn points(&self) -> Vec<[f64; 3]> {
        let fine = self.fine();
        let [_, .., last] = fine[..] else { return self.through.clone() };
        let mut lengths = vec![0.0];
        for pair in fine.windows(2) {
            lengths.push(lengths[lengths.len() - 1] + (pair[1] - pair[0]).length());
        }
        let total = lengths[lengths.len() - 1];
        let segments = self.segments.max(1);
        let mut points: Vec<[f64; 3]> = Vec::with_capacity(segments as usize + 1);
        let mut chord = 0;
        for i in 0..segments {
            let way = total * f64::from(i) / f64::from(segments);
            while chord + 2 < fine.len() && lengths[chord + 1] <= way {
                chord += 1;
            }
            let length = (lengths[chord + 1] - lengths[chord]).max(f64::MIN_POSITIVE);
            points.push((fine[chord] + (fine[chord + 1] - fine[chord]) * ((way - lengths[chord]) / length)).into());
        }
        points.push(last.into());
        points
    }

    /// Many points along the curve: the centripetal Catmull-Rom spline, which has no loops and cusps between its points
    /// (Yuksel et al., Parameterization and Applications of Catmull-Rom Curves, 2011), with the end pieces as if
    /// mirrored.
    fn fine(&self) -> Vec<Vec3<f64>> {
        let given: Vec<Vec3<f64>> = self.through.iter().map(|&point| point.into()).collect();
        let ([first, second, ..], [.., before_last, last]) = (&given[..], &given[..]) else { return given };
        let mut padded = vec![*first * 2.0 - *second];
        padded.extend(&given);
        padded.push(*last * 2.0 - *before_last);
        let mut fine = vec![*first];
        for piece in padded.windows(4) {
            fine.extend((1..=CHORDS).map(|i| catmull_rom(piece, i as f64 / CHORDS as f64)));
        }
        fine
    }
}

/// The point at a share of the way from the second to the third of four points: Barry and Goldman's pyramid, knots by
/// the square roots of the distances.
fn catmull_rom(p: &[Vec3<f64>], share: f64) -> Vec3<f64> {
    let mut knots = [0.0; 4];
    for i in 1..4 {
        knots[i] = knots[i - 1] + (p[i] - p[i - 1]).length().sqrt().max(f64::MIN_POSITIVE);
    }
    let t = knots[1] + (knots[2] - knots[1]) * share;
    let between = |a: Vec3<f64>, b: Vec3<f64>, from: usize, to: usize| {
        let share = (t - knots[from]) / (knots[to] - knots[from]);
        a + (b - a) * share
    };
    let a: [Vec3<f64>; 3] = std::array::from_fn(|i| between(p[i], p[i + 1], i, i + 1));
    let b: [Vec3<f64>; 2] = std::array::from_fn(|i| between(a[i], a[i + 1], i, i + 2));
    between(b[0], b[1], 1, 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::Line;

    fn lengths(points: &[[f64; 3]]) -> Vec<f64> {
        points.windows(2).map(|pair| (Vec3::from(pair[1]) - Vec3::from(pair[0])).length()).collect()
    }

    /// A curve through points of a circle passes through its ends, is near the circle, and its segments are alike.
    #[test]
    fn curves_are_smooth_and_even() {
        let through: Vec<[f64; 3]> = (0..9).map(|i| f64::from(i) * 0.5).map(|t| [t.cos(), t.sin(), 0.0]).collect();
        let points = Curve { through: through.clone(), segments: 40 }.points();
        assert_eq!((points.len(), points[0], points[40]), (41, through[0], through[8]));
        let lengths = lengths(&points);
        let mean = lengths.iter().sum::<f64>() / 40.0;
        // An arc of 4 rad. The pieces at the ends are flatter than the circle, by up to a hundredth of their length and
        // distance.
        assert!((mean * 40.0 - 4.0).abs() < 0.02, "{mean}");
        assert!(lengths.iter().all(|length| (length / mean - 1.0).abs() < 1e-3), "{lengths:?}");
        assert!(points.iter().all(|x| (x[0].hypot(x[1]) - 1.0).abs() < 0.02), "{points:?}");
    }

    /// A curve through two points is the line between them.
    #[test]
    fn a_curve_through_two_points_is_straight() {
        let ends = [[0.0, 1.0, 0.0], [3.0, 1.0, 4.0]];
        let curve = Curve { through: ends.to_vec(), segments: 5 }.points();
        let line = Line { from: ends[0], to: ends[1], segments: 5 }.positions();
        for (a, b) in curve.iter().zip(&line) {
            assert!((Vec3::from(*a) - Vec3::from(*b)).length() < 1e-12, "{a:?} {b:?}");
        }
    }
}
