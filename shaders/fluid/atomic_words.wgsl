// The cells, as they are made.

@group(0) @binding(2) var<storage, read_write> fluid_cells: array<atomic<u32>>;

fn word(at: u32) -> u32 {
    return atomicLoad(&fluid_cells[at]);
}
