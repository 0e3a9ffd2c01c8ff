//! Splits a polygon into triangles: a fan if it is convex, else by clipping ears.

use crate::math::Vec3;

/// Errors of computed distances and products are a few units in the last place of the largest coordinate.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Clipping ears takes up to the third power of the number of corners: a second for these.
const MOST_CONCAVE_CORNERS: usize = 1000;

const SPLIT_IT: &str = "split it into triangles where the file was made";

type Point = [f64; 2];

/// Triangles over the corners, wound like the polygon; none if all corners lie on a line. Fails, with what is wrong and
/// what to do, where the polygon crosses itself.
pub(super) fn split(corners: &[[f64; 3]]) -> Result<Vec<[usize; 3]>, (&'static str, &'static str)> {
    let Some(&first) = corners.first() else { return Ok(Vec::new()) };
    let relative: Vec<Vec3<f64>> = corners.iter().map(|&corner| Vec3::from(corner) - first.into()).collect();
    let largest = corners.iter().flatten().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let farthest = relative.iter().fold(Vec3::zero(), |a: Vec3<f64>, &b| if b.length() > a.length() { b } else { a });
    let (along, extent) = farthest.direction_and_length();
    let width = relative.iter().map(|x| along.cross(*x).length()).fold(0.0, f64::max);
    if width <= ROUNDING * largest {
        return Ok(Vec::new());
    }
    if let [_, _, _] = corners {
        return Ok(vec![[0, 1, 2]]);
    }
    // Newell's normal: its length is twice the area, with parts that run the other way round counted negative.
    let newell = relative.windows(2).fold(Vec3::zero(), |sum: Vec3<f64>, pair| sum + pair[0].cross(pair[1]));
    let (normal, twice_area) = newell.direction_and_length();
    let tolerance = ROUNDING * largest * extent;
    let crossed = ("the face crosses itself", SPLIT_IT);
    if twice_area <= tolerance {
        return Err(crossed);
    }
    let (u, _) = (along + normal * -along.dot(normal)).direction_and_length();
    let v = normal.cross(u);
    let flat: Vec<Point> = relative.iter().map(|&x| [x.dot(u), x.dot(v)]).collect();
    if is_convex(&flat, tolerance) {
        return Ok((1..flat.len() - 1).map(|i| [0, i, i + 1]).collect());
    }
    if flat.len() > MOST_CONCAVE_CORNERS {
        return Err(("the face is not convex and has more than 1000 corners", SPLIT_IT));
    }
    if crosses_itself(&flat, tolerance) {
        return Err(crossed);
    }
    clip_ears(&flat, tolerance).ok_or(crossed)
}

/// Twice the area of a triangle, positive if it is counter-clockwise.
fn turn(a: Point, b: Point, c: Point) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Whether every corner turns left, the fan from the first corner has only triangles with area, and all lies on one
/// side of the first edge, which keeps a spiral out.
fn is_convex(points: &[Point], tolerance: f64) -> bool {
    let n = points.len();
    (0..n).all(|i| turn(points[i], points[(i + 1) % n], points[(i + 2) % n]) > tolerance)
        && (1..n - 1).all(|i| turn(points[0], points[i], points[i + 1]) > tolerance)
        && (2..n).all(|i| turn(points[0], points[1], points[i]) > tolerance)
}

/// Whether two edges cross at a point inside both.
fn crosses_itself(points: &[Point], tolerance: f64) -> bool {
    let n = points.len();
    let edge = |i: usize| (points[i], points[(i + 1) % n]);
    let apart = |(a, b): (Point, Point), (c, d): (Point, Point)| {
        let (left, right) = (turn(a, b, c), turn(a, b, d));
        left.min(right) < -tolerance && left.max(right) > tolerance
    };
    (0..n).any(|i| (i + 1..n).any(|j| apart(edge(i), edge(j)) && apart(edge(j), edge(i))))
}

/// Cuts off corner after corner whose triangle holds no other corner. `None` if none is left that can be cut off.
fn clip_ears(points: &[Point], tolerance: f64) -> Option<Vec<[usize; 3]>> {
    let mut left: Vec<usize> = (0..points.len()).collect();
    let mut triangles = Vec::with_capacity(points.len() - 2);
    while left.len() > 3 {
        let n = left.len();
        let around = |i: usize| [left[(i + n - 1) % n], left[i], left[(i + 1) % n]];
        let ear = (0..n).find(|&i| is_ear(points, around(i), &left, tolerance))?;
        triangles.push(around(ear));
        left.remove(ear);
    }
    let last = [left[0], left[1], left[2]];
    triangles.push(last);
    let [a, b, c] = last.map(|corner| points[corner]);
    (turn(a, b, c) > tolerance).then_some(triangles)
}

/// Whether the triangle has area and no other corner lies in it or on its rim. Corners at the same place as its own, as
/// on the two banks of a slit that leads to a hole, do not count.
fn is_ear(points: &[Point], ear: [usize; 3], left: &[usize], tolerance: f64) -> bool {
    let [a, b, c] = ear.map(|corner| points[corner]);
    let holds = |p: Point| turn(a, b, p) >= -tolerance && turn(b, c, p) >= -tolerance && turn(c, a, p) >= -tolerance;
    turn(a, b, c) > tolerance
        && !left.iter().map(|&other| points[other]).any(|p| p != a && p != b && p != c && holds(p))
}
