//! The triangles around each vertex.

/// For each vertex, where its triangles begin in this very list, and where they end; then these triangles, ascending.
pub fn fans(triangles: &[[u32; 3]], vertices: usize) -> Vec<u32> {
    let mut offsets = vec![0_u32; vertices + 1];
    for &corner in triangles.as_flattened() {
        offsets[corner as usize + 1] += 1;
    }
    for i in 0..vertices {
        offsets[i + 1] += offsets[i];
    }
    let mut next = offsets.clone();
    let mut list = vec![0_u32; triangles.len() * 3];
    for (triangle, corners) in triangles.iter().enumerate() {
        for &corner in corners {
            list[next[corner as usize] as usize] = triangle as u32;
            next[corner as usize] += 1;
        }
    }
    let ends = offsets.windows(2).flatten().map(|end| 2 * vertices as u32 + end);
    ends.chain(list).collect()
}
