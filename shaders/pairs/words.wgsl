// The grid, as it is read.

@group(0) @binding(3) var<storage, read> grid: array<u32>;

fn word(at: u32) -> u32 {
    return grid[at];
}
