// The grid, as it is made.

@group(0) @binding(3) var<storage, read_write> grid: array<atomic<u32>>;

fn word(at: u32) -> u32 {
    return atomicLoad(&grid[at]);
}
