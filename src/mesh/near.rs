//! Points by where they are: which lie within a distance of a place.

use super::bounds;
use crate::math::Vec3;

/// Bits of a cell's number along each axis.
const BITS: u32 = 20;

/// Points in the cells of a grid. Points are finite.
pub(super) struct Points<'a> {
    positions: &'a [[f64; 3]],
    low: [f64; 3],
    /// Of a cell, above 0.
    side: f64,
    /// Cell and point, ascending.
    sorted: Vec<(u64, u32)>,
}

impl<'a> Points<'a> {
    /// Of the points with these indices.
    pub fn new(positions: &'a [[f64; 3]], indices: impl Iterator<Item = u32>) -> Self {
        let (low, high) = bounds(positions);
        let extent = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
        // About one point in each cell of a surface.
        let across = (positions.len() as f64).sqrt().clamp(1.0, f64::from((1 << BITS) - 1));
        let side = if extent > 0.0 { extent / across } else { 1.0 };
        let mut points = Self { positions, low, side, sorted: Vec::new() };
        points.sorted = indices.map(|index| (key(points.cell(positions[index as usize])), index)).collect();
        points.sorted.sort_unstable();
        points
    }

    fn cell(&self, place: [f64; 3]) -> [u64; 3] {
        // Saturates at 0 and keeps to the last cell.
        std::array::from_fn(|axis| (((place[axis] - self.low[axis]) / self.side) as u64).min((1 << BITS) - 1))
    }

    /// The points within a distance of one.
    pub fn around(&self, place: [f64; 3], distance: f64) -> impl Iterator<Item = u32> + '_ {
        let within =
            move |&index: &u32| (Vec3::from(self.positions[index as usize]) - Vec3::from(place)).length() <= distance;
        self.in_box(place.map(|x| x - distance), place.map(|x| x + distance)).filter(within)
    }

    /// The points of all cells that a box meets.
    fn in_box(&self, low: [f64; 3], high: [f64; 3]) -> impl Iterator<Item = u32> + '_ {
        let (first, last) = (self.cell(low), self.cell(high));
        let rows = (first[2]..=last[2]).flat_map(move |z| (first[1]..=last[1]).map(move |y| (y, z)));
        rows.flat_map(move |(y, z)| {
            let begin = self.sorted.partition_point(|&(cell, _)| cell < key([first[0], y, z]));
            let row = self.sorted[begin..].iter().take_while(move |&&(cell, _)| cell <= key([last[0], y, z]));
            row.map(|&(_, index)| index)
        })
    }

    /// The points within a distance of the way from one to another; a point may come more than once.
    pub fn along(&self, [a, b]: [[f64; 3]; 2], distance: f64) -> impl Iterator<Item = u32> + '_ {
        let (from, way) = (Vec3::from(a), Vec3::from(b) - Vec3::from(a));
        let squared = way.dot(way);
        // In parts no longer than a cell, so that a slanting way does not meet all cells of its box.
        let parts = (way.length() / self.side).ceil().max(1.0) as u64;
        let end = move |part: u64| <[f64; 3]>::from(from + way * (part as f64 / parts as f64));
        let found = (0..parts).flat_map(move |part| {
            let (a, b) = (end(part), end(part + 1));
            let low = std::array::from_fn(|axis| a[axis].min(b[axis]) - distance);
            self.in_box(low, std::array::from_fn(|axis| a[axis].max(b[axis]) + distance))
        });
        found.filter(move |&index| {
            let off = Vec3::from(self.positions[index as usize]) - from;
            let share = if squared > 0.0 { (off.dot(way) / squared).clamp(0.0, 1.0) } else { 0.0 };
            (off - way * share).length() <= distance
        })
    }
}

fn key([x, y, z]: [u64; 3]) -> u64 {
    (z << BITS | y) << BITS | x
}

/// For each point the first of all that stays which lies no farther along the axes than an ellipsoid of these radii,
/// all above 0, has room; itself if it stays.
pub(super) fn first_within(positions: &[[f64; 3]], radii: [f64; 3]) -> Vec<u32> {
    let scaled: Vec<[f64; 3]> = positions.iter().map(|x| std::array::from_fn(|axis| x[axis] / radii[axis])).collect();
    let points = Points::new(&scaled, 0..scaled.len() as u32);
    let mut first: Vec<u32> = (0..scaled.len() as u32).collect();
    for (index, place) in scaled.iter().enumerate() {
        let earlier =
            points.around(*place, 1.0).filter(|&other| (other as usize) < index && first[other as usize] == other);
        first[index] = earlier.min().unwrap_or(index as u32);
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of random points those around a place and along a way are those that a search through all finds.
    #[test]
    fn finds_what_a_search_through_all_finds() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f64 / (1u64 << 24) as f64
        };
        let positions: Vec<[f64; 3]> = (0..500).map(|_| [random(), 5.0 * random(), 0.1 * random()]).collect();
        let points = Points::new(&positions, 0..500);
        for _ in 0..50 {
            let [a, b]: [[f64; 3]; 2] = std::array::from_fn(|_| [2.0 * random() - 0.5, 5.0 * random(), 0.1 * random()]);
            let distance = 0.3 * random();
            let near =
                |index: &u32, place: Vec3<f64>| (Vec3::from(positions[*index as usize]) - place).length() <= distance;
            let mut found: Vec<u32> = points.around(a, distance).collect();
            found.sort_unstable();
            assert_eq!(found, (0..500).filter(|index| near(index, a.into())).collect::<Vec<u32>>());
            let mut found: Vec<u32> = points.along([a, b], distance).collect();
            found.sort_unstable();
            found.dedup();
            let way = Vec3::from(b) - Vec3::from(a);
            let foot = |index: &u32| {
                let off = Vec3::from(positions[*index as usize]) - Vec3::from(a);
                Vec3::from(a) + way * (off.dot(way) / way.dot(way)).clamp(0.0, 1.0)
            };
            assert_eq!(found, (0..500).filter(|index| near(index, foot(index))).collect::<Vec<u32>>());
        }
    }

    /// Points go to the first within reach that stays, so that no chain draws a mesh together; reach differs by axis.
    #[test]
    fn welds_to_the_first() {
        let row = [[0.0, 0.0, 0.0], [0.9, 0.0, 0.0], [1.8, 0.0, 0.0], [0.0, 0.9, 0.0], [0.0, 0.0, 7.0]];
        assert_eq!(first_within(&row, [1.0, 0.5, 8.0]), [0, 0, 2, 3, 0]);
        assert_eq!(first_within(&[], [1.0; 3]), [0; 0]);
        assert_eq!(first_within(&[[3.0; 3], [3.0; 3]], [1e-9; 3]), [0, 0]);
    }
}
