// The cells, as they are read.

@group(0) @binding(2) var<storage, read> fluid_cells: array<u32>;

fn word(at: u32) -> u32 {
    return fluid_cells[at];
}
