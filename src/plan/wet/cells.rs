//! Neighbours by cells as wide as they may be apart.

use crate::math::Vec3;

/// Cells beyond this are one: doubles cannot distinguish neighbouring cells there.
const FARTHEST: f64 = (1_u64 << 50) as f64;

/// Places sorted by their cells, row by row: along x first.
pub(crate) struct Cells {
    width: f64,
    /// Cell and index of each place; those that are nowhere are left out.
    sorted: Vec<([i64; 3], u32)>,
}

impl Cells {
    /// For neighbours within `width` of each other, m.
    pub fn new(places: &[Vec3<f64>], width: f64) -> Self {
        let cells = (0..).zip(places).filter(|(_, place)| place.length().is_finite());
        let mut sorted: Vec<_> = cells.map(|(index, &place)| (cell(place, width), index)).collect();
        sorted.sort_unstable();
        Self { width, sorted }
    }

    /// Hands over all places in the cells around one, in the order of rows.
    pub fn near(&self, place: Vec3<f64>, mut found: impl FnMut(usize)) {
        let [z, y, x] = cell(place, self.width);
        for row in 0..9 {
            let (z, y) = (z + row / 3 - 1, y + row % 3 - 1);
            let first = self.sorted.partition_point(|(cell, _)| *cell < [z, y, x - 1]);
            let row = self.sorted[first..].iter().take_while(|(cell, _)| *cell <= [z, y, x + 1]);
            row.for_each(|(_, index)| found(*index as usize));
        }
    }
}

/// z first, as they are sorted.
fn cell(place: Vec3<f64>, width: f64) -> [i64; 3] {
    [place.z, place.y, place.x].map(|value| (value / width).floor().clamp(-FARTHEST, FARTHEST) as i64)
}
