//! A grid as bytes, for hosts that keep it: measuring takes seconds, reading milliseconds.

use super::DistanceGrid;
use crate::base::hash::Fnv;
use crate::mesh::TriangleMesh;

/// Also the version: what another one wrote is measured again.
const MAGIC: &[u8; 16] = b"PLIANT distance1";
/// Magic, key, lowest corner, cell, nodes.
const HEADER: usize = 16 + 8 + 3 * 8 + 8 + 3 * 4;

/// What the grid of a surface goes by.
pub(crate) fn key(surface: &TriangleMesh, cells: u32) -> u64 {
    let mut hash = Fnv::default();
    hash.bytes(MAGIC);
    hash.bytes(&cells.to_le_bytes());
    hash.bytes(bytemuck::cast_slice(&surface.positions));
    hash.bytes(bytemuck::cast_slice(&surface.triangles));
    hash.0
}

/// The grid with its key and a checksum at the end.
pub(crate) fn encode(grid: &DistanceGrid, key: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + 4 * grid.distances.len() + 8);
    bytes.extend(MAGIC);
    bytes.extend(key.to_le_bytes());
    grid.low.iter().chain([&grid.cell]).for_each(|number| bytes.extend(number.to_le_bytes()));
    grid.nodes.iter().for_each(|nodes| bytes.extend(nodes.to_le_bytes()));
    grid.distances.iter().for_each(|distance| bytes.extend(distance.to_le_bytes()));
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// The grid with this key, or `None` if the bytes are damaged or of another one.
pub(crate) fn decode(bytes: &[u8], expected: u64) -> Option<DistanceGrid> {
    let (content, check) = bytes.split_last_chunk::<8>().filter(|(content, _)| content.len() >= HEADER)?;
    if checksum(content) != u64::from_le_bytes(*check) {
        return None;
    }
    let (header, distances) = content.split_at(HEADER);
    let (magic, numbers) = header.split_first_chunk::<16>()?;
    let (key, numbers) = numbers.split_first_chunk::<8>()?;
    let (places, nodes) = numbers.split_at(32);
    let [x, y, z, cell] = <[[u8; 8]; 4]>::try_from(places.as_chunks().0).ok()?.map(f64::from_le_bytes);
    let nodes = <[[u8; 4]; 3]>::try_from(nodes.as_chunks().0).ok()?.map(u32::from_le_bytes);
    let distances: Vec<f32> = distances.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    let fits =
        nodes.iter().try_fold(1usize, |count, &nodes| count.checked_mul(nodes as usize)) == Some(distances.len());
    let is_grid = magic == MAGIC && u64::from_le_bytes(*key) == expected && nodes.iter().all(|&nodes| nodes >= 2);
    (is_grid && fits).then_some(DistanceGrid { low: [x, y, z], cell, nodes, distances })
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = Fnv::default();
    hash.bytes(bytes);
    hash.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was kept is read bit for bit; cut short, damaged anywhere or with another key it is not.
    #[test]
    fn damage_is_noticed() {
        let distances = (0..24).map(|i| i as f32 - 11.5).collect();
        let grid = DistanceGrid { low: [1.0, -2.0, 0.1], cell: 0.3, nodes: [2, 3, 4], distances };
        let bytes = encode(&grid, 7);
        assert_eq!(decode(&bytes, 7), Some(grid));
        assert_eq!(decode(&bytes, 8), None);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert_eq!(decode(&damaged, 7), None, "byte {at}");
            assert_eq!(decode(&bytes[..at], 7), None, "cut at {at}");
        }
    }
}
