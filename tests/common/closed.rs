//! What a closed surface must be.

use pliant::mesh::TriangleMesh;

/// Every edge lies between two triangles that run through it in opposite directions.
pub fn assert_closed(mesh: &TriangleMesh) {
    let mut directed: Vec<[u32; 2]> = mesh.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    directed.sort_unstable();
    assert!(directed.is_sorted_by(|x, y| x < y), "an edge is run through twice in one direction");
    for &[a, b] in &directed {
        assert!(directed.binary_search(&[b, a]).is_ok(), "edge {a} to {b} has no counterpart");
    }
}

/// No two vertices coincide, and every one is used.
pub fn assert_tight(mesh: &TriangleMesh) {
    let mut bits: Vec<_> = mesh.positions.iter().map(|x| x.map(|x| (x + 0.0).to_bits())).collect();
    bits.sort_unstable();
    bits.dedup();
    assert_eq!(bits.len(), mesh.positions.len(), "vertices coincide");
    let mut used = vec![false; mesh.positions.len()];
    mesh.triangles.iter().flatten().for_each(|&vertex| used[vertex as usize] = true);
    assert!(used.iter().all(|&used| used), "a vertex is loose");
}
