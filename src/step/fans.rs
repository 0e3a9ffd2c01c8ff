//! What is around each vertex: triangles and segments.

/// For each vertex, where its elements begin in this very list, and where they end; then these elements, in their
/// order. An element is a number and its vertices, each once.
pub fn fans<'a>(elements: impl Iterator<Item = (u32, &'a [u32])> + Clone, vertices: usize) -> Vec<u32> {
    let mut offsets = vec![0_u32; vertices + 1];
    for &vertex in elements.clone().flat_map(|(_, vertices)| vertices) {
        offsets[vertex as usize + 1] += 1;
    }
    for i in 0..vertices {
        offsets[i + 1] += offsets[i];
    }
    let mut next = offsets.clone();
    let mut list = vec![0_u32; offsets[vertices] as usize];
    for (element, around) in elements {
        for &vertex in around {
            list[next[vertex as usize] as usize] = element;
            next[vertex as usize] += 1;
        }
    }
    let ends = offsets.windows(2).flatten().map(|end| 2 * vertices as u32 + end);
    ends.chain(list).collect()
}
